import { builtIn } from '../../src/catalogue.ts';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import * as z from 'zod';
import { research } from '../../src/engine.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import type { ResearchTool } from '../../src/research/tools.ts';
import { startModelServer, type Script } from '../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { silentLog } from '../support/scriptedParts.ts';

/**
 * How a run's folder grows with its tool calls: 7 researchers with 5 to 40 calls each, whose results have 20 kB. What is kept of
 * a call must not depend on how many came before it: twice the calls are twice the bytes. A tool loop that carries its results
 * through the graph's state would be four times (18, 65, 244 MB of checkpoints for 10, 20, 40 calls in a trial of it).
 */
const sections = 7;
const resultLength = 20_000;
const callsATurn = 5;
const steps = [5, 10, 20, 40];
/** Twice as much, and a tenth for what varies with the numbers themselves. */
const most = 2.2;

/** A page of sentences that occur nowhere else, so that nothing is merged with another result. */
const library: ResearchTool = {
  name: 'search_library',
  description: 'Searches a library.',
  parameters: z.object({ query: z.string() }),
  source: 'library',
  kind: 'search',
  run: ({ query }) => {
    let text = '';
    for (let line = 1; text.length < resultLength; line += 1)
      text += `Page ${line} of the volume on ${String(query)} describes retrieval in its own words. `;
    return Promise.resolve({
      documents: [
        {
          kind: 'mcp',
          title: `Volume on ${String(query)}`,
          authors: [],
          url: `https://library.example.org/${encodeURIComponent(String(query))}`,
          text: text.slice(0, resultLength),
        },
      ],
    });
  },
};

/** Each researcher makes its calls, five a turn, then ends. */
function searching(calls: number): Script {
  const turns = new Map<string, number>();
  return ({ step, section }) => {
    if (step !== 'act') return undefined;
    const turn = turns.get(section) ?? 0;
    turns.set(section, turn + 1);
    if (turn * callsATurn >= calls) return { toolCalls: [{ name: 'research_complete', args: {} }] };
    return {
      toolCalls: Array.from({ length: callsATurn }, (_, index) => ({
        name: library.name,
        args: { query: `${section} ${turn * callsATurn + index + 1}` },
      })),
    };
  };
}

/** Bytes of a run's folder by file; those of a folder in it together. */
function sizes(folder: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const facts = fs.statSync(path.join(folder, name));
    const part = name.split(path.sep)[0]!;
    if (facts.isFile()) found.set(part, (found.get(part) ?? 0) + facts.size);
  }
  return found;
}

async function measure(calls: number): Promise<Map<string, number>> {
  const server = await startModelServer({ script: searching(calls), imitation: { sections } });
  const runsFolder = temporaryFolder('bench');
  let finished = 0;
  const { run } = await research({
    question: 'How do retrieval-augmented generation systems work?',
    settings: {
      strategy: 'sections',
      'model.baseUrl': server.url,
      'model.name': 'imitation-1',
      planApproval: 'never',
      clarification: 'off',
      'limits.maxToolCallsPerResearcher': calls,
      'limits.maxReviewIterations': 0,
    },
    tools: [library],
    runsFolder,
    secrets: environmentSecrets({}, builtIn.keyServices),
    log: silentLog,
    version: 'bench',
    onEvent: (event) => {
      if (event.type === 'tool/finished') finished += 1;
    },
  });
  await server.close();
  const found = sizes(path.join(runsFolder, run));
  removeFolder(runsFolder);
  if (finished !== calls * sections)
    throw new Error(`${finished} calls were made, ${calls * sections} were asked for.`);
  return found;
}

const rows: Map<string, number>[] = [];
for (const calls of steps) {
  const found = await measure(calls);
  found.set(
    'all',
    [...found.values()].reduce((sum, bytes) => sum + bytes, 0),
  );
  rows.push(found);
}
const parts = [...new Set(rows.flatMap((row) => [...row.keys()]))].sort();
console.log(
  `kB of a run's folder by tool calls a researcher (${sections} researchers, results of ${resultLength / 1000} kB), and the growth at each doubling\n`,
);
console.log(`| part | ${steps.map((calls) => `${calls} calls`).join(' | ')} | growth |`);
console.log(`| --- | ${steps.map(() => '---:').join(' | ')} | --- |`);
const quadratic: string[] = [];
for (const part of parts) {
  const bytes = rows.map((row) => row.get(part) ?? 0);
  const growth = bytes.slice(1).map((after, index) => after / Math.max(1, bytes[index]!));
  console.log(
    `| ${part} | ${bytes.map((each) => (each / 1000).toFixed(1)).join(' | ')} | ${growth.map((each) => `x${each.toFixed(2)}`).join(' ')} |`,
  );
  // What a part has from the beginning hides how it grows: the additions are compared as well.
  const added = bytes.slice(1).map((after, index) => after - bytes[index]!);
  const additions = added.slice(1).map((after, index) => after / Math.max(1_000, added[index]!));
  if (growth.at(-1)! > most || additions.at(-1)! > most)
    quadratic.push(`${part}: x${growth.at(-1)!.toFixed(2)}, its additions x${additions.at(-1)!.toFixed(2)}`);
}
const perCall = (rows.at(-1)!.get('all')! - rows.at(-2)!.get('all')!) / ((steps.at(-1)! - steps.at(-2)!) * sections);
console.log(`\n${(perCall / 1000).toFixed(1)} kB a call of ${resultLength / 1000} kB.`);
if (quadratic.length > 0) {
  console.error(`Grows faster than the calls (at most x${most}): ${quadratic.join('; ')}.`);
  process.exitCode = 1;
} else console.log(`Everything grows at most x${most} as the calls double: linear.`);
