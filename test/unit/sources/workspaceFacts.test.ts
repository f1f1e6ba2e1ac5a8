import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openWorkspace } from '../../../src/node/workspace.ts';
import { findGithubRepos, githubPageHost, parseGithubRepo } from '../../../src/sources/github/githubRepo.ts';
import { packagesOf } from '../../../src/sources/workspace/manifests.ts';
import { readAllSettings } from '../../../src/catalogue.ts';
import { readWorkspaceFacts } from '../../../src/sources/workspaceFacts.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const never = new AbortController().signal;
const folders: TemporaryFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

async function factsOf(files: Readonly<Record<string, string>>, base = 'https://api.github.com') {
  const folder = await temporaryFolder(files);
  folders.push(folder);
  return readWorkspaceFacts(
    openWorkspace(folder.path, { exclude: [], reportFolder: 'research' }),
    readAllSettings({ 'endpoints.github': base }).settings,
    never,
  );
}

describe('the facts of a workspace', () => {
  it('are its repositories, languages, packages, papers and links', async () => {
    const facts = await factsOf({
      '.git/config':
        '[remote "origin"]\n\turl = https://token@github.com/acme/rag-kit.git\n[remote "fork"]\n\turl = git@gitlab.com:acme/other.git\n',
      'package.json':
        '{"dependencies": {"zod": "^4", "local": "file:../local"}, "devDependencies": {"@types/node": "1", "typescript": "^7"}}',
      'tools/requirements.txt': 'torch>=2\n# comment\n-r other.txt\nlangchain[all]==1.0 ; python_version > "3"\n',
      'src/a.ts': 'x'.repeat(900),
      'tools/b.py': 'x'.repeat(300),
      'c.sh': 'x'.repeat(10),
      'README.md':
        'See https://arxiv.org/abs/2005.11401v4 and [kit](https://github.com/facebookresearch/faiss/tree/main/x). More: https://github.com/features/actions.',
      'refs.bib': '@article{a, title={T}, eprint={2312.10997}, archivePrefix={arXiv}}\n',
      'node_modules/x/README.md': 'https://github.com/not/counted',
    });
    assert.deepEqual(facts, {
      name: facts.name,
      repos: ['acme/rag-kit'],
      languages: ['TypeScript', 'Python'],
      packages: ['zod', 'typescript', 'torch', 'langchain'],
      packageSystems: { zod: 'npm', typescript: 'npm', torch: 'pypi', langchain: 'pypi' },
      arxivIds: ['2005.11401', '2312.10997'],
      papers: ['arXiv:2005.11401', 'arXiv:2312.10997'],
      githubLinks: ['facebookresearch/faiss'],
      fileCount: 7,
    });
  });

  it('are empty for an empty folder, and survive what is malformed', async () => {
    const empty = await factsOf({});
    assert.deepEqual(
      { ...empty, name: '' },
      { name: '', repos: [], languages: [], packages: [], arxivIds: [], githubLinks: [], fileCount: 0 },
    );
    const odd = await factsOf({
      'package.json': '{"dependencies": [',
      'pyproject.toml': '[[[',
      'go.mod': '\u0001',
      '.git/config': '[remote "origin"]\n url = ::::',
    });
    assert.deepEqual([odd.packages, odd.repos], [[], []]);
    assert.deepEqual((await factsOf({ 'package.json': 'null' })).packages, []);
    assert.deepEqual(
      (await factsOf({ 'package.json': '{"dependencies": "x", "devDependencies": {"../../evil name": "1"}}' }))
        .packages,
      [],
    );
  });

  it('know the repositories of the configured enterprise host', async () => {
    const config = '[remote "origin"]\n\turl = git@git.example.com:team/app.git\n';
    assert.deepEqual((await factsOf({ '.git/config': config }, 'https://git.example.com/api/v3')).repos, ['team/app']);
    assert.deepEqual((await factsOf({ '.git/config': config })).repos, []);
  });
});

describe('packages of a manifest', () => {
  it('are read from the usual kinds', () => {
    assert.deepEqual(
      packagesOf(
        'pyproject.toml',
        '[project]\nname = "x"\ndependencies = [\n  "httpx>=0.27",\n  "uvicorn[standard]",\n]\nkeywords = ["not", "these"]\n[project.optional-dependencies]\ndev = ["pytest>=8"]\n[tool.ruff]\nselect = ["E"]\n',
      ),
      ['httpx', 'uvicorn', 'pytest'],
    );
    assert.deepEqual(
      packagesOf(
        'pyproject.toml',
        '[tool.poetry.dependencies]\npython = "^3.12"\nnumpy = "^2"\n[tool.poetry.group.dev.dependencies]\nmypy = "1"\n',
      ),
      ['numpy', 'mypy'],
    );
    assert.deepEqual(packagesOf('pyproject.toml', '[project]\ndependencies = ["a", "b[x]>1"]\n'), ['a', 'b']);
    assert.deepEqual(
      packagesOf(
        'Cargo.toml',
        '[package]\nname = "x"\n[dependencies]\nserde = { version = "1" }\ntokio = "1"\n[dev-dependencies]\nproptest = "1"\n',
      ),
      ['serde', 'tokio', 'proptest'],
    );
    assert.deepEqual(
      packagesOf(
        'go.mod',
        'module x\nrequire github.com/a/b v1.0.0\nrequire (\n\tgolang.org/x/net v0.1.0\n\tgithub.com/c/d v2.0.0 // indirect\n)\n',
      ),
      ['github.com/a/b', 'golang.org/x/net'],
    );
    assert.deepEqual(
      packagesOf(
        'pom.xml',
        '<project><artifactId>self</artifactId><dependencies><dependency><groupId>g</groupId><artifactId>junit</artifactId></dependency></dependencies></project>',
      ),
      ['junit'],
    );
    assert.deepEqual(packagesOf('a/requirements-dev.txt', 'flask\n./local\nhttps://x.y/z.whl\n'), ['flask']);
    assert.deepEqual(packagesOf('other.txt', 'flask'), []);
  });
});

describe('a GitHub repository', () => {
  it('is read from its name, its pages and its remotes', () => {
    for (const text of [
      'facebookresearch/faiss',
      'https://github.com/facebookresearch/faiss',
      'http://www.github.com/facebookresearch/faiss.git',
      'git@github.com:facebookresearch/faiss.git',
      'ssh://git@github.com/facebookresearch/faiss.git',
      'github.com/facebookresearch/faiss/issues/3',
      'https://github.com/facebookresearch/faiss/blob/main/README.md?plain=1#L3',
      ' <https://github.com/facebookresearch/faiss> ',
    ]) {
      assert.equal(parseGithubRepo(text), 'facebookresearch/faiss', text);
    }
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'faiss',
      'a/b/c',
      '../x',
      'a/..',
      'https://gitlab.com/a/b',
      'https://github.com/a',
      'https://github.com/topics/rag',
      'a b/c',
      'a/b?c d',
      '-a/b',
      'https://evil.com/github.com/a/b',
      'http://[',
      `${'a'.repeat(50)}/b`,
    ]) {
      assert.equal(parseGithubRepo(text), text === 'a/b?c d' ? 'a/b' : undefined, text);
    }
  });

  it('has its pages on the host of the API', () => {
    assert.equal(githubPageHost('https://api.github.com'), 'github.com');
    assert.equal(githubPageHost('https://git.example.com/api/v3'), 'git.example.com');
    assert.equal(githubPageHost('https://api.acme.ghe.com'), 'acme.ghe.com');
    assert.equal(githubPageHost('http://127.0.0.1:4000'), 'github.com');
  });

  it('is found in texts', () => {
    assert.deepEqual(
      findGithubRepos(
        '[a](https://github.com/A/b) github.com/a/B, https://github.com/c/d.git. https://github.com/sponsors/e git@github.com:f/g.git mygithub.com/h/i',
      ),
      ['A/b', 'c/d', 'f/g'],
    );
  });
});
