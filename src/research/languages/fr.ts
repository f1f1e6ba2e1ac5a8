import type { Language } from './language.ts';

export const fr: Language = {
  tag: 'fr',
  stopWords: `à afin ainsi alors après au aucun aussi autre aux avant avec avoir c ce cela ces cet cette ceux chaque comme
    comment d dans de des donc dont du elle elles en encore entre est et être eu eux fait il ils j je l la le
    les leur leurs lui mais me même mes moins mon n ne nos notre nous on ont ou où par pas pendant peu peut plus
    pour pourquoi qu quand que quel quelle quelles quels qui s sa sans se ses si son sont sous sur ta te tes toi
    ton tous tout toute toutes très tu un une vers vos votre vous`,
  letters: /[àâçèêëîïœùû]/gu,
  referenceHeadings: 'références|bibliographie',
  conclusionHeadings: 'conclusion et .*',
  report: {
    conclusion: 'Conclusion et perspectives',
    references: 'Références',
    howMade: 'Comment ce rapport a été établi',
    nothingFound: 'Rien n’a été trouvé pour cette section ; recherché dans : {0}.',
    sectionFailed: 'Cette section n’a pas pu être étudiée : {0}',
    covered: 'Sections avec résultats : {0}. Sources : {1}.',
    notCovered: 'Rien n’a été trouvé sur : {0}.',
    retrieved: 'Consulté le',
  },
  digest: {
    facets: {
      definition: 'Définition et fonctionnement',
      background: 'Contexte et évolution',
      techniques: 'Techniques et approches',
      evaluation: 'Évaluation et résultats',
      cost: 'Coût, vitesse et passage à l’échelle',
      tools: 'Outils et implémentations',
      applications: 'Usage en pratique',
      limits: 'Limites et questions ouvertes',
      recent: 'Avancées récentes',
      choice: 'Forces, faiblesses et choix',
    },
    whatItIs: '{subject} : définition et fonctionnement',
    aspectOf: '{subject} : {aspect}',
    compared: {
      definition: 'Fonctionnement : {sides}',
      techniques: 'Approches : {sides}',
      evaluation: 'Qualité et résultats : {sides}',
      cost: 'Coût, vitesse et passage à l’échelle : {sides}',
      limits: 'Limites : {sides}',
      tools: 'Outils : {sides}',
      choice: 'Choisir : {sides}',
    },
    and: ' et ',
    comma: ', ',
    origins: {
      workspace: 'Dans cet espace de travail',
      papers: 'Articles',
      projects: 'Projets',
      discussions: 'Discussions',
      web: 'Web',
    },
    columns: { source: 'Source', subject: 'Sujet', says: 'Ce qui y est dit' },
    related: 'À ce sujet',
    digest:
      'Ce recueil a été fait sans modèle de langage : chaque énoncé est cité mot pour mot et suivi de sa référence. Nombre de sources : {sources}.',
    conclusion: 'Conclusion et perspectives',
    found: 'Ce qui a été trouvé :',
    foundLine: '{section} – sources : {sources}',
    notFound: 'Rien n’a été trouvé sur : {sections}.',
    allFound: 'Chaque section du plan a des citations.',
    outlook:
      'Les citations sont choisies d’après leurs mots et n’ont pas été confrontées entre elles : lisez les sources avant de vous appuyer sur un énoncé. Avec un modèle de langage configuré, la même recherche donne un rapport rédigé.',
    objective: 'Réunir ce que disent les sources, dans leurs propres mots.',
    scope: 'Les passages citables des sources activées.',
    description: '{facet} : {subject}.',
    sources: [
      'une',
      'deux',
      'trois',
      'quatre',
      'cinq',
      'six',
      'sept',
      'huit',
      'neuf',
      'dix',
      'onze',
      'douze',
      'plus de douze',
    ],
    assess: {
      topic:
        'Sur quoi porte la recherche ? Indiquez un sujet, par exemple une méthode, un produit ou une question de votre travail.',
      topicOptions: [
        'Génération augmentée par récupération : principales techniques',
        'Comparaison des bases de données vectorielles',
        'Évaluation des applications de modèles de langage',
      ],
      scope: '**{subject}** est un vaste domaine. Quel aspect vous intéresse ?',
      scopeOptions: [
        'Aperçu et principales approches',
        'Avancées récentes',
        'Outils et implémentations',
        'Limites et questions ouvertes',
      ],
      understood: 'La recherche commence : {subject}.',
      defaultGoal: 'un aperçu : fonctionnement, approches, résultats, outils et limites',
      cannotDo:
        'C’est une tâche à exécuter et non un sujet de recherche. Posez une question à laquelle des articles, du code ou des documents peuvent répondre.',
      noTopic:
        'Il n’y a pas de sujet de recherche. Indiquez-en un, par exemple une méthode, un produit ou une question de votre travail.',
    },
  },
};
