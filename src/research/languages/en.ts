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
  pointing: 'this that these those it its they them their he she him her one ones other another there here such',
  interrogatives: "what what's who whose why how when where which",
  requests:
    'help helps research study investigate look learn information info report topic subject question stuff thing things anything interesting do',
};
