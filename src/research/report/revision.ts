import type { Frame, ReportPoint, WrittenSection } from '../analyst/analyst.ts';
import { CitationWriter } from '../evidence/citations.ts';
import { caught } from '../run/failure.ts';
import { scopeOf, stepScope, type RunContext } from '../run/runContext.ts';
import type { ResearchStateType } from '../state.ts';
import { othersOf, siftedText, writingInput } from './drafts.ts';
import { contradictionsOf } from '../section/contradictions.ts';
import { sectionText } from './sectionText.ts';
import type { Draft, Writing } from './writtenReport.ts';

/** Rounds of criticism and rewriting, at depth `deep`: at the others the review and the second reader ask what a critic does. */
const rounds = 2;
/** Parts that one round rewrites: what is wrong everywhere is not mended by revising. */
const mostParts = 4;

interface Revising extends Pick<Writing, 'evidence' | 'given'> {
  readonly show: (draft: Draft) => Promise<void>;
}

/** The draft after a critic has read it: the parts that the critic names are written again, the others stay as they are. */
export async function revised(
  run: RunContext,
  state: ResearchStateType,
  draft: Draft,
  revising: Revising,
): Promise<Draft> {
  let current = draft;
  if (run.settings.depth !== 'deep') return draft;
  for (let round = 1; round <= rounds; round += 1) {
    if (run.analyst.critique === undefined || current.frame === undefined) break;
    const { value: may } = await run.replay.observed(
      `report/revision/${round}`,
      () => !run.budget.isNarrow && !run.finishSignal.aborted,
    );
    if (!may) break;
    const points = await critique(run, state, current, round);
    if (points.length === 0) break;
    const parts = [...Map.groupBy(points, ({ part }) => part)].slice(0, mostParts);
    const shown = parts.flatMap(([, own]) => own).map((point) => pointShown(state, point));
    run.emit({ type: 'report/revision', round, points: shown, changed: [], done: false });
    const next = await rewritten(run, state, current, { round, parts, revising });
    const changed = parts.map(([part]) => part).filter((part) => textOf(next, part) !== textOf(current, part));
    current = next;
    if (changed.length > 0) await revising.show(current);
    run.emit({ type: 'report/revision', round, points: shown, changed, done: true });
    if (changed.length === 0) break;
  }
  return current;
}

/** The critic's points about parts that there are. A critic that fails has none. */
async function critique(
  run: RunContext,
  state: ResearchStateType,
  { written, frame }: Draft,
  round: number,
): Promise<readonly ReportPoint[]> {
  const scope = stepScope(run, state, 'report', `report/critique/${round}`);
  try {
    const points = await run.analyst.critique!(
      {
        ...writingInput(run, state),
        sections: written.filter(({ text }) => text !== ''),
        frame: frame!,
        contradictions: contradictionsOf(state),
        round,
      },
      scope,
    );
    return points.filter(({ part }) => part === 'frame' || written.some(({ id, text }) => id === part && text !== ''));
  } catch (error) {
    run.signal.throwIfAborted();
    caught(run, 'critique', error);
    return [];
  }
}

interface Rewriting {
  readonly round: number;
  readonly parts: readonly (readonly [string, readonly ReportPoint[]])[];
  readonly revising: Revising;
}

async function rewritten(
  run: RunContext,
  state: ResearchStateType,
  draft: Draft,
  { round, parts, revising }: Rewriting,
): Promise<Draft> {
  const byPart = new Map(parts);
  const place = (part: string) => ({
    path: `report/revise/${round}/${part}`,
    phase: 'report' as const,
    ...(part === 'frame' ? {} : { section: part }),
    today: state.today,
    language: state.language,
  });
  const again = async <T>(part: string, before: T, write: (points: readonly string[]) => Promise<T>): Promise<T> => {
    const points = byPart.get(part);
    if (points === undefined) return before;
    try {
      return await run.researchers.use(() => write(points.map(({ point }) => point)), run.signal);
    } catch (error) {
      run.signal.throwIfAborted();
      caught(run, `revise ${part}`, error);
      return before;
    }
  };
  const isBetter = (part: string, before: string, after: string): boolean =>
    isNoWorse(before, after, byPart.get(part)!, revising);
  const input = writingInput(run, state);
  const section = (one: WrittenSection): Promise<WrittenSection> =>
    again(one.id, one, async (points) => {
      const scope = scopeOf(run, place(one.id));
      const { text: before, ...found } = one;
      const others = othersOf(state, one);
      const raw = await run.analyst.writeSection!(
        { ...input, section: found, others, revision: { text: before, points } },
        scope,
      );
      const text = siftedText(sectionText(one.title, raw));
      return isBetter(one.id, before, text) ? { ...one, text } : one;
    });
  const frame = draft.frame!;
  const framed = (): Promise<Frame> =>
    again('frame', frame, async (points) => {
      const { summary, analysis, conclusion } = await run.analyst.frame!(
        {
          ...input,
          sections: draft.written,
          discovered: state.discoveredItems,
          contradictions: contradictionsOf(state),
          revision: { frame, points },
        },
        scopeOf(run, place('frame')),
      );
      const after = { ...frame, summary, analysis, conclusion };
      return isBetter('frame', textOf(draft, 'frame'), textOf({ ...draft, frame: after }, 'frame')) ? after : frame;
    });
  const [written, newFrame] = await Promise.all([Promise.all(draft.written.map(section)), framed()]);
  return { written, frame: newFrame };
}

function textOf({ written, frame }: Draft, part: string): string {
  if (part !== 'frame') return written.find(({ id }) => id === part)?.text ?? '';
  return frame === undefined ? '' : [frame.summary, frame.analysis, frame.conclusion].join('\n\n');
}

/** A revision may lose supported citations only for what it was asked to take out. */
function isNoWorse(
  before: string,
  after: string,
  points: readonly ReportPoint[],
  { evidence, given }: Revising,
): boolean {
  const supported = (text: string): number => {
    const writer = new CitationWriter(evidence, given);
    const shown = writer.push(`${text}\n`) + writer.finish();
    return shown.match(/\[\d{1,4}\]/g)?.length ?? 0;
  };
  const asked = points.filter(({ kind }) => kind === 'unsupported' || kind === 'repeated').length;
  return after.trim() !== '' && supported(after) >= supported(before) - asked;
}

function pointShown({ sections }: ResearchStateType, { part, point }: ReportPoint) {
  return { section: part, title: sections.find(({ id }) => id === part)?.title ?? '', point };
}
