import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import report from '../../../../prompts/report.md';
import { knowOwnText } from '../../../../src/research/analyst/llm/promptEcho.ts';
import { quotesText, sifted } from '../../../../src/research/report/floor.ts';

const good = `Dense retrieval embeds questions and passages in one space [S11111]. It beats BM25 by 9 points on Natural Questions [S22222].

| Method | Score |
|---|---|
| Dense | 78.4 [S11111] |
| BM25 | 59.1 [S22222] |

- It needs training data [S11111].
- It fails on rare names [S22222].
`;

describe('what a model wrote, sifted', () => {
  it('leaves a text that is one as it is', () => {
    assert.deepEqual(sifted(good), { text: good, removed: 0, isNonsense: false });
  });

  it('has no sentence twice, and is nonsense when most of it is repeated', () => {
    const twice = sifted(`${good}\nIt beats BM25 by 9 points on Natural Questions [S22222].\n`);
    assert.equal(twice.removed, 1);
    assert.equal(twice.isNonsense, false);
    assert.equal(twice.text.match(/beats BM25/g)?.length, 1);
    assert.equal(sifted('Retrieval is a method of retrieval [S11111]. '.repeat(39)).isNonsense, true);
  });

  it('does not repeat the question as a statement', () => {
    const given = 'Compare preprocessors and alternative backends\nPreprocessors';
    const { text, removed } = sifted(`${good}\n- Compare preprocessors and alternative backends [S11111].\n`, {
      given,
    });
    assert.equal(removed, 1);
    assert.doesNotMatch(text, /Compare/);
  });

  it('holds no sentence of a prompt that was sent', () => {
    knowOwnText(report);
    assert.equal(sifted(report).isNonsense, true);
    const { text, removed } = sifted(
      `${good}\nNo URLs, no footnotes, no numbers as references, no list of references, no remarks about the searching.\n`,
    );
    assert.equal(removed, 1);
    assert.doesNotMatch(text, /footnotes/);
  });

  it('leads over to something', () => {
    const lead = 'Here is the section that you asked for:';
    assert.equal(sifted(`${lead}\n\n${good}`).text, good);
    assert.match(sifted(`${lead}\n\n- One [S11111].\n- Two [S22222].\n`).text, /asked for/);
    assert.equal(sifted(`${good}\nIt is so.\n`).text, `${good}\nIt is so.\n`);
    assert.match(sifted(`${lead}\n\n\`\`\`\ncode\n\`\`\`\n`).text, /asked for/);
  });

  it('loses another script, and what no source speaks of where nothing is cited', () => {
    const chinese = '这种方法在德国所有医院都被禁止使用，专家认为它完全没有任何价值 [S11111]。';
    assert.equal(sifted(`${good}\n${chinese}\n`, { language: 'en' }).removed, 1);
    assert.equal(sifted(`${good}\n${chinese}\n`, { language: 'zh' }).text.includes(chinese), true);
    const invented = 'Hospitals have banned it.';
    const isSaid = (sentence: string): boolean => !sentence.includes(invented.slice(0, -1));
    assert.equal(sifted(`${good}\n${invented}\n`, { isSaid }).removed, 1);
    assert.equal(sifted(`${good}\n${invented.slice(0, -1)} [S11111].\n`, { isSaid }).removed, 0);
  });

  it('keeps what only looks like it: a cited statement, code, and quoted passages', () => {
    const cited = 'Here are the answers of the model, as an AI language model gives them [S11111].';
    const fenced = `\`\`\`quote-S11111\nAs an AI language model, I cannot.\nAs an AI language model, I cannot.\n\`\`\`\n`;
    assert.equal(sifted(`${good}\n${cited}\n\n${fenced}`).removed, 0);
  });
});

describe('findings as quotes', () => {
  it('give each quote once', () => {
    const finding = { claim: 'A claim.', quote: 'The words of a source.', source: 'S11111' };
    assert.equal(
      quotesText([finding, { ...finding, claim: 'Another.' }]),
      '```quote-S11111\nThe words of a source.\n```',
    );
  });
});
