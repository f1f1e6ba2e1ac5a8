import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CitationWriter } from '../../../../src/research/evidence/citations.ts';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import type { FoundDocument } from '../../../../src/research/ports.ts';
import { rounds } from '../../../support/sampled.ts';
import { plainMarks } from '../../../support/plainMarks.ts';

const document = (over: Partial<FoundDocument> & { text: string }): FoundDocument => ({
  kind: 'arxiv',
  title: 'A paper',
  authors: ['Ada Lovelace'],
  date: '2020-05-22',
  ...over,
});

function evidence() {
  const registry = new EvidenceRegistry();
  const rag = registry.add(
    document({
      title: 'Retrieval-Augmented Generation',
      url: 'https://arxiv.org/abs/2005.11401v4',
      text: 'Retrieval-augmented models combine parametric memory with a dense index. They improve exact match from 34.5 to 44.5 points on three benchmarks. The index holds 21,000,000 passages.',
    }),
    '2026-01-02T00:00:00Z',
  ).source;
  const reranking = registry.add(
    document({
      title: 'Reranking notes',
      kind: 'workspace',
      file: { path: 'docs/rerank.md', firstLine: 3, lastLine: 9 },
      text: 'Cross-encoder reranking of the first 50 passages raises recall from 71% to 83% in our benchmark.',
    }),
    '2026-01-02T00:00:00Z',
  ).source;
  const citable = {
    get: (id: string) => registry.get(id),
    byUrl: (url: string) => registry.byUrl(url),
    candidates: registry.all(),
  };
  return { registry, rag, reranking, citable };
}

function write(text: string, given = ''): { text: string; writer: CitationWriter } {
  const writer = new CitationWriter(evidence().citable, given);
  return { text: plainMarks(writer.push(text) + writer.finish()), writer };
}

const { rag, reranking } = evidence();
const a = `[${rag.id}]`;
const b = `[${reranking.id}]`;

describe('citation writer', () => {
  it('numbers sources in order of appearance and reuses a number', () => {
    const { text, writer } = write(`Second comes first ${b}. Then the other ${a}. Again ${b}.\n`);
    assert.equal(text, 'Second comes first [1]. Then the other [2]. Again [1].\n');
    assert.deepEqual(writer.order, [reranking.id, rag.id]);
  });

  it('takes a citation that supports nothing of a sentence out, where another one does', () => {
    const { text, writer } = write(
      `Exact match improved from 34.5 to 44.5 points ${b} ${a}. Reranking raises recall to 83% ${a}.\n`,
    );
    assert.equal(text, 'Exact match improved from 34.5 to 44.5 points [1]. Reranking raises recall to 83% [2].\n');
    assert.deepEqual(writer.order, [rag.id, reranking.id]);
    assert.equal(writer.counts.dropped, 2);
    const both = write(`A dense index helps ${a}, and reranking the first passages raises recall ${b}.\n`);
    assert.deepEqual(both.writer.order, [rag.id, reranking.id]);
  });

  it('takes a marker with an unknown id out and counts it', () => {
    const { text, writer } = write(`Something known ${a}. Something invented [S99999].\n`);
    assert.equal(text, 'Something known [1]. Something invented.\n');
    assert.equal(writer.counts.dropped, 1);
  });

  it('reads groups, doubled, bare and full-width markers', () => {
    assert.equal(write(`One [${rag.id}, ${reranking.id}].\n`).text, 'One [1][2].\n');
    assert.equal(write(`One ${a}${a}${b}.\n`).text, 'One [1][2].\n');
    assert.equal(write(`As ${rag.id} says.\n`).text, 'As [1] says.\n');
    assert.equal(write(`中文句子【${rag.id}】。\n`).text, '中文句子 [1]。\n'.replace(' [', '['));
    assert.equal(write(`After the stop. ${a} Next.\n`).text, 'After the stop. [1] Next.\n');
  });

  it('never lets a number through that the model wrote itself', () => {
    assert.equal(write('| [1]( words |\n').text, '( words\n');
    const { text, writer } = write('Claims are made [7] and more [1, 2] and a note [^3].\n');
    assert.equal(text, 'Claims are made and more and a note.\n');
    assert.equal(writer.counts.dropped, 3);
    assert.equal(writer.counts.cited, 0);
  });

  it('turns an address of a source into its number and removes every other address', () => {
    const { text, writer } = write(
      'See [the paper](https://arxiv.org/pdf/2005.11401) and https://evil.example/x?y=1. More at [a site](https://evil.example).\n',
    );
    assert.equal(text, 'See the paper [1] and …. More at a site.\n');
    assert.equal(writer.counts.dropped, 2);
    assert.ok(!text.includes('evil'));
    assert.equal(write('It is so ([source](https://evil.example)).\n').text, 'It is so.\n');
  });

  it('keeps a figure that stands in the cited source, in any notation', () => {
    const { text, writer } = write(
      `It has 21 million passages ${a}. The index holds 21000000 passages ${a}. It gains from 34.5 to 44.50 points on 3 sets ${a}.\n`,
    );
    assert.equal(text.match(/\[1\]/g)?.length, 3);
    assert.equal(writer.counts.verified, 1);
  });

  it('drops a sentence whose figure stands in no source', () => {
    const { text, writer } = write(`Models use a dense index ${a}. They reach 99.9 points ${a}. They are good ${a}.\n`);
    assert.equal(text, 'Models use a dense index [1]. They are good [1].\n');
    assert.equal(writer.counts.dropped, 1);
  });

  it('gives a sentence that cites the wrong source for its figure the right one alone', () => {
    const { text } = write(
      `Cross-encoder reranking of passages raises recall from 71% to 83% in the benchmark ${a}.\n`,
    );
    assert.equal(text, 'Cross-encoder reranking of passages raises recall from 71% to 83% in the benchmark [1].\n');
  });

  it('gives a figure without a marker the source of its paragraph, or drops it', () => {
    assert.equal(
      write(`Exact match improves ${a}. It reaches 44.5 points.\n`).text,
      'Exact match improves [1]. It reaches 44.5 points [1].\n',
    );
    assert.equal(write('Exact match reaches 61 points.\n').text, '');
  });

  it('needs no source for figures and names of the question', () => {
    assert.equal(
      write('In 2026 GPT-4 and Llama-3 matter.\n', 'Did Llama 3 or GPT4 matter in 2026?').text,
      'In 2026 GPT-4 and Llama-3 matter.\n',
    );
    assert.equal(write('In 2026 GPT-4 matters.\n', 'What mattered in 2026?').text, '');
  });

  it('drops a sentence with a quotation that no source holds and keeps a true one', () => {
    const { text } = write(
      `They write “combine parametric memory with a dense index” ${a}. They write “combine a banana with a dense orange index” ${a}.\n`,
    );
    assert.equal(text, 'They write “combine parametric memory with a dense index” [1].\n');
  });

  it('puts a dash where a table cell has an unsupported figure', () => {
    const { text, writer } = write(
      `| Method | Recall | Source |\n| --- | --- | --- |\n| Rerank | 83% | ${b} |\n| Magic | 97% | ${a} |\n`,
    );
    assert.equal(
      text,
      '| Method | Recall | Source |\n| --- | --- | --- |\n| Rerank | 83% | [1] |\n| Magic | — | [2] |\n',
    );
    assert.equal(writer.counts.dropped, 1);
  });

  it('leaves a figure out of the head of a table and of a heading that no source has', () => {
    const heads = ['Recall 97 %', '973', 'USD973', '৯৭৩', '10⁶ passages', 'Latency of 97 ms', 'in 2019'];
    for (const head of heads) {
      assert.equal(
        write(`| Method | ${head} |\n|---|---|\n| Rerank | 83% ${b} |\n`).text,
        '| Method | — |\n| --- | --- |\n| Rerank | 83% [1] |\n',
      );
      assert.equal(
        write(`## Recall: ${head}\n\nReranking raises recall to 83% ${b}.\n`).text,
        'Reranking raises recall to 83% [1].\n',
      );
    }
    for (const head of ['Recall (83%)', 'Top 5', 'Step 2', 'The first 50 passages', 'HTTP/2', 'Recall'])
      assert.ok(write(`| Method | ${head} |\n|---|---|\n| Rerank | 83% ${b} |\n`).text.includes(head), head);
  });

  it('looks a quotation over several sentences up sentence by sentence', () => {
    for (const [open, close] of ['""', '“”', '”“', '»«', '「」'])
      assert.equal(
        write(
          `They say of it: ${open}Reranking ruins recall in all of our benchmarks. It is of no use to any of us. Nobody should try it ever again${close} ${b}. Reranking raises recall to 83% ${b}.\n`,
        ).text,
        'Reranking raises recall to 83% [1].\n',
      );
  });

  it('drops a list item with its marker when nothing of it is left', () => {
    assert.equal(
      write(`- Good point ${a}.\n- Reaches 77 points ${a}.\n- Last point ${a}.\n`).text,
      '- Good point [1].\n- Last point [1].\n',
    );
  });

  it('makes hostile text inert', () => {
    const { text } = write(
      'Hello <img src=x onerror=alert(document)> ![x](http://a.example/p.png) [go](command:evil) [f](file:///etc/passwd) \u202Eabc \\<b> `code <T>` \\`<i>\\`.\n',
    );
    assert.ok(!/<(?!T>`)/.test(text), text);
    assert.ok(!/command:|file:|a\.example|\u202E/.test(text), text);
    assert.ok(text.includes('`code <T>`'));
  });

  it('passes code blocks through and closes an open one', () => {
    const block = '```ts\nconst x: Map<string, number[]> = f("[S99999]", 42);\n';
    assert.equal(write(block).text, `${block}\`\`\`\n`);
  });

  it('does not depend on how the text was cut into pieces', () => {
    const corpus = [
      `# Title with ${a}\n\nSummary sentence one, e.g. this ${a}. Then 44.5 points ${a}! Wrong 12.25 points ${b}.\nWrapped line\ngoes on ${b}.\n\n`,
      `## Section\n\n- item **bold** ${a}. More. [${rag.id}, ${reranking.id}]\n- bad 77 points.\n  continued here\n1. numbered\n\n`,
      `| A | B |\n|---|---|\n| 83% ${b} | \`x|y\` |\n\n\`\`\`py\nx = "<b>"\n\`\`\`\n\n> quoted ${a}\n> more\n\n`,
      `中文第一句【${rag.id}】。第二句有 99 个。第三句。\n\nSee https://arxiv.org/abs/2005.11401. And “combine parametric memory with a dense index” ${a}.`,
      '---\n***\n[ref]: http://x.example\nText with `open code and. More ',
    ].join('');
    const whole = write(corpus).text;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 400 }), (cuts) => {
        const writer = new CitationWriter(evidence().citable, '');
        let out = '';
        let at = 0;
        for (let i = 0; at < corpus.length; i += 1) {
          const next = at + cuts[i % cuts.length]!;
          out += writer.push(corpus.slice(at, next));
          at = next;
        }
        assert.equal(plainMarks(out + writer.finish()), whole);
      }),
      { numRuns: rounds(300) },
    );
  });

  it('holds for any text: cut anywhere, same result, no dangling number, no raw markup', () => {
    const bit = fc.oneof(
      fc.constantFrom(
        a,
        b,
        '[S99999]',
        '. ',
        '! ',
        '\n',
        '\n\n',
        '- ',
        '# ',
        '| ',
        '`',
        '```\n',
        '“',
        '”',
        '44.5',
        '99',
        '[1]',
        '<b>',
        '](',
        'https://x.example ',
        ' word',
        '。',
        '* ',
        '\\',
        '> ',
        '  ',
        '[',
        ']',
        '(',
        ')',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 60 }), fc.integer({ min: 1, max: 7 }), (bits, step) => {
        const text = bits.join('');
        const whole = write(text);
        const writer = new CitationWriter(evidence().citable, '');
        let out = '';
        for (let at = 0; at < text.length; at += step) out += writer.push(text.slice(at, at + step));
        out = plainMarks(out + writer.finish());
        assert.equal(out, whole.text);
        const outsideCode = out.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '');
        for (const [, number] of outsideCode.matchAll(/(?<!\\)\[(\d+)\]/g))
          assert.ok(Number(number) >= 1 && Number(number) <= writer.order.length, out);
      }),
      {
        numRuns: rounds(4000),
        examples: [
          [['. ', '[', ')', a], 1],
          [['. ', '[', '. ', a], 1],
          [['| ', '[1]', '('], 1],
          [['https://x.example ', '. ', '\u{104D8}'], 1],
          [['a\r\nb\r\n\r\nc'], 1],
        ],
      },
    );
  });

  it('stays linear on long hostile input', () => {
    write('['.repeat(20_000) + '\n' + `${'a'.repeat(20)}. `.repeat(2_000) + '`'.repeat(20_000));
  });
});
