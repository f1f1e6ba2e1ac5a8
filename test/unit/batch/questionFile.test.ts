import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readQuestionFile } from '../../../src/batch/questionFile.ts';
import { reportNames } from '../../../src/batch/reportNames.ts';

describe('a file of questions', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'questions-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  function read(text: string, name = 'questions.jsonl') {
    const file = join(folder, name);
    writeFileSync(file, text);
    return readQuestionFile(file);
  }

  it('has its questions as JSON, each on a line', async () => {
    const { questions, broken, notes } = await read(
      [
        '\uFEFF{"id":"a","question":" What is A? ","depth":"deep","strategy":"iterative","priority":2}\r',
        '',
        '{"question":"What is B?","settings":{"sources.enabled":["web"]},"attachments":["b.md"]}',
      ].join('\n'),
    );
    assert.deepEqual(broken, []);
    assert.deepEqual(notes, []);
    assert.deepEqual(questions, [
      { id: 'a', question: 'What is A?', depth: 'deep', strategy: 'iterative', priority: 2 },
      {
        id: '3',
        question: 'What is B?',
        settings: { 'sources.enabled': ['web'] },
        attachments: ['b.md'],
        priority: 0,
      },
    ]);
  });

  it('may be that of DeepResearch Bench', async () => {
    const { questions, notes } = await read('{"id": 1, "topic": "Finance", "language": "zh", "prompt": "收集整理"}');
    assert.deepEqual(questions, [{ id: '1', question: '收集整理', priority: 0 }]);
    assert.match(notes.join(), /"topic", "language"/);
  });

  it('may be CSV with the same heads, in any order and with any separator', async () => {
    const comma = await read(
      'Question,id,attachments,settings,priority\n"What, then?",x,a.md; b.md,"{""depth"":""quick""}",3\nAnd B?,,,,\n',
      'questions.csv',
    );
    assert.deepEqual(comma.broken, []);
    assert.deepEqual(comma.questions, [
      { id: 'x', question: 'What, then?', attachments: ['a.md', 'b.md'], settings: { depth: 'quick' }, priority: 3 },
      { id: '3', question: 'And B?', priority: 0 },
    ]);
    assert.equal((await read('id;question\n1;A?\n', 'other.csv')).questions.length, 1);
  });

  it('names its broken lines, and has the others', async () => {
    const { questions, broken } = await read(
      [
        '{"id":"a","question":"What is A?"}',
        '{"id":"b","quest',
        '["c"]',
        '{"id":"d"}',
        '{"id":"e","question":"E?","depth":"huge"}',
        '{"id":"f","question":"F?","settings":{"model.baseUrl":"https://evil.example"}}',
        '{"id":"g","question":"G?","settings":{"budget.maxTokens":"many"}}',
        `{"id":"h","question":"${'x'.repeat(600_000)}"}`,
        '{"id":"i","question":"I?","priority":1e9}',
        '{"id":"j","question":"J?"}',
      ].join('\n'),
    );
    assert.deepEqual(
      questions.map(({ id }) => id),
      ['a', 'j'],
    );
    assert.deepEqual(
      broken.map(({ line }) => line),
      [2, 3, 4, 5, 6, 7, 8, 9],
    );
    assert.equal(broken[2]!.problem, '"question" is missing');
    assert.equal(broken[3]!.problem, '"depth" must be one of "quick", "standard", "deep"');
    assert.match(broken[4]!.problem, /--settings/);
  });

  it('leaves a repeated line out, and says what another question with the same id is', async () => {
    const { questions, broken, notes } = await read(
      '{"id":1,"question":"A?"}\n{"id":"1","question":"A?"}\n{"id":"1","question":"B?"}\n',
    );
    assert.equal(questions.length, 1);
    assert.match(notes.join(), /1 line repeats/);
    assert.match(broken.map(({ problem }) => problem).join(), /line 1 has another question/);
  });

  it('is refused when it is empty, has no question, or is no file', async () => {
    await assert.rejects(read(''), /is empty/);
    await assert.rejects(read(' \n\n'), /is empty/);
    await assert.rejects(read('what is this\n'), /no head "question"/);
    await assert.rejects(read('{"id":1}\n'), /no question: line 1/);
    await assert.rejects(readQuestionFile(join(folder, 'none.jsonl')), /does not exist/);
    await assert.rejects(readQuestionFile(folder), /is not a file/);
  });

  it('may have 100,000 lines', async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `{"id":"q${index}","question":"What is ${index}?"}`);
    assert.equal((await read(lines.join('\n'))).questions.length, 100_000);
    const rows = ['id,question', ...lines.map((_, index) => `${index},What is ${index}?`)];
    assert.equal((await read(rows.join('\n'), 'many.csv')).questions.length, 100_000);
  });

  it('is named by its content', async () => {
    const one = await read('{"question":"A?"}');
    assert.equal((await read('{"question":"A?"}', 'other.jsonl')).name, one.name);
    assert.notEqual((await read('{"question":"B?"}')).name, one.name);
  });
});

describe('the names of reports', () => {
  const namesOf = (...ids: string[]) => [
    ...reportNames(ids.map((id) => ({ id, question: '?', priority: 0 }))).values(),
  ];

  it('are the ids, where those are plain', () => {
    assert.deepEqual(namesOf('1', 'q-2', 'Größe_3', '企业'), ['1.md', 'q-2.md', 'Größe_3.md', '企业.md']);
  });

  it('lead nowhere else, and are different, whatever the ids are', () => {
    const ids = ['../../etc/passwd', '..', '.', 'a/b', 'a\\b', 'a b', 'A', 'a', 'CON', 'results', '\u202Eevil', '-'];
    const names = namesOf(...ids, 'x'.repeat(200));
    for (const name of names) assert.match(name, /^[\p{L}\p{N}_-]{1,100}\.md$/u);
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, ids.length + 1);
    assert.ok(!names.some((name) => /^(?:con|results)\.md$/i.test(name)));
  });
});
