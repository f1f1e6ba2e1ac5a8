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
  listWords: 'liste lister énumère quels quelles tous toutes',
  broadWords:
    'vue d.ensemble|aperçu|tour d.horizon|introduction|état de l.art|principa(?:les|ux) (?:techniques|méthodes|approches|notions|thèmes)',
  letters: /[àâçèêëîïœùû]/gu,
  referenceHeadings: 'références|bibliographie',
  conclusionHeadings: 'conclusion et .*',
  chatter: [
    String.raw`\ben tant qu(?:e modèle|['’](?:ia|intelligence artificielle|assistant))\b`,
    String.raw`^voici (?:le|la|votre) .{0,30}(?:rapport|section|réponse|résumé)\b`,
    String.raw`^(?:j['’]espère que cela|bien sûr ?!|je suis désolée?,)`,
  ].join('|'),
  backReferences: [
    "ils?|elles?|ces?|cet|cette|cela|ceci|ceux|celles?|celui|leurs?|c['’]est|ainsi|donc|cependant",
    'toutefois|de plus|en outre|par (?:ailleurs|exemple)',
    '(?:dans|avec|pour|sous|sur|de|à) (?:ce|cet|cette|ces|cela)|les deux',
  ].join('|'),
  turns: {
    not: `ne n' aucun aucune non impossible`,
    softly: `sans sauf excepté évite évitent empêche manque manquent rarement supprime supprimé ignore interdit interdite que contre
      contre-indiqué déconseillé dépasser`,
    than: 'que',
    joins: 'et mais tandis alors dont qui car où',
    about: 'environ près presque quasi plus_de moins_de autour quelque à_peine',
    all: 'tous toutes toujours',
    some: 'certains certaines quelques plupart plusieurs majorité partie',
    opposites: `
      au_plus|au_maximum|maximum|maximal|maximale|jusqu'à|pas_plus_de/au_moins|au_minimum|minimum|minimal|minimale
      plus_de|au-dessus|au-delà|supérieur|dépasse|dépassent/moins_de|au-dessous|en_dessous|inférieur
      élevé|haut|haute/faible|bas|basse
      augmente|augmenté|monte|monté|progressé|hausse|croît|risen|doublée/diminue|diminué|baisse|baissé|recule|reculé|chuté|réduit|réduite|descendu
      premier|première/dernier|dernière commence/finit|termine ouvre|ouvrent/ferme|ferment toujours/jamais
      activé|activés|activée/désactivé|désactivés|désactivée rapide|rapides/lent|lente|lents
      anciens|anciennes|ancien|ancienne/récents|récentes|récent|récente|nouveau|nouvelle
      fréquent|fréquents|fréquente|souvent/rare|rares|rarement meilleur|mieux/pire|pires
      grand|grande|grands/petit|petite|petits plus_haut/plus_bas avant/après`,
  },
  report: {
    analysis: 'Analyse d’ensemble',
    conclusion: 'Conclusion et perspectives',
    references: 'Références',
    howMade: 'Comment ce rapport a été établi',
    furtherQuotes: 'Autres citations',
    nothingFound: 'Rien n’a été trouvé pour cette section ; recherché dans : {0}.',
    sectionFailed: 'Cette section n’a pas pu être étudiée : {0}',
    covered: 'Sections avec résultats : {0}. Sources : {1}.',
    notCovered: 'Rien n’a été trouvé sur : {0}.',
    retrieved: 'Consulté le',
    standing: { retracted: 'RÉTRACTÉ', withdrawn: 'RETIRÉ', doubted: 'EXPRESSION DE PRÉOCCUPATION' },
  },
  run: {
    account: {
      withoutModel:
        'Établi le {today} sans modèle de langage : chaque affirmation est une citation littérale de sa source.',
      withModel:
        'Rédigé le {today} par {model} ({provider}), stratégie {strategy}, à partir de ce qui a été récupéré pendant cette recherche.',
      modelUnused:
        'Établi le {today} à partir de citations littérales des sources : rien de ce que {model} ({provider}) a écrit n’était utilisable.',
      quoted: 'Cité mot pour mot des sources, sans le modèle : {titles}.',
      sources:
        'Sources récupérées : {count} ({kinds}) ; citées : {cited}, dont {verified} avec une citation ou un chiffre retrouvé dans le texte enregistré.',
      leftOut: 'Écartés selon les paramètres : {date} par date, {site} par site.',
      undated: 'Sources conservées bien que leur date ne soit pas connue : {count}.',
      offTopic: 'Écartées, car elles traitent d’autre chose que la question : {titles}.',
      dropped:
        'Retirés parce qu’aucune source de cette recherche ne les étaye (affirmations, adresses ou renvois) : {count}.',
      assumed: 'Hypothèse : {assumption}',
      review: 'Relecture : {score} sur 10.',
      reviewRounds: 'Relecture : {score} sur 10 ; tours de renvoi de sections : {rounds}.',
      reflection: 'Évaluation : {score} sur 10, tours de recherche : {rounds}.',
      failed: 'Échec : {title}. {error}',
      stopped: 'Arrêtée par vous avant la fin : {title}.',
      remarks: 'Vos remarques en cours de route : {followed} suivies, {unused} arrivées trop tard.',
      finishedEarly: 'Terminé plus tôt à la demande de l’utilisateur, avec ce qui avait été trouvé.',
      note: 'Remarque : {warning}',
    },
    assumptions: {
      goal: 'L’objectif n’était pas précisé ; hypothèse retenue : {goal}.',
      skipped: 'La question « {question} » a été passée ; la lecture la plus probable a été retenue.',
      topic: 'Le sujet est resté vague ; l’interprétation la plus probable a été étudiée.',
      impossible: '« {term} » n’a pas pu être vérifié et a été pris tel quel.',
      notFound: '« {term} » a été recherché sans résultat ; il a été pris tel quel.',
      taken: 'La question « {question} » a été passée ; la réponse recommandée a été retenue : {answer}.',
      meaning: '« {phrase} » a été compris comme {meaning}.',
      template: 'Votre modèle « {name} » a été utilisé : {points}.',
    },
    strategies: {
      chosen: 'Choisie dans les paramètres ou pour cette question.',
      list: 'Une liste est étudiée section par section, en parallèle.',
      comparison: 'Une comparaison est étudiée par sections, une par critère.',
      depth: 'Un sujet en profondeur : recherches par tours, chacun guidé par les lacunes du précédent.',
      fact: 'Une petite question factuelle : un seul chercheur et un rapport court.',
      broad: 'Une question large est étudiée par sections, en parallèle.',
    },
    warnings: {
      storage: 'Impossible d’écrire dans le dossier de la recherche, qui n’est donc pas enregistrée : {error}',
      'storage.notSaved': 'Cette recherche n’est pas enregistrée et ne pourra pas être reprise : {error}',
      'resume.checkpoint':
        'Le point d’interruption n’a pas pu être lu : les étapes sont répétées, les appels terminés viennent du journal.',
      'resume.damaged':
        '{file} est en partie endommagé. Le fichier a été mis de côté sous {aside} ; ce qui est lisible est utilisé, le reste est refait.',
      'resume.version':
        'La recherche a commencé avec la version {before} ; celle-ci est la {now}. Les appels dont les invites ont changé sont refaits.',
      'resume.settings': 'La recherche reprend avec ses paramètres d’origine ; modifiés depuis : {keys}.',
      'resume.skipped': '{what} a été ignoré : le programme a été arrêté pendant sa lecture.',
      'resume.model':
        'La recherche a commencé avec {before} et reprend avec {now}. Les réponses obtenues sont conservées.',
      'settings.unknown': 'Le paramètre inconnu « {key} » est ignoré.',
      'source.unavailable': 'La source {source} n’est pas disponible.',
      'source.failed': '{source} : {error}',
      'source.bug':
        '{tool} a échoué à cause d’un défaut de l’outil. Le journal donne les détails ; les autres sources sont utilisées.',
      'source.notice': '{source} n’a répondu que partiellement ; le journal donne les détails.',
      'attached.unread': 'Le document joint {name} n’a pas pu être lu : {error}',
      'page.unread': 'Page non lue : {url}. {error}',
      'sources.notAsked':
        'Non interrogées, faute d’appels d’outils restants : {sources}. Nommer moins de sources dans deepResearch.sources.enabled, ou augmenter deepResearch.limits.maxToolCallsPerResearcher.',
      'sources.offline': 'Hors ligne : aucun service n’a pu être joint ; seul l’espace de travail a été consulté.',
      'query.cut': 'Retiré d’une requête à {source}, car présent seulement dans vos fichiers : {words}.',
      'model.retry': '{error} Nouvel essai dans {seconds} s.',
      'model.loading': 'Le serveur charge le modèle « {model} » ; cela peut prendre quelques minutes.',
      'discover.nothing': 'L’exploration n’a trouvé aucune source ; le plan est établi d’après la seule question.',
      'discover.failed': 'L’exploration a échoué : {error} Le plan est établi d’après la seule question.',
      'plan.bounded': 'Le modèle a prévu {planned} sections ; le plan en compte {sections}.',
      'plan.remarkByWords':
        'Sans modèle, les remarques sur le plan ne sont pas comprises : leurs mots sont recherchés dans une section à part.',
      'research.cutShort': 'La recherche a été abrégée : {error} Ce qui avait été trouvé est utilisé.',
      'research.byRules':
        'Le modèle n’a fait aucun appel d’outil utilisable ; ses recherches ont été choisies par des règles.',
      'research.ownWords':
        'Les recherches du modèle n’ont rien trouvé ; le rapport cite ce qu’a trouvé une recherche de la question elle-même.',
      'section.failed': '« {title} » n’a pas pu être étudié : {error}',
      'section.unread': '« {title} » n’a pas pu être lu : {error}',
      'section.uncondensed': '« {title} » n’a pas pu être condensé : {error}',
      'distil.quotesOnly':
        'Les résultats n’ont pas pu être condensés : {error} Ils sont donnés sous forme de citations.',
      'review.failed':
        'Les résultats n’ont pas pu être relus : {error} Le rapport est rédigé avec ce qui a été trouvé.',
      'reflect.failed':
        'Les résultats n’ont pas pu être évalués : {error} Le rapport est rédigé avec ce qui a été trouvé.',
      'report.cutShort': 'Le rapport n’a pas pu être achevé : {error} La suite est donnée telle que trouvée.',
      'report.notWritten': 'Le modèle n’a pas rédigé de rapport. Les résultats sont donnés tels que trouvés.',
      'report.tooLong': 'Le rapport a atteint la limite de sortie du modèle et reste incomplet.',
      'budget.reached':
        'Le budget de {what} est atteint ; le rapport est rédigé à partir de ce qui a été trouvé jusque-là.',
      'budget.noPrice':
        "Aucun prix n'est connu pour {model}, donc deepResearch.budget.maxCost ne peut pas être respecté. Indiquez-le dans deepResearch.prices.",
      'model.givenUp':
        'Le modèle n’a donné aucune réponse utilisable plusieurs fois de suite ; le reste a été fait sans lui. En dernier : {error}',
      'model.refused': '{error} Le reste a été fait sans ce modèle.',
      'step.byRules': "L'étape « {step} » a été faite sans le modèle : {error}",
      'passages.refused': 'Le filtre de contenu du modèle a refusé {count} des sources ; elles ont été écartées.',
      'report.unsaved': 'Le rapport n’a pas pu être enregistré dans son dossier : {error} {where}',
      host: '{text}',
    },
    ends: {
      tooEarly: 'La recherche a été terminée avant qu’une réponse soit trouvée : il n’y a rien à rapporter.',
      tooEarlyNext: 'Reprendre la recherche, ou relancer la question en lui laissant plus de temps.',
      nothingFound: 'Rien de ce qui a été trouvé ne répond à la question ; aucun rapport n’a été rédigé.',
      nothingFoundIn: 'Rien dans {sources} ne répond à la question ; aucun rapport n’a été rédigé.',
      offline: 'Hors ligne : aucun service n’a pu être joint ; rien n’a été trouvé et aucun rapport n’a été écrit.',
      offlineNext:
        'Vérifier le réseau et relancer la question, ou ouvrir un dossier qui contient quelque chose sur le sujet.',
      nothingFoundNext:
        'Essayer d’autres mots ou moins de mots, activer d’autres sources ou ouvrir un dossier sur le sujet.',
      noneResearched: 'Aucune section n’a pu être étudiée : {error}',
      noneResearchedNext:
        'Vérifier la connexion, la clé et les sources activées, puis reprendre la recherche : ce qui a été trouvé est enregistré.',
    },
    notReached: 'La recherche a été terminée avant que cette section soit commencée.',
    stoppedByUser: 'Vous avez arrêté cette section.',
    savedIn: 'Il est enregistré dans {location}.',
    service: 'Le service',
    errors: {
      contextLength: '{origin} : le texte était trop long pour le modèle.',
      rateLimit: '{origin} limite actuellement le nombre de requêtes.',
      quota: '{origin} : le quota est épuisé.',
      budget: 'Le budget de cette exécution est épuisé.',
      auth: '{origin} a refusé l’accès.',
      contentFilter: '{origin} a refusé de répondre.',
      notFound: '{origin} n’a pas ce qui était demandé.',
      network: '{origin} est injoignable.',
      streamBroken: '{origin} : la réponse s’est interrompue.',
      timeout: '{origin} n’a pas répondu à temps.',
      badRequest: '{origin} a rejeté la requête.',
      badAnswer: '{origin} a donné une réponse inutilisable.',
      abort: 'La recherche a été arrêtée.',
      finish: 'La recherche a été terminée plus tôt.',
      noEvidence: 'Rien n’a été trouvé.',
      cannotDo: 'Cela ne peut pas être étudié.',
      needsAnswer: 'Une réponse de l’utilisateur manque.',
      config: 'Un paramètre est inutilisable.',
      storage: 'Un fichier n’a pas pu être écrit.',
      bug: 'Un défaut du programme Deep Research.',
    },
  },
  digest: {
    answer: 'Réponse',
    digest: 'Cité mot pour mot d’après les sources, le meilleur d’abord ; sans modèle de langue.',
    missing: 'Aucun passage ne parle de {words}.',
    spelled: 'Introuvable sous cette orthographe et lu comme le mot le plus proche des sources : {words}.',
    nearest: 'Ce qui suit est le plus proche de la question, sans y répondre entièrement.',
    nearestLacks:
      'Ce qui suit est le plus proche de la question, sans y répondre entièrement ; au meilleur passage manque {words}.',
    above: 'Les passages qui s’y rapportent se trouvent plus haut.',
    comma: ', ',
    conclusion: 'Conclusion et perspectives',
    outlook:
      'Les citations sont choisies d’après leurs mots et n’ont pas été confrontées entre elles : lisez les sources avant de vous appuyer sur un énoncé. Avec un modèle de langage configuré, la même recherche donne un rapport rédigé.',
    objective: 'Réunir ce que disent les sources, dans leurs propres mots.',
    scope: 'Les passages citables des sources activées.',
    assess: {
      topic:
        'Sur quoi porte la recherche ? Indiquez un sujet, par exemple une méthode, un produit ou une question de votre travail.',
      topicOptions: [
        'Génération augmentée par récupération : principales techniques',
        'Comparaison des bases de données vectorielles',
        'Évaluation des applications de modèles de langage',
      ],
      understood: 'La recherche commence : {subject}.',
      noTopic:
        'Il n’y a pas de sujet de recherche. Indiquez-en un, par exemple une méthode, un produit ou une question de votre travail.',
    },
  },
};
