import type { AskingWords } from './askingWords.ts';

export const fr: AskingWords = {
  requests: `recherche recherches rechercher cherche chercher étudie étudier enquête trouve trouver aide aider aide-moi aidez aidez-moi fais fais-moi
    faire faites svp s'il te vous plaît veux voudrais aimerais souhaite besoin savoir apprendre connaître dis dis-moi donne donne-moi
    montre explique expliquer explique-moi décris résume résumer résumé parle parle-moi quelque chose quelque_chose truc sujet sujets
    thème question questions info infos informations information détails rapport réponse plus sur à propos de des du d' la le les un
    une peux peux-tu pouvez pouvez-vous pourrais tu vous je j'ai moi me mon ma nous on compare comparer comparaison analyse vérifie
    écris liste intéressant utile en qui que pour`,
  pointing: `ce cet cette ces celui celle ceux celles celui-ci celui-là celle-ci celle-là ceci cela ça il elle ils elles l'autre autre
    autres ce médicament-là même mêmes ledit tel telle ici`,
  private: `hier avant-hier aujourd'hui récemment dernier dernière mentionné mentionnée parlé parlait parlions dit disait raconté discuté envoyé
    envoyée montré vu vue entendu lu rencontré souviens médecin docteur patron chef collègue collègues ami amie voisin voisine professeur
    frère sœur mère père mari femme semaine mois a ai avons avez m'a m'ont t'a on`,
  things: `médicament médicaments médicament-là molécule composé cible gène gènes protéine protéines récepteur mutation anticorps vaccin maladie
    entreprise société startup fabricant produit produits appareil personne auteur équipe banque action pays ville loi affaire jugement
    traitement thérapie essai méthode approche algorithme technique modèle événement livre film jeu endroit`,
  here: `projet dépôt code bibliothèque librairie paquet dossier répertoire application programme framework api jeu mémoire`,
  parts: `module fichier fichiers document documents notes note script fonction classe page texte configuration service composant données`,
  papers: 'article articles papier publication prépublication',
  fields: `jeux_vidéo télévision mode cuisine jardinage photographie architecture astronomie géographie géologie linguistique archéologie statistiques
    théologie mythologie journalisme théâtre danse cinéma design aviation robotique immobilier assurances
    cancer cancers oncologie maladie maladies médicament médicaments médecine santé biologie chimie physique mathématiques science
    sciences technologie technologies technique ingénierie informatique ordinateurs logiciel logiciels matériel programmation internet
    ia intelligence_artificielle économie finance commerce marketing gestion politique droit histoire philosophie psychologie sociologie
    éducation art musique littérature sport voyage nourriture alimentation nutrition nature environnement climat énergie espace univers
    monde vie société culture religion guerre animaux plantes gènes génétique protéines cellules cerveau données sécurité
    cryptomonnaie blockchain robotique voitures jeux films livres argent actions entreprises produits pays gouvernement pharmacie
    biotechnologie vaccins virus bactéries diabète infections matériaux langues agriculture transport`,
  general: `nouveau nouvelle nouveaux nouvelles nouvel dernier dernière derniers dernières récent récents récente actuel actuelle moderne
    avenir futur tendance tendances actualité actualités développement développements progrès avancées innovation innovations état
    aperçu introduction bases général générale important importants principal principaux meilleur meilleurs bon bons grand différents
    types type exemples faits histoire contexte traitement traitements thérapie thérapies guérison recherche usage utilisation
    application applications impact effet effets avantages risque risques problème problèmes défis solution solutions industrie
    marché méthode méthodes outils systèmes découverte domaine aujourd'hui maintenant et ou dans avec est sont quoi quel quelle quels
    quelles comment pourquoi quand où tout tous`,
  named:
    'gène protéine médicament molécule composé mutation variant récepteur kinase enzyme inhibiteur inhibiteurs agoniste anticorps biomarqueur paquet bibliothèque',
  definition: String.raw`^\s*(?:qu['’]est[\s-]ce\s+que?\b|c['’]est\s+quoi\b|que\s+signifie\b|définition\b|qui\s+(?:est|était)\b)|c['’]est\s+quoi\s*\??$`,
  task: String.raw`(?:(?:s'il te plaît|peux-tu|pouvez-vous|pourrais-tu)\s+){0,2}(?:(?:écris|écrivez|écrire|rédige|compose)(?:-moi|-nous|\s+moi)?\s+(?:(?:un|une|le|la|court|courte|petit|petite)\s+){0,2}(?:poème|histoire|chanson|blague|e-?mail|mail|courriel|lettre|roman|fonction|code|script|programme|discours)\b|raconte(?:-moi)?\s+une\s+(?:blague|histoire)\b|tradui(?:s|re|sez)\b|réserve(?:-moi|r)?\s|commande(?:-moi|r)?\s+(?:une|un|moi)|achète(?:-moi)\b|rappelle-moi\b|joue\s+de\s+la\s+musique|chante\b|dessine(?:-moi)?\s|envoie\s+(?:un|ce)|corrige\s+(?:ce|mon)|supprime\s+(?:tous|mes|les)\s)`,
  harm: String.raw`(?:comment|recette|instructions|étapes).{0,30}(?:fabriquer|faire|construire|synthétiser|produire|préparer|créer)\s.{0,25}(?:bombe|bombes|explosif|explosifs|sarin|gaz\s+(?:neurotoxique|moutarde)|ricine|méthamphétamine|héroïne|arme\s+(?:chimique|biologique)|rançongiciel)|comment\s+(?:tuer|empoisonner|assassiner)\s`,
  smallTalk: String.raw`(?:bonjour|salut|coucou|bonsoir|bonne\s+(?:nuit|journée)|merci|merci\s+beaucoup|au\s+revoir|ça\s+va|comment\s+(?:ça\s+va|allez-vous)|qui\s+es-tu|test)(?:\s+(?:à\s+tous|beaucoup|bien|toi|vous))*`,
  skips: `commencer|commence|commencez|passer|passe|allez-y|vas-y|lance|lance la recherche|démarre|démarrer|continue|continuer|peu importe|comme tu veux|à toi de choisir|tu décides|sans préférence|pas de préférence|pas de question|fais-le|c'est parti|commence directement|ne pose pas de questions`,
  fillers: 'juste simplement maintenant la le directement donc alors stp svp oui ok recherche déjà tout de suite et',
  yes: 'oui ouais exact correct parfait',
  texts: {
    reference: 'À quoi renvoie « {phrase} » ? Merci de le nommer.',
    scope: '« {subject} » est un vaste domaine. Sur quoi porter la recherche ?',
    goal: 'Que doit établir la recherche sur « {subject} » ?',
    term: 'Aucune des sources interrogées ne connaît « {term} ». Que désigne-t-il ?',
    confirm: 'La recherche portera sur : {subject}. Est-ce exact ?',
    readings: [
      '{subject} : un aperçu',
      '{subject} : les derniers développements',
      '{subject} : questions ouvertes et débats',
    ],
    asWritten: 'Chercher « {term} » tel quel',
    correct: 'Oui, commencer',
    why: {
      topic: 'Aucun mot de la question ne nomme un sujet.',
      reference: 'Ni la question ni le dossier ouvert ne disent de quoi il s’agit.',
      scope: 'Un domaine entier ne tient pas dans un rapport.',
      goal: 'La réponse dépend de ce à quoi elle doit servir.',
      term: 'Il a été cherché sans être trouvé : peut-être une faute de frappe, ou très récent.',
      confirm: 'Vous avez demandé à confirmer chaque question avant la recherche.',
    },
    cannot: {
      task: 'C’est une tâche plutôt qu’une question à laquelle des sources pourraient répondre.',
      harm: 'Cela demande des instructions qui pourraient causer un grave dommage ; aucune recherche n’est faite.',
      smallTalk: 'Il n’y a encore rien à rechercher ici.',
    },
    instead:
      'Posez une question sur un sujet traité par des articles, du code, des discussions ou vos fichiers, par exemple « Comment HTTP/3 compense-t-il les pertes de paquets ? ».',
  },
};
