import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { builtIn, readAllSettings } from '../../../src/catalogue.ts';
import { createModels } from '../../../src/models/createModels.ts';
import { environmentSecrets } from '../../../src/node/environmentSecrets.ts';
import { followUp } from '../../../src/research/analyst/llm/followUp.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { scopeOver } from '../../support/analystTestKit.ts';
import { silentLog } from '../../support/scriptedParts.ts';
import { gridOf } from '../clarify/confusionTable.ts';
import { isRight, type Outcome, outcomeOf, outcomes, readCases } from './cases.ts';

const { values } = parseArgs({
  options: {
    questions: { type: 'string' },
    provider: { type: 'string', short: 'p', default: 'auto' },
    model: { type: 'string', default: '' },
    'base-url': { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
if (values.questions === undefined)
  throw new Error('Usage: npm run eval:followups -- --questions FILE [--provider NAME]; see its README.md.');

const cases = readCases(resolve(process.env['INIT_CWD'] ?? process.cwd(), values.questions));
const { settings } = readAllSettings({
  'model.provider': values.provider,
  'model.name': values.model,
  'model.baseUrl': values['base-url'],
});
const secrets = environmentSecrets(process.env, builtIn.keyServices, settings['model.provider']);
const created = await createModels({ settings, secrets, log: silentLog });
if (created.kind !== 'llm') throw new Error('There is no model to ask: pass --provider, and its key.');
const port = await created.models('main');
const results: {
  readonly id: string;
  readonly expect: readonly Outcome[];
  readonly got: Outcome | 'none';
  readonly section: string;
  readonly standalone: string;
  readonly isRight: boolean;
}[] = [];
for (const one of cases) {
  const { id, lang, question, report, sections, expect } = one;
  const signal = AbortSignal.timeout(10 * 60_000);
  try {
    const understood = await followUp(
      { question, report, sections, as: undefined },
      scopeOver(port, { language: lang, signal }),
    );
    const { question: standalone, section } = understood;
    results.push({ id, expect, got: outcomeOf(understood), section, standalone, isRight: isRight(one, understood) });
  } catch (error) {
    results.push({
      id,
      expect,
      got: 'none',
      section: '',
      standalone: ResearchError.from(error).message,
      isRight: false,
    });
  }
}
if (values.json) console.log(JSON.stringify(results, undefined, 1));
else {
  const right = results.filter((one) => one.isRight).length;
  const wrong = results
    .filter((one) => !one.isRight)
    .map(
      ({ id, expect, got, section, standalone }) =>
        `${id}: expected ${expect.join(' or ')}; got ${got} ${section}: ${standalone}`,
    );
  const grid = gridOf(
    outcomes,
    [...outcomes, 'none'],
    (expected, got) => results.filter((one) => one.expect[0] === expected && one.got === got).length,
  );
  console.log([...grid, '', `right: ${right} of ${results.length}`, ...wrong].join('\n'));
}
