import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import * as z from 'zod';
import { research } from '../../../src/engine.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { ResearchTool } from '../../../src/research/tools.ts';
import { slow } from '../../support/slow.ts';
import { silentLog } from '../../support/sourceContext.ts';
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
  test(`Stop is heard within 2 s while sources of ${name} are read`, slow, async () => {
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
    // Processor time: what else the machine does must not count.
    const { user, system } = process.cpuUsage(due);
    assert.ok((user + system) / 1_000 < 2_000, `${Math.round((user + system) / 1_000)} ms`);
  });
}
