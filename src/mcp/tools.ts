import * as z from 'zod';
import { Semaphore } from '../research/calls/semaphore.ts';
import { maxQuestionLength } from '../research/runResearch.ts';
import { ResearchError } from '../research/errors.ts';
import { issueText } from '../protocol/issueText.ts';
import { followUpKinds } from '../protocol/followUp.ts';
import { wantedStrategies } from '../protocol/strategy.ts';
import { longestRemark, type SteerOutcome } from '../protocol/steering.ts';
import { depths } from '../protocol/planBounds.ts';
import { runIdPattern } from '../protocol/runFolder.ts';
import { chosenEntities } from '../node/terminalDialogue.ts';
import { progressLine } from '../node/terminalProgress.ts';
import { begun, described, howToApprove, longestText, type ToolAnswer, type ToolHost } from './describeRun.ts';
import { evidenceOf, reportOf, searchReports, sectionsOf } from './readRuns.ts';
import type { ServedRun } from './servedRuns.ts';

/** How long a call may wait: clients end long ones, the first after 60 s. */
const longestWait = 20;

export interface ToolCallContext {
  readonly signal: AbortSignal;
  /** Shows a line of progress, where the client asked for it. */
  readonly progress: (line: string) => void;
}

export interface ServedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** Rejects with a `ResearchError` whose words are for the model that called. */
  run(host: ToolHost, args: Readonly<Record<string, unknown>>, context: ToolCallContext): Promise<ToolAnswer>;
}

/** Searches of the folder one after another: each reads files. */
const folderSearches = new Semaphore(1);

const id = z.string().regex(runIdPattern, 'start_research gives the ids').describe('The id of a run.');
const section = z.string().min(1).max(300);
const question = z.string().trim().min(1).max(maxQuestionLength);

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const begins = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true } as const;
const changes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;

type Definition<T extends z.ZodObject> = Omit<ServedTool, 'input' | 'run'> & {
  readonly input: T;
  readonly run: (host: ToolHost, args: z.infer<T>, context: ToolCallContext) => Promise<ToolAnswer>;
};

function tool<T extends z.ZodObject>(definition: Definition<T>): ServedTool {
  return {
    ...definition,
    run: (host, args, context) => {
      const { success, data, error } = definition.input.safeParse(args);
      if (success) return definition.run(host, data, context);
      const wrong = error.issues.slice(0, 5).map((issue) => issueText(issue, 'arguments'));
      throw new ResearchError('badRequest', `${definition.name} can't use its arguments: ${wrong.join('; ')}.`, {
        next: 'Call it again with corrected arguments.',
      });
    },
  };
}

export const servedTools: readonly ServedTool[] = [
  tool({
    name: 'start_research',
    title: 'Start research',
    description:
      'Starts deep research on a question: many sources are searched, and a cited report is written and saved in the workspace. ' +
      "It takes minutes and may cost money; use it for what one search can't answer. Returns at once with an id for get_research. " +
      'With resume it continues a run that was interrupted.',
    input: z.strictObject({
      question: question.optional().describe('What to find out, in one or more sentences that stand alone.'),
      depth: z.enum(depths).optional().describe('Default: as the user set it.'),
      strategy: z.enum(wantedStrategies).optional().describe('Default: as the user set it.'),
      sources: z
        .array(z.string().max(100))
        .max(50)
        .optional()
        .describe('Names of sources; only those that the user enabled count.'),
      attachments: z
        .array(z.string().min(1).max(4_000))
        .max(20)
        .optional()
        .describe('Paths of files in the workspace that every section reads.'),
      resume: id.optional().describe('The id of an interrupted run, instead of a question.'),
    }),
    annotations: begins,
    async run(host, { question: asked, depth, strategy, sources, attachments = [], resume }, { signal }) {
      if ((asked === undefined) === (resume === undefined))
        throw new ResearchError('badRequest', 'start_research takes a question, or resume with the id of a run.');
      if (resume !== undefined) return begun(await resumed(host, resume, signal), host);
      const { openFolderSearch, describeSetup } = await import('../engine.ts');
      const { filesOfFolder } = await openFolderSearch();
      // A caller is no user: what it chooses can narrow what the user set, as the settings of a folder can.
      const settings = {
        ...(depth && { 'deepResearch.depth': depth }),
        ...(strategy && { 'deepResearch.strategy': strategy }),
        ...(sources && { 'deepResearch.sources.enabled': sources }),
      };
      const attached = (await filesOfFolder(host.options, attachments, signal)).map((path) => ({ path }));
      const [run, { estimate }] = await Promise.all([
        host.runs.begin({ question: asked!, choices: { attached }, settings }, signal),
        describeSetup({ ...host.options, folderSettings: settings }),
      ]);
      return begun(run, host, estimate);
    },
  }),
  tool({
    name: 'get_research',
    title: 'Get research',
    description:
      'The state of a run: its sections and sources, what it waits for, and when it is finished its report with citations [n]. ' +
      'waitSeconds waits for a change of state; call it again while the run is running.',
    input: z.strictObject({ id, waitSeconds: z.number().min(0).max(longestWait).optional() }),
    annotations: reads,
    async run(host, { id: run, waitSeconds = 0 }, context) {
      await waitFor(host, run, waitSeconds, context);
      return described(await host.runs.known(run), host);
    },
  }),
  tool({
    name: 'answer_research',
    title: 'Answer research',
    description:
      'Answers a clarifying question of a run, or says which of the found members of a list to research. ' +
      "It can't approve a plan or its cost: only the user can.",
    input: z.strictObject({
      id,
      answer: z
        .string()
        .trim()
        .max(longestRemark)
        .describe(
          'The answer; empty: research the question as it stands. Of a list: numbers to leave out, + and a name to add.',
        ),
    }),
    annotations: changes,
    async run(host, { id: run, answer }, { signal }) {
      const known = await host.runs.known(run);
      const { view, waitsFor } = known;
      if (waitsFor === 'plan' || waitsFor === 'review')
        throw new ResearchError('badRequest', `${byPerson[waitsFor]} is decided by the user, not by a tool.`, {
          next: howToApprove(view.run, host),
        });
      if (waitsFor === null) throw new ResearchError('badRequest', `The run ${run} waits for no answer.`);
      const own = known.own ?? (await resumed(host, run, signal));
      if (waitsFor === 'entities') {
        const wanted = chosenEntities(view, answer);
        if (wanted === undefined)
          throw new ResearchError('badRequest', `"${answer.slice(0, 100)}" is no answer to the list.`, {
            next: 'Allowed: empty for all, or numbers to leave out and names to add, like "2, 5 + Name".',
          });
        await own.session.until(({ waitingFor }) => waitingFor === 'entities', signal);
        own.session.approveEntities(wanted);
      } else {
        await own.session.until(({ pending }) => pending !== null, signal);
        const { pending } = own.session.view;
        if (pending) own.session.answer(pending.id, answer === '' ? null : answer);
      }
      await own.session.until(({ waitingFor }) => waitingFor === null, signal);
      return described(await host.runs.known(run), host);
    },
  }),
  tool({
    name: 'steer_research',
    title: 'Steer research',
    description: 'Sends a remark to the researcher of one section of a run, who sees it at its next turn.',
    input: z.strictObject({ id, section, remark: z.string().trim().min(1).max(longestRemark) }),
    annotations: changes,
    async run(host, { id: run, section: named, remark }) {
      const { own, view } = await host.runs.known(run);
      if (!own) throw notHere(run);
      const wanted = view.sections.find((one) => one.id === named || one.title === named)?.id ?? named;
      const outcome = await own.session.steer((controls) => controls.remark(wanted, remark));
      if (outcome !== 'accepted') throw new ResearchError('badRequest', steered[outcome]);
      return { text: steered[outcome], structured: { id: run, section: wanted } };
    },
  }),
  tool({
    name: 'finish_research',
    title: 'Finish research now',
    description: 'Ends the research of a run; the report is written from what was found so far.',
    input: z.strictObject({ id }),
    annotations: { ...changes, idempotentHint: true },
    async run(host, { id: run }) {
      const { own, waitsFor } = await host.runs.known(run);
      if (!own) throw notHere(run);
      if (waitsFor === 'plan' || waitsFor === 'entities')
        throw new ResearchError('badRequest', 'Nothing was researched yet, and the plan is not approved.', {
          next: 'Stop it with stop_research, or let the user approve the plan.',
        });
      own.session.finish();
      return described(await host.runs.known(run), host);
    },
  }),
  tool({
    name: 'stop_research',
    title: 'Stop research',
    description: 'Stops a run. What it found stays saved, and start_research can resume it.',
    input: z.strictObject({ id }),
    annotations: { ...changes, destructiveHint: true, idempotentHint: true },
    async run(host, { id: run }) {
      const { own, state } = await host.runs.known(run);
      if (!own && (state === 'running' || state === 'paused')) throw notHere(run);
      await own?.session.stop();
      return described(await host.runs.known(run), host);
    },
  }),
  tool({
    name: 'read_report',
    title: 'Read report',
    description: 'The report of a finished run, whole or one section of it, with citations [n] and the references.',
    input: z.strictObject({ id, section: section.optional().describe('Its title.') }),
    annotations: reads,
    async run(host, { id: run, section: named }) {
      await host.runs.record(run);
      const report = await reportOf(host.readable, run);
      const parts = sectionsOf(report);
      const titles = parts.map(({ title }) => title);
      const part = named === undefined ? undefined : parts.find(({ title }) => sameTitle(title, named));
      if (named !== undefined && !part)
        throw new ResearchError('badRequest', `The report has no section "${named.slice(0, 100)}".`, {
          next: `Its sections: ${titles.join('; ').slice(0, 2_000)}.`,
        });
      const text = (part?.text ?? report).slice(0, longestText);
      const isCut = (part?.text ?? report).length > longestText;
      return { text, structured: { id: run, sections: titles, text, isCut } };
    },
  }),
  tool({
    name: 'read_evidence',
    title: 'Read evidence',
    description:
      'What a citation [n] of a report rests on: the statements that cite it, how each was judged against its source, and the passages, word for word.',
    input: z.strictObject({ id, citation: z.int().min(1).max(9_999) }),
    annotations: reads,
    async run(host, { id: run, citation }) {
      await host.runs.record(run);
      const found = await evidenceOf(host.readable, run, citation);
      const lines = found.statements.flatMap(({ sentence, verdict, passages }) => [
        `${sentence} (${verdict})`,
        ...passages.map(({ text }) => text.replace(/^/gm, '> ')),
      ]);
      return {
        text: [`[${citation}] ${found.source}`, ...lines].join('\n\n').slice(0, longestText),
        structured: found,
      };
    },
  }),
  tool({
    name: 'search_reports',
    title: 'Search reports',
    description: 'Searches the reports that were written in this workspace. Look here before a new run.',
    input: z.strictObject({ query: question, limit: z.int().min(1).max(20).optional() }),
    annotations: reads,
    async run(host, { query, limit = 5 }) {
      const reports = await searchReports(host.readable, query, limit);
      const lines = reports.map(({ id: run, title, created }) => `${run} (${created.slice(0, 10)}): ${title}`);
      return {
        text: lines.join('\n') || 'No report of this workspace says anything about it.',
        structured: { reports },
      };
    },
  }),
  tool({
    name: 'search_workspace',
    title: 'Search workspace',
    description:
      "Searches the user's workspace (notes, documents, code) by words. Gives passages with file and lines. Costs nothing.",
    input: z.strictObject({
      query: question,
      path: z.string().max(1_000).optional().describe('Only this folder, file or pattern (docs, src/*.ts).'),
      limit: z.int().min(1).max(20).optional(),
    }),
    annotations: reads,
    async run(host, { query, path, limit = 8 }, { signal }) {
      const { searchFolder } = await (await import('../engine.ts')).openFolderSearch();
      const search = () => searchFolder(host.options, { query, path, max_results: limit }, signal);
      const { documents, note = '' } = await folderSearches.use(search, signal);
      const passages = documents.map(({ title, file, text }) => ({ ...(file ?? { path: title }), text }));
      const lines = documents.map(
        ({ title, file, text }) => `${file ? `${file.path}:${file.firstLine}-${file.lastLine}` : title}\n${text}`,
      );
      return { text: [note, ...lines].join('\n\n').slice(0, longestText), structured: { note, passages } };
    },
  }),
  tool({
    name: 'follow_up',
    title: 'Follow up',
    description:
      'Asks about the report of a finished run, or proposes a change of it. An answer is made of what that run has read, without a search, and for little. ' +
      'A change is a new version of the report, which waits until the user accepts it. Returns an id for get_research.',
    input: z.strictObject({
      id,
      question: question.describe('What to find out, what the report should be like, or the sentence to challenge.'),
      as: z
        .enum(followUpKinds)
        .default('answer')
        .describe(
          'research: a new or deeper section, with searches. rewrite: the same findings written differently. ' +
            'challenge: searches what speaks against a sentence, and corrects it. The last two need a model.',
        ),
    }),
    annotations: begins,
    async run(host, { id: run, question: asked, as }, { signal }) {
      await host.runs.record(run);
      const choices = { followUp: { run, as } };
      return begun(await host.runs.begin({ question: asked, choices, settings: {} }, signal), host);
    },
  }),
];

const byPerson = { plan: 'A plan and its cost', review: 'More research after a review' } as const;

const steered: Readonly<Record<SteerOutcome, string>> = {
  accepted: 'The researcher will see it at its next turn.',
  empty: 'The remark is empty.',
  tooLong: 'The remark is too long.',
  tooMany: 'The section has had too many remarks.',
  unknownSection: 'There is no such section; get_research lists them.',
  stopped: 'The section was stopped.',
  tooLate: 'The report is being written already.',
  notRunning: 'The run is not in progress.',
};

function notHere(run: string): ResearchError {
  return new ResearchError('badRequest', `The run ${run} is not in progress in this server.`, {
    next: 'get_research says how it is; start_research with resume continues one that was interrupted.',
  });
}

async function resumed(host: ToolHost, run: string, signal: AbortSignal): Promise<ServedRun> {
  const known = await host.runs.known(run);
  if (known.own) return known.own;
  if (known.state === 'finished')
    throw new ResearchError('badRequest', `The run ${run} is finished.`, { next: 'Read it with read_report.' });
  return host.runs.begin({ resume: known }, signal);
}

/** Waits until a run of this process changes its state or a person has decided, and reports its progress. */
async function waitFor(host: ToolHost, run: string, seconds: number, { signal, progress }: ToolCallContext) {
  const { own } = await host.runs.known(run);
  if (!own || seconds === 0) return;
  const late = AbortSignal.timeout(seconds * 1000);
  const ended = new AbortController();
  own.session.follow((event) => {
    const line = event && progressLine(event, false);
    if (line !== undefined) progress(line.trim());
  }, ended.signal);
  try {
    await own.wait(AbortSignal.any([signal, late]));
  } catch (error) {
    if (!late.aborted) throw error;
  } finally {
    ended.abort();
  }
}

function sameTitle(title: string, named: string): boolean {
  const plain = (text: string): string =>
    text
      .replace(/^[#\s\d.]+/, '')
      .trim()
      .toLowerCase();
  return plain(title) === plain(named);
}
