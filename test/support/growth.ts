/** What hostile texts are filled with: marks of Markdown, BibTeX, XML and LaTeX, blanks, signs without end, other scripts. */
export const fillers: readonly string[] = [
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
  '{r} ',
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
  'r ',
  '1.1.',
  '9万1',
];

/** In UTF-16 units. */
const textLength = 131_072;

export function hostileText(filler: string): string {
  return filler.repeat(Math.ceil(textLength / filler.length)).slice(0, textLength);
}

/** Linear time gives 8 between an eighth and the whole, quadratic 64. */
const mostGrowth = 32;
/** A whole that costs less than this, in milliseconds of processor time, shows nothing. */
const noticeableMs = 100;
/** What an eighth costs when the whole would hang. */
const hopelessMs = 5_000;

async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What a text costs at an eighth of its length and whole, when the whole costs more than 32 times as much; otherwise nothing. */
export async function superLinearCost(read: (text: string) => unknown, text: string): Promise<string | undefined> {
  const length = Math.floor(text.length / 8);
  const eighth = () => cpuMs(() => read(text.slice(0, length)));
  const whole = () => cpuMs(() => read(text));
  const first = await eighth();
  if (first > hopelessMs) return `${Math.round(first)} ms for ${length} characters`;
  let most = await whole();
  // Compiled by then.
  const least = Math.max(1, Math.min(first, await eighth()));
  const isLinear = (): boolean => most < noticeableMs || most < mostGrowth * least;
  // Garbage of one run is collected in another: the best of three says what it costs.
  if (!isLinear()) most = Math.min(most, await whole(), await whole());
  if (isLinear()) return undefined;
  return `${least.toFixed(1)} ms for ${length} characters, ${Math.round(most)} ms for ${text.length}`;
}

/** The fillers with which a text costs a function more than linear time, one line each. */
export async function superLinear(read: (text: string) => unknown): Promise<string[]> {
  const problems: string[] = [];
  for (const filler of fillers) {
    const problem = await superLinearCost(read, hostileText(filler));
    if (problem !== undefined) problems.push(`${JSON.stringify(filler)}: ${problem}`);
  }
  return problems;
}
