import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { builtIn, readAllSettings } from '../../../src/catalogue.ts';
import { createModels } from '../../../src/models/createModels.ts';
import { environmentSecrets } from '../../../src/node/environmentSecrets.ts';
import { llmAnalyst } from '../../../src/research/analyst/llm/llmAnalyst.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { silentLog } from '../../support/scriptedParts.ts';
import { readCases } from './cases.ts';
import { confusionTable } from './confusionTable.ts';
import { runCase, type CaseResult, type Thinking } from './runCase.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'dev' },
    provider: { type: 'string', default: 'extractive' },
    model: { type: 'string', default: '' },
    'base-url': { type: 'string', default: '' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const here = import.meta.dirname;
const named = ['dev', 'heldOut'].includes(values.set);
const set = named ? join(here, values.set) : resolve(process.env['INIT_CWD'] ?? process.cwd(), values.set);
const thinking = await thinkingOf();
const all = readCases(set, thinking !== undefined);
const cases = all.filter(({ id }) => values.only === undefined || id.includes(values.only));
const results: CaseResult[] = [];
const failed: string[] = [];
for (const one of cases) {
  try {
    results.push(await runCase(one, thinking));
  } catch (error) {
    failed.push(`${one.id}: ${ResearchError.from(error).message}`);
  }
}
if (values.json) console.log(JSON.stringify({ results, failed }, undefined, 1));
else console.log(confusionTable(cases, results, failed));

/** Who reads the questions; undefined without a model. */
async function thinkingOf(): Promise<Thinking | undefined> {
  const { settings } = readAllSettings({
    'model.provider': values.provider,
    'model.name': values.model,
    'model.baseUrl': values['base-url'],
  });
  const secrets = environmentSecrets(process.env, builtIn.keyServices);
  const created = await createModels({ settings, secrets, log: silentLog });
  if (created.kind === 'extractive') return undefined;
  return { analyst: llmAnalyst, models: created.models, model: created.model };
}
