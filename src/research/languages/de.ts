import type { Language } from './language.ts';

export const de: Language = {
  tag: 'de',
  stopWords: `aber alle als also am an auch auf aus bei bin bis bitte da damit dann das dass dem den denn der des dessen
    die dies diese dieser dieses doch du durch ein eine einem einen einer eines er es für gegen gibt habe haben
    hat hatte ich ihm ihn ihr ihre im in ist ja kann kein keine können man mehr mein mit nach nicht noch nur ob
    sowie seit während weil beim ins ans wozu wodurch worin worauf woran jede jeder jedes jedem jeden alles alle hier
    dort schon selbst sonst etwa würde wäre wirst bist seid mein meine meinem meinen meiner dein deine unser unsere
    unserem unseren unserer seinem seinen seiner ihren ihrem ihrer ihnen uns
    oder ohne sehr sein seine sich sie sind so über um und uns unter vom von vor war waren warum was welche
    welcher welches wenn wer werden wie wir wird wo wurde wurden zu zum zur zwischen`,
  askingWords: `bitte sag sage zeig zeige erkläre beschreibe nenne liste gib welche welcher welches welchem welchen
    was wer wen wem wessen wann warum wieso weshalb wo woher wohin womit wofür wovon wie viel viele lange
    oft bedeutet heißt heisst passiert geschieht gibt gab muss müssen soll sollen darf dürfen kann können
    mich mir dich dir uns euch jemand etwas man vergleich vergleiche unterschied unterschiede zwischen`,
  listWords: 'liste nenne auflisten welche alle sämtliche arten',
  broadWords:
    'überblick|übersicht|einführung|stand der technik|(?:wichtigste|zentrale)[nr]? (?:verfahren|methoden|techniken|ansätze|themen|begriffe|teile)',
  letters: /[äöüß]/gu,
  referenceHeadings: 'quellen(?:verzeichnis)?|literatur(?:verzeichnis)?',
  conclusionHeadings: 'fazit.*|schluss.*',
  chatter: [
    String.raw`\bals (?:ki|künstliche intelligenz|sprachmodell)\b|\b(?:ki-)?sprachmodell (?:habe|kann) ich\b`,
    String.raw`^(?:hier ist|hier sind) (?:der|die|das|dein|ihr) .{0,30}(?:bericht|abschnitt|antwort|zusammenfassung)\b`,
    String.raw`^(?:ich hoffe,? (?:das|dies) hilft|natürlich!|gerne!|es tut mir leid, aber)`,
  ].join('|'),
  backReferences: [
    'er|sie|es|ihre?|dies(?:e[rsmn]?)?|jene[rsmn]?|solche[rsmn]?|beide[rsn]?|letztere[rsn]?|erstere[rsn]?',
    'da(?:durch|mit|bei|für|her|nach|gegen|runter)|hier(?:bei|durch|mit)?|deshalb|deswegen|darum|somit',
    'jedoch|allerdings|außerdem|zudem|aber|doch|dort',
    '(?:in|bei|mit|nach|für|unter|auf|von|aus|an|zu) (?:dies|jen|solch)e[rsmn]|im (?:vergleich|gegensatz)',
    'zum beispiel',
  ].join('|'),
  turns: {
    not: 'nicht kein keine keinen keinem keiner keines nie niemals weder unmöglich',
    softly: `ohne außer vermeidet vermeiden verhindert fehlt fehlen statt anstatt kaum selten unnötig verbietet verboten verbot
      ignoriert entfernt entfernte ausgenommen befreit bislang bisher noch droht erst`,
    than: 'als',
    joins: 'und aber während doch jedoch sondern weil wobei sonst obwohl dass',
    about: 'etwa rund knapp circa ca ungefähr fast gut mehr_als über weniger_als unter nur',
    all: 'alle allen aller sämtliche immer jeder jede',
    some: 'einige einigen manche mehrheit meisten viele teils teilweise etliche',
    opposites: `
      höchstens|maximal|maximale|maximum|bis_zu|nicht_mehr_als|spätestens/mindestens|minimal|minimale|minimum|nicht_weniger_als|wenigstens|frühestens
      über|oberhalb|mehr_als|größer_als|übersteigt/unter|unterhalb|weniger_als|kleiner_als
      mehr|häufiger|häufig|oft/weniger|seltener|selten
      höher|hoch|höchste|höchsten/niedriger|niedrig|niedrigste|niedrigsten
      stieg|steigt|steigen|stiegen|erhöht|erhöhte|wuchs|wächst|zunahm|nahm_zu|nimmt_zu|zu|teurer|steigert/sank|sinkt|sinken|sanken|senkt|senkte|fiel|fällt|fielen|ging_zurück|zurück|rückgang|verringert|drücken|billiger
      größer|groß|größte|größere|größten/kleiner|klein|kleinste|kleinere|kleinsten
      schneller|schnell/langsamer|langsam länger/kürzer erste|ersten|zuerst/letzte|letzten|zuletzt
      beginnt|startet|begann/endet|stoppt|endete gewinn/verlust
      öffnet|öffnen|offen/schließt|schließen|geschlossen besser/schlechter immer/nie aktiviert/deaktiviert
      stark|stärker/schwach|schwächer innerhalb/außerhalb früher/später
      neue|neuesten|neuere/alte|ältesten|ältere trocken|trockenen/feucht|feuchten|nass vor/nach`,
  },
  report: {
    analysis: 'Übergreifende Analyse',
    conclusion: 'Fazit und Ausblick',
    references: 'Quellen',
    howMade: 'Wie dieser Bericht entstand',
    furtherQuotes: 'Weitere Zitate',
    nothingFound: 'Für diesen Abschnitt wurde nichts gefunden; gesucht in: {0}.',
    sectionFailed: 'Dieser Abschnitt konnte nicht recherchiert werden: {0}',
    covered: 'Abschnitte mit Ergebnissen: {0}. Quellen: {1}.',
    notCovered: 'Nichts gefunden zu: {0}.',
    retrieved: 'Abgerufen',
    standing: {
      retracted: 'ZURÜCKGEZOGEN (vom Verlag)',
      withdrawn: 'ZURÜCKGEZOGEN (von den Autoren)',
      doubted: 'Vom Verlag in Zweifel gezogen',
    },
  },
  run: {
    account: {
      withoutModel: 'Erstellt am {today} ohne Sprachmodell: Jede Aussage ist ein wörtliches Zitat ihrer Quelle.',
      withModel:
        'Geschrieben am {today} von {model} ({provider}), Strategie {strategy}, aus dem, was in diesem Lauf abgerufen wurde.',
      modelUnused:
        'Erstellt am {today} aus wörtlichen Zitaten der Quellen: Nichts, was {model} ({provider}) schrieb, war brauchbar.',
      quoted: 'Ohne das Modell wörtlich aus den Quellen zitiert: {titles}.',
      sources:
        'Abgerufene Quellen: {count} ({kinds}); zitiert: {cited}, davon {verified} mit einem Zitat oder einer Zahl, die im gespeicherten Text wiedergefunden wurde.',
      leftOut: 'Nach den Einstellungen ausgelassen: {date} wegen des Datums, {site} wegen der Website.',
      undated: 'Quellen, deren Datum nicht bekannt ist und die behalten wurden: {count}.',
      offTopic: 'Ausgelassen, weil sie von etwas anderem als der Frage handeln: {titles}.',
      dropped: 'Entfernt, weil keine Quelle dieses Laufs sie stützt (Aussagen, Adressen oder Verweise): {count}.',
      assumed: 'Angenommen: {assumption}',
      review: 'Prüfung: {score} von 10.',
      reviewRounds: 'Prüfung: {score} von 10; Runden, in denen Abschnitte zurückgingen: {rounds}.',
      reflection: 'Bewertung: {score} von 10, Suchrunden: {rounds}.',
      failed: 'Fehlgeschlagen: {title}. {error}',
      stopped: 'Von Ihnen vorzeitig gestoppt: {title}.',
      remarks: 'Ihre Hinweise unterwegs: {followed} befolgt, {unused} kamen zu spät.',
      finishedEarly: 'Auf Wunsch vorzeitig abgeschlossen, mit dem bis dahin Gefundenen.',
      note: 'Hinweis: {warning}',
    },
    assumptions: {
      goal: 'Das Ziel wurde nicht genannt; angenommen: {goal}.',
      skipped: 'Die Rückfrage „{question}“ wurde übersprungen; es gilt die wahrscheinlichste Lesart.',
      topic: 'Das Thema blieb unbestimmt; recherchiert wurde die wahrscheinlichste Deutung.',
      impossible: '„{term}“ konnte nicht nachgeschlagen werden und wurde wörtlich genommen.',
      notFound: '„{term}“ wurde nachgeschlagen und nicht gefunden; es wurde wörtlich genommen.',
      taken: 'Die Rückfrage „{question}“ wurde übersprungen; es gilt die empfohlene Antwort: {answer}.',
      meaning: '„{phrase}“ wurde verstanden als {meaning}.',
      template: 'Ihre Vorlage „{name}“ wurde verwendet: {points}.',
    },
    strategies: {
      chosen: 'In den Einstellungen oder für diese Frage gewählt.',
      list: 'Eine Liste wird abschnittsweise nebeneinander recherchiert.',
      comparison: 'Ein Vergleich wird abschnittsweise recherchiert, ein Abschnitt je Kriterium.',
      depth: 'Ein Thema in der Tiefe: in Runden gesucht, jede von den Lücken der vorigen geleitet.',
      fact: 'Eine kleine Sachfrage: ein Rechercheur und ein kurzer Bericht.',
      broad: 'Eine breite Frage wird abschnittsweise parallel recherchiert.',
    },
    warnings: {
      storage: 'Der Ordner des Laufs ist nicht beschreibbar, daher wird dieser Lauf nicht gespeichert: {error}',
      'storage.notSaved': 'Dieser Lauf wird nicht gespeichert und kann nicht fortgesetzt werden: {error}',
      'resume.checkpoint':
        'Die Stelle der Unterbrechung konnte nicht gelesen werden, daher werden die Schritte wiederholt; abgeschlossene Aufrufe kommen aus dem Journal.',
      'resume.damaged':
        '{file} dieses Laufs ist teilweise beschädigt. Die Datei liegt jetzt als {aside} daneben; Lesbares wird verwendet, der Rest neu gemacht.',
      'resume.version':
        'Der Lauf begann mit Version {before}; dies ist {now}. Aufrufe mit inzwischen geänderten Prompts werden wiederholt.',
      'resume.settings': 'Der Lauf wird mit seinen ursprünglichen Einstellungen fortgesetzt; seither geändert: {keys}.',
      'resume.skipped': '{what} wurde übersprungen: Beim Lesen davon wurde das Programm beendet.',
      'resume.model': 'Der Lauf begann mit {before} und wird mit {now} fortgesetzt. Vorhandene Antworten bleiben.',
      'settings.unknown': 'Die unbekannte Einstellung „{key}“ wird ignoriert.',
      'source.unavailable': 'Die Quelle {source} ist nicht verfügbar.',
      'source.failed': '{source}: {error}',
      'source.bug':
        '{tool} ist an einem eigenen Programmfehler gescheitert. Einzelheiten stehen im Log; die anderen Quellen werden verwendet.',
      'source.notice': '{source} hat nur eingeschränkt geantwortet; Einzelheiten stehen im Log.',
      'attached.unread': 'Das angehängte Dokument {name} konnte nicht gelesen werden: {error}',
      'page.unread': 'Nicht gelesen: {url}. {error}',
      'sources.notAsked':
        'Wegen der Obergrenze für Werkzeugaufrufe nicht befragt: {sources}. Weniger Quellen in deepResearch.sources.enabled nennen oder deepResearch.limits.maxToolCallsPerResearcher erhöhen.',
      'sources.offline': 'Offline: Kein Dienst war erreichbar; nur der Arbeitsbereich wurde durchsucht.',
      'query.cut': 'Aus einer Anfrage an {source} entfernt, weil es nur in Ihren Dateien steht: {words}.',
      'model.retry': '{error} Nächster Versuch in {seconds} s.',
      'model.loading': 'Der Server lädt das Modell „{model}“; das kann Minuten dauern.',
      'discover.nothing': 'Die Erkundung fand keine Quellen; der Plan entsteht allein aus der Frage.',
      'discover.failed': 'Die Erkundung ist fehlgeschlagen: {error} Der Plan entsteht allein aus der Frage.',
      'plan.bounded': 'Das Modell hat {planned} Abschnitte geplant; der Plan hat {sections}.',
      'plan.remarkByWords':
        'Ohne Modell werden Anmerkungen zum Plan nicht verstanden: Nach den Wörtern der Anmerkung wird in einem eigenen Abschnitt gesucht.',
      'research.cutShort': 'Die Recherche wurde verkürzt: {error} Das bis dahin Gefundene wird verwendet.',
      'research.byRules':
        'Das Modell machte keinen brauchbaren Werkzeugaufruf, daher wurden seine Suchen nach Regeln gewählt.',
      'research.ownWords':
        'Die Suchen des Modells fanden nichts; der Bericht zitiert, was eine Suche nach der Frage selbst fand.',
      'section.failed': '„{title}“ konnte nicht recherchiert werden: {error}',
      'section.unread': '„{title}“ konnte nicht gelesen werden: {error}',
      'section.uncondensed': '„{title}“ konnte nicht verdichtet werden: {error}',
      'distil.quotesOnly': 'Die Ergebnisse konnten nicht verdichtet werden: {error} Sie stehen als Zitate im Bericht.',
      'review.failed': 'Die Ergebnisse konnten nicht geprüft werden: {error} Der Bericht entsteht aus dem Gefundenen.',
      'reflect.failed':
        'Die Ergebnisse konnten nicht bewertet werden: {error} Der Bericht entsteht aus dem Gefundenen.',
      'report.cutShort':
        'Der Bericht konnte nicht zu Ende geschrieben werden: {error} Der Rest steht so da, wie er gefunden wurde.',
      'report.notWritten':
        'Das Modell hat keinen Bericht geschrieben. Die Ergebnisse stehen so da, wie sie gefunden wurden.',
      'report.tooLong': 'Der Bericht hat das Ausgabelimit des Modells erreicht und ist unvollständig.',
      'budget.reached':
        'Das Budget von {what} ist erreicht; der Bericht wird aus dem geschrieben, was bis dahin gefunden wurde.',
      'budget.noPrice':
        'Für {model} ist kein Preis bekannt, deshalb kann deepResearch.budget.maxCost nicht eingehalten werden. Der Preis steht in deepResearch.prices.',
      'model.givenUp':
        'Das Modell gab mehrmals hintereinander keine brauchbare Antwort, daher wurde der Rest ohne es erledigt. Zuletzt: {error}',
      'model.refused': '{error} Der Rest wurde ohne dieses Modell erledigt.',
      'step.byRules': 'Der Schritt „{step}“ wurde ohne das Modell ausgeführt: {error}',
      'passages.refused': 'Der Inhaltsfilter des Modells hat {count} der Quellen abgelehnt; sie wurden ausgelassen.',
      'report.unsaved': 'Der Bericht konnte nicht in seinem Ordner gespeichert werden: {error} {where}',
      host: '{text}',
    },
    ends: {
      tooEarly: 'Die Recherche wurde abgeschlossen, bevor etwas zur Frage gefunden war; es gibt nichts zu berichten.',
      tooEarlyNext: 'Den Lauf fortsetzen oder die Frage erneut stellen und ihr mehr Zeit geben.',
      nothingFound: 'Es wurde nichts gefunden, was die Frage beantwortet; daher gibt es keinen Bericht.',
      nothingFoundIn: 'In {sources} wurde nichts gefunden, was die Frage beantwortet; daher gibt es keinen Bericht.',
      offline: 'Offline: Kein Dienst war erreichbar; es wurde nichts gefunden und kein Bericht geschrieben.',
      offlineNext:
        'Netzwerk prüfen und die Frage erneut ausführen, oder einen Ordner öffnen, der etwas zum Thema enthält.',
      nothingFoundNext:
        'Andere oder weniger Wörter versuchen, weitere Quellen einschalten oder einen passenden Ordner öffnen.',
      noneResearched: 'Kein Abschnitt konnte recherchiert werden: {error}',
      noneResearchedNext:
        'Verbindung, Schlüssel und eingeschaltete Quellen prüfen, dann den Lauf fortsetzen: Das Gefundene ist gespeichert.',
    },
    notReached: 'Die Recherche wurde abgeschlossen, bevor dieser Abschnitt begonnen war.',
    stoppedByUser: 'Dieser Abschnitt wurde von Ihnen gestoppt.',
    savedIn: 'Er liegt in {location}.',
    service: 'Der Dienst',
    errors: {
      contextLength: '{origin}: Der Text war für das Modell zu lang.',
      rateLimit: '{origin} begrenzt gerade die Zahl der Anfragen.',
      quota: '{origin}: Das Kontingent ist aufgebraucht.',
      budget: 'Das Budget dieses Laufs ist aufgebraucht.',
      auth: '{origin} hat den Zugang verweigert.',
      contentFilter: '{origin} hat die Antwort abgelehnt.',
      notFound: '{origin} hat das Gesuchte nicht.',
      network: '{origin} ist nicht erreichbar.',
      streamBroken: '{origin}: Die Antwort brach ab.',
      timeout: '{origin} hat nicht rechtzeitig geantwortet.',
      badRequest: '{origin} hat die Anfrage abgewiesen.',
      badAnswer: '{origin} hat eine unbrauchbare Antwort gegeben.',
      abort: 'Der Lauf wurde gestoppt.',
      finish: 'Die Recherche wurde vorzeitig abgeschlossen.',
      noEvidence: 'Es wurde nichts gefunden.',
      cannotDo: 'Das lässt sich nicht recherchieren.',
      needsAnswer: 'Eine Antwort des Nutzers fehlt.',
      config: 'Eine Einstellung ist nicht verwendbar.',
      storage: 'Eine Datei konnte nicht geschrieben werden.',
      bug: 'Ein Programmfehler von Deep Research.',
    },
  },
  digest: {
    answer: 'Antwort',
    digest: 'Wörtlich aus den Quellen zitiert, das Beste zuerst; ohne Sprachmodell.',
    missing: 'Keine Stelle spricht von {words}.',
    spelled: 'So geschrieben nicht gefunden und als das nächstliegende Wort der Quellen gelesen: {words}.',
    nearest: 'Was folgt, kommt der Frage am nächsten, beantwortet sie aber nicht ganz.',
    nearestLacks:
      'Was folgt, kommt der Frage am nächsten, beantwortet sie aber nicht ganz; der besten Stelle fehlt {words}.',
    above: 'Die Stellen dazu stehen weiter oben.',
    comma: ', ',
    conclusion: 'Fazit und Ausblick',
    outlook:
      'Die Zitate sind nach ihren Wörtern ausgewählt und nicht gegeneinander abgewogen: Lies die Quellen, bevor du dich auf eine Aussage stützt. Mit einem eingerichteten Sprachmodell ergibt dieselbe Recherche einen ausformulierten Bericht.',
    objective: 'Sammeln, was die Quellen sagen, in ihren eigenen Worten.',
    scope: 'Zitierfähige Stellen aus den eingeschalteten Quellen.',
    assess: {
      topic:
        'Was soll recherchiert werden? Nenne ein Thema, etwa ein Verfahren, ein Produkt oder eine Frage aus deiner Arbeit.',
      topicOptions: [
        'Retrieval-Augmented Generation: die wichtigsten Verfahren',
        'Vektordatenbanken im Vergleich',
        'Bewertung von Anwendungen mit Sprachmodellen',
      ],
      understood: 'Die Recherche zu {subject} beginnt.',
      noTopic:
        'Es gibt kein Thema für die Recherche. Nenne eines, etwa ein Verfahren, ein Produkt oder eine Frage aus deiner Arbeit.',
    },
  },
};
