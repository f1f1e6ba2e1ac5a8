import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { loadTexts, translated } from '../../../../src/research/languages/texts.ts';
import { answeredQuestion } from '../../../../src/research/policy/answeredQuestion.ts';
import { clarifyingQuestion } from '../../../../src/research/policy/clarifyingQuestion.ts';
import { fittingTemplates } from '../../../../src/research/policy/focusTemplates.ts';
import { readSigns } from '../../../../src/research/policy/signs.ts';

const folder = { name: 'gate', repos: ['acme/gate'], languages: [], packages: [], arxivIds: [], githubLinks: [] };
const workspace = { ...folder, fileCount: 12 };

describe('the signs of a question', () => {
  it('find what a phrase means in what surrounds the question, and say it', () => {
    const meaning = (question: string, more: object = {}) =>
      readSigns(question, undefined, { workspace: { ...workspace, ...more } }).resolved?.meaning;
    assert.equal(meaning('how reliable is this library'), 'acme/gate');
    assert.equal(meaning('explain this', { openFile: 'src/retry.ts#L3-L9' }), 'src/retry.ts#L3-L9');
    const attached = [{ id: 'S1', title: 'ColBERT', beginning: '' }];
    assert.equal(meaning('那篇论文的方法有什么局限？', { attached }), 'ColBERT');
    const earlierQuestion = 'Which new drug lowers blood pressure?';
    assert.equal(meaning('Does that drug harm the liver?', { earlierQuestion }), earlierQuestion);
    assert.equal(meaning('Who founded Boeing?', { earlierQuestion }), undefined);
  });

  it('are a subject that is missing, pointed at, one plain word, or named', () => {
    const subject = (question: string) => readSigns(question).subject;
    for (const question of ['help me research', '???', '12345', '帮我研究一下', 'fais-moi une recherche'])
      assert.equal(subject(question), 'none', question);
    for (const question of ['what is this?', 'how does it work?', '这家公司', 'esa empresa', '그 신약'])
      assert.equal(subject(question), 'reference', question);
    for (const question of ['cancer', '药物', 'something about databases', 'la santé', '약물', 'AI'])
      assert.equal(subject(question), 'broad', question);
    for (const question of [
      ...['KRAS', 'AlphaFold', 'BM25', 'What is AI?', '什么是区块链', 'vector databases', 'rust 2024'],
      ...[
        'Ozempic: does this drug cause hair loss?',
        'is it safe to brew kombucha in plastic?',
        'Why is the sky blue?',
        '¿Cuántas colmenas hay?',
        'Che cos’è la fotosintesi?',
      ],
    ])
      assert.equal(subject(question), 'named', question);
  });

  it('are total, and read any text in time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const { subject, phrase } = readSigns(text);
        assert.ok(['none', 'reference', 'broad', 'named'].includes(subject) && phrase.length <= 700);
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
  const kinds = ['topic', 'reference', 'term:STATUS6', 'scope', 'confirm'];

  for (const tag of ['en', ...translated]) {
    it(`has two to five options in "${tag}", one of them recommended`, async () => {
      await loadTexts(tag);
      const seen = new Set<string>();
      for (const missing of kinds) {
        const written = clarifyingQuestion({
          ...{ missing, question: 'cancer', facts: undefined, offered: [] },
          signs: { ...signs, hasContent: missing !== 'topic', language: tag, phrase: 'cancer' },
        });
        assert.ok(written.options.length >= 2 && written.options.length <= 5, missing);
        assert.equal(written.options.filter(({ recommended }) => recommended).length, 1);
        assert.equal(new Set(written.options.map(({ label }) => label)).size, written.options.length);
        assert.ok(
          [written.question, ...written.options.map(({ label }) => label)].every((text) => /^[^{}]+$/.test(text)),
        );
        assert.equal(written.missingInfo, missing);
        seen.add(written.question);
      }
      assert.equal(seen.size, kinds.length);
    });
  }

  it('ends no sentence twice', () => {
    const question = 'Compare vector databases by speed and cost.';
    const written = clarifyingQuestion({
      ...{ missing: 'confirm', question, facts: undefined, offered: [] },
      signs: readSigns(question),
    });
    assert.equal(
      written.question,
      'This will be researched: Compare vector databases by speed and cost. Is that right?',
    );
    assert.ok(written.options.every(({ label }) => !label.includes('.')));
  });
});

describe('an answer', () => {
  const answered = (question: string, missingInfo: string, answer: string | null, neutral: readonly string[] = []) =>
    answeredQuestion(question, [{ id: 'q1', question: '', missingInfo, answer }], 'en', neutral);

  it('takes the place of what it stands for', () => {
    assert.equal(answered('help me research', 'topic', 'perovskite stability'), 'perovskite stability');
    assert.equal(
      answered('Does this drug harm the liver?', 'reference', 'Ozempic'),
      'Does this drug harm the liver?\nOzempic',
    );
    assert.equal(answered('cancer', 'scope', 'cancer: an overview'), 'cancer: an overview');
    assert.equal(answered('cancer', 'scope', 'immunotherapy'), 'cancer\nimmunotherapy');
  });

  it('adds no words where it only agrees, skips or names a template', () => {
    assert.equal(answered('KRAS G12C', 'confirm', 'Yes, start'), 'KRAS G12C');
    assert.equal(answered('KRAS G12C', 'confirm', 'ja'), 'KRAS G12C');
    assert.equal(answered('STATUS6 gene', 'term:STATUS6', 'STATUS6'), 'STATUS6 gene');
    assert.equal(answered('cancer', 'scope', null), 'cancer');
    assert.equal(answered('cancer', 'scope', 'Clinical', ['Clinical']), 'cancer');
  });

  it('is text, whatever is in it', () => {
    const hostile = `$& <img src=x onerror=alert(1)> \`rm -rf\` ${'x'.repeat(10_000)}`;
    assert.ok(answered('Does this drug harm the liver?', 'reference', hostile).endsWith(hostile));
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
