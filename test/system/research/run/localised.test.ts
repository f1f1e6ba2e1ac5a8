import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { warningKinds, type WarningKind } from '../../../../src/protocol/warnings.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { errorText, loadTexts, textsIn, translated } from '../../../../src/research/languages/texts.ts';
import { isInAccount, warningText, type Warning } from '../../../../src/research/languages/warning.ts';
import { clearAssessment, ofType, scriptedAnalyst, scriptedTool } from '../../../support/scriptedParts.ts';
import { scriptedRun } from '../../../support/scriptedRun.ts';

const error = new ResearchError('network', 'The host could not be reached at all.', { origin: 'example.org' });

/** A warning of every kind; the type makes the list complete. */
const every: { readonly [K in WarningKind]: Extract<Warning, { kind: K }> } = {
  storage: { kind: 'storage', error },
  'storage.notSaved': { kind: 'storage.notSaved', error },
  'resume.checkpoint': { kind: 'resume.checkpoint' },
  'resume.damaged': { kind: 'resume.damaged', file: 'run.json', aside: 'run.json.damaged' },
  'resume.version': { kind: 'resume.version', before: '1', now: '2' },
  'resume.settings': { kind: 'resume.settings', keys: 'depth' },
  'resume.model': { kind: 'resume.model', before: 'a', now: 'b' },
  'resume.skipped': { kind: 'resume.skipped', what: 'notes/long.md' },
  'settings.unknown': { kind: 'settings.unknown', key: 'deepth' },
  'settings.unusable': { kind: 'settings.unusable', key: 'deepResearch.report.folder' },
  'source.unavailable': { kind: 'source.unavailable', source: 'github', why: 'No folder is open that may be read.' },
  'source.failed': { kind: 'source.failed', source: 'arxiv', error },
  'source.bug': { kind: 'source.bug', source: 'x', tool: 'search_x' },
  'source.notice': { kind: 'source.notice', source: 'github', text: 'The saved key was refused by the service.' },
  'folder.scanned': { kind: 'folder.scanned', scanned: 3, files: 8 },
  'folder.unread': { kind: 'folder.unread', unread: 2, files: 8 },
  'folder.cut': { kind: 'folder.cut', files: 8 },
  'source.aside': {
    kind: 'source.aside',
    source: 'S1',
    title: 'A page',
    numbers: '3',
    text: 'Dear reader, subscribe.',
  },
  'query.cut': { kind: 'query.cut', source: 'arXiv', words: 'bluebird' },
  'query.unasked': { kind: 'query.unasked', source: 'arXiv', words: 'bluebird' },
  'query.refused': { kind: 'query.refused', source: 'arXiv', error },
  'attached.unread': { kind: 'attached.unread', name: 'paper.pdf', error },
  'page.unread': { kind: 'page.unread', url: 'https://example.org/paper', error },
  'sources.offline': { kind: 'sources.offline' },
  'sources.notAsked': { kind: 'sources.notAsked', sources: 'arxiv' },
  'model.retry': { kind: 'model.retry', error, seconds: 5 },
  'model.loading': { kind: 'model.loading', model: 'm' },
  'model.helps': { kind: 'model.helps', model: 'm', right: 7, of: 9 },
  'model.quotes': { kind: 'model.quotes', model: 'm', right: 2, of: 9 },
  'model.late': { kind: 'model.late', model: 'm' },
  'model.untried': { kind: 'model.untried', model: 'm' },
  'model.replaced': { kind: 'model.replaced', model: 'm', setting: 's', main: 'n' },
  'discover.nothing': { kind: 'discover.nothing' },
  'discover.failed': { kind: 'discover.failed', error },
  'plan.bounded': { kind: 'plan.bounded', planned: 12, sections: 7 },
  'plan.remarkByWords': { kind: 'plan.remarkByWords' },
  'research.cutShort': { kind: 'research.cutShort', error },
  'research.byRules': { kind: 'research.byRules' },
  'section.failed': { kind: 'section.failed', title: 'T', error },
  'section.unread': { kind: 'section.unread', title: 'T', error },
  'section.uncondensed': { kind: 'section.uncondensed', title: 'T', error },
  'distil.quotesOnly': { kind: 'distil.quotesOnly', error },
  'review.failed': { kind: 'review.failed', error },
  'reflect.failed': { kind: 'reflect.failed', error },
  'report.cutShort': { kind: 'report.cutShort', error },
  'report.tooLong': { kind: 'report.tooLong' },
  'challenge.notInReport': { kind: 'challenge.notInReport' },
  'budget.reached': { kind: 'budget.reached', what: '1,000' },
  'budget.noPrice': { kind: 'budget.noPrice', model: 'm' },
  'model.refused': { kind: 'model.refused', error },
  'step.byRules': { kind: 'step.byRules', step: 'plan', error },
  'passages.refused': { kind: 'passages.refused', count: 2 },
  'report.unsaved': { kind: 'report.unsaved', error, where: '', next: 'Free some space on the disk.' },
  host: { kind: 'host', code: 'host', text: 'x' },
};

await Promise.all(translated.map(loadTexts));

/** The words of a text between its places, as far as they are long enough to tell a language. */
function fragments(text: string): string[] {
  return text
    .split(/\{\w+\}/)
    .map((part) => part.trim())
    .filter((part) => /[a-z]{3,}.*[a-z]{3,}/i.test(part) && part.length >= 8);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const english = [...stringsIn(textsIn('en', 'run')).flatMap(fragments), ...fragments(error.message), 'Free some space'];
const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

describe('what a run says of itself', () => {
  it('is there in the nine languages that have fixed lines of a report', () => {
    assert.deepEqual([...translated].sort(), ['ar', 'de', 'es', 'fr', 'ja', 'ko', 'ru', 'zh']);
  });

  for (const tag of translated) {
    it(`names the same values in every language: ${tag}`, () => {
      const { errors, ...texts } = textsIn(tag, 'run');
      const { errors: _none, ...original } = textsIn('en', 'run');
      const [own, theirs] = [stringsIn(texts), stringsIn(original)];
      assert.equal(own.length, theirs.length);
      for (const [index, text] of own.entries()) {
        // Text in English is left out; the source is named in its place.
        const wanted = placesOf(theirs[index]!)
          .filter((name) => name !== 'next')
          .map((name) => (name === 'why' ? 'source' : name));
        const isNamed = theirs[index] === '{error}' ? ['error', 'source'] : wanted;
        if (theirs[index] !== '{text}') assert.deepEqual(placesOf(text), isNamed, text);
      }
      assert.ok(Object.values(errors!).every((text) => placesOf(text).every((name) => name === 'origin')));
    });

    it(`has no English in any warning: ${tag}`, () => {
      for (const kind of warningKinds) {
        const text = warningText(every[kind], textsIn(tag, 'run'));
        assert.ok(!/\{\w+\}/.test(text), text);
        assert.deepEqual(
          english.filter((part) => text.includes(part)),
          [],
          `${kind}: ${text}`,
        );
      }
    });

    it(`has no English in the account of a run in which everything went wrong: ${tag}`, async () => {
      const warnings = Object.values(every);
      const { result, events } = scriptedRun({
        settings: { 'report.language': tag, clarification: 'always', planApproval: 'never' },
        warnings,
        answer: async () => null,
        tools: [
          scriptedTool((query) => {
            if (query === 'Beta') throw new ResearchError('rateLimit', 'The source limits the requests for now.');
            return { documents: [{ ...document, title: query }], warnings: ['The key was refused by this service.'] };
          }),
        ],
        analyst: scriptedAnalyst({
          assess: async ({ asked }) => ({
            ...clearAssessment,
            ...(asked.length === 0 ? { question: 'Welche?', missingInfo: 'scope', needClarification: true } : {}),
            goalClear: false,
            defaultGoal: 'Übersicht',
            unknownTerms: ['XQ1'],
          }),
          async *writeReport() {
            throw new ResearchError('streamBroken', 'The answer of the model broke off in the middle.');
          },
        }),
        sink: { save: () => Promise.reject(new ResearchError('storage', 'The disk is full, as it seems.')) },
      });
      const { report } = await result;
      const account = report.split(/^## /m).at(-1)!;
      const inAccount = warnings.filter((warning) => isInAccount(warning));
      const lines = account.split('\n').filter((line) => line.startsWith('- '));
      assert.ok(lines.length > inAccount.length, `${lines.length} lines`);
      assert.deepEqual(
        english.filter((part) => report.includes(part)),
        [],
      );
      const [strategy] = ofType(events, 'run/strategy');
      assert.deepEqual(
        english.filter((part) => strategy!.why.includes(part)),
        [],
      );
    });
  }

  it('does not say that a service refused what was never sent, or an address that was not opened', () => {
    const details = { origin: 'https://example.org' };
    for (const refusal of ['notSent', 'notOpened'] as const) {
      const own = new ResearchError('badRequest', 'Not sent: "bluebird" is only here.', { ...details, refusal });
      for (const tag of translated) {
        const texts = textsIn(tag, 'run');
        const text = errorText(own, texts);
        assert.equal(text, texts.errors![refusal]);
        assert.notEqual(text, errorText(new ResearchError('badRequest', own.message, details), texts));
        assert.ok(
          warningText(
            { kind: 'query.refused', source: 'arXiv', error: own.reworded((it) => `${it} `) },
            texts,
          ).includes(text),
        );
      }
      assert.equal(errorText(own, textsIn('en', 'run')), own.message);
    }
  });

  it('gives the details of an error in English reports', () => {
    assert.equal(warningText(every['source.failed'], textsIn('en', 'run')), error.message);
    assert.equal(warningText(every['source.failed'], textsIn('pt', 'run')), error.message, 'English stands in');
  });
});

const document = {
  kind: 'workspace',
  title: 'Notiz',
  authors: [],
  text: 'Alles steht hier in einem ganzen Satz. Und noch mehr davon.',
  file: { path: 'notiz.md', firstLine: 1, lastLine: 3 },
};
