import type { AskingWords } from './askingWords.ts';

export const de: AskingWords = {
  requests: `recherchier recherchiere recherchieren recherche recherchen forsche forschen erforsche untersuche untersuchen suche suchen such finde finden find
    hilf helfen hilfe hilfst unterstütze bitte will möchte möchten würde gern gerne brauche benötige wissen erfahren lernen sag sage erzähl
    erzähle gib zeig zeige erklär erkläre erklären beschreibe fass fasse zusammen zusammenfassung mach mache machen tun etwas irgendetwas
    irgendwas was thema themen frage fragen info infos informationen information details bericht antwort antworten einige mehr über zu
    bei mit für von kannst könntest können du sie mir mich mein meine ich wir uns es ein eine einen einer eines interessantes nützliches
    vergleiche vergleich analysiere prüfe schreib liste lass heraus heraussuchen nachschauen schau nach arbeite mal doch auch`,
  pointing: `dies diese dieser dieses diesem diesen jene jener jenes jenem jenen das_da es sie er ihn ihm andere anderen anderes anderer
    derselbe dieselbe dasselbe solche solcher solches hier dort erwähnte genannte obige`,
  articles: 'der die das den dem des',
  private: `gestern vorgestern heute neulich vorhin letztens letzte letzten letzter erwähnt erwähnte gesagt sagte erzählt gesprochen sprachen geredet
    besprochen geschickt gezeigt gesehen gehört gelesen getroffen erinnern arzt ärztin chef chefin kollege kollegin kollegen freund freundin
    nachbar nachbarin lehrer lehrerin bruder schwester mutter vater frau mann worüber wovon woche monat hat haben hatte hatten`,
  things: `medikament medikamente medikaments arznei arzneimittel wirkstoff wirkstoffe molekül verbindung ziel zielstruktur target gen gene
    protein proteine eiweiß rezeptor mutation antikörper impfstoff krankheit erkrankung firma unternehmen startup hersteller produkt
    produkte gerät geräte person autor autorin team bank aktie land stadt gesetz fall urteil behandlung therapie studie methode
    verfahren algorithmus technik modell ereignis buch film spiel ort`,
  here: `projekt repo repository codebasis code bibliothek paket ordner verzeichnis app anwendung programm framework arbeit handbuch erweiterung`,
  parts: `modul datei dateien dokument dokumente notizen notiz skript funktion klasse seite text konfiguration schnittstelle dienst komponente daten datensatz`,
  papers: 'paper artikel aufsatz veröffentlichung publikation preprint',
  fields: `videospiele computerspiele fernsehen mode kochen garten fotografie architektur astronomie geografie geologie sprachwissenschaft archäologie
    statistik theologie mythologie journalismus theater tanz kino design luftfahrt robotik haustiere geldanlage versicherungen immobilien
    soziale_medien
    krebs onkologie krankheit krankheiten medikamente medikament arzneimittel medizin gesundheit biologie chemie physik mathematik
    wissenschaft wissenschaften technologie technologien technik ingenieurwesen informatik computer software hardware programmierung
    programmieren internet ki künstliche_intelligenz maschinelles_lernen wirtschaft finanzen handel marketing management politik recht
    geschichte philosophie psychologie soziologie bildung kunst musik literatur sport reisen essen ernährung fitness natur umwelt klima
    klimawandel energie weltraum universum welt leben menschen gesellschaft kultur religion krieg tiere pflanzen gene genetik proteine
    zellen gehirn daten sicherheit kryptowährung blockchain robotik autos spiele filme bücher geld aktien firmen produkte länder
    regierung pharma biotechnologie impfstoffe viren bakterien diabetes infektionen materialien sprachen datenbanken netzwerke
    landwirtschaft verkehr`,
  general: `neu neue neuer neues neuen neueste neuesten neuste aktuell aktuelle aktuellen moderne zukunft trend trends nachrichten
    neuigkeiten entwicklung entwicklungen fortschritt fortschritte innovation innovationen stand überblick einführung grundlagen
    allgemein allgemeine wichtig wichtige wichtigsten beste besten gute große verschiedene arten art typen beispiele fakten geschichte
    hintergrund behandlung behandlungen therapie therapien heilung forschung nutzung anwendung anwendungen wirkung wirkungen
    auswirkungen vorteile nachteile risiko risiken problem probleme herausforderungen lösung lösungen branche markt methoden
    verfahren werkzeuge systeme entdeckung gebiet gebiete heute jetzt jahr und oder im in am an auf ist sind war gibt wie welche
    wer warum wann wo alle`,
  capitalNouns: true,
  named: `gen gene protein medikament wirkstoff molekül mutation variante rezeptor kinase enzym inhibitor inhibitoren hemmer agonist
    antikörper biomarker paket bibliothek schwachstelle`,
  definition: String.raw`^\s*(?:was\s(?:ist|sind|bedeutet|heißt)\b|wer\s(?:ist|war)\b|definition\b)`,
  task: String.raw`(?:(?:bitte|kannst du|könntest du)\s+){0,2}(?:(?:schreib|schreibe|verfasse|dichte)\s+(?:mir\s+|uns\s+)?(?:bitte\s+)?(?:(?:ein|eine|einen|das|kurzes|kurze|lustiges)\s+){0,2}(?:gedicht|geschichte|lied|witz|e-?mail|mail|brief|roman|funktion|code|skript|programm|aufsatz|rede|bewerbung)\b|erzähl(?:e)?\s+(?:mir|uns)\s+(?:einen|eine)\s+(?:witz|geschichte)\b|übersetz(?:e)?\b|buche?\s+(?:mir|uns|einen|ein|eine)\b|bestell(?:e)?\s+(?:mir|uns|eine|einen|ein)\b|kaufe?\s+(?:mir|uns)\b|reserviere?\s|erinnere\s+mich\b|stell(?:e)?\s+(?:einen|den|mir)\s+(?:wecker|timer)\b|spiel(?:e)?\s+(?:musik|ein lied)\b|sing\b|zeichne?\s|male?\s+(?:mir|ein)|schick(?:e)?\s+(?:eine|mir|diese)|korrigiere?\s+(?:diesen|meinen|den)|lösche?\s+(?:alle|meine|die)\s)`,
  harm: String.raw`(?:wie\s+(?:baue?|bastle?|mache?|stelle?|koche?|synthetisiere?|kann|man|ich)|anleitung|rezept).{0,40}(?:bombe|bomben|sprengstoff|sprengsatz|sarin|nervengas|giftgas|rizin|meth|crystal|heroin|chemiewaffe|biowaffe|schadsoftware|ransomware)\b.{0,30}(?:bauen|basteln|herstellen|machen|synthetisieren|kochen|her|an|$|\?)|wie\s+(?:töte|ermorde|vergifte)\s`,
  smallTalk: String.raw`(?:hallo|hi|hey|moin|servus|guten\s+(?:morgen|tag|abend)|gute\s+nacht|danke|danke\s+schön|vielen\s+dank|tschüss|auf\s+wiedersehen|wie\s+geht(?:'s|\s+es\s+dir)|wer\s+bist\s+du|test)(?:\s+(?:zusammen|alle|sehr|du|auch))*`,
  skips: `einfach starten|starten|start|los|los geht's|leg los|leg einfach los|fang an|fang einfach an|überspringen|überspring das|weiter|mach einfach|mach weiter|mach mal|egal|ist egal|ist mir egal|keine präferenz|du entscheidest|entscheide du|wie du willst|wie du meinst|frag nicht|keine fragen|beginne|beginn|recherchiere einfach|starte|starte einfach|starte die recherche`,
  fillers: 'bitte einfach jetzt die das ruhig doch mal schon recherche und ja ok okay dann direkt gleich mit der',
  yes: 'ja jo stimmt richtig genau korrekt passt einverstanden',
  texts: {
    reference: 'Was ist mit „{phrase}“ gemeint? Bitte benennen.',
    scope: '„{subject}“ ist ein weites Feld. Was davon soll recherchiert werden?',
    goal: 'Was soll die Recherche zu „{subject}“ herausfinden?',
    term: 'Keine der befragten Quellen kennt „{term}“. Was ist damit gemeint?',
    confirm: 'Das wird recherchiert: {subject}. Ist das richtig?',
    readings: [
      '{subject}: ein Überblick',
      '{subject}: die neuesten Entwicklungen',
      '{subject}: offene Fragen und Streitpunkte',
    ],
    asWritten: '„{term}“ so suchen, wie es da steht',
    correct: 'Ja, starten',
    why: {
      topic: 'Kein Wort der Frage nennt ein Thema.',
      reference: 'Weder die Frage noch der geöffnete Ordner sagt, worauf es sich bezieht.',
      scope: 'Ein ganzes Fachgebiet passt nicht in einen Bericht.',
      goal: 'Die Antwort hängt davon ab, wofür sie ist.',
      term: 'Es wurde nachgeschlagen und nicht gefunden: vielleicht ein Schreibfehler, oder sehr neu.',
      confirm: 'Du möchtest jede Frage bestätigen, bevor sie recherchiert wird.',
    },
    cannot: {
      task: 'Das ist eine Aufgabe und keine Frage, die Quellen beantworten könnten.',
      harm: 'Das verlangt eine Anleitung, die schweren Schaden anrichten könnte; es wird nicht recherchiert.',
      smallTalk: 'Darin ist noch nichts zu recherchieren.',
    },
    instead:
      'Frag nach etwas, das in Aufsätzen, Code, Diskussionen oder deinen Dateien steht, etwa „Wie erholt sich HTTP/3 von Paketverlusten?“.',
  },
};
