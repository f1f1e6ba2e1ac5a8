import type { CitableEvidence, Decide } from '../evidence/checker.ts';
import type { CheckedText } from '../evidence/citations.ts';
import { groundOfFinding, sharesOf } from '../evidence/grounds.ts';
import type { Claim, Statement, UnverifiedReason } from '../evidence/statement.ts';
import type { RunContext, Turn } from '../run/runContext.ts';
import { verificationOf } from '../settings/config.ts';
import type { ResearchStateType } from '../state.ts';
import type { Contradiction } from '../stateSchema.ts';
import { controlsOfAnswer } from '../verification/controls.ts';
import { decisionsOf, disputesOf, statementsToJudge } from './decisions.ts';
import { type RenderedReport, type ReportStatement, statementId } from './renderReport.ts';

/** Share of a statement's terms that a finding has in which the statement is looked for. */
const leastShared = 0.3;

/** Whether a second reader checks statements against their passages. */
export function isVerifying(run: Pick<RunContext, 'analyst' | 'settings'>): boolean {
  return run.analyst.verify !== undefined && verificationOf(run.settings) !== 'off';
}

/** The statements of a text of one section. */
export function statementsIn({ parts }: CheckedText, section: string) {
  const said = parts.flatMap((part) => {
    if (part.type === 'row') return part.said.flatMap((one) => one ?? []);
    return part.type === 'unit' || part.type === 'quote' ? (part.said ?? []) : [];
  });
  return said.map((one) => ({ ...one, id: statementId(one), section }));
}

export interface Judged {
  readonly decide: Decide;
  /** Whether a second reader has judged any statement. */
  readonly isRead: boolean;
  /** What the sources of one statement say differently. */
  readonly disputes: readonly Contradiction[];
}

/** A question about a finished run is answered, and its report stays as it is. */
export function isAnswer({ parent }: RunContext, { change }: Pick<ResearchStateType, 'change'>): boolean {
  return parent !== undefined && !parent.wanted.refresh && change === undefined;
}

/** What becomes of the statements of a report, once a second reader has judged those that it has not seen yet. */
export async function judged(
  run: RunContext,
  { today, language, sections, change }: Pick<ResearchStateType, 'today' | 'language' | 'sections' | 'change'>,
  { statements }: RenderedReport,
  evidence: CitableEvidence,
): Promise<Judged> {
  await run.drafts.judged();
  const reader = run.drafts.reader(run, sections.length + 1, isAnswer(run, { change }) ? controlsOfAnswer : undefined);
  const known = reader.outcome();
  const judge = (turn: Turn, some: readonly Statement[]) =>
    reader.judge({ path: `report/verify/${turn}`, phase: 'report', today, language }, some, turn);
  const asked = statementsToJudge(statements);
  const open = asked.filter(({ id }) => !known.has(id));
  if (open.length > 0) await judge('last', open);
  const outcome = reader.outcome();
  // What its own passages don't have is looked for once among all that was found.
  const absent = asked.filter(({ id }) => outcome.get(id)?.verdict === 'absent');
  const near = new Map(absent.flatMap((one) => nearestFinding(one, evidence) ?? []));
  const again = absent.flatMap((one) => (near.has(one.id) ? [{ ...one, passages: near.get(one.id)!.passages }] : []));
  const found = near.size === 0 ? undefined : await judge('again', again);
  const elsewhere = [...near].filter(([id]) => found?.get(id)?.verdict === 'supported');
  const decide = decisionsOf(outcome, 'noAnswer', new Map(elsewhere.map(([id, { number }]) => [id, number])));
  const isRead = asked.some(({ id }) => (outcome.get(id)?.verdict ?? 'unverified') !== 'unverified');
  return { decide, isRead, disputes: disputesOf(statements, outcome) };
}

/** The finding with most words of a statement that is no part of what the statement rests on, with its passages. */
function nearestFinding({ id, text, passages }: Statement, { get, findings = new Map() }: CitableEvidence) {
  const shareOf = sharesOf(text);
  const [best] = [...findings]
    .filter(([, { quote }]) => !passages.some((passage) => passage.text.includes(quote)))
    .flatMap(([number, finding]) => {
      const source = get(finding.source);
      const ground = source && groundOfFinding(finding, source);
      const share = ground && shareOf(ground);
      return share === undefined || share < leastShared ? [] : [{ number, passages: ground!.passages, share }];
    })
    .toSorted((one, other) => other.share - one.share);
  return best && ([[id, best]] as const);
}

/** The cited statements of a report, each under an id of its own. */
export function claimsOf(statements: readonly ReportStatement[]): Claim[] {
  const times = new Map<string, number>();
  return statements
    .filter(({ isCited }) => isCited)
    .map(({ id, section, offset, text, citations, grounds, verdict, reason }) => {
      const time = (times.get(id) ?? 0) + 1;
      times.set(id, time);
      return {
        id: time === 1 ? id : `${id}-${time}`,
        ...{ section, offset, citations, verdict },
        // A citation before the full stop leaves a space.
        sentence: text.replace(/ (?=[.,。，、](?:\s|$))/g, ''),
        passages: grounds.flatMap(({ passages }) => passages),
        ...(verdict === 'unverified' ? { reason: reason ?? ('off' satisfies UnverifiedReason) } : {}),
      };
    });
}
