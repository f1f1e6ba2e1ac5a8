import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/** A question for a child process, and its answer. */
export interface Task {
  readonly question: string;
  readonly workspace: string;
}

export interface Answer {
  readonly seconds: number;
  /** "" when there is none. */
  readonly report: string;
  /** The program says that nothing in the folder answers. */
  readonly isNotFound: boolean;
  /** Why there is no report: the reason of the `ResearchError`. */
  readonly reason: string | undefined;
  readonly message: string;
}

/** The part of the package's API that is needed: the built one, whatever the sources look like. */
interface Api {
  runResearch(options: object): Promise<{ readonly report: string; readonly outcome: string }>;
}

const [dist, runDir] = process.argv.slice(2) as [string, string];
const { runResearch } = (await import(pathToFileURL(join(dist, 'api.js')).href)) as Api;
const config = { 'model.provider': 'extractive', 'sources.enabled': ['workspace'], planApproval: 'never' };

async function answer({ question, workspace }: Task): Promise<Answer> {
  const started = performance.now();
  const since = (): number => (performance.now() - started) / 1000;
  try {
    const { report, outcome } = await runResearch({
      question,
      workspace,
      config,
      runDir,
      // As with --yes: what the program asks back is answered by "just start".
      answer: () => Promise.resolve(null),
      secrets: { key: () => Promise.resolve(undefined) },
      saveTo: { save: () => Promise.resolve(undefined) },
    });
    return { seconds: since(), report, isNotFound: outcome === 'notFound', reason: undefined, message: '' };
  } catch (error) {
    const { reason = 'bug', message } = error as { reason?: string; message: string };
    return { seconds: since(), report: '', isNotFound: false, reason, message };
  }
}

process.on('message', (task: Task) => void answer(task).then((done) => process.send!(done)));
process.send!('ready');
