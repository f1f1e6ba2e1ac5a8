import type { Language } from './language.ts';

export const fr: Language = {
  tag: 'fr',
  stopWords: `à afin ainsi alors après au aucun aussi autre aux avant avec avoir c ce cela ces cet cette ceux chaque comme
    comment d dans de des donc dont du elle elles en encore entre est et être eu eux fait il ils j je l la le
    les leur leurs lui mais me même mes moins mon n ne nos notre nous on ont ou où par pas pendant peu peut plus
    pour pourquoi qu quand que quel quelle quelles quels qui s sa sans se ses si son sont sous sur ta te tes toi
    ton cette celui celle ceci jusque lors lorsque puisque chez entre sera serait sont était étaient ont avait peuvent
    doit doivent faut ils tous tout toute toutes très tu un une vers vos votre vous`,
  askingWords: `s'il plaît dis montre explique décris donne quel quelle quels quelles que quoi qui quand pourquoi où
    comment combien est-ce quelqu'un quelque chose faut faire signifie arrive compare comparer différence
    différences entre n y`,
  letters: /[àâçèêëîïœùû]/gu,
  referenceHeadings: 'références|bibliographie',
  conclusionHeadings: 'conclusion et .*',
  backReferences: [
    "ils?|elles?|ces?|cet|cette|cela|ceci|ceux|celles?|celui|leurs?|c['’]est|ainsi|donc|cependant",
    'toutefois|de plus|en outre|par (?:ailleurs|exemple)',
    '(?:dans|avec|pour|sous|sur|de|à) (?:ce|cet|cette|ces|cela)|les deux',
  ].join('|'),
  pointing: 'ce cet cette ces celui celle ceux celles ceci cela ça il elle ils elles l',
  interrogatives: 'que quoi qui pourquoi comment quand où quel quelle quels quelles combien qu',
  requests:
    'aide aider aidez recherche rechercher cherche chercher informations infos sujet question rapport fais fait moi chose choses parle parler',
};
