import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import fc from 'fast-check';
import { openWorkspace, type WorkspaceOptions } from '../../../src/node/workspace.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import type { WorkspacePort } from '../../../src/research/ports.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const never = new AbortController().signal;
const folders: TemporaryFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<TemporaryFolder> {
  const folder = await temporaryFolder(files);
  folders.push(folder);
  return folder;
}
function open(folder: TemporaryFolder | string, options: Partial<WorkspaceOptions> = {}): WorkspacePort {
  return openWorkspace(typeof folder === 'string' ? folder : folder.path, {
    exclude: [],
    reportFolder: 'research',
    listingMs: 0,
    ...options,
  });
}
async function paths(port: WorkspacePort): Promise<string[]> {
  return (await port.files(never)).map(({ path }) => path);
}
const report =
  '---\ntitle: T\nquestion: "What?"\ncreated: 2026-01-01T00:00:00Z\nstrategy: sections\nmodel: null\nrun: abc\nsources: 3\n---\n\n# T\n';

describe('the files of a workspace', () => {
  it('are listed by path with size and time', async () => {
    const folder = await folderWith({ 'b.md': 'two', 'a/x.ts': 'one', README: 'r', 'a/b/c/d.txt': '' });
    const files = await open(folder).files(never);
    assert.deepEqual(
      files.map(({ path, size }) => [path, size]),
      [
        ['README', 1],
        ['a/b/c/d.txt', 0],
        ['a/x.ts', 3],
        ['b.md', 3],
      ],
    );
    assert.ok(files.every(({ modified }) => Math.abs(Date.now() - modified) < 60_000));
    assert.equal(open(folder).name, folder.path.split('/').at(-1));
  });

  it('leave out what .gitignore names, in each folder, with exceptions', async () => {
    const folder = await folderWith({
      '.gitignore': '*.log\n/private/\nnotes/*\n!notes/keep.md\n',
      'a.log': '',
      'a.md': '',
      'private/p.md': '',
      'sub/private/p.md': '',
      'notes/drop.md': '',
      'notes/keep.md': '',
      'sub/.gitignore': '!important.log\nlocal.md\n',
      'sub/important.log': '',
      'sub/other.log': '',
      'sub/local.md': '',
      'local.md': '',
    });
    assert.deepEqual(await paths(open(folder)), [
      'a.md',
      'local.md',
      'notes/keep.md',
      'sub/important.log',
      'sub/private/p.md',
    ]);
  });

  it('follow the rules of the repository that the folder lies in, and its info/exclude', async () => {
    const folder = await folderWith({
      '.git/info/exclude': 'mine.md\n',
      '.git/config': '',
      '.gitignore': 'drafts/\n/packages/app/hidden.md\n',
      'packages/app/hidden.md': '',
      'packages/app/seen.md': '',
      'packages/app/mine.md': '',
      'packages/app/drafts/d.md': '',
    });
    assert.deepEqual(await paths(open(join(folder.path, 'packages/app'))), ['seen.md']);
    // Who opens an ignored folder means it.
    assert.deepEqual(await paths(open(join(folder.path, 'packages/app/drafts'))), ['d.md']);
  });

  it('leave out dependencies, build products, hidden and generated files', async () => {
    const folder = await folderWith({
      'node_modules/x/index.js': '',
      'dist/a.js': '',
      'sub/target/b.txt': '',
      '.git/config': '',
      '.vscode/settings.json': '',
      '.github/workflows/ci.yml': '',
      '.hidden.md': '',
      'package-lock.json': '',
      'lib.min.js': '',
      'app.js.map': '',
      'myenv/pyvenv.cfg': '',
      'myenv/lib/x.py': '',
      'kept.js': '',
      'a~': '',
    });
    assert.deepEqual(await paths(open(folder)), ['.github/workflows/ci.yml', 'kept.js']);
  });

  it('leave out binaries by name, and refuse them on reading by what they hold', async () => {
    const folder = await folderWith({
      'logo.png': 'x',
      'paper.pdf': 'x',
      'model.safetensors': 'x',
      'odd.txt': new Uint8Array([80, 0, 1, 2]),
    });
    const port = open(folder);
    assert.deepEqual(await paths(port), ['odd.txt']);
    await assert.rejects(
      port.read('odd.txt', never),
      (error: unknown) => ResearchError.is(error, 'badRequest') && /not a text file/.test(error.message),
    );
  });

  it('leave out our own reports wherever they lie, and nothing else that has front matter', async () => {
    const folder = await folderWith({
      'copied/elsewhere.md': report,
      'windows.md': `\uFEFF${report.replaceAll('\n', '\r\n')}`,
      'long.md': report.replace('What?', 'w'.repeat(10_000)),
      'research/2026-01-01-what.md': '# without front matter',
      'research/notes.md': '# my own',
      'post.md': '---\ntitle: T\nquestion: q\n---\nstrategy: x\nrun: y\n',
      'plain.md': '# question: strategy: run:',
    });
    assert.deepEqual(await paths(open(folder)), ['plain.md', 'post.md', 'research/notes.md']);
    await folder.write({ 'plain.md': report });
    assert.deepEqual(await paths(open(folder)), ['post.md', 'research/notes.md']);
  });

  it('leave out what the user excludes', async () => {
    const folder = await folderWith({ 'docs/a.md': '', 'docs/deep/b.md': '', 'data/c.csv': '', 'd.md': '' });
    assert.deepEqual(await paths(open(folder, { exclude: ['**/deep/**', 'data/'] })), ['d.md', 'docs/a.md']);
  });

  it('leave out names with characters that no one sees', async () => {
    const names = ['a\u001bc.md', 'b\u009b31m.md', 'c\u202egpj.md', 'd\ne.md', 'f\u001b/g.md', 'plain  name ü.md'];
    const folder = await folderWith(Object.fromEntries(names.map((name) => [name, 'Text.'])));
    assert.deepEqual(await paths(open(folder)), ['plain  name ü.md']);
  });

  it('do not include anything behind a symbolic link', async () => {
    const outside = await folderWith({ 'outside.md': 'secret', 'sub/more.md': 'secret' });
    const folder = await folderWith({ 'real.md': 'fine', '.env': 'KEY=1' });
    await symlink(join(outside.path, 'outside.md'), join(folder.path, 'link.md'));
    await symlink(join(outside.path, 'sub'), join(folder.path, 'linked'));
    await symlink('.env', join(folder.path, 'env.md'));
    await symlink(folder.path, join(folder.path, 'loop'));
    const port = open(folder);
    assert.deepEqual(await paths(port), ['real.md']);
    for (const path of ['link.md', 'linked/more.md', 'env.md', 'loop/real.md'])
      await assert.rejects(port.read(path, never), (error: unknown) => ResearchError.is(error, 'notFound'));
  });

  it('are not read through a folder that became a link after the listing', async () => {
    const outside = await folderWith({ 'file.md': 'secret' });
    const folder = await folderWith({ 'docs/file.md': 'fine' });
    const port = open(folder, { listingMs: 60_000 });
    assert.equal(await port.read('docs/file.md', never), 'fine');
    await rm(join(folder.path, 'docs'), { recursive: true });
    await symlink(outside.path, join(folder.path, 'docs'));
    await assert.rejects(port.read('docs/file.md', never), (error: unknown) => ResearchError.is(error, 'notFound'));
  });

  it('give the beginning of a file over 2 MB, up to the end of a line', async () => {
    const folder = await folderWith({
      'big.txt': 'a line of text\n'.repeat(200_000),
      'odd.txt': 'y'.repeat(2_000_001),
    });
    const port = open(folder, { listingMs: 60_000 });
    assert.deepEqual(await paths(port), ['big.txt', 'odd.txt']);
    const text = await port.read('big.txt', never);
    assert.ok(text.length > 1_900_000 && text.length <= 2_000_000 && text.endsWith('text\n'));
    assert.equal((await port.read('odd.txt', never)).length, 2_000_000);
  });

  it('survive folders that can not be read, and a folder that is gone', async () => {
    const folder = await folderWith({ 'closed/a.md': '', 'b.md': '' });
    await chmod(join(folder.path, 'closed'), 0o000);
    const listed = await paths(open(folder));
    await chmod(join(folder.path, 'closed'), 0o755);
    // Root reads everything; others see only what is open.
    assert.ok(listed.includes('b.md'));
    await assert.rejects(open(join(folder.path, 'gone')).files(never), (error: unknown) =>
      ResearchError.is(error, 'notFound'),
    );
    assert.deepEqual(await paths(open(await folderWith({}))), []);
  });

  it('stop being listed when aborted', async () => {
    const folder = await folderWith({ 'a.md': '' });
    await assert.rejects(open(folder).files(AbortSignal.abort(new Error('stop'))), /stop/);
    const stop = new AbortController();
    const listing = open(folder).files(stop.signal);
    stop.abort(new Error('stop'));
    await assert.rejects(listing, /stop/);
  });

  it('are listed within a second or so when there are thousands', async () => {
    const folder = await folderWith({});
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        await mkdir(join(folder.path, `d${n}`));
        for (let i = 0; i < 50; i += 1) await writeFile(join(folder.path, `d${n}`, `f${i}.md`), `# ${i}\n`);
      }),
    );
    assert.equal((await paths(open(folder))).length, 5_000);
  });
});

describe('a hostile workspace', () => {
  const pipe = (path: string): void => {
    execFileSync('mkfifo', [path]);
  };

  it(
    'is listed although what configures it is a pipe, a device or a folder',
    { skip: process.platform === 'win32' },
    async () => {
      for (const name of ['.gitignore', '.git', '.git/config', '.git/info/exclude', 'sub/.gitignore']) {
        for (const kind of ['pipe', 'device', 'folder']) {
          const folder = await folderWith({ 'a.md': 'text', 'sub/b.md': 'text' });
          const path = join(folder.path, name);
          await mkdir(join(path, '..'), { recursive: true });
          if (kind === 'pipe') pipe(path);
          else if (kind === 'device') await symlink('/dev/zero', path);
          else await mkdir(path);
          assert.deepEqual(await paths(open(folder)), ['a.md', 'sub/b.md']);
          await open(folder).gitRemotes(never);
        }
      }
    },
  );

  it('has its patterns matched in bounded time and memory', async () => {
    const names = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${'a'.repeat(200)}${index}.md`, 'x']));
    const lists = {
      many: Array.from({ length: 200_000 }, (_, index) => `file-${index}*.txt`).join('\n'),
      stars: Array.from({ length: 200 }, () => '*a*a*a*a*a*a*a*a*a*a*b').join('\n'),
      long: 'a'.repeat(3_000_000),
      classes: Array.from({ length: 500 }, () => '[a-z'.repeat(50)).join('\n'),
    };
    for (const text of Object.values(lists)) {
      const folder = await folderWith({ ...names, '.gitignore': text, '.git/config': text });
      assert.equal((await paths(open(folder))).length, 50);
      assert.deepEqual(await open(folder).gitRemotes(never), []);
    }
  });

  it('shows no secret that stands in an ordinary file', async () => {
    const key = `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(16)}\n-----END PRIVATE KEY-----`;
    const folder = await folderWith({
      'notes.md': `The database\nDB_PASSWORD=hunter2\n${key}\nThe port is 5432.`,
      'client.ts':
        'export const limit = 5;\nconst password: string = readPassword();\nconst apiKey = "a1b2c3d4e5f6a7b8";\n',
    });
    const port = open(folder);
    assert.equal(
      await port.read('notes.md', never),
      'The database\nDB_PASSWORD=[secret]\n[secret]\n\n\nThe port is 5432.',
    );
    assert.equal(
      await port.read('client.ts', never),
      'export const limit = 5;\nconst password: string = readPassword();\nconst apiKey = "[secret]";\n',
    );
  });
});

describe('reading a file of a workspace', () => {
  it('gives its text with plain line ends, whatever its encoding', async () => {
    const folder = await folderWith({
      'crlf.md': 'a\r\nb\rc\n',
      'bom.md': '\uFEFFüber',
      'utf16.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('größe', 'utf16le')]),
      'latin1.txt': Buffer.from('gr\u00f6\u00dfe', 'latin1'),
      'empty.txt': '',
    });
    const port = open(folder);
    const read = (path: string): Promise<string> => port.read(path, never);
    assert.equal(await read('crlf.md'), 'a\nb\nc\n');
    assert.equal(await read('bom.md'), 'über');
    assert.equal(await read('utf16.txt'), 'größe');
    assert.equal(await read('latin1.txt'), 'größe');
    assert.equal(await read('empty.txt'), '');
  });

  it('never leaves the folder, whatever the path', async () => {
    const outer = await folderWith({
      'secret.md': 'secret',
      'ws/a.md': 'fine',
      'ws/.env': 'secret',
      'ws/sub/b.md': 'fine',
    });
    const port = open(join(outer.path, 'ws'), { listingMs: 60_000 });
    const piece = fc.constantFrom(
      '..',
      '.',
      'a.md',
      'sub',
      'b.md',
      '.env',
      'secret.md',
      '',
      '\\',
      '%2e%2e',
      '~',
      '\0',
      outer.path,
      'C:',
      'ws',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('/')),
          fc.string(),
        ),
        async (path) => {
          const text = await port
            .read(path, never)
            .catch((error: unknown) => (ResearchError.is(error, 'notFound') ? '' : Promise.reject(error)));
          assert.ok(text === '' || (text === 'fine' && (path === 'a.md' || path === 'sub/b.md')), path);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the git remotes of a workspace', () => {
  const config = `[core]
    bare = false
[remote "upstream"]
    url = https://github.com/upstream/project.git
[remote "origin"]
    url = https://user:ghp_secret@github.com/acme/project.git?token=1
    pushurl = git@github.com:acme/other.git
[remote "ssh"]
    url = git@github.com:acme/by-ssh.git
[remote "local"]
    url = /srv/git/private.git
[remote "file"]
    url = file:///srv/git/private.git
[branch "main"]
    url = https://example.org/not-a-remote
`;
  it('come without credentials and local paths, origin first', async () => {
    const folder = await folderWith({ '.git/config': config });
    assert.deepEqual(await open(folder).gitRemotes(never), [
      'https://github.com/acme/project.git',
      'https://github.com/upstream/project.git',
      'ssh://github.com/acme/by-ssh.git',
    ]);
  });

  it('are found from a subfolder and from a worktree', async () => {
    const folder = await folderWith({
      'main/.git/config': config,
      'main/.git/worktrees/wt/commondir': '../..\n',
      'main/packages/a/x.md': '',
      'wt/.git': '',
      'wt/a.md': '',
    });
    await folder.write({
      'wt/.git': `gitdir: ${join(folder.path, 'main/.git/worktrees/wt')}\n`,
      'main/.git/worktrees/wt/gitdir': `${join(folder.path, 'wt/.git')}\n`,
    });
    assert.equal(
      (await open(join(folder.path, 'main/packages/a')).gitRemotes(never))[0],
      'https://github.com/acme/project.git',
    );
    assert.equal((await open(join(folder.path, 'wt')).gitRemotes(never))[0], 'https://github.com/acme/project.git');
  });

  it('are those of a submodule, which its repository names', async () => {
    const folder = await folderWith({
      'main/.git/config': '[core]\n',
      'main/.git/modules/sub/config': `[core]\n\tworktree = ../../../sub\n${config}`,
      'main/sub/.git': 'gitdir: ../.git/modules/sub\n',
    });
    assert.equal(
      (await open(join(folder.path, 'main/sub')).gitRemotes(never))[0],
      'https://github.com/acme/project.git',
    );
  });

  it("are not read from a stranger's repository, by a file or by links", async () => {
    const folder = await folderWith({
      'victim/.git/config': config,
      'victim/.git/worktrees/x/commondir': '../..\n',
      'victim/.git/worktrees/x/gitdir': '/elsewhere/.git\n',
      'direct/.git': 'gitdir: ../victim/.git\n',
      'worktree/.git': 'gitdir: ../victim/.git/worktrees/x\n',
      'folder/a.md': '',
      'config/.git/HEAD': '',
    });
    await symlink(join(folder.path, 'victim/.git'), join(folder.path, 'folder/.git'));
    await symlink(join(folder.path, 'victim/.git/config'), join(folder.path, 'config/.git/config'));
    for (const name of ['direct', 'worktree', 'folder', 'config'])
      assert.deepEqual(await open(join(folder.path, name)).gitRemotes(never), [], name);
  });

  it('are none without a repository or with a broken one', async () => {
    assert.deepEqual(await open(await folderWith({ 'a.md': '' })).gitRemotes(never), []);
    assert.deepEqual(await open(await folderWith({ '.git': 'nonsense' })).gitRemotes(never), []);
    assert.deepEqual(await open(await folderWith({ '.git/config': '\0\0[remote "x' })).gitRemotes(never), []);
  });
});

test('a pattern with stars in a row excludes what one star would', async () => {
  const place = await temporaryFolder({ 'notes/my-plan-x.md': 'a', 'notes/other.md': 'b', 'deep/a/b/plan.md': 'c' });
  const workspace = openWorkspace(place.path, { exclude: ['**plan**', 'deep/**'], reportFolder: 'research' });
  const files = await workspace.files(new AbortController().signal);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['notes/other.md'],
  );
  await place.remove();
});
