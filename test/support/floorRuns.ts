import fs from 'node:fs';
import path from 'node:path';
import { research } from '../../src/engine.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { strategies, type Strategy } from '../../src/protocol/strategy.ts';
import type { BadModel } from './badModels.ts';
import type { LyingModel } from './lyingModels.ts';
import { type CitedStatement, citedStatements } from './citedStatements.ts';
import { startModelServer } from './modelServer.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from './paths.ts';
import { ofType, silentLog } from './scriptedParts.ts';

/** Whole runs of the engine over real HTTP on a folder, with a model and without one. */

export { strategies };

export interface FloorPlace {
  readonly name: string;
  readonly questions: Readonly<Record<Strategy, string>>;
  /** Nothing in the folder answers it. */
  readonly unanswerable: string;
  /** Makes the folder; the caller removes it. */
  readonly make: () => string;
}

const greenhouse: Readonly<Record<string, string>> = {
  'README.md': `# Greenhouse 4

Notes of the team that runs the tomato greenhouse in Almere: irrigation, climate, pests and harvest.
`,
  'irrigation/drip.md': `# Drip irrigation

The drip lines run at 1.2 bar and give 2.1 litres an hour at each emitter. Lines are flushed every Monday.

## Schedule

Watering starts two hours after sunrise and stops one hour before sunset. On days above 28 °C a third cycle is added at noon.

## Drain

The drain share should stay between 20 and 30 percent of what is given. Above 35 percent the cycle is shortened by two minutes.
`,
  'irrigation/water.md': `# Water quality

Rain water from the basin is mixed with tap water when the basin falls below 40 percent. The conductivity of the mix is kept at 2.8 mS/cm.

The sand filter is washed back when the pressure difference reaches 0.6 bar.
`,
  'climate/ventilation.md': `# Ventilation

Roof vents open in steps of 10 percent above 24 °C. Wind above 12 m/s closes the windward side.

Screens close at night below 16 °C outside, which saved 18 percent of the gas in the winter of 2023.
`,
  'pests/whitefly.md': `# Whitefly

Yellow traps are counted each Thursday. From five whiteflies a trap on, Encarsia formosa is released at three wasps a square metre.

Spraying is the last resort, because it sets the wasps back by four weeks.
`,
  'harvest/log.csv': `week,tonnes,grade_a_percent
20,4.1,91
21,4.6,93
22,3.8,88
`,
  'control/irrigation.yaml': `irrigation:
  pressure_bar: 1.2
  emitter_litres_per_hour: 2.1
  extra_cycle_above_celsius: 28
  drain_share: { min: 20, max: 30 }
`,
};

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('floor');
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

export const places: readonly FloorPlace[] = [
  {
    name: 'sample folder',
    questions: {
      sections: 'What are the main techniques for retrieval-augmented generation?',
      iterative: 'Explain reranking for retrieval-augmented generation in detail',
      supervisor: 'Compare dense retrieval and sparse retrieval',
      short: 'How large are the chunks that our notes recommend?',
    },
    unanswerable: 'Who won the chess championship of Reykjavik?',
    make: () => copyWorkspace('examples'),
  },
  {
    name: 'greenhouse',
    questions: {
      sections: 'What are the main rules for watering, climate and pests?',
      iterative: 'Explain how the irrigation works in detail',
      supervisor: 'Compare irrigation and ventilation',
      short: 'When is the sand filter washed back?',
    },
    unanswerable: 'Which composers wrote string quartets in Vienna?',
    make: () => folderOf(greenhouse),
  },
];

export interface FloorRun {
  /** As the command line would exit. */
  readonly exit: 0 | 1;
  readonly error: unknown;
  /** Undefined: the run failed. */
  readonly outcome: 'complete' | 'partial' | 'notFound' | undefined;
  readonly question: string;
  /** Of the report. */
  readonly title: string;
  readonly statements: readonly CitedStatement[];
  readonly report: string;
  readonly events: readonly ResearchEvent[];
  readonly calls: number;
  readonly ms: number;
  /** What a lying model said that isn't so, and that stands in the report. */
  readonly lies: readonly string[];
}

/**
 * @param model `none`: without a model; `good`: the imitated one as it is.
 * @param question Default: the one of the strategy.
 */
export async function floorRun(
  place: FloorPlace,
  workspaceFolder: string,
  strategy: Strategy,
  model: Omit<BadModel, 'half'> | LyingModel | 'none' | 'good',
  question: string = place.questions[strategy],
): Promise<FloorRun> {
  const runsFolder = temporaryFolder('floor-runs');
  const bad = typeof model === 'string' ? undefined : model;
  const server =
    model === 'none'
      ? undefined
      : // Those that a trial would find out lead too: the floor holds without it.
        await startModelServer({
          pieceLength: 120,
          ...bad?.server,
          ...(bad ? { script: bad.script() } : {}),
        });
  const events: ResearchEvent[] = [];
  const started = performance.now();
  try {
    const { report, sources, outcome } = await research({
      question,
      settings: {
        // A question for one fact is researched so by itself.
        strategy: strategy === 'short' ? 'auto' : strategy,
        'sources.enabled': ['workspace'],
        planApproval: 'never',
        clarification: 'off',
        // No healthy answer is late on a busy machine; a model that falls silent sets less.
        'limits.idleSeconds': 600,
        ...(server ? { 'model.baseUrl': server.url, 'model.name': 'imitation-1' } : { 'model.provider': 'extractive' }),
        ...bad?.settings,
      },
      workspaceFolder,
      runsFolder,
      secrets: { key: async () => undefined },
      log: silentLog,
      version: 'test',
      saveTo: { save: () => Promise.resolve(undefined) },
      onEvent: (event) => events.push(event),
    });
    const ms = performance.now() - started;
    const calls = server?.requests.length ?? 0;
    const statements = citedStatements(report, sources);
    const said = typeof model === 'object' && 'said' in model ? [...model.said] : [];
    const lies = liesIn(report, said, sources.map(({ text }) => text).join('\n'));
    const title = /^# (.*)$/m.exec(report)?.[1] ?? '';
    const run = { exit: 0, error: undefined, outcome, question, title } as const;
    return { ...run, statements, report, events, calls, ms, lies };
  } catch (error) {
    const ms = performance.now() - started;
    const calls = server?.requests.length ?? 0;
    const run = { exit: 1, error, outcome: undefined, question, title: '' } as const;
    return { ...run, statements: [], report: '', events, calls, ms, lies: [] };
  } finally {
    await server?.close();
    removeFolder(runsFolder);
  }
}

const floors = new Map<string, Promise<FloorRun>>();

/** The run without a model; it is made once per place, strategy and question. */
export function floorOf(
  place: FloorPlace,
  workspaceFolder: string,
  strategy: Strategy,
  question?: string,
): Promise<FloorRun> {
  const key = [place.name, strategy, question].join('\n');
  const floor = floors.get(key) ?? floorRun(place, workspaceFolder, strategy, 'none', question);
  floors.set(key, floor);
  return floor;
}

/** In which ways a run is worse than the one without a model: empty when in none. */
export function worseThan(floor: FloorRun, run: FloorRun): string[] {
  if (run.exit > floor.exit) return [`exit ${run.exit}: ${String(run.error)}`];
  const worse: string[] = [];
  if (verified(run) < verified(floor)) worse.push(`${verified(run)} of ${verified(floor)} statements`);
  // The imitated models can't tell what answers a question. Where there is nothing to quote, quotes alone are no answer.
  const isUnanswered = floor.outcome === 'notFound' && verified(floor) === 0;
  const counts = floor.outcome !== 'notFound' || (isUnanswered && writtenBy(run) === 'quotes');
  if (counts && (run.outcome === 'notFound') !== (floor.outcome === 'notFound'))
    worse.push(`outcome ${run.outcome} for ${floor.outcome}`);
  if (!stemsOf(run.title).some((stem) => stemsOf(`${run.question} ${floor.report}`).includes(stem)))
    worse.push(`title "${run.title}"`);
  return worse;
}

const writtenBy = ({ events }: FloorRun): string | undefined => ofType(events, 'report/finished')[0]?.writtenBy;

/** How words begin that are long enough to name something. */
function stemsOf(text: string): string[] {
  return words(text)
    .split(' ')
    .filter((word) => word.length > 3)
    .map((word) => word.slice(0, 5));
}

/** What was said untruly, is in no source, and stands in the report. */
function liesIn(report: string, said: readonly string[], sources: string): string[] {
  const [body, held] = [words(report), words(sources)];
  return said.filter((lie) => words(lie).length > 9 && body.includes(words(lie)) && !held.includes(words(lie)));
}

const words = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s*\[[^\]\n]*\]|[^\p{L}\p{N}]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim();

/** Statements that a source of theirs says. */
export const verified = ({ statements }: FloorRun): number => statements.filter((one) => one.verified).length;

export const warningsOf = ({ events }: FloorRun): string[] =>
  ofType(events, 'run/warning').map(({ code, section }) => `${code}${section === undefined ? '' : `@${section}`}`);
