import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { indexStorage } from '../../src/node/indexStorage.ts';
import { openWorkspace } from '../../src/node/workspace.ts';
import { WorkspaceIndex } from '../../src/sources/workspace/workspaceIndex.ts';

/**
 * How long the first question to a folder waits for its index, and the next one, asked by another process, which begins with
 * the stored index. Files are Markdown of 3 to 9 kB, of words as frequent as those of a language (Zipf's law).
 *
 *     SIZES=1000,5000 npm run bench -- keyless
 */
const sizes = (process.env.SIZES ?? '100,1000,5000,20000').split(',').map(Number);
const budgetMs = { 5_000: 10_000 } as const;
const question = 'How is the limit of the w120 that w4711 requests configured?';

interface Measured {
  readonly ms: number;
  /** Of the processor, which a busy machine does not change. */
  readonly cpuMs: number;
  readonly rssMb: number;
  /** The longest turn of the event loop, in processor time. */
  readonly turnMs: number;
  readonly searched: number;
  readonly found: number;
}

const [role, folder = '', storage = ''] = process.argv.slice(2);
if (role === 'search') await search(folder, storage);
else await measureAll();

async function search(path: string, index: string): Promise<void> {
  const started = performance.now();
  let [last, turnMs] = [process.cpuUsage(), 0];
  setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    turnMs = Math.max(turnMs, (user + system) / 1_000);
    last = process.cpuUsage();
  }, 1);
  const workspace = openWorkspace(path, {
    exclude: [],
    reportFolder: 'research',
    index: indexStorage(index, path, 'bench'),
  });
  const never = new AbortController().signal;
  const options = { limit: 8, leastShare: 0.3, language: 'en', within: () => true };
  const { found, reach } = await WorkspaceIndex.of(workspace).search(workspace, question, options, never);
  const { user, system } = process.cpuUsage();
  process.send!({
    ms: performance.now() - started,
    cpuMs: (user + system) / 1_000,
    rssMb: process.resourceUsage().maxRSS / 1_024,
    turnMs,
    searched: reach.indexed,
    found: found.length,
  } satisfies Measured);
}

async function measureAll(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'keyless-bench-'));
  try {
    console.log('files   question  ms      cpu ms  peak RSS  longest turn  searched');
    for (const size of sizes) {
      const path = join(root, String(size));
      makeFolder(path, size);
      for (const name of ['first', 'second']) {
        const { ms, cpuMs, rssMb, turnMs, searched, found } = await inProcess(path, join(root, 'index'));
        if (found === 0) throw new Error('Nothing was found.');
        const [took, cpu, turn] = [ms, cpuMs, turnMs].map(Math.round);
        const cells = [size, name, took, cpu, `${Math.round(rssMb)} MB`, `${turn} ms`, searched];
        console.log(cells.map((cell, index) => String(cell).padEnd([8, 10, 8, 8, 10, 14, 0][index]!)).join(''));
        const budget = name === 'first' ? (budgetMs as Readonly<Record<number, number>>)[size] : undefined;
        if (budget !== undefined && cpuMs > budget) {
          console.log(`over the budget of ${budget} ms`);
          process.exitCode = 1;
        }
      }
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function inProcess(path: string, index: string): Promise<Measured> {
  const child = fork(import.meta.filename, ['search', path, index], { execArgv: process.execArgv });
  return new Promise((resolve, reject) => {
    let measured: Measured | undefined;
    child.once('message', (message) => {
      measured = message as Measured;
      // The index would grow on.
      child.kill();
    });
    child.once('exit', (code) =>
      measured === undefined ? reject(new Error(`The search ended with ${code}.`)) : resolve(measured),
    );
  });
}

function makeFolder(path: string, files: number): void {
  let seed = 42;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  // The rank of a word by Zipf's law over 60,000 words.
  const word = (): string => `w${Math.floor(60_000 ** random())}`;
  for (let file = 0; file < files; file += 1) {
    const parent = join(path, `d${Math.floor(file / 100)}`);
    if (file % 100 === 0) mkdirSync(parent, { recursive: true });
    const paragraphs = Array.from({ length: 10 + Math.floor(random() * 20) }, (_, at) => {
      const sentence = Array.from({ length: 60 }, word).join(' ');
      return at % 5 === 0 ? `## ${word()} ${word()}\n\n${sentence}.` : `${sentence}.`;
    });
    writeFileSync(join(parent, `f${file}.md`), `# ${word()} limit\n\n${paragraphs.join('\n\n')}\n`);
  }
}
