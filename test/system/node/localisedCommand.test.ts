import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { describe, it } from 'node:test';
import { deadEndpoint } from '../../support/deadEndpoint.ts';
import { englishIn } from '../../support/englishWords.ts';
import { removeFolder, root, temporaryFolder } from '../../support/paths.ts';

function command(environment: Readonly<NodeJS.ProcessEnv>, ...args: readonly string[]) {
  const { LC_ALL: _all, LC_MESSAGES: _messages, LANG: _lang, ...env } = process.env;
  const result = spawnSync(process.execPath, [path.join(root, 'dist', 'cli.js'), ...args], {
    env: { ...env, ...environment },
    encoding: 'utf8',
  });
  return { ...result, said: result.stdout + result.stderr };
}

describe('the command line', () => {
  it('speaks the language of the terminal: the first of LC_ALL, LC_MESSAGES and LANG that is not empty', () => {
    for (const locale of [
      { LC_ALL: 'zh_CN.UTF-8', LANG: 'C' },
      { LC_ALL: '', LC_MESSAGES: 'zh_CN', LANG: 'en_US.UTF-8' },
      { LANG: 'zh_SG.UTF-8@pinyin' },
    ])
      assert.match(command(locale, '--help').stdout, /^用法：deep-research \[question\]/, JSON.stringify(locale));
    for (const locale of [
      {},
      { LANG: 'C.UTF-8' },
      { LANG: 'zh_TW.UTF-8' },
      { LANG: '../..' },
      { LC_ALL: 'en_GB', LANG: 'zh_CN' },
    ])
      assert.match(command(locale, '--help').stdout, /^Usage: deep-research \[question\]/, JSON.stringify(locale));
  });

  it('has the same options and exit codes in each language, in lines of at most 120 columns', () => {
    for (const name of [[], ['batch'], ['worker'], ['schedule']]) {
      const [english = '', chinese = ''] = ['C', 'zh_CN.UTF-8'].map(
        (LANG) => command({ LANG }, ...name, '--help').stdout,
      );
      const options = (help: string) => help.match(/^ {2,6}-.*/gm)!.map((row) => row.slice(0, 26));
      assert.deepEqual(options(chinese), options(english));
      assert.match(chinese, /^用法：/);
      for (const row of [english, chinese].flatMap((help) => help.split('\n'))) {
        const columns = [...row].reduce((sum, one) => sum + (/[\u2e80-\uffe6]/u.test(one) ? 2 : 1), 0);
        assert.ok(columns <= 120, row);
      }
    }
    const wrong = ['C', 'zh_CN.UTF-8'].map((LANG) => command({ LANG }, 'q', '--max-tokens', 'x'));
    assert.deepEqual(
      wrong.map(({ status }) => status),
      [2, 2],
    );
    assert.match(
      wrong[1]!.stderr,
      /^deep-research: --max-tokens 的值为“x”；应为大于 0 的数字。 请参阅 deep-research --help。\n$/,
    );
  });

  it('says in Chinese why a run failed, what to do, and what a check found', async () => {
    const folder = temporaryFolder('chinese');
    const settings = path.join(folder, 'settings.json');
    fs.writeFileSync(settings, JSON.stringify({ 'deepResearch.sources.enabled': ['workspace'] }));
    const places = ['--workspace', folder, '--run-dir', path.join(folder, 'runs'), '--settings', settings];
    const dead = ['-p', 'openai-compatible', '--model', 'any', '--base-url', `${await deadEndpoint()}/v1`];
    try {
      const run = command({ LANG: 'zh_CN.UTF-8' }, '水闸如何运作？', ...places, ...dead);
      assert.equal(run.status, 1);
      assert.match(run.stderr, /无法连接 127\.0\.0\.1:\d+：连接被拒绝。 请检查网络/);
      const check = command({ LANG: 'zh_CN.UTF-8' }, '--check-sources', ...places, ...dead);
      assert.match(check.stdout, /模型：any \(openai-compatible\): 无法连接/);
      const without = command({ LANG: 'zh_CN.UTF-8' }, '--check-sources', ...places, '-p', 'extractive');
      assert.match(without.stdout, /模型：无/);
      const unknown = command({ LANG: 'zh_CN.UTF-8' }, '--resume', '20260101-000000-abcdef', ...places);
      assert.equal(unknown.status, 2);
      for (const { said } of [run, check, without, unknown]) assert.deepEqual(englishIn(said), []);
    } finally {
      removeFolder(folder);
    }
  });

  it('follows a batch in Chinese, and says what is wrong with it', () => {
    const folder = temporaryFolder('chinese-batch');
    const [file, settings] = [path.join(folder, 'questions.jsonl'), path.join(folder, 'settings.json')];
    fs.writeFileSync(settings, JSON.stringify({ 'deepResearch.sources.enabled': ['workspace'] }));
    fs.writeFileSync(path.join(folder, '船闸.md'), '# 船闸\n\n船闸由上闸门、闸室和下闸门组成。\n');
    fs.writeFileSync(file, '{"id":"a","question":"船闸由什么组成？"}\n{"id":"b","question":"船闸?","attachments":["x.md"]}\n');
    const places = ['--workspace', folder, '--run-dir', path.join(folder, 'runs'), '--settings', settings];
    const zh = { LANG: 'zh_CN.UTF-8' };
    try {
      const run = command(zh, 'batch', file, ...places, '-p', 'extractive');
      assert.equal(run.status, 1, run.stderr);
      assert.match(run.stdout, /^id +结果 +引用数 +tokens +USD +s +报告或问题$/m);
      assert.match(run.stdout, /^b +failed .*附件 x\.md 不存在。/m);
      assert.match(run.stdout, /^合计 +已有报告 1 个/m);
      const none = command(zh, 'batch', path.join(folder, 'none.jsonl'), ...places);
      assert.match(none.stderr, /none\.jsonl 不存在。 请传入问题文件/);
      const queue = command(zh, 'schedule', '--list', '--queue', 'mysql://x/y');
      assert.match(queue.stderr, /队列的地址不是 PostgreSQL 的地址。/);
      for (const { said } of [run, none, queue]) assert.deepEqual(englishIn(said, ['deep-research batch retry']), []);
    } finally {
      removeFolder(folder);
    }
  });

  it('writes what programs read in English', () => {
    const { status, said } = command({ LANG: 'zh_CN.UTF-8' }, 'q', '--events', '--workspace', '/does/not/exist');
    assert.equal(status, 2);
    assert.match(said, /\/does\/not\/exist does not exist\./);
  });
});
