import * as z from 'zod';
import { isRecord } from '../../../protocol/json.ts';
import prompt from '../../../../prompts/verify.md';
import { ResearchError } from '../../errors.ts';
import { sha256 } from '../../text/digest.ts';
import { estimateTokens } from '../../text/estimateTokens.ts';
import { splitSentences } from '../../text/sentences.ts';
import { bareWords, terms } from '../../text/tokenize.ts';
import type { ReadStatement, Scope, Verdict, VerifyInput } from '../analyst.ts';
import { defuse, oneLine } from './fence.ts';
import { score, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { roomOf } from './steps.ts';
import { askStructured } from './structuredOutput.ts';

/** Tokens of the entry of one statement, with a correction now and then. */
const entryTokens = 80;
/** Statements of one call: servers that make a grammar of the schema refuse long lists. */
const mostStatements = 40;
/** Of the prompt beside passages and statements, with the schema. */
const fixedTokens = 1_100;
/** Tags around passages and statements. */
const groupTokens = 40;
/** What was not judged is asked for in batches smaller by this factor. */
const smaller = 3;

/** Passages, and the statements that rest on them. */
interface Group {
  readonly passages: readonly string[];
  readonly statements: readonly ReadStatement[];
}

const verdicts = [
  'supported',
  'partly',
  'disputed',
  'contradicted',
  'absent',
  'inferred',
] as const satisfies readonly Verdict['verdict'][];

const entry = z.object({
  statement: score(0, 1e6, 0, 'Number of the statement'),
  words: text('The words of the passages that decide; empty when there are none', 200),
  verdict: z.enum(verdicts).describe('What the passages make of it'),
  correction: text('Of partly, disputed and contradicted: the statement as the passages support it; else empty', 900),
});

const schemaFor = (count: number) =>
  z.object({
    verdicts: z.preprocess(
      (value) => usable(value).slice(0, count),
      z.array(entry).max(count).describe('One entry for each statement'),
    ),
  });

/**
 * Reads statements beside their passages in as few calls as the model's window and its answer allow. What is missing in the answers is
 * requested again in smaller batches, where that makes them any smaller. An answer that can't be used, or a refusal, costs its own batch
 * alone.
 */
export async function verify({ statements, most }: VerifyInput, scope: Scope): Promise<ReadonlyMap<number, Verdict>> {
  const found = new Map<number, Verdict>();
  const groups = within(groupsOf(statements), most);
  const passagesOf = new Map(statements.map((one) => [one.number, one.passages]));
  const read = async (label: string, batch: readonly Group[]): Promise<boolean> => {
    const before = found.size;
    const isOne = batch.length === 1 && batch[0]!.statements.length === 1;
    try {
      for (const { statement, words, verdict, correction } of await ask(label, batch, scope)) {
        const judged = batch.flatMap((group) => group.statements).find(({ number }) => number === statement);
        if (judged === undefined || found.has(statement)) continue;
        const passages = passagesOf.get(statement)!.join('\n');
        const isChanged = verdict === 'partly' || verdict === 'disputed' || verdict === 'contradicted';
        const changed = isChanged && bareWords(correction) !== bareWords(judged.text) ? correction : '';
        if (changed !== '' && !speaksOf(changed, judged.text, passages)) continue;
        const isVerbatim = bareWords(passages).includes(bareWords(words));
        found.set(statement, { verdict, words: isVerbatim ? words : '', correction: changed });
      }
      return isOne || found.size > before;
    } catch (error) {
      if (scope.signal.aborted || !ResearchError.is(error, 'badAnswer', 'contentFilter', 'contextLength')) throw error;
      return error.reason !== 'badAnswer';
    }
  };
  const { maxTokens, room } = await roomOf(scope, 'verify');
  const answerable = Math.max(1, Math.floor(maxTokens / entryTokens));
  const limits = { statements: Math.min(mostStatements, answerable), tokens: room - fixedTokens };
  const asked = new Set<string>();
  const readAll = async (label: string, batches: readonly (readonly Group[])[]): Promise<void> => {
    for (const [index, batch] of batches.entries()) {
      const content = JSON.stringify(batch);
      if (asked.has(content)) continue;
      asked.add(content);
      // A model that judges nothing of one batch has nothing to say of the others.
      if (!(await read(`${label}/${index + 1}`, batch))) break;
    }
  };
  await readAll('verify', batchesOf(groups, limits));
  const missing = groups.flatMap(({ passages, statements: all }) => {
    const open = all.filter(({ number }) => !found.has(number));
    return open.length > 0 ? [{ passages, statements: open }] : [];
  });
  const fewer = Math.max(1, Math.ceil(Math.min(limits.statements, statements.length) / smaller));
  await readAll('verify/again', batchesOf(missing, { ...limits, statements: fewer }));
  return found;
}

async function ask(label: string, batch: readonly Group[], scope: Scope) {
  const statements = batch.flatMap((group) => group.statements);
  const nonce = sha256(JSON.stringify(batch)).slice(0, 8);
  const answer = await askStructured(scope, {
    label,
    step: 'verify',
    most: sizeOf(batch),
    schema: schemaFor(statements.length),
    prompt: (tokens) =>
      fillPrompt(prompt, {
        nonce,
        groups: within(batch, tokens)
          .map((group) => shown(group, nonce))
          .join('\n\n'),
        count: String(statements.length),
        numbers: statements.map(({ number }) => number).join(', '),
      }),
  });
  return answer.verdicts;
}

function shown({ passages, statements }: Group, nonce: string): string {
  const fence = (tag: string, inside: string) => `<${tag}-${nonce}>\n${inside}\n</${tag}-${nonce}>`;
  return [
    fence('passages', passages.map((passage) => defuse(passage).trim()).join('\n\n') || '(none)'),
    fence('statements', statements.map(({ number, text: words }) => `${number}. ${oneLine(words)}`).join('\n')),
  ].join('\n');
}

/** Adjacent statements with the same passages. */
function groupsOf(statements: readonly ReadStatement[]): Group[] {
  const groups: { passages: readonly string[]; statements: ReadStatement[] }[] = [];
  for (const statement of statements) {
    const last = groups.at(-1);
    if (last?.passages.join('\0') === statement.passages.join('\0')) last.statements.push(statement);
    else groups.push({ passages: statement.passages, statements: [statement] });
  }
  return groups;
}

const sizeOf = (groups: readonly Group[]): number => groups.reduce((sum, group) => sum + tokensOf(group), 0);

function tokensOf({ passages, statements }: Group): number {
  const texts = [...passages, ...statements.map((one) => one.text)];
  return texts.reduce((sum, one) => sum + estimateTokens(one) + 4, groupTokens);
}

/** In their order; statements of one group may come into two batches. */
function batchesOf(groups: readonly Group[], limits: { readonly statements: number; readonly tokens: number }) {
  const batches: ReadStatement[][] = [];
  let [places, tokens] = [0, 0];
  for (const { passages, statements } of groups)
    for (const [index, statement] of statements.entries()) {
      const whole = tokensOf({ passages, statements: [statement] });
      const more = index === 0 ? whole : estimateTokens(statement.text) + 4;
      const isFull = places === 0 || more > tokens;
      if (isFull) batches.push([]);
      batches.at(-1)!.push({ ...statement, passages });
      [places, tokens] = isFull ? [limits.statements - 1, limits.tokens - whole] : [places - 1, tokens - more];
    }
  return batches.map(groupsOf);
}

/** The same groups with passages of so many tokens altogether, as far as a sentence for each statement allows. */
function within(groups: readonly Group[], tokens: number): readonly Group[] {
  const size = sizeOf(groups);
  if (size <= tokens) return groups;
  return groups.map(({ passages, statements }) => ({
    passages: shortened(passages, statements, (passages.join('').length * tokens) / size),
    statements,
  }));
}

/** The sentences that share most words with the statements, in their order, of about so many UTF-16 units. */
function shortened(passages: readonly string[], statements: readonly ReadStatement[], length: number): string[] {
  const sentences = passages.flatMap((passage, place) =>
    splitSentences(passage).map(({ text: words }) => ({ words, place, terms: new Set(terms(words)) })),
  );
  const wanted = statements.map((one) => new Set(terms(one.text)));
  const near = (one: ReadonlySet<string>, sentence: (typeof sentences)[number]) =>
    [...sentence.terms].filter((term) => one.has(term)).length;
  const chosen = new Set(
    wanted.flatMap((one) =>
      sentences.length === 0
        ? []
        : [sentences.reduce((best, other) => (near(one, other) > near(one, best) ? other : best))],
    ),
  );
  const all = new Set(wanted.flatMap((one) => [...one]));
  let left = [...chosen].reduce((rest, { words }) => rest - words.length, length);
  for (const sentence of sentences.toSorted((a, b) => near(all, b) - near(all, a))) {
    if (chosen.has(sentence) || sentence.words.length > left) continue;
    chosen.add(sentence);
    left -= sentence.words.length;
  }
  return [...passages.keys()].flatMap((place) => {
    const kept = sentences.filter((sentence) => sentence.place === place && chosen.has(sentence));
    return kept.length === 0 ? [] : [kept.map(({ words }) => words.trim()).join(' ')];
  });
}

/** A correction has words of the statement or its passages, and is about as long: "test" and "Lorem ipsum" are none. */
function speaksOf(correction: string, statement: string, passages: string): boolean {
  const own = terms(correction);
  const known = new Set([...terms(statement), ...terms(passages)]);
  const shared = own.filter((term) => known.has(term)).length;
  return own.length * 4 >= terms(statement).length && shared * 3 >= own.length && shared > 0;
}

/** Entries with a verdict, as a list or by number; what has none was not judged. */
function usable(value: unknown): unknown[] {
  const listed = Array.isArray(value)
    ? value
    : isRecord(value)
      ? Object.entries(value).map(([statement, one]) =>
          isRecord(one) ? { statement, ...one } : { statement, verdict: one },
        )
      : [];
  return listed.filter(isRecord).flatMap((one) => {
    const given = typeof one['verdict'] === 'string' ? one['verdict'].toLowerCase().replace(/[^a-z]/g, '') : '';
    // "Partially supported" is partly; "not supported" is nothing of what was asked for.
    const verdict = verdicts.find((name) => given.startsWith(name.slice(0, 4)));
    return verdict === undefined ? [] : [{ ...one, verdict }];
  });
}
