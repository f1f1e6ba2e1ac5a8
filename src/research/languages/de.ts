import type { Language } from './language.ts';

export const de: Language = {
  tag: 'de',
  stopWords: `aber alle als also am an auch auf aus bei bin bis bitte da damit dann das dass dem den denn der des dessen
    die dies diese dieser dieses doch du durch ein eine einem einen einer eines er es für gegen gibt habe haben
    hat hatte ich ihm ihn ihr ihre im in ist ja kann kein keine können man mehr mein mit nach nicht noch nur ob
    oder ohne sehr sein seine sich sie sind so über um und uns unter vom von vor war waren warum was welche
    welcher welches wenn wer werden wie wir wird wo wurde wurden zu zum zur zwischen`,
  letters: /[äöüß]/gu,
  referenceHeadings: 'quellen(?:verzeichnis)?|literatur(?:verzeichnis)?',
  conclusionHeadings: 'fazit.*|schluss.*',
  report: {
    conclusion: 'Fazit und Ausblick',
    references: 'Quellen',
    howMade: 'Wie dieser Bericht entstand',
    nothingFound: 'Für diesen Abschnitt wurde nichts gefunden; gesucht in: {0}.',
    sectionFailed: 'Dieser Abschnitt konnte nicht recherchiert werden: {0}',
    covered: 'Abschnitte mit Ergebnissen: {0}. Quellen: {1}.',
    notCovered: 'Nichts gefunden zu: {0}.',
    retrieved: 'Abgerufen',
  },
  digest: {
    facets: {
      definition: 'Definition und Funktionsweise',
      background: 'Hintergrund und Entwicklung',
      techniques: 'Verfahren und Ansätze',
      evaluation: 'Bewertung und Ergebnisse',
      cost: 'Kosten, Geschwindigkeit und Skalierung',
      tools: 'Werkzeuge und Implementierungen',
      applications: 'Einsatz in der Praxis',
      limits: 'Grenzen und offene Fragen',
      recent: 'Neuere Entwicklungen',
      choice: 'Stärken, Schwächen und Auswahl',
    },
    whatItIs: '{subject}: Definition und Funktionsweise',
    aspectOf: '{subject}: {aspect}',
    compared: {
      definition: 'Funktionsweise: {sides}',
      techniques: 'Ansätze: {sides}',
      evaluation: 'Qualität und Ergebnisse: {sides}',
      cost: 'Kosten, Geschwindigkeit und Skalierung: {sides}',
      limits: 'Grenzen: {sides}',
      tools: 'Werkzeuge: {sides}',
      choice: 'Auswahl: {sides}',
    },
    and: ' und ',
    comma: ', ',
    origins: {
      workspace: 'In diesem Arbeitsbereich',
      papers: 'Aufsätze',
      projects: 'Projekte',
      discussions: 'Diskussionen',
      web: 'Web',
    },
    columns: { source: 'Quelle', subject: 'Gegenstand', says: 'Was darin steht' },
    related: 'Dazu',
    digest:
      'Diese Zusammenstellung entstand ohne Sprachmodell: Jede Aussage ist wörtlich zitiert und mit ihrem Beleg versehen. Anzahl der Quellen: {sources}.',
    conclusion: 'Fazit und Ausblick',
    found: 'Was gefunden wurde:',
    foundLine: '{section} – Quellen: {sources}',
    notFound: 'Nichts gefunden wurde zu: {sections}.',
    allFound: 'Zu jedem Abschnitt des Plans gibt es Zitate.',
    outlook:
      'Die Zitate sind nach ihren Wörtern ausgewählt und nicht gegeneinander abgewogen: Lies die Quellen, bevor du dich auf eine Aussage stützt. Mit einem eingerichteten Sprachmodell ergibt dieselbe Recherche einen ausformulierten Bericht.',
    objective: 'Sammeln, was die Quellen sagen, in ihren eigenen Worten.',
    scope: 'Zitierfähige Stellen aus den eingeschalteten Quellen.',
    description: '{facet}: {subject}.',
    sources: [
      'eine',
      'zwei',
      'drei',
      'vier',
      'fünf',
      'sechs',
      'sieben',
      'acht',
      'neun',
      'zehn',
      'elf',
      'zwölf',
      'mehr als zwölf',
    ],
    assess: {
      topic:
        'Was soll recherchiert werden? Nenne ein Thema, etwa ein Verfahren, ein Produkt oder eine Frage aus deiner Arbeit.',
      topicOptions: [
        'Retrieval-Augmented Generation: die wichtigsten Verfahren',
        'Vektordatenbanken im Vergleich',
        'Bewertung von Anwendungen mit Sprachmodellen',
      ],
      scope: '**{subject}** ist ein weites Feld. Welche Seite ist dir wichtig?',
      scopeOptions: [
        'Überblick und wichtigste Ansätze',
        'Neuere Entwicklungen',
        'Werkzeuge und Implementierungen',
        'Grenzen und offene Fragen',
      ],
      understood: 'Die Recherche zu {subject} beginnt.',
      defaultGoal: 'ein Überblick: Funktionsweise, Ansätze, Ergebnisse, Werkzeuge und Grenzen',
      cannotDo:
        'Das ist eine Aufgabe zum Ausführen und kein Thema für eine Recherche. Frage nach etwas, worauf Aufsätze, Code oder Dokumente antworten können.',
      noTopic:
        'Es gibt kein Thema für die Recherche. Nenne eines, etwa ein Verfahren, ein Produkt oder eine Frage aus deiner Arbeit.',
    },
  },
};
