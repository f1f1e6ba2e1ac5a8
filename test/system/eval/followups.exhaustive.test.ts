import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { outcomes, readCases } from '../../eval/followups/cases.ts';
import { type ModelServer, startModelServer } from '../../support/modelServer.ts';
import { root } from '../../support/paths.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const dev = join(root, 'test', 'eval', 'followups', 'dev.jsonl');

describe('labelled questions about reports', () => {
  let server: ModelServer;
  let folder: TemporaryFolder;
  const cases = readCases(dev);
  before(async () => {
    // It knows the labels, and takes one for another.
    const script: Parameters<typeof startModelServer>[0] = {
      script: ({ step, question }) => {
        const one = cases.find((known) => known.question === question);
        if (step !== 'followUp' || !one) return undefined;
        const kind = one.id === 'de-01' ? 'rewrite' : one.expect[0] === 'redo' ? 'research' : one.expect[0];
        return { json: { standalone_question: question, kind, section: one.section ?? 0 } };
      },
    };
    [server, folder] = await Promise.all([
      startModelServer(script),
      temporaryFolder({ 'wrong.jsonl': '{"id": "a", "expect": "dance"}\n' }),
    ]);
  });
  after(() => Promise.all([server.close(), folder.remove()]));

  const evaluate = (...args: string[]) =>
    promisify(execFile)(process.execPath, [
      ...['--import', join(root, 'test', 'support', 'register.mjs')],
      ...[join(root, 'test', 'eval', 'followups', 'followups.eval.ts'), ...args],
      ...['--provider', 'openai-compatible', '--base-url', server.url, '--model', 'imitation-1'],
    ]);

  it('are thirty in three languages, of every kind, each with a report that has the section it means', () => {
    assert.equal(cases.length, 30);
    for (const lang of ['en', 'de', 'zh'])
      for (const outcome of outcomes)
        assert.ok(
          cases.some((one) => one.lang === lang && one.expect[0] === outcome),
          `${lang} ${outcome}`,
        );
    for (const { id, expect, section, sections } of cases)
      assert.equal(expect[0] === 'redo', section !== undefined && sections[section - 1] !== undefined, id);
  });

  it('are forty more of somebody else, each with a right outcome of the four and its report', () => {
    const others = readCases(join(root, 'test', 'eval', 'followups', 'others.jsonl'));
    assert.equal(others.length, 40);
    for (const outcome of ['answer', 'research', 'rewrite', 'challenge'])
      assert.ok(others.filter(({ expect }) => expect[0] === outcome).length >= 9, outcome);
    for (const { id, expect, section, sections } of others)
      assert.equal(expect.includes('redo'), section !== undefined && sections[section - 1] !== undefined, id);
  });

  it('are scored as the model takes them, with the report and not a first question in the prompt', async () => {
    const { stdout } = await evaluate('--questions', dev);
    assert.match(stdout, /^answer +8 +\. +1 +\. +\. +\.$/m);
    assert.match(stdout, /^redo +\. +\. +\. +\. +3 +\.$/m);
    assert.match(stdout, /^right: 29 of 30$/m);
    assert.match(stdout, /^de-01: expected answer; got rewrite/m);
    const asked = server.requests.filter(({ step }) => step === 'followUp');
    assert.equal(asked.length, 30);
    for (const [index, { prompt }] of asked.entries()) assert.ok(prompt.includes(cases[index]!.report.slice(0, 200)));
  });

  it('end with the line that is none', async () => {
    await assert.rejects(evaluate('--questions', join(folder.path, 'wrong.jsonl')), /wrong\.jsonl:1 is no labelled/);
  });
});
