import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { builtIn, readAllSettings } from '../../../src/catalogue.ts';
import { createModels } from '../../../src/models/createModels.ts';
import { environmentSecrets } from '../../../src/node/environmentSecrets.ts';
import { type Scope, statementNumber } from '../../../src/research/analyst/analyst.ts';
import { verify } from '../../../src/research/analyst/llm/verify.ts';
import type { ChatPort } from '../../../src/research/ports.ts';
import { root } from '../../support/paths.ts';
import { silentLog } from '../../support/scriptedParts.ts';
import { aggreFactLine, balancedAccuracy, type Pair, readPairs, type Said, tableOf } from './pairs.ts';

const { values } = parseArgs({
  options: {
    questions: { type: 'string' },
    provider: { type: 'string', short: 'p' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    'write-aggrefact': { type: 'string' },
    misses: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

const cwd = process.env['INIT_CWD'] ?? process.cwd();
/** Pairs that one reading judges. */
const atOnce = 40;

async function main(): Promise<void> {
  if (values.questions === undefined)
    throw new Error(
      'Usage: npm run eval:claims -- --questions FILE [--provider NAME]; see test/eval/claims/README.md.',
    );
  const pairs = readPairs(resolve(cwd, values.questions));
  const written = values['write-aggrefact'];
  if (written !== undefined)
    writeFileSync(resolve(cwd, written), pairs.map((one) => `${aggreFactLine(one)}\n`).join(''));
  const exact = await byExactChecks(pairs);
  const read = values.provider === undefined && values['base-url'] === undefined ? undefined : await byReader(pairs);
  if (values.json) {
    const of = (all: readonly Said[] | undefined) =>
      all?.map(({ pair: { id, label }, verdict }) => ({ id, label, verdict }));
    console.log(JSON.stringify({ exact: of(exact), reader: of(read) }, undefined, 1));
    return;
  }
  const sets = [
    ['exact checks', exact, false],
    ['second reader', read, true],
    ['both', read && exact && both(exact, read), false],
  ] as const;
  for (const [title, all, hasFour] of sets) {
    if (all === undefined) continue;
    console.log(
      `${tableOf(title, all, hasFour)}\n\nBalanced accuracy: ${(100 * balancedAccuracy(all)).toFixed(1)} %\n`,
    );
    if (values.misses)
      for (const { pair, verdict } of all.filter(isMissed))
        console.log(`${pair.id}\t${pair.label}\t${verdict}\t${pair.sentence}`);
  }
}

const isMissed = ({ pair, verdict }: Said): boolean => (pair.label === 'supported') !== (verdict === 'supported');

/** What code alone lets pass: addresses, figures, dates, identifiers and quotations as the passages have them. */
async function byExactChecks(pairs: readonly Pair[]): Promise<Said[] | undefined> {
  const file = resolve(root, 'src/research/evidence/exact.ts');
  if (!existsSync(file)) return undefined;
  const { exactCheck } = (await import(pathToFileURL(file).href)) as {
    exactCheck(sentence: string, passages: readonly string[]): boolean;
  };
  return pairs.map((pair) => ({ pair, verdict: exactCheck(pair.sentence, pair.passages) ? 'supported' : 'absent' }));
}

async function byReader(pairs: readonly Pair[]): Promise<Said[]> {
  const { settings } = readAllSettings({
    ...(values.provider !== undefined && { 'model.provider': values.provider }),
    ...(values.model !== undefined && { 'model.name': values.model }),
    ...(values['base-url'] !== undefined && { 'model.baseUrl': values['base-url'] }),
  });
  const secrets = environmentSecrets(process.env, builtIn.keyServices, settings['model.provider']);
  const created = await createModels({ settings, secrets, log: silentLog });
  if (created.kind !== 'llm') throw new Error('There is no model to read with: pass --provider, and its key.');
  const port = await created.models('check');
  const said: Said[] = [];
  for (let from = 0; from < pairs.length; from += atOnce) {
    const some = pairs.slice(from, from + atOnce);
    const statements = some.map(({ sentence, passages }, index) => ({
      number: statementNumber(index),
      text: sentence,
      passages,
    }));
    const found = await verify({ statements, most: Infinity }, scopeOn(port));
    said.push(...some.map((pair, index) => ({ pair, verdict: found.get(statementNumber(index))?.verdict })));
    console.error(`${said.length} of ${pairs.length} read by ${port.model}`);
  }
  return said;
}

function both(exact: readonly Said[], read: readonly Said[]): Said[] {
  return read.map((one, index) => (exact[index]!.verdict === 'supported' ? one : { ...one, verdict: 'absent' }));
}

/** A step on its own: nothing of it is part of a run. */
function scopeOn(port: ChatPort): Scope {
  const { signal } = new AbortController();
  return {
    ...{
      path: 'eval',
      phase: 'report',
      today: new Date().toISOString().slice(0, 10),
      language: 'en',
      signal,
      fence: '',
    },
    limits: { maxStructuredOutputRetries: 3, compressionTargetTokens: 8_000, maxTokens: {}, depth: 'standard' },
    model: (_label, _role, request) => port.complete(request, {}, AbortSignal.timeout(10 * 60_000)),
    noteUse: () => undefined,
    forget: () => Promise.resolve(),
    contextTokens: () => Promise.resolve(Math.min(port.contextTokens, 100_000)),
    source: () => undefined,
    thought: () => undefined,
    warn: () => undefined,
  };
}

await main();
