import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as z from 'zod';
import { research } from '../../../src/engine.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ResearchTool } from '../../../src/research/tools.ts';
import { silentLog } from '../../support/sourceContext.ts';
import { scriptedAnalyst } from '../../support/scriptedParts.ts';
import { scriptedRun } from '../../support/scriptedRun.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

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

const folders: TemporaryFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

for (const [name, filler] of Object.entries(fillers)) {
  test(`Stop is heard within 2 s while sources of ${name} are read`, async () => {
    const runs = await temporaryFolder();
    folders.push(runs);
    const stop = new AbortController();
    let due: NodeJS.CpuUsage | undefined;
    const tool: ResearchTool = {
      name: 'search_long',
      description: 'Searches.',
      parameters: z.object({ query: z.string() }),
      source: 'long',
      kind: 'search',
      run: ({ query }) => {
        // Asked for at the moment when the answer is there: all that is done with it stands before Stop.
        if (due === undefined) setImmediate(() => stop.abort(new ResearchError('abort', 'Stopped.')));
        due ??= process.cpuUsage();
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
    const running = research({
      question: 'How does retrieval of tokens work?',
      settings: { 'model.provider': 'extractive', clarification: 'off', planApproval: 'never' },
      runsFolder: runs.path,
      secrets: { key: () => Promise.resolve(undefined) },
      log: silentLog,
      version: '0.0.0-test',
      tools: [tool],
      signal: stop.signal,
    });
    await assert.rejects(running, (error) => ResearchError.is(error, 'abort'));
    assert.ok(cpuSince(due!) < 2_000, `${Math.round(cpuSince(due!))} ms`);
  });
}

/** Reports of a model that once took minutes, or never ended, from the sentence of 290 characters to the paragraph of 500 kB. */
const reports: Readonly<Record<string, string>> = {
  'a sentence with 40 ids in one bracket': `Words [${'S3f9a1, '.repeat(40)}S3f9a1]. `.repeat(2_000),
  'a text of 400,000 spaces': `Words${' '.repeat(400_000)}words.`,
  'a heading with many spaces': `# Title\n\n## ${' '.repeat(400_000)}x\n\nWords.`,
  '60,000 dots': '.'.repeat(60_000),
  'one paragraph of 500 kB': 'A retrieval gateway answers 42% of the questions of 9 teams. '.repeat(8_200),
  'open brackets': '[('.repeat(250_000),
};

for (const [name, text] of Object.entries(reports)) {
  test(`Stop is heard within 2 s while a report is read: ${name}`, async () => {
    const stop = new AbortController();
    let due: NodeJS.CpuUsage | undefined;
    const { result } = scriptedRun({
      signal: stop.signal,
      analyst: scriptedAnalyst({
        async *writeReport() {
          setImmediate(() => stop.abort(new ResearchError('abort', 'Stopped.')));
          due = process.cpuUsage();
          yield text;
          await new Promise(() => undefined);
        },
      }),
    });
    await assert.rejects(result, (error) => ResearchError.is(error, 'abort'));
    assert.ok(cpuSince(due!) < 2_000, `${Math.round(cpuSince(due!))} ms`);
  });
}

for (const [name, filler] of Object.entries(fillers)) {
  test(`Stop is heard within 2 s, and nothing else waits for long, while a folder of ${name} is indexed`, async () => {
    const [runs, workspace] = await Promise.all([temporaryFolder(), temporaryFolder()]);
    folders.push(runs, workspace);
    const text = `# Retrieval\n\nRetrieval of tokens.\n\n${filler.repeat(Math.ceil(1_900_000 / filler.length)).slice(0, 1_900_000)}`;
    const names = ['md', 'txt', 'ts', 'csv', 'yaml', 'bib'].flatMap((ending) => [1, 2].map((at) => `f${at}.${ending}`));
    await workspace.write(Object.fromEntries(names.map((file) => [file, text])));
    const stop = new AbortController();
    let due: NodeJS.CpuUsage | undefined;
    let [last, longest] = [process.cpuUsage(), 0];
    const beat = setInterval(() => {
      if (due !== undefined) longest = Math.max(longest, cpuSince(last));
      last = process.cpuUsage();
    }, 5);
    const running = research({
      question: 'How does retrieval of tokens work?',
      settings: { 'model.provider': 'extractive', 'sources.enabled': ['workspace'], planApproval: 'never' },
      workspaceFolder: workspace.path,
      runsFolder: runs.path,
      secrets: { key: () => Promise.resolve(undefined) },
      log: silentLog,
      version: '0.0.0-test',
      saveTo: { save: () => Promise.resolve(undefined) },
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type !== 'tool/started' || due !== undefined) return;
        due = process.cpuUsage();
        // In the middle of it.
        setTimeout(() => stop.abort(new ResearchError('abort', 'Stopped.')), 300);
      },
    });
    await assert.rejects(running, (error) => ResearchError.is(error, 'abort'));
    clearInterval(beat);
    assert.ok(cpuSince(due!) < 300 + 2_000, `${Math.round(cpuSince(due!))} ms`);
    assert.ok(longest < 1_500, `${Math.round(longest)} ms without a turn of the event loop`);
  });
}

/** Processor time: what else the machine does must not count. */
function cpuSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
