import type { Fact, Race } from './judge.ts';
import type { Query } from './lines.ts';
import type { Measures } from './measure.ts';

/** What is known of one question. */
export interface Entry {
  /** Of its last run. */
  run?: string;
  /** All but those that are `done` are researched the next time. */
  state: 'open' | 'done' | 'failed';
  why?: string;
  measures?: Measures;
  race?: Race;
  fact?: Fact;
  /** Why a judgement is missing, which the next start tries again. */
  unjudged?: string;
}

interface Line {
  readonly query: Query;
  readonly entry: Entry;
}

/** A Markdown table, one row a question and one for all, and what the columns need said. */
export function tableOf(lines: readonly Line[], hasReferences: boolean): string {
  const judged = lines.some(({ entry }) => (entry.race ?? entry.fact ?? entry.unjudged) !== undefined);
  const head = ['id', 'state', 'references', 'cited', 'words', 'tokens', 'USD', 's', 'verified', 'dropped'];
  const judgedHead = ['overall', 'compr.', 'insight', 'instr.', 'read.', 'supported', 'effective'];
  const rows = lines.map(({ query, entry }) => [String(query.id), entry.state, ...cellsOf(entry, judged)]);
  const all = meanOf(lines.map(({ entry }) => entry).filter(({ measures }) => measures !== undefined));
  const table = [
    [...head, ...(judged ? judgedHead : [])],
    [...head, ...(judged ? judgedHead : [])].map(() => '---'),
    ...rows,
    [
      'mean',
      `${lines.filter(({ entry }) => entry.state === 'done').length} of ${lines.length}`,
      ...cellsOf(all, judged),
    ],
  ];
  const notes = [
    'cited: statements with a source; verified: of the markers; dropped: statements that were taken out.',
    ...(judged
      ? [
          hasReferences
            ? 'overall and its dimensions: 50 % is as good as the reference.'
            : 'overall and its dimensions: part of the best mark, as there is no reference.',
          'supported: of the citations that the judge could decide; effective: supported citations.',
        ]
      : []),
    ...lines.flatMap(({ query, entry }) => (entry.why === undefined ? [] : [`${query.id}: ${entry.why}`])),
    ...lines.flatMap(({ query, entry }) =>
      entry.unjudged === undefined ? [] : [`${query.id}, not judged: ${entry.unjudged}`],
    ),
  ];
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${notes.join('\n')}`;
}

function cellsOf({ measures, race, fact }: Entry, judged: boolean): string[] {
  const counted = measures
    ? [
        number(measures.references),
        percent(measures.citedShare),
        number(measures.words),
        number(measures.tokens),
        measures.cost === null ? '-' : measures.cost.toFixed(4),
        measures.seconds.toFixed(1),
        measures.cited === 0 ? '-' : percent(measures.verified / measures.cited),
        number(measures.dropped),
      ]
    : Array.from({ length: 8 }, () => '-');
  if (!judged) return counted;
  const decided = fact === undefined ? 0 : fact.supported + fact.unsupported;
  return [
    ...counted,
    ...(race
      ? [race.overall, race.comprehensiveness, race.insight, race.instruction_following, race.readability].map(percent)
      : Array.from({ length: 5 }, () => '-')),
    fact === undefined || decided === 0 ? '-' : percent(fact.supported / decided),
    fact === undefined ? '-' : number(fact.supported),
  ];
}

function meanOf(entries: readonly Entry[]): Entry {
  const mean = <T extends object>(records: readonly T[]): T | undefined => {
    const [first] = records;
    if (first === undefined) return undefined;
    const keys = Object.keys(first) as (keyof T)[];
    return Object.fromEntries(
      keys.map((key) => [key, records.reduce((sum, record) => sum + Number(record[key] ?? 0), 0) / records.length]),
    ) as T;
  };
  const measures = mean(entries.flatMap((entry) => entry.measures ?? []));
  const race = mean(entries.flatMap((entry) => entry.race ?? []));
  const fact = mean(entries.flatMap((entry) => entry.fact ?? []));
  return { state: 'done', ...(measures && { measures }), ...(race && { race }), ...(fact && { fact }) };
}

const percent = (part: number): string => `${Math.round(part * 100)} %`;
const number = (value: number): string => String(Math.round(value * 10) / 10);
