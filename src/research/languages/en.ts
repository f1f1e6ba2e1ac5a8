import type { Language } from './language.ts';

export const en: Language = {
  tag: 'en',
  stopWords: `a also among done either else ever every get gets just let like many much near neither one per please rather
    since still thus toward towards upon via whether whose within without yet`,
  askingWords: `do does did don doesn didn isn aren wasn can couldn won wouldn shouldn please main overview tell show explain
    describe list give find know want need mean means say says happen happens called many much often long
    far old kind sort anyone someone somebody something anything everything let help hello hi thanks vs
    versus compare comparison difference differences between there here`,
  referenceHeadings: 'references?|bibliography|sources|works cited|citations',
  conclusionHeadings: 'conclusions?(?: (?:and|&) (?:outlook|future.*))?|outlook',
  chatter: [
    String.raw`\b(?:as|i'?m|i am) an? (?:ai|artificial intelligence|large language model)\b|\bmy (?:training data|knowledge cut-?off)\b`,
    String.raw`^(?:i(?:'m| am) (?:sorry|unable|happy to)|i (?:apologi[sz]e|can(?:no|')t (?:help|assist|provide|browse|access)|do(?: not|n't) have access))\b`,
    String.raw`^(?:sure|certainly|of course|absolutely|okay|great question)[!,.](?:\s|$)`,
    String.raw`^here(?:'s|’s| is| are) (?:the|your|a|my|an) (?:(?:full|final|complete|revised|updated|requested|corrected|json|rest of the|continuation of the)\s)*(?:report|section|summary|answer|response|json|object|text|continuation)\b`,
    String.raw`^(?:let me know if|feel free to|(?:please )?(?:note that )?i hope (?:this|that|it) (?:helps|answers)|is there anything else)\b`,
  ].join('|'),
  backReferences: [
    'it|its|they|their|these|those|this|that|such|he|she|his|her|both|neither|here|there|then|thus|hence|therefore',
    'however|moreover|furthermore|instead|otherwise|but|yet|for (?:example|instance)|as a result',
    'the (?:latter|former|same|others?|value|number|figure|gain|increase|decrease|drop|difference|effect)',
    '(?:in|at|on|for|with|under|by|of|from|after|before|during|among|across) (?:this|these|that|those|it|them|such|both)',
    'in (?:contrast|addition)',
  ].join('|'),
  turns: {
    not: 'not no never cannot nor neither none no_longer unable impossible cease ceased',
    softly: `unless without except avoid avoids avoided sidesteps sidestep prevent prevents prevented lack lacks lacking fail fails failed
      refuse refuses instead rather rarely hardly seldom little barely gone unnecessary forbid forbids
      forbidden forbidding prohibited prohibits prohibited ban bans banned bars exclude excludes excluded
      ignore ignores ignored beyond until yet caution against free`,
    than: 'than',
    joins: 'and but while whereas although though however yet because since so which who',
    about: `about around roughly nearly almost some approximately approx ~ ≈ circa over more_than less_than under
      below at_least up_to only`,
    all: 'all always every_single',
    some: 'some most several many certain majority part half few partly',
    opposites: `
      at_most|never_more_than|maximum|maximal|max|no_more_than|not_more_than|not_exceed|no_longer_than|up_to/at_least|minimum|minimal|min|no_less_than|no_fewer_than|not_less_than
      above|over|exceed|exceeds|exceeding|more_than|greater_than|larger_than|bigger_than|longer_than|older_than|higher_than/below|under|less_than|fewer_than|smaller_than|shorter_than|younger_than|lower_than
      higher|high|highest/lower|low|lowest
      more|most_common|often|frequent|frequently/less|fewer|rarely|seldom|least
      increase|increases|increased|increasing|rise|rises|rose|risen|rising|grew|grows|grown|growing|raise|raises|raised|climbed|climbs|gained|gains|added|adds|extends|extended|lifted|lifts/decrease|decreases|decreased|decreasing|fall|falls|fell|fallen|falling|drop|drops|dropped|shrank|shrunk|shrinks|reduce|reduces|reduced|lower|lowers|lowered|cut|cuts|declined|declines|lost|loses|shed|slowed|dipped
      larger|large|largest|bigger|biggest|greater/smaller|small|smallest
      faster|fast|fastest|quicker/slower|slow|slowest|slowly longer|longest/shorter|shortest first/last
      start|starts|started|begins|began/stop|stops|stopped|ends|ended open|opens|opened/close|closes|closed
      improve|improves|improved/worsen|worsens|worsened|degrades|degraded always/never
      enabled|enables|enable|enabling|on_by_default/disabled|disables|disable|off_by_default|stays_off|is_off|are_off
      better|best/worse|worst
      accept|accepts|accepted|allow|allows|allowed|may/reject|rejects|rejected|forbids|forbidden|prohibited
      strong|stronger|strongly/weak|weaker|weakly inside|within/outside earlier|early/later|late
      cheap|cheaper/expensive|costly adds_support|introduces/remove|removes|removed|drop|drops|dropped
      precise/vague newest|latest|newer|new/oldest|older|old profit/loss before/after`,
  },
  pointing: 'this that these those it its they them their he she him her one ones other another there here such',
  interrogatives: "what what's who whose why how when where which",
  requests:
    'help helps research study investigate look learn information info report topic subject question stuff thing things anything interesting do',
};
