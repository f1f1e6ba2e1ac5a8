import * as z from 'zod';
import { research } from '../../src/engine.ts';
import { ResearchError } from '../../src/research/errors.ts';
import type { ResearchTool } from '../../src/research/tools.ts';
import { silentLog } from './sourceContext.ts';
import { scriptedAnalyst } from './scriptedParts.ts';
import { scriptedRun } from './scriptedRun.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** Runs that are stopped while they read what is hostile. */
export interface StopCase {
  readonly name: string;
  /** Rejects as the run does. `onStop` is called at Stop. */
  readonly run: (onStop: () => void) => Promise<unknown>;
}

/** Each stopped a run's reading for good once, or is of that kind. */
const fillers: Readonly<Record<string, string>> = {
  'white space': ' '.repeat(900_000),
  'a heading with many spaces': `# ${' '.repeat(400_000)}x`,
  dots: '.'.repeat(900_000),
  'many ids in one bracket': `[${'S3f9a1, '.repeat(100_000)}]`,
  'one paragraph of words': 'retrieval gateway token '.repeat(40_000),
  'a long list': '- retrieval\n'.repeat(80_000),
  'deep quotes': '> '.repeat(450_000),
};

/** Reports of a model that once took minutes, or never ended. */
const reports: Readonly<Record<string, string>> = {
  'a sentence with 40 ids in one bracket': `Words [${'S3f9a1, '.repeat(40)}S3f9a1]. `.repeat(2_000),
  'a text of 400,000 spaces': `Words${' '.repeat(400_000)}words.`,
  'a heading with many spaces': `# Title\n\n## ${' '.repeat(400_000)}x\n\nWords.`,
  '60,000 dots': '.'.repeat(60_000),
  'one paragraph of 500 kB': 'A retrieval gateway answers 42% of the questions of 9 teams. '.repeat(8_200),
  'open brackets': '[('.repeat(250_000),
};

const quiet = { secrets: { key: () => Promise.resolve(undefined) }, log: silentLog, version: '0.0.0-test' };
const stopped = (): ResearchError => new ResearchError('abort', 'Stopped.');

async function whileSourcesAreRead(filler: string, onStop: () => void): Promise<unknown> {
  const runs = await temporaryFolder();
  const stop = new AbortController();
  let isDue = false;
  const tool: ResearchTool = {
    name: 'search_long',
    description: 'Searches.',
    parameters: z.object({ query: z.string() }),
    source: 'long',
    kind: 'search',
    run: ({ query }) => {
      // Asked for at the moment when the answer is there: all that is done with it comes before Stop.
      if (!isDue) setImmediate(() => stop.abort(stopped()));
      if (!isDue) onStop();
      isDue = true;
      const documents = Array.from({ length: 20 }, (_, index) => ({
        kind: 'long',
        title: `Retrieval ${index}`,
        authors: [],
        url: `https://example.org/${encodeURIComponent(String(query))}/${index}`,
        text: `Retrieval of tokens is a method. ${filler}`,
      }));
      return Promise.resolve({ documents });
    },
  };
  try {
    return await research({
      ...quiet,
      question: 'How does retrieval of tokens work?',
      settings: { 'model.provider': 'extractive', clarification: 'off', planApproval: 'never' },
      runsFolder: runs.path,
      tools: [tool],
      signal: stop.signal,
    });
  } finally {
    await runs.remove();
  }
}

async function whileAReportIsRead(text: string, onStop: () => void): Promise<unknown> {
  const stop = new AbortController();
  return await scriptedRun({
    signal: stop.signal,
    analyst: scriptedAnalyst({
      async *writeReport() {
        setImmediate(() => stop.abort(stopped()));
        onStop();
        yield text;
        await new Promise(() => undefined);
      },
    }),
  }).result;
}

async function whileAFolderIsIndexed(filler: string, onStop: () => void): Promise<unknown> {
  const [runs, workspace] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  const text = `# Retrieval\n\nRetrieval of tokens.\n\n${filler.repeat(Math.ceil(1_900_000 / filler.length)).slice(0, 1_900_000)}`;
  const names = ['md', 'txt', 'ts', 'csv', 'yaml', 'bib'].flatMap((ending) => [1, 2].map((at) => `f${at}.${ending}`));
  await workspace.write(Object.fromEntries(names.map((file) => [file, text])));
  const stop = new AbortController();
  let isDue = false;
  try {
    return await research({
      ...quiet,
      question: 'How does retrieval of tokens work?',
      settings: { 'model.provider': 'extractive', 'sources.enabled': ['workspace'], planApproval: 'never' },
      workspaceFolder: workspace.path,
      runsFolder: runs.path,
      saveTo: { save: () => Promise.resolve(undefined) },
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type !== 'tool/started' || isDue) return;
        isDue = true;
        // In the middle of it.
        setTimeout(() => {
          stop.abort(stopped());
          onStop();
        }, 300);
      },
    });
  } finally {
    await Promise.all([runs.remove(), workspace.remove()]);
  }
}

const casesOf = (
  what: string,
  texts: Readonly<Record<string, string>>,
  run: (text: string, onStop: () => void) => Promise<unknown>,
): StopCase[] =>
  Object.entries(texts).map(([name, text]) => ({ name: `${what} ${name}`, run: (onStop) => run(text, onStop) }));

export const stopCases: readonly StopCase[] = [
  ...casesOf('sources are read:', fillers, whileSourcesAreRead),
  ...casesOf('a report is read:', reports, whileAReportIsRead),
  ...casesOf('a folder is indexed:', fillers, whileAFolderIsIndexed),
];
