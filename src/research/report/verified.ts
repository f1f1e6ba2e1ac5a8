import type { Decide } from '../evidence/checker.ts';
import type { CheckedText } from '../evidence/citations.ts';
import type { Claim, UnverifiedReason } from '../evidence/statement.ts';
import type { RunContext } from '../run/runContext.ts';
import { verificationOf } from '../settings/config.ts';
import type { ResearchStateType } from '../state.ts';
import { decisionsOf, statementsToJudge } from './decisions.ts';
import { type RenderedReport, type ReportStatement, statementId } from './renderReport.ts';

/** Whether somebody reads statements beside their passages. */
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

/** What becomes of the statements of a report, once a second reader has judged those that it has not seen yet. */
export async function judged(
  run: RunContext,
  { today, language, sections }: Pick<ResearchStateType, 'today' | 'language' | 'sections'>,
  { statements }: RenderedReport,
): Promise<Decide> {
  await run.drafts.judged();
  const reader = run.drafts.reader(run, sections.length + 1);
  const known = reader.outcome();
  const open = statementsToJudge(statements).filter(({ id }) => !known.has(id));
  if (open.length > 0) await reader.judge({ path: 'report/verify', phase: 'report', today, language }, open, true);
  return decisionsOf(reader.outcome(), 'noAnswer');
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
        sentence: text,
        passages: grounds.flatMap(({ passages }) => passages),
        ...(verdict === 'unverified' ? { reason: reason ?? ('off' satisfies UnverifiedReason) } : {}),
      };
    });
}
