import { strategyOf } from '../../protocol/strategy.ts';
import type { Frame, WritingInput, WrittenSection } from '../analyst/analyst.ts';
import type { CitableEvidence } from '../evidence/checker.ts';
import { checkedText, CitationWriter } from '../evidence/citations.ts';
import { SecondReader } from '../verification/secondReader.ts';
import { statementsToJudge } from './decisions.ts';
import { isVerifying, statementsIn } from './verified.ts';
import { numberedFindings } from '../evidence/findingNumber.ts';
import type { Finding, Source } from '../evidence/source.ts';
import { contradictionsOf } from '../section/contradictions.ts';
import { hasEvidence } from '../section/hasEvidence.ts';
import { questionOf } from '../run/questionOf.ts';
import { reviewed, withRemarks } from '../section/reviewed.ts';
import { caught } from '../run/failure.ts';
import {
  readable,
  scopeOf,
  stepScope,
  type RunContext,
  type ScopePlace,
  type PlannedReport,
  type SectionDrafts,
  type EvidencePort,
  type EventPort,
  type AnalystPort,
} from '../run/runContext.ts';
import type { ResearchStateType, SectionState } from '../state.ts';
import { settledLength } from '../text/sentences.ts';
import { sifted } from './floor.ts';
import { LiveReport } from '../run/liveReport.ts';
import { SectionText, sectionText } from './sectionText.ts';

interface Begun {
  readonly attempt: number;
  readonly text: Promise<string>;
}

/**
 * The sections that are being written, each once an attempt. They are promises and no state: their calls are in the journal, so
 * that a resumed run begins again what it needs and repeats no call.
 */
export class Drafts implements SectionDrafts {
  readonly #begun = new Map<string, Begun>();
  #planned: PlannedReport | undefined;
  #live: LiveReport | undefined;
  /** Of the sections that were begun, by number. */
  readonly #findings = new Map<string, Finding>();
  #reader: SecondReader | undefined;
  #frame: { readonly path: string; readonly text: Promise<Frame | undefined> } | undefined;
  readonly #judged: Promise<unknown>[] = [];

  open(state: PlannedReport): void {
    this.#planned = state;
  }

  get count(): number {
    return this.#begun.size;
  }

  reader(run: RunContext, texts: number, controls?: number): SecondReader {
    const scopeAt = (place: ScopePlace, signal: AbortSignal) => scopeOf(run, place, signal);
    this.#reader ??= new SecondReader(run, { texts, ...(controls && { controls }), scopeAt });
    return this.#reader;
  }

  async judged(): Promise<void> {
    await Promise.all(this.#judged);
  }

  live(run: EvidencePort & EventPort): LiveReport {
    this.#live ??= new LiveReport((event) => run.emit(event), liveWriter(run, this.#planned, this.#findings));
    return this.#live;
  }

  async begin(run: RunContext, section: SectionState): Promise<string> {
    const known = this.#begun.get(section.id);
    if (known?.attempt === section.attempt) return await known.text;
    const planned = this.#planned;
    if (planned === undefined || run.analyst.writeSection === undefined || !hasEvidence(section)) return '';
    for (const [number, finding] of numberedFindings([reviewed(section)])) this.#findings.set(number, finding);
    const text = this.#write(run, planned, section);
    this.#begun.set(section.id, { attempt: section.attempt, text });
    return await text;
  }

  frame(run: RunContext, state: ResearchStateType): Promise<Frame | undefined> {
    // One section of a report that has its frame.
    if (state.change?.as === 'research' || state.change?.as === 'refresh') return Promise.resolve(undefined);
    const found = state.sections.map((section): WrittenSection => ({ ...withRemarks(run, section), text: '' }));
    const path = framePath(state);
    if (this.#frame?.path !== path) this.#frame = { path, text: framed(run, state, found) };
    return this.#frame.text;
  }

  /** While other sections are researched. */
  #judge(run: RunContext, planned: PlannedReport, section: SectionState, text: string): void {
    const evidence = evidenceOf({ ...run, asides: section.distilled?.asides }, this.#findings);
    const checked = checkedText(text, evidence, givenOf(planned), []);
    const statements = statementsToJudge(statementsIn(checked, section.id));
    const place = placeOf(planned, section, 'verify');
    const reader = this.reader(run, planned.sections.length + 1);
    // Sources grow while others are researched: a resumed run asks the same as before.
    const judging = run.replay
      .observed(`${place.path}/statements`, () => statements)
      .then(({ value }) => (value.length === 0 ? undefined : reader.judge(place, value)));
    this.#judged.push(judging);
    // A run that is stopped says so where it waits for this.
    judging.catch(() => undefined);
  }

  async #write(run: RunContext, planned: PlannedReport, section: SectionState): Promise<string> {
    const scope = scopeOf(
      { ...run, asides: section.distilled?.asides },
      placeOf(planned, section, 'write'),
      run.signal,
    );
    const live = this.live(run);
    const part = live.part(section.id, section.title);
    const shown = new SectionText(section.title);
    let written = '';
    try {
      const text = await run.analyst.writeSection!(
        { ...writingInput(run, planned), section: withRemarks(run, section), others: othersOf(planned, section) },
        scope,
        (piece) => {
          written += piece;
          live.title(planned.outline?.title ?? '');
          part.push(shown.push(piece));
        },
      );
      part.push(shown.end());
      const rest = siftedText(sectionText(section.title, text));
      if (isVerifying(run)) this.#judge(run, planned, section, rest);
      return rest;
    } catch (error) {
      if (run.signal.aborted) return '';
      const failure = caught(run, `draft ${section.id}`, error);
      run.warn({ kind: 'report.cutShort', error: failure });
      // "Finish now" takes the complete sentences; otherwise the findings are quoted, so that none is lost.
      if (failure.reason !== 'finish') return '';
      return siftedText(sectionText(section.title, written.slice(0, settledLength(written))));
    } finally {
      // A stopped run holds back half a sentence at most.
      if (!run.signal.aborted) part.end();
    }
  }
}

/** Sections that were researched again get another frame. */
function framePath({ sections }: Pick<ResearchStateType, 'sections'>): string {
  return `report/frame/${sections.reduce((sum, { attempt }) => sum + attempt, 0)}`;
}

/** Undefined when it can't be written: the plan's title and the program's own conclusion replace it. */
export async function framed(
  run: RunContext,
  state: ResearchStateType,
  written: readonly WrittenSection[],
): Promise<Frame | undefined> {
  const path = framePath(state);
  // A review that runs beside it may find some: those that it began with hold.
  const { value } = await run.replay.observed(`${path}/contradictions`, () => contradictionsOf(state));
  const input = { ...writingInput(run, state), sections: written, discovered: state.discoveredItems };
  try {
    return await run.analyst.frame?.({ ...input, contradictions: value }, stepScope(run, state, 'report', path));
  } catch (error) {
    run.signal.throwIfAborted();
    run.warn({ kind: 'report.cutShort', error: caught(run, 'frame', error) });
    return undefined;
  }
}

/** Whether the report is written section by section: with a model, and more than one section, or one of a report that there is. */
export function writesSections(
  { analyst }: AnalystPort,
  { strategy, sections, change }: Pick<ResearchStateType, 'strategy' | 'sections' | 'change'>,
): boolean {
  if (analyst.writeSection === undefined) return false;
  return (
    change?.as === 'research' || change?.as === 'refresh' || (!strategyOf(strategy).isSingle && sections.length > 1)
  );
}

/**
 * Writes the sections and their frame beside what may still send sections back; those that a run before a resume had not begun, too.
 * @returns Waits for what is written of the named sections before they go back: a resumed run sends neither more nor less.
 */
export function beginDrafts(run: RunContext, state: ResearchStateType): (ids: readonly string[]) => Promise<void> {
  const begun = new Map<string, Promise<unknown>>();
  if (writesSections(run, state)) {
    run.drafts.open(state);
    for (const section of state.sections)
      begun.set(
        section.id,
        run.researchers.use(() => run.drafts.begin(run, section), run.signal).catch(() => ''),
      );
    // A frame of the written sections has to wait for them.
    if (run.settings.depth !== 'deep')
      begun.set(
        'frame',
        run.drafts.frame(run, state).catch(() => undefined),
      );
  }
  return async (ids) => {
    if (ids.length > 0) await Promise.all([...ids, 'frame'].flatMap((id) => begun.get(id) ?? []));
    run.signal.throwIfAborted();
  };
}

function placeOf(
  { today, language }: Pick<PlannedReport, 'today' | 'language'>,
  section: SectionState,
  step: string,
): ScopePlace {
  const path = `section/${section.id}/${section.attempt}/${step}`;
  return { path, phase: 'report', section: section.id, today, language };
}

export function writingInput(run: AnalystPort, state: PlannedReport): WritingInput {
  return {
    ...questionOf(run, state),
    title: state.outline?.title ?? '',
    objective: state.outline?.objective ?? '',
    limits: state.outline?.scope ?? '',
    focus: state.assessment?.focus ?? [],
    analysis: state.analysis!,
  };
}

/** The sections beside one; without the topics of later rounds, so that it has the same prompt whenever it is written. */
export function othersOf({ sections }: PlannedReport, { id }: Pick<SectionState, 'id'>) {
  const round = sections.find((section) => section.id === id)?.topicRound ?? 0;
  return sections
    .filter((other) => other.id !== id && (other.topicRound ?? 0) <= round)
    .map(({ id: other, title, description }) => ({ id: other, title, description }));
}

/** Numbers citations in the order of what is shown; the completed report is numbered again. */
function liveWriter(
  run: EvidencePort,
  planned: PlannedReport | undefined,
  findings: ReadonlyMap<string, Finding>,
): CitationWriter {
  return new CitationWriter(evidenceOf(run, findings), planned ? givenOf(planned) : '');
}

/** What a text may cite. @param candidates Default: all that was found so far, whenever it is asked for. */
export function evidenceOf(
  run: EvidencePort,
  findings: ReadonlyMap<string, Finding>,
  candidates?: readonly Source[],
): CitableEvidence {
  const get = (id: string) => readable(run, id);
  return {
    get,
    byUrl: (url) => get(run.registry.byUrl(url)?.id ?? ''),
    get candidates(): readonly Source[] {
      return candidates ?? run.registry.all().flatMap(({ id }) => get(id) ?? []);
    },
    findings,
  };
}

/** What needs no source: the question, the titles of the plan, today's date. */
export function givenOf({ originalQuery, clarifiedQuery, outline, sections, today }: PlannedReport): string {
  return [originalQuery, clarifiedQuery, outline?.title ?? '', ...sections.map(({ title }) => title), today].join('\n');
}

/** A text of a model without what has no place in a report; "" when hardly anything else is in it. */
export function siftedText(text: string): string {
  const { text: rest, isNonsense } = sifted(text);
  return isNonsense ? '' : rest.trim();
}
