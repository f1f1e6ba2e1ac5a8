import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readCommits } from '../../../src/node/gitHistory.ts';
import { openWorkspace } from '../../../src/node/workspace.ts';
import { createWorkspaceTools } from '../../../src/sources/workspace/workspaceTools.ts';
import { removeFolder, temporaryFolder } from '../../support/paths.ts';
import { english } from '../../support/sourceContext.ts';

const skip = spawnSync('git', ['--version']).status === 0 ? false : 'git is not here';
const never = new AbortController().signal;
const secret = ['ghp', 'x1'.repeat(18)].join('_');
let folder: string;

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=Ann Lee', '-c', 'user.email=ann@example.org', '-c', 'commit.gpgSign=false'];
  execFileSync('git', ['-C', folder, ...identity, ...args], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_AUTHOR_DATE: '2026-03-04T05:06:07Z' },
    stdio: 'pipe',
  });
}
function commit(file: string, message: string): void {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  fs.appendFileSync(path.join(folder, file), `${message}\n`);
  git('add', '-A');
  git('commit', '-q', '-m', message);
}

describe('the history of a repository', { skip }, () => {
  before(() => {
    folder = temporaryFolder('history');
    git('init', '-q');
    commit('src/queue.ts', 'Retry a failed job three times\n\nA single retry lost jobs when the broker restarted.');
    commit('docs/readme.md', 'Describe the queue');
    commit('src/queue.ts', `Rotate the key ${secret}`);
  });
  after(() => removeFolder(folder));

  it('is its last commits, newest first, with secrets masked', async () => {
    const commits = await readCommits(folder, undefined, never);
    assert.deepEqual(
      commits.map(({ author, date, message }) => [author, date, message.split('\n')[0]!.slice(0, 14)]),
      [
        ['Ann Lee', '2026-03-04', 'Rotate the key'],
        ['Ann Lee', '2026-03-04', 'Describe the q'],
        ['Ann Lee', '2026-03-04', 'Retry a failed'],
      ],
    );
    assert.ok(!JSON.stringify(commits).includes(secret));
    assert.match(commits[2]!.message, /broker restarted\.$/);
  });

  it('is of one file, or of a folder of the repository', async () => {
    assert.equal((await readCommits(folder, 'src/queue.ts', never)).length, 2);
    assert.equal((await readCommits(path.join(folder, 'docs'), undefined, never)).length, 1);
    assert.equal((await readCommits(folder, ':(exclude)src', never)).length, 0);
    assert.equal((await readCommits(folder, '--output=x', never)).length, 0);
  });

  it('runs nothing that the repository names', async () => {
    const proof = path.join(folder, 'proof');
    const script = path.join(folder, 'evil.sh');
    fs.writeFileSync(script, `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
    for (const [key, value] of [
      ['core.fsmonitor', script],
      ['core.pager', script],
      ['pager.log', script],
      ['log.showSignature', 'true'],
      ['gpg.program', script],
      ['diff.external', script],
      ['core.sshCommand', script],
      ['alias.log', `!${script}`],
      ['core.hooksPath', folder],
      ['interactive.diffFilter', script],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', `ext::${script}`],
      ['remote.origin.promisor', 'true'],
    ] as const)
      execFileSync('git', ['config', '--file', path.join(folder, '.git/config'), key, value]);
    fs.writeFileSync(path.join(folder, '.git/hooks/post-index-change'), fs.readFileSync(script), { mode: 0o755 });
    // An object that is missing would be fetched from the promisor.
    assert.equal((await readCommits(folder, undefined, never)).length, 3);
    const objects = path.join(folder, '.git/objects');
    const tree = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD^{tree}']).toString().trim();
    fs.rmSync(path.join(objects, tree.slice(0, 2), tree.slice(2)));
    await readCommits(folder, 'src/queue.ts', never);
    assert.ok(!fs.existsSync(proof));
    execFileSync('git', ['config', '--file', path.join(folder, '.git/config'), '--remove-section', 'extensions']);
  });

  it('is empty where there is none, and ends with Stop', async () => {
    const bare = temporaryFolder('bare');
    try {
      assert.deepEqual(await readCommits(bare, undefined, never), []);
      execFileSync('git', ['init', '-q', '--bare', bare]);
      assert.deepEqual(await readCommits(bare, undefined, never), []);
      const stop = new AbortController();
      const reading = readCommits(folder, undefined, stop.signal);
      stop.abort(new Error('Stopped.'));
      await assert.rejects(reading, /Stopped/);
    } finally {
      removeFolder(bare);
    }
  });
});

describe('what a model can ask of the code', { skip }, () => {
  let tools: ReturnType<typeof createWorkspaceTools>;
  const run = (name: string, args: Record<string, unknown>) =>
    tools.find((tool) => tool.name === name)!.run(args, english, never);
  before(() => {
    folder = temporaryFolder('code');
    git('init', '-q');
    commit('src/queue.ts', 'Retry a failed job three times\n\nA single retry lost jobs when the broker restarted.');
    commit('notes.md', 'Describe the queue');
    fs.writeFileSync(
      path.join(folder, 'src/queue.ts'),
      'const limit = 3;\n\n/** Tries again. */\nexport function retryJob(job: Job): void {\n  run(job, limit);\n}\n\nfunction other() {\n  retryJob(x);\n}\n',
    );
    tools = createWorkspaceTools(openWorkspace(folder, { exclude: [], reportFolder: 'research' }));
  });
  after(() => removeFolder(folder));

  it('commits by their words', async () => {
    const { documents, note } = await run('read_git_history', { about: 'why are failed jobs retried' });
    assert.match(documents[0]?.title ?? '', /^Retry a failed job three times \(commit [0-9a-f]{10}\)$/);
    assert.deepEqual([documents[0]?.authors, documents[0]?.isPrivate], [['Ann Lee'], true]);
    assert.match(note ?? '', /of the last 2 commits of the repository, about/);
    await assert.rejects(run('read_git_history', { path: '../x' }), /no file/);
    assert.equal((await run('read_git_history', { path: 'notes.md' })).documents.length, 1);
  });

  it('definitions in the common languages, and nothing that only uses the name', async () => {
    const defines: Readonly<Record<string, string>> = {
      'a.py': 'class Widget:\n    pass',
      'b.go': 'func (q *Queue) Widget(n int) error {\n}',
      'c.rs': 'pub struct Widget {\n}',
      'd.java': '  public static List<Item> Widget(int a) {\n  }',
      'e.ts': 'export const Widget = 1;',
      'f.kt': 'fun Widget() = 1',
      'g.c': 'static int Widget(void) {\n}',
      'h.rb': 'def Widget\nend',
      'i.cpp': 'int Shop::Widget(int a) {\n}',
    };
    const uses: Readonly<Record<string, string>> = {
      'u.py': 'x = Widget()',
      'v.go': 'if Widget(3) {\n}',
      'w.ts': 'return new Widget(1);',
      'x.ts': 'class WidgetList {}',
      'y.ts': 'import { Widget } from "./e";',
      'z.java': 'for (Item i : Widget(1)) {\n}',
    };
    for (const [name, text] of Object.entries({ ...defines, ...uses })) fs.writeFileSync(path.join(folder, name), text);
    tools = createWorkspaceTools(openWorkspace(folder, { exclude: [], reportFolder: 'research' }));
    const { documents } = await run('find_symbol', { name: 'Widget', max_results: 20 });
    const found = documents.map(({ file }) => file!.path).sort();
    const missed = Object.keys(defines).filter((name) => !found.includes(name));
    const wrong = found.filter((name) => name in uses);
    assert.deepEqual({ missed, wrong }, { missed: [], wrong: [] });
  });

  it('definitions by name: in the texts, or as the editor knows them', async () => {
    const { documents } = await run('find_symbol', { name: 'retryJob' });
    assert.deepEqual(documents[0]?.file, { path: 'src/queue.ts', firstLine: 4, lastLine: 6 });
    assert.match(documents[0]?.text ?? '', /^export function retryJob/);
    assert.match((await run('find_symbol', { name: 'nothing(here' })).note ?? '', /defines nothing/);
    for (const name of ['a-b', '[', '\\', '#x', '名'])
      assert.match((await run('find_symbol', { name })).note ?? '', /defines nothing/);
    const symbols = async () => [
      { name: 'retryJob', kind: 'function', container: '', path: 'src/queue.ts', firstLine: 4, lastLine: 6 },
      { name: 'retryJob', kind: 'function', container: '', path: '../outside.ts', firstLine: 1, lastLine: 2 },
    ];
    const known = createWorkspaceTools(openWorkspace(folder, { exclude: [], reportFolder: 'research', symbols }));
    const found = await known.find(({ name }) => name === 'find_symbol')!.run({ name: 'retryJob' }, english, never);
    assert.deepEqual(
      found.documents.map(({ title, file }) => [title, file?.path]),
      [['function retryJob (queue.ts)', 'src/queue.ts']],
    );
  });
});
