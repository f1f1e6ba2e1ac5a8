import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { tables } from '../../../scripts/l10n.ts';
import { errorLocalizer } from '../../../src/protocol/errorLocalizer.ts';
import { shownWarning } from '../../../src/protocol/shownWarning.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { loadTexts, textsIn } from '../../../src/research/languages/texts.ts';
import { type Warning, warningText } from '../../../src/research/languages/warning.ts';
import { englishIn } from '../../support/englishWords.ts';

const error = new ResearchError('timeout', 'arXiv did not answer within 30 s.', { origin: 'arXiv' });
const warnings: readonly Warning[] = [
  { kind: 'source.failed', source: 'arxiv', error },
  { kind: 'sources.offline' },
  { kind: 'step.byRules', step: 'plan', error },
  { kind: 'model.helps', model: 'tiny', right: 3, of: 9 },
  { kind: 'section.failed', title: 'Costs', error },
  { kind: 'report.unsaved', error, where: 'It is saved in /runs/1.', next: '' },
];

describe('a warning of a run, in an interface in Chinese', () => {
  const errors = Object.entries(tables['zh-cn']!.errors);
  const localize = errorLocalizer(Object.fromEntries(errors.map(([text, shown]) => [`${text}/error`, shown])));
  before(() => loadTexts('de'));

  for (const warning of warnings)
    it(`${warning.kind} is Chinese, whatever the language of the report`, () => {
      const english = warningText(warning, textsIn('en', 'run'));
      const german = warningText(warning, textsIn('de', 'run'));
      const shown = shownWarning({ message: english }, localize);
      assert.match(shown, /\p{Script=Han}/u);
      assert.deepEqual(englishIn(shown), []);
      assert.equal(shownWarning({ message: german, english }, localize), shown);
    });

  it('stays in the language of the report where the interface has no translation', () => {
    assert.equal(
      shownWarning({ message: 'Etwas fehlt.', english: 'Some thing is missing.' }, localize),
      'Etwas fehlt.',
    );
  });
});
