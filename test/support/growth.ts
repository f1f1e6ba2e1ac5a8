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

const small = 4_096;
const large = 131_072;
/** Linear time gives 32 between the two sizes, quadratic 1,024. */
const mostGrowth = 200;
/** What costs less than this at the large size, in milliseconds of processor time, shows nothing. */
const noticeableMs = 100;

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The fillers of which a text that is 32 times as long costs a function more than 200 times as much, one line each. */
export function superLinear(read: (text: string) => unknown): string[] {
  return fillers.flatMap((filler) => {
    const text = filler.repeat(Math.ceil(large / filler.length));
    const cost = (length: number) => cpuMs(() => read(text.slice(0, length)));
    // Compiled by then. At an eighth, what is quadratic is found before it hangs at the whole.
    const least = Math.max(1, Math.min(cost(small), cost(small), cost(small)));
    const eighth = cost(large / 8);
    const most = eighth > (mostGrowth / 8) * least && eighth > noticeableMs ? eighth * 8 : cost(large);
    if (most < noticeableMs || most < mostGrowth * least) return [];
    return [`${JSON.stringify(filler)}: ${least.toFixed(1)} ms at 4 kB, ${Math.round(most)} ms at 128 kB`];
  });
}
