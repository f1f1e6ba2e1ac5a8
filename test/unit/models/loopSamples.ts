/**
 * Answers that loop and answers that repeat themselves for good reasons. Every second one was not looked at while the detector was
 * written; `loops.test.ts` counts both halves.
 */

const times = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join('');

const opening =
  'Dense retrieval encodes questions and passages into vectors. Sparse retrieval weighs the words that both share, and is hard to beat on names and numbers.\n\n';

/** What stuck models write, by the kind of their loop. Each goes on for 600 tokens and more. */
export const loops: readonly (readonly [kind: string, text: string])[] = [
  ['one word', opening + times(700, () => 'the ')],
  ['one sentence', opening + times(60, () => 'The model uses retrieval to improve the quality of answers. ')],
  ['two words', opening + times(400, () => 'and so on, ')],
  ['a phrase inside a sentence', `${opening}The system retrieves ${times(200, () => 'the most relevant of ')}`],
  [
    'a paragraph',
    opening +
      times(8, () => `${opening.trim()} It was tested on four sets of questions, with gains on all of them.\n\n`),
  ],
  ['lines of a list', opening + times(90, () => '- Retrieval improves accuracy.\n')],
  ['a numbered list', opening + times(90, (index) => `${index + 1}. Retrieval improves accuracy of answers.\n`)],
  ['headings', opening + times(90, () => '## Conclusion\n\nIn conclusion, retrieval matters.\n\n')],
  [
    'numbered headings',
    opening + times(60, (index) => `### Section ${index + 4}\n\nThis section describes the results.\n\n`),
  ],
  ['empty lines', opening + '\n'.repeat(2_400)],
  ['blanks in JSON', `{"title": "Retrieval", "sections": [${' '.repeat(2_400)}`],
  ['line ends and tabs', `{"title": "Retrieval",${'\n\t\t'.repeat(900)}`],
  ['one item of JSON', `{"queries": [${times(80, () => '"retrieval augmented generation survey", ')}`],
  [
    'one object of JSON',
    `{"sections": [${times(40, () => '{"title": "Background", "description": "What it is about"}, ')}`,
  ],
  [
    'objects with ids',
    `{"sections": [${times(40, (index) => `{"id": "s${index + 1}", "title": "Background", "queries": ["rag"]},\n`)}`,
  ],
  ['keys of JSON', `{"assessment": {${times(70, () => '"topic_clear": true, "goal_clear": true, ')}`],
  ['Chinese', `检索增强生成将检索与生成结合起来。${times(60, () => '该模型使用检索来提高答案的质量。')}`],
  ['Japanese', `検索拡張生成について。${times(50, () => '検索は回答の品質を向上させます。')}`],
  ['Korean', `검색 증강 생성. ${times(60, () => '모델은 검색을 사용하여 답변의 품질을 높입니다. ')}`],
  ['Russian', `Поиск и генерация. ${times(50, () => 'Модель использует поиск для улучшения ответов. ')}`],
  ['Arabic', `الاسترجاع والتوليد. ${times(50, () => 'يستخدم النموذج الاسترجاع لتحسين الجودة. ')}`],
  ['one digit', `The result is 3.${'3'.repeat(1_800)}`],
  ['a growing address', `https://example.org${times(300, () => '/docs')}`],
  ['one citation', opening + times(120, () => '[S3f9a1b2] ')],
  ['a sentence with its citation', opening + times(50, () => 'Sparse retrieval is robust [S3f9a1b2][S77ac01d]. ')],
  ['rows of a table', `| model | score |\n| --- | --- |\n${times(90, () => '| BM25 | 0.43 |\n')}`],
  [
    'numbered rows',
    `| rank | model |\n| --- | --- |\n${times(90, (index) => `| ${index + 1} | BM25 with feedback |\n`)}`,
  ],
  ['dashes', `| model | score |\n|${'-'.repeat(2_000)}`],
  ['columns of a table', `| model |${times(300, () => ' --- |')}`],
  ['a question and its answer', opening + times(30, () => 'Q: What is retrieval?\nA: Retrieval finds passages.\n')],
  ['chat turns', times(25, () => 'User: Write the report.\nAssistant: Sure, here is the full report again:\n\n')],
  [
    'reconsidering',
    times(
      25,
      () =>
        'Wait, let me reconsider. The question asks for a survey. So the type is list. But it may be a comparison. ',
    ),
  ],
  [
    'hesitation of two kinds',
    times(60, (index) => (index % 2 === 0 ? 'Hmm, maybe it is a list. ' : 'But it could be a table. ')),
  ],
  [
    'three sentences in turn',
    opening + times(60, (index) => ['It is fast. ', 'It is simple to build. ', 'It is cheap to run. '][index % 3]!),
  ],
  ['emphasis', opening + times(120, () => '**Note:** ')],
  ['code', `\`\`\`python\n${times(60, () => '    result = retrieve(query)\n    print(result)\n')}`],
  ['brackets', `{"a": ${'['.repeat(1_700)}`],
  ['signs', opening + '!'.repeat(1_800)],
  ['emoji', opening + '🔥'.repeat(400)],
  ['end tokens', opening + times(120, () => '<|im_end|>\n')],
  [
    'a long paragraph',
    opening +
      times(5, () =>
        times(
          12,
          (index) =>
            `Point ${['one', 'two', 'three'][index % 3]} of part ${String.fromCharCode(97 + index)} matters for retrieval. `,
        ),
      ),
  ],
  [
    'a list of five in turn',
    times(
      30,
      (index) =>
        `- ${['BM25', 'DPR', 'ColBERT', 'SPLADE', 'Contriever'][index % 5]}: a model for retrieval of passages\n`,
    ).repeat(3),
  ],
];

const cities =
  'Berlin Paris Rome Madrid Vienna Warsaw Lisbon Athens Oslo Dublin Prague Budapest Sofia Riga Tallinn Vilnius'.split(
    ' ',
  );
const models =
  'BM25 DPR ColBERT SPLADE Contriever E5 BGE GTE ANCE TAS-B RocketQA Condenser coCondenser monoT5 RankGPT UniCOIL'.split(
    ' ',
  );
const random = (seed: number): number => ((seed * 9_301 + 49_297) % 233_280) / 233_280;
const figure = (seed: number): string => (random(seed * 31 + 7) * 100).toFixed(1);

/** What good answers look like where they are most regular. */
export const regular: readonly (readonly [kind: string, text: string])[] = [
  [
    'a table of figures',
    `| model | MRR | recall |\n|---|---|---|\n${times(64, (row) => `| ${models[row % 16]!} ${row} | ${figure(row)} | ${figure(row + 99)} |\n`)}`,
  ],
  [
    'years without text',
    `| year | papers |\n|---|---|\n${times(60, (row) => `| ${1_965 + row} | ${Math.floor(random(row) * 900)} |\n`)}`,
  ],
  [
    'yes and no',
    `| city | bus | tram | metro |\n|---|---|---|---|\n${times(64, (row) => `| ${cities[row % 16]!} ${Math.floor(row / 16)} | yes | ${random(row) > 0.5 ? 'yes' : 'no'} | no |\n`)}`,
  ],
  ['a table of zeros', `| id | count |\n|---|---|\n${times(30, (row) => `| S${(row * 7_919).toString(16)} | 0 |\n`)}`],
  [
    'wide columns',
    `| ${'model'.padEnd(60)} | ${'what it does'.padEnd(110)} |\n| ${'-'.repeat(60)} | ${'-'.repeat(110)} |\n${times(12, (row) => `| ${models[row]!.padEnd(60)} | ${`ranks passages by method ${row}`.padEnd(110)} |\n`)}`,
  ],
  [
    'parallel items',
    times(
      40,
      (row) =>
        `- **${models[row % 16]!}**: tested in ${cities[(row * 5) % 16]!} on ${row + 2} sets [S${(row * 104_729).toString(16)}].\n`,
    ),
  ],
  [
    'a time series',
    times(
      30,
      (row) =>
        `- ${1_990 + row}: revenue ${figure(row)} million, cost ${figure(row + 50)} million, ${row * 3 + 11} people\n`,
    ),
  ],
  [
    'numbered steps',
    times(30, (row) => `${row + 1}. Open ${cities[row % 16]!}'s file, read line ${row * 13 + 5} and close it.\n`),
  ],
  [
    'a bibliography',
    times(
      40,
      (row) =>
        `[${row + 1}] ${cities[row % 16]!}, A. and ${cities[(row * 3 + 1) % 16]!}, B. (${1_990 + (row % 30)}). On ${models[(row * 7) % 16]!}. arXiv:${2_000 + row}.0${row}123.\n`,
    ),
  ],
  [
    'plan in JSON',
    JSON.stringify({
      sections: Array.from({ length: 30 }, (_, row) => ({
        id: `s${row + 1}`,
        title: `${models[row % 16]!} in ${cities[(row * 3) % 16]!}`,
        description: 'What it has to find out',
        queries: [`${models[row % 16]!} evaluation`],
      })),
    }),
  ],
  [
    'coverage in JSON',
    JSON.stringify({
      section_coverage: Array.from({ length: 10 }, (_, row) => ({
        title: models[row]!,
        id: `s${row + 1}`,
        notes: 'Well covered.',
        status: 'sufficient',
      })),
    }),
  ],
  ['flags in JSON', JSON.stringify({ flags: Array.from({ length: 30 }, (_, row) => random(row) > 0.4) })],
  [
    'indented JSON',
    JSON.stringify(
      {
        findings: Array.from({ length: 14 }, (_, row) => ({
          claim: `${models[row]!} reaches ${figure(row)}`,
          source: `S${(row * 7_919 + 4_096).toString(16)}`,
          confidence: 0.9,
        })),
      },
      null,
      8,
    ),
  ],
  [
    'one section twice',
    times(2, () => times(24, (row) => `${models[row % 16]!} differs from ${cities[row % 16]!} in point ${row * 3}. `)),
  ],
  [
    'a refrain',
    times(
      8,
      (row) =>
        `Verse ${row} speaks of ${cities[row]!} and of ${models[row]!}, at some length and with feeling.\nAnd the rain, and the rain, and the rain came down.\n`,
    ),
  ],
  [
    'tests of one form',
    times(
      24,
      (row) =>
        `test('${cities[row % 16]!.toLowerCase()} is found', () => {\n  assert.equal(find('${cities[row % 16]!}'), ${row * 17});\n});\n`,
    ),
  ],
  ['imports', times(40, (row) => `import { ${cities[row % 16]!}${row} } from './${models[(row * 3) % 16]!}.ts';\n`)],
  ['a matrix', times(16, (row) => `${times(16, (column) => (row === column ? '1 ' : '0 '))}\n`)],
  ['a small matrix of zeros', times(8, () => `${'0, '.repeat(8)}\n`)],
  [
    'a drawing',
    `\`\`\`\n+${'-'.repeat(70)}+\n${times(6, (row) => `|${models[row]!.padStart(30).padEnd(70)}|\n`)}+${'-'.repeat(70)}+\n\`\`\``,
  ],
  ['a rule', `${opening}${'-'.repeat(120)}\n\n${opening}`],
  ['contents with dots', times(20, (row) => `${row + 1} ${models[row % 16]!} ${'.'.repeat(60)} ${row * 7 + 3}\n`)],
  [
    'citations',
    times(
      30,
      (row) =>
        `${models[row % 16]!} is used [S${(row * 7_919 + 1_048_576).toString(16)}][S${(row * 104_729 + 1_048_576).toString(16)}]. `,
    ),
  ],
  [
    'Chinese items',
    times(30, (row) => `- ${models[row % 16]!}：在第${row + 3}个数据集上的准确率为${figure(row)}%。\n`),
  ],
  [
    'Japanese prose',
    times(16, (row) => `${cities[row]!}では${models[row]!}が使われ、精度は${figure(row)}パーセントでした。`),
  ],
  [
    'a log',
    times(
      40,
      (row) =>
        `2026-03-${String((row % 28) + 1).padStart(2, '0')} 12:${String(row).padStart(2, '0')} INFO request ${row * 97} took ${figure(row)} ms\n`,
    ),
  ],
  ['settings', times(30, (row) => `${cities[row % 16]!.toLowerCase()}_${row}_enabled: true\n`)],
  ['CSV', times(60, (row) => `${cities[row % 16]!},${models[(row * 3) % 16]!},${figure(row)},0,0,0\n`)],
  [
    'questions and answers',
    times(14, (row) => `Q: What is ${models[row]!}?\nA: A model of ${1_990 + row} for passages in ${cities[row]!}.\n`),
  ],
  [
    'a glossary',
    times(30, (row) => `**${models[row % 16]!} ${row}.** A method. See ${models[(row * 5 + 2) % 16]!}.\n`),
  ],
  ['checked boxes', times(20, (row) => `- [x] ${cities[row % 16]!}: done\n`)],
  [
    'not reported',
    `| study | dose | harm |\n|---|---|---|\n${times(40, (row) => `| ${cities[row % 16]!} ${1_980 + row} | not reported | not reported |\n`)}`,
  ],
  [
    'quarters',
    times(40, (row) => `| Q${(row % 4) + 1} ${2_010 + Math.floor(row / 4)} | ${figure(row)} | ${figure(row * 3)} |\n`),
  ],
  ['equations', times(14, (row) => `x_{${row + 1}} = x_{${row}} + \\alpha_{${row}} (y_{${row}} - f(x_{${row}}))\n`)],
];
