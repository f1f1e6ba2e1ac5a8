import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { languages } from '../../../../src/research/languages/languages.ts';
import { answeredQuestion } from '../../../../src/research/policy/answeredQuestion.ts';
import { clarifyingQuestion } from '../../../../src/research/policy/clarifyingQuestion.ts';
import { fittingTemplates } from '../../../../src/research/policy/focusTemplates.ts';
import { nearNames } from '../../../../src/research/policy/nearNames.ts';
import { readSigns } from '../../../../src/research/policy/signs.ts';

const folder = { name: 'gate', repos: ['acme/gate'], languages: [], packages: [], arxivIds: [], githubLinks: [] };
const workspace = { ...folder, fileCount: 12 };

describe('the signs of a question', () => {
  it('find what a phrase means in what surrounds the question, and say it', () => {
    const meaning = (question: string, more: object = {}) =>
      readSigns(question, undefined, { workspace: { ...workspace, ...more } }).resolved?.meaning;
    assert.equal(meaning('how reliable is this library'), 'acme/gate');
    assert.equal(meaning('explain this', { openFile: 'src/retry.ts#L3-L9' }), 'src/retry.ts#L3-L9');
    assert.equal(meaning('what does that paper measure?', { papers: ['arXiv:2004.12832'] }), 'arXiv:2004.12832');
    const attached = [{ id: 'S1', title: 'ColBERT', beginning: '' }];
    assert.equal(meaning('那篇论文的方法有什么局限？', { attached }), 'ColBERT');
    const earlierQuestion = 'Which new drug lowers blood pressure?';
    assert.equal(meaning('Does that drug harm the liver?', { earlierQuestion }), earlierQuestion);
    assert.equal(meaning('Who founded that company?', { earlierQuestion }), undefined);
  });

  it('look up what may be unknown, not what everybody knows or what a sentence explains', () => {
    const terms = (question: string) => readSigns(question).terms;
    assert.deepEqual(terms('STATUS6 gene'), ['STATUS6']);
    assert.deepEqual(terms('CVE-2031-48812 exploit'), ['CVE-2031-48812']);
    assert.deepEqual(terms('KRAS G12C'), []);
    assert.deepEqual(terms('GLP-1 agonists'), []);
    assert.deepEqual(terms('Was bedeutet der Fehler F31 am Wechselrichter?'), []);
    assert.deepEqual(terms('WHY IS THE SKY BLUE'), []);
  });

  it('are total, and read any text in time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const { subject, phrase, terms } = readSigns(text);
        assert.ok(
          ['none', 'reference', 'broad', 'named'].includes(subject) && phrase.length <= 700 && terms.length <= 5,
        );
      }),
    );
    for (const text of [
      'how to make '.repeat(50_000),
      'a-'.repeat(100_000),
      '那个'.repeat(100_000),
      'A1'.repeat(100_000),
    ]) {
      readSigns(text);
    }
  });
});

describe('a question that code writes', () => {
  const signs = readSigns('cancer');
  const kinds = ['topic', 'reference', 'term:STATUS6', 'scope', 'goal', 'confirm'];

  for (const { tag, asking } of languages.filter((language) => language.asking)) {
    it(`has two to five options in "${tag}", one of them recommended`, () => {
      const seen = new Set<string>();
      for (const missing of kinds) {
        const written = clarifyingQuestion({
          ...{ missing, question: 'cancer', lookups: [], facts: undefined, offered: [] },
          signs: { ...signs, language: tag, phrase: 'cancer' },
        });
        assert.ok(written.options.length >= 2 && written.options.length <= 5, missing);
        assert.equal(written.options.filter(({ recommended }) => recommended).length, 1);
        assert.equal(new Set(written.options.map(({ label }) => label)).size, written.options.length);
        assert.ok(
          written.question !== '' &&
            written.reasoning !== '' &&
            !written.options.some(({ label }) => /[{}]/.test(label)),
        );
        assert.equal(written.missingInfo, missing);
        seen.add(written.question);
      }
      assert.equal(seen.size, kinds.length);
      for (const pattern of [asking!.definition, asking!.task, asking!.harm, asking!.smallTalk])
        assert.ok(!new RegExp(pattern, 'iu').test('\n'), tag);
    });
  }

  it('ends no sentence twice', () => {
    const question = 'Compare vector databases by speed and cost.';
    const written = clarifyingQuestion({
      ...{ missing: 'confirm', question, lookups: [], facts: undefined, offered: [] },
      signs: { ...signs, phrase: '' },
    });
    assert.equal(
      written.question,
      'This will be researched: Compare vector databases by speed and cost. Is that right?',
    );
    assert.ok(written.options.every(({ label }) => !label.includes('.')));
  });

  it('offers names that are spelled nearly alike, and papers that the folder cites', () => {
    const lookups = [{ term: 'STATUS6', outcome: 'notFound', summary: '', near: ['STAT6'] } as const];
    const about = { question: 'STATUS6 gene', facts: undefined, offered: [], lookups };
    const term = clarifyingQuestion({ ...about, missing: 'term:STATUS6', signs: readSigns('STATUS6 gene') });
    assert.equal(term.options[0]!.label, 'STAT6');
    assert.match(term.question, /No source that was asked knows “STATUS6”/);
    const papers = ['arXiv:2004.12832', 'arXiv:1706.03762'];
    const paper = clarifyingQuestion({
      ...{ missing: 'reference', question: 'that paper', lookups: [], offered: [] },
      facts: { ...workspace, papers },
      signs: readSigns('that paper'),
    });
    assert.deepEqual(
      paper.options.map(({ label }) => label),
      papers,
    );
    assert.deepEqual(nearNames('STATUS6', 'STAT6 in asthma; STATUS7A; the status of 6'), ['STAT6', 'STATUS7A']);
  });
});

describe('an answer', () => {
  const answered = (question: string, missingInfo: string, answer: string | null, neutral: readonly string[] = []) =>
    answeredQuestion(question, [{ id: 'q1', question: '', missingInfo, answer }], 'en', neutral);

  it('takes the place of what it stands for', () => {
    assert.equal(answered('help me research', 'topic', 'perovskite stability'), 'perovskite stability');
    assert.equal(answered('Does this drug harm the liver?', 'reference', 'Ozempic'), 'Does Ozempic harm the liver?');
    assert.equal(answered('STATUS6 gene', 'term:STATUS6', 'I meant STAT6'), 'STAT6 gene');
    assert.equal(answered('cancer', 'scope', 'cancer: an overview'), 'cancer: an overview');
    assert.equal(answered('cancer', 'scope', 'immunotherapy'), 'cancer\nimmunotherapy');
  });

  it('adds no words where it only agrees, skips or names a template', () => {
    assert.equal(answered('KRAS G12C', 'confirm', 'Yes, start'), 'KRAS G12C');
    assert.equal(answered('KRAS G12C', 'confirm', 'ja'), 'KRAS G12C');
    assert.equal(answered('STATUS6 gene', 'term:STATUS6', 'Search for “STATUS6” as written'), 'STATUS6 gene');
    assert.equal(answered('cancer', 'scope', null), 'cancer');
    assert.equal(answered('cancer', 'scope', 'Clinical', ['Clinical']), 'cancer');
  });

  it('is text, whatever is in it', () => {
    const hostile = `$& <img src=x onerror=alert(1)> \`rm -rf\` ${'x'.repeat(10_000)}`;
    assert.ok(answered('Does this drug harm the liver?', 'reference', hostile).endsWith(hostile));
    assert.equal(answered('Does this drug harm?', 'reference', "$& $' $1"), "Does $& $' $1 harm?");
  });
});

describe('focus templates', () => {
  const drug = { name: 'Drug', when: 'inhibitor, 抑制剂', focus: ['mechanism'] };

  it('apply where one of their phrases stands in the question', () => {
    const fits = (question: string) => fittingTemplates([drug], question).length === 1;
    assert.ok(fits('KRAS Inhibitor resistance') && fits('KRAS 抑制剂的耐药性'));
    assert.ok(!fits('KRAS inhibitors') && !fits('vector databases'));
    assert.deepEqual(
      fittingTemplates(
        [
          { ...drug, when: '' },
          { ...drug, when: ' , ' },
        ],
        'anything',
      ),
      [],
    );
  });
});
