/** What hostile texts are filled with: marks of Markdown, BibTeX, XML and LaTeX, blanks, signs without end, other scripts. */
const fillers: readonly string[] = [
  ' ',
  '\t',
  '\n',
  '\n ',
  '.',
  '. ',
  'a. ',
  '中',
  '中。',
  'e\u0301',
  '😀',
  '\u200D',
  '1',
  '1,',
  '1.',
  'a',
  'A-',
  'a.b',
  ',',
  ': ',
  '[',
  ']',
  '](',
  '![',
  '[^',
  '[1]',
  '[S1, S1',
  '[Sabcde, ',
  '(Sabcde',
  '(',
  ')',
  '{',
  '}',
  '{a',
  '@a{',
  '"',
  '“a',
  "'",
  '\\',
  '\\a{',
  '$',
  '$a',
  '*',
  '**a',
  '_',
  '_a ',
  '~',
  '`',
  '``a',
  '```\n',
  '<',
  '<a ',
  '</a>',
  '<!--',
  '&',
  '&amp',
  '|',
  '| a ',
  '| a | b |\n',
  '#',
  '# a\n',
  '- ',
  '- a\n',
  '> ',
  '---\n',
  '=',
  'http://a.b/',
  'www.',
  'a@b.',
  'a: b\n',
  '%',
  ';',
  '0x',
  '/',
  '-',
  '+',
  '?!',
  '…',
  '<|',
  '[/',
  '[A_',
  '<a_',
  'م\u200D',
  'Human:\n',
  '### ',
  '\r',
  '＜',
  'a-1',
  "a'",
  'a+',
  '知',
  '\ud800',
  'ﷺ',
  'слово ',
  'password: ',
  'token=a1',
  'key',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----\n',
  'x:y@',
  'eyJ',
  '$2',
  'legal winner ',
  'Bearer ',
  '](( ',
  '{}',
  '```json\n',
  'run: ',
  '*/',
];

const small = 16_384;
const large = 131_072;
/** Linear time gives 8 between the two sizes, quadratic 64. */
const mostGrowth = 32;
/** What costs less than this at the large size, in milliseconds of processor time, shows nothing. */
const noticeableMs = 100;
/** A function that costs as much as this at the small size hangs at the large one. */
const hopelessMs = 5_000;

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The fillers of which a text that is 8 times as long costs a function more than 32 times as much, one line each. */
export function superLinear(read: (text: string) => unknown): string[] {
  return fillers.flatMap((filler) => {
    const text = filler.repeat(Math.ceil(large / filler.length));
    const cost = (length: number) => cpuMs(() => read(text.slice(0, length)));
    const first = cost(small);
    if (first > hopelessMs) return [`${JSON.stringify(filler)}: ${Math.round(first)} ms at 16 kB`];
    let most = cost(large);
    // Compiled by then.
    const least = Math.max(1, Math.min(first, cost(small)));
    const isLinear = (): boolean => most < noticeableMs || most < mostGrowth * least;
    // Garbage of one run is collected in another: the best of three says what it costs.
    if (!isLinear()) most = Math.min(most, cost(large), cost(large));
    if (isLinear()) return [];
    return [`${JSON.stringify(filler)}: ${least.toFixed(1)} ms at 16 kB, ${Math.round(most)} ms at 128 kB`];
  });
}
