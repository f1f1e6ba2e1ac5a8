import type { Language } from './language.ts';

export const de: Language = {
  tag: 'de',
  stopWords: `bitte dass gibt ja mehr sowie seit beim ans wozu wodurch worin worauf woran schon etwa wäre seid unsere unserem
    unseren unserer warum wer wurde wurden`,
  askingWords: `bitte sag sage zeig zeige erkläre beschreibe nenne liste gib welche welcher welches welchem welchen
    was wer wen wem wessen wann warum wieso weshalb wo woher wohin womit wofür wovon wie viel viele lange
    oft bedeutet heißt heisst passiert geschieht gibt gab muss müssen soll sollen darf dürfen kann können
    mich mir dich dir uns euch jemand etwas man vergleich vergleiche unterschied unterschiede zwischen`,
  capitalizesNouns: true,
  letters: /[äöüß]/gu,
  referenceHeadings: 'quellen(?:verzeichnis)?|literatur(?:verzeichnis)?',
  conclusionHeadings: 'fazit.*|schluss.*',
  backReferences: [
    'er|sie|es|ihre?|dies(?:e[rsmn]?)?|jene[rsmn]?|solche[rsmn]?|beide[rsn]?|letztere[rsn]?|erstere[rsn]?',
    'da(?:durch|mit|bei|für|her|nach|gegen|runter)|hier(?:bei|durch|mit)?|deshalb|deswegen|darum|somit',
    'jedoch|allerdings|außerdem|zudem|aber|doch|dort',
    '(?:in|bei|mit|nach|für|unter|auf|von|aus|an|zu) (?:dies|jen|solch)e[rsmn]|im (?:vergleich|gegensatz)',
    'zum beispiel',
  ].join('|'),
  pointing:
    'dies diese dieser dieses diesem diesen jene jener jenes jenem jenen das es sie er ihn ihm davon darüber damit dazu',
  interrogatives: 'was wer wen wem warum wieso weshalb wie wann wo wohin woher welche welcher welches',
  requests:
    'hilf helfen hilfe recherche recherchieren recherchier suche such suchen finde informationen infos thema frage bericht sachen mal',
};
