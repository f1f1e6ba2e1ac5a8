import { citationMark, writeInlines } from '../../markdown/writeInlines.ts';
import type { Source } from '../evidence/source.ts';
import type { Claim, Passage } from '../evidence/statement.ts';
import { countVoices } from '../evidence/voices.ts';
import { verbatimPassage } from '../evidence/verbatim.ts';
import { statementLine } from '../evidence/statementLine.ts';
import { inertLine } from '../evidence/neutralize.ts';
import type { Texts } from '../languages/texts.ts';
import { reference } from './reference.ts';

/**
 * What each statement of a report rests on: the statement with its numbers and its verdict, and below it the passages of its sources,
 * word for word; at the end the references.
 *
 * @param order Cited sources, by number.
 * @param workOf Id of the source that a source counts with.
 * @param isLeftOut Sources whose passages are not in it; the statements say so.
 */
export function evidenceText(
  title: string,
  order: readonly Source[],
  claims: readonly Claim[],
  texts: Texts['report'],
  workOf: (id: string) => string,
  toWorkspace?: string,
  isLeftOut: (source: Source) => boolean = () => false,
): string {
  const numbers = new Map(order.map(({ id }, index) => [id, index + 1]));
  const leftOut = new Set(order.filter(isLeftOut).map(({ id }) => id));
  const blocks = claims.map(({ sentence, citations, passages: all, verdict, reason }) => {
    const passages = all.filter(({ source }) => !leftOut.has(source));
    const said =
      reason === undefined ? texts.verdicts[verdict] : `${texts.verdicts[verdict]} (${texts.reasons[reason]})`;
    const notes = [
      ...(all.length > 0 && countVoices(all, workOf) === 1 ? [texts.oneVoice] : []),
      ...(passages.length < all.length ? [texts.heldBack] : []),
    ];
    const judged = `*${plain([said, ...notes].join(', '))}*`;
    // A passage that is quoted as a whole says itself.
    const isWhole = all.length === 1 && passages.length === 1 && statementLine(passages[0]!.text) === sentence;
    const cited = citations.map(citationMark).join('');
    const line = isWhole ? `${cited} — ${judged}` : `${plain(sentence)} ${cited} — ${judged}`;
    return [line, ...passages.flatMap((passage) => passageText(passage, order, numbers))].join('\n\n');
  });
  const references = order.map(
    (source, index) => `- ${writeInlines(reference(index + 1, source, { retrieved: texts.retrieved }, toWorkspace))}`,
  );
  return `${[`# ${plain(title)}`, ...blocks, `## ${plain(texts.references)}`, references.join('\n')].join('\n\n')}\n`;
}

function passageText(
  { source: id, text, place }: Passage,
  order: readonly Source[],
  numbers: ReadonlyMap<string, number>,
): string[] {
  const source = order.find((one) => one.id === id);
  if (!source) return [];
  const number = numbers.get(id)!;
  const where = source.file === undefined ? [] : [plain(`${source.file.path}#${place}`)];
  // Its heading names the file or work, which the reference does.
  return [...where, ...verbatimPassage(source, text, number).slice(1)];
}

const plain = (text: string): string => writeInlines([{ type: 'text', text: inertLine(text) }], 'start');
