import { citationMark } from '../protocol/citationMark.ts';
import { isRecord, parseJson } from '../protocol/json.ts';
import { largest } from '../protocol/numbers.ts';
import { type Evidence, type EvidencePassage, idOf, plainPassage } from './evidence.ts';
import { asCited } from './findStatements.ts';
import { mark, numbersIn, reference } from './references.ts';
import { keyOf } from './statementKey.ts';

/** What the file beside a report says of its statements. */
export function evidenceOfSidecar(sidecar: string): Evidence[] {
  const verdicts = Object.entries(verdictsIn(sidecar));
  return statementsOf(blocksOf(sidecar)).map(([line = '', ...blocks]) => {
    const dash = line.lastIndexOf(' — *');
    const said = line.slice(dash + 4, -1);
    const passages: EvidencePassage[] = [];
    let [sentence, open] = [line.slice(0, dash).replace(mark, ''), [] as string[]];
    for (const block of blocks) {
      open.push(block);
      const number = numbersIn(block).at(-1);
      if (number === undefined) continue;
      // A passage that is quoted as a whole says itself, below the line that names its place.
      if (keyOf(sentence) === '')
        sentence = open
          .slice(placeLine.test(open[0]!) ? 1 : 0)
          .join('\n\n')
          .replace(mark, '');
      passages.push({ number, text: open.join('\n\n').replace(mark, '').trim(), isMarkdown: true });
      open = [];
    }
    const verdict = verdicts.find(([, word]) => said.startsWith(word))?.[0] ?? '';
    return { sentence, key: keyOf(sentence), citations: numbersIn(line.slice(0, dash)), said, passages, verdict };
  });
}

/** `docs/a.md#L1-L2` */
const placeLine = /^\S.*#L\d{1,7}-L\d{1,7}$/;

function blocksOf(sidecar: string): string[] {
  return sidecar
    .replaceAll('\r\n', '\n')
    .trimEnd()
    .split(/\n{2,}/);
}

/** The blocks of each statement: the line with its verdict, and those up to the next one or the references. */
function statementsOf(blocks: readonly string[]): string[][] {
  const found: string[][] = [];
  for (const block of blocks) {
    if (block.startsWith('## ')) break;
    if (/ — \*[^*]+\*$/.test(block) && !block.startsWith('>')) found.push([block]);
    else found.at(-1)?.push(block);
  }
  return found;
}

/** What the verdicts are called in a file beside a report, as its front matter says. */
function verdictsIn(sidecar: string): Readonly<Record<string, string>> {
  const words = parseJson(/^verdicts: (\{.{1,2000}\})$/m.exec(sidecar.slice(0, 64_000))?.[1] ?? '');
  return isRecord(words) && Object.values(words).every((word) => typeof word === 'string')
    ? (words as Record<string, string>)
    : { quoted: 'quotation', supported: 'supported', corrected: 'corrected', unverified: 'unverified' };
}

/**
 * The file beside a report with these statements in place of what it said of the same words with the same citations.
 *
 * @param report Its words: of others the file says nothing any more, and its references are those of the report. Default: any.
 */
export function withStatements(sidecar: string, statements: readonly Evidence[], report?: string): string {
  const blocks = blocksOf(sidecar);
  const all = statementsOf(blocks);
  const known = evidenceOfSidecar(sidecar);
  const fresh = new Set(statements.map(idOf));
  const others = known.filter((one) => !fresh.has(idOf(one)));
  const stays = new Set(report === undefined ? others : stillIn(report, others, statements));
  const kept = all.filter((_, index) => stays.has(known[index]!));
  const first = all.length > 0 ? blocks.indexOf(all[0]![0]!) : -1;
  const end = blocks.findIndex((block) => block.startsWith('## '));
  const head = blocks.slice(0, first >= 0 ? first : end >= 0 ? end : undefined);
  const tail = end < 0 ? [] : blocks.slice(end);
  const verdicts = verdictsIn(sidecar);
  const added = statements.flatMap(({ sentence, key, citations, verdict, passages }) => {
    const isWhole = passages.length === 1 && keyOf(plainPassage(passages[0]!)) === key;
    const words = isWhole ? '' : `${sentence.replace(/\s+/g, ' ').trim()} `;
    return [
      `${words}${citations.map(citationMark).join('')} — *${verdicts[verdict] ?? verdict}*`,
      ...passages.flatMap(passageBlocks),
    ];
  });
  const references =
    report === undefined ? tail.slice(1) : [...report.matchAll(reference)].map(([line]) => line).join('\n');
  return `${[...head, ...kept.flat(), ...added, ...tail.slice(0, 1), ...[references].flat()].join('\n\n').trimEnd()}\n`;
}

/** What the file has said of words of the report that are cited as they were. */
function stillIn(report: string, others: readonly Evidence[], statements: readonly Evidence[]): Evidence[] {
  const whole = keyOf(report);
  return asCited(report, [...others.filter(({ key }) => whole.includes(key)), ...statements]);
}

/** A passage below its place; one of several lines is a listing, in which nothing is active. */
function passageBlocks({ number, text, isMarkdown, path, place }: EvidencePassage): string[] {
  if (isMarkdown) return [`${text} ${citationMark(number)}`];
  const where = path === undefined || place === undefined ? [] : [`${path}#${place}`.replace(active, '\\$&')];
  const lines = text.split('\n');
  if (lines.length === 1) return [...where, `> ${text.trim().replace(active, '\\$&')} ${citationMark(number)}`];
  const fence = '`'.repeat(1 + largest([2, ...(text.match(/`+/g) ?? []).map(({ length }) => length)]));
  const listing = [fence, ...lines, fence, '', citationMark(number)];
  return [...where, listing.map((line) => `> ${line}`.trimEnd()).join('\n')];
}

/** What Markdown may act on in a line of words, addresses too. */
const active = /^[!-/:-@[-`{-~]|[\\`*_[\]<>&|~:@$]|(?<=\bwww)\./giu;
