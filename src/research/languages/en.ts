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
  backReferences: [
    'it|its|they|their|these|those|this|that|such|he|she|his|her|both|neither|here|there|then|thus|hence|therefore',
    'however|moreover|furthermore|instead|otherwise|but|yet|for (?:example|instance)|as a result',
    'the (?:latter|former|same|others?|value|number|figure|gain|increase|decrease|drop|difference|effect)',
    '(?:in|at|on|for|with|under|by|of|from|after|before|during|among|across) (?:this|these|that|those|it|them|such|both)',
    'in (?:contrast|addition)',
  ].join('|'),
  pointing: 'this that these those it its they them their he she him her one ones other another there here such',
  interrogatives: "what what's who whose why how when where which",
  requests:
    'help helps research study investigate look learn information info report topic subject question stuff thing things anything something interesting do',
};
