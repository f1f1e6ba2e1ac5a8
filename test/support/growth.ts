import assert from 'node:assert/strict';

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
];

const small = 4_096;
const middle = 32_768;
const large = 131_072;
/** CPU milliseconds of {@link yardstick} on the machine on which a megabyte is to take a second. */
const yardstickMs = 5;

function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function yardstick(): number {
  let sum = 0;
  for (const { index } of 'word and another, '.repeat(20_000).matchAll(/\p{L}+/gu)) sum += index;
  return sum;
}

/** How much slower than the reference this machine is now, which other work on it changes; at least 1. */
function slownessNow(): number {
  return Math.max(1, ...[0, 1, 2].map(() => cpuMs(yardstick) / yardstickMs));
}

/**
 * Fails when what a function costs grows faster than its text, or a megabyte would cost more than four seconds of CPU (one, measured alone).
 * Small texts come first, so that a function that would take hours fails in seconds.
 */
export function assertLinear(name: string, read: (text: string) => unknown): void {
  for (const filler of fillers) {
    const text = filler.repeat(Math.ceil(large / filler.length));
    const cost = (length: number) => cpuMs(() => read(text.slice(0, length)));
    const why = `${name} on ${JSON.stringify(filler)}`;
    if (cost(small) > 60) assert.ok(Math.min(cost(small), cost(small)) < 60 * slownessNow(), `${why}: slow at 4 kB`);
    if (cost(middle) < 20) continue;
    const first = Math.min(cost(middle), cost(middle));
    if (first < 20) continue;
    assert.ok(first < 150 * slownessNow(), `${why}: ${first} ms at 32 kB`);
    // Garbage of one run is collected in another: the best of three says what it costs.
    const most = Math.min(cost(large), cost(large), cost(large));
    assert.ok(most < 7 * Math.max(first, 10), `${why}: ${first} ms at 32 kB, ${most} ms at 128 kB`);
    // A measurement beside other work says too much: four times the second is what no accident explains.
    assert.ok(most < 4 * 130 * slownessNow(), `${why}: ${most} ms at 128 kB`);
  }
}
