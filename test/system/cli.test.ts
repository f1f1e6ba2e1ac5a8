import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CommandResult, runCommand, runInHost, startCommand } from '../support/commandLine.ts';
import { startModelServer } from '../support/modelServer.ts';
import {
  clarifyOnce,
  discoverList,
  either,
  failResearcher,
  refusals,
  sendBackOnce,
  whenever,
} from '../support/modelScenarios.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { ofType } from '../support/scriptedParts.ts';
import { imitatedSettings, startSourceServer, type SourceServer } from '../support/sourceServer.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

describe('command line', () => {
  let workspace: string;
  let runs: string;
  let sources: SourceServer;
  let offline: string;
  let online: string;

  before(async () => {
    workspace = copyWorkspace('examples');
    runs = temporaryFolder('runs');
    sources = await startSourceServer();
    const dead = await deadUrl();
    offline = path.join(runs, 'offline.json');
    online = path.join(runs, 'online.json');
    fs.writeFileSync(offline, JSON.stringify(imitatedSettings({ arxivUrl: dead, githubUrl: dead })));
    fs.writeFileSync(
      online,
      JSON.stringify({
        ...imitatedSettings(sources),
      }),
    );
  });
  after(async () => {
    await sources.close();
    removeFolder(workspace);
    removeFolder(runs);
  });

  const common = () => ['--workspace', workspace, '--run-dir', runs, '--settings', offline];

  let made: Promise<CommandResult> | undefined;
  /** A run without a key and a network, made once. */
  const withEvents = () => (made ??= runCommand([question, ...common(), '--yes', '--events']));

  it('writes a report with no key and no network, on stdout and in the workspace', async () => {
    const { code, stdout, stderr } = await runCommand([question, ...common(), '--yes']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^---\ntitle: "/);
    assert.match(stdout, /\n## References\n\n- <a id="ref-1"><\/a>\[1\] /);
    const [beside, ...saved] = fs.readdirSync(path.join(workspace, 'research')).sort();
    assert.equal(saved.length, 1);
    assert.match(saved[0]!, /^\d{4}-\d{2}-\d{2}-[\p{L}\p{N}-]+\.md$/u);
    assert.equal(beside, saved[0]!.replace(/\.md$/, '.evidence.md'));
    assert.equal(fs.readFileSync(path.join(workspace, 'research', saved[0]!), 'utf8'), stdout);
    assert.match(stderr, /Report: .*research/);
    assert.match(stderr, /For a written report start Ollama or LM Studio, set a key/, 'how to get a model');
    const again = await withEvents();
    assert.equal(again.code, 0);
    assert.equal(fs.readFileSync(path.join(workspace, 'research', saved[0]!), 'utf8'), stdout);
    assert.ok(fs.readdirSync(path.join(workspace, 'research')).some((name) => /-2\.md$/.test(name)));
  });

  it('quotes the workspace word for word: every quotation stands in the lines that it names', async () => {
    const { events } = await withEvents();
    const last = events.at(-1)!;
    assert.ok(last.type === 'run/finished' && last.path);
    const report = fs.readFileSync(last.path, 'utf8');
    const quotations = [...report.matchAll(/^#### ([\w./-]+):(\d+)(?:–(\d+))?[^\n]*\n\n((?:>[^\n]*\n)+)/gm)];
    assert.ok(quotations.length >= 3, report);
    for (const [, file, first, last = first, text] of quotations) {
      const source = fs
        .readFileSync(path.join(workspace, file!), 'utf8')
        .split('\n')
        .slice(Number(first) - 1, Number(last))
        .join(' ');
      const bare = (value: string) =>
        value
          .replace(/\[\[\d+\]\]\(#ref-\d+\)/g, '')
          .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/\[\d+\]|^> ?|[*`_\\#]/gm, '')
          .replace(/\s+/g, ' ')
          .trim();
      assert.ok(bare(source).includes(bare(text!)), `${text}\nnot in ${file}: ${source}`);
    }
  });

  it('gives one JSON event a line with --events, the path in the last one', async () => {
    const { code, stdout, events } = await withEvents();
    assert.equal(code, 0);
    const lines = stdout.trim().split('\n');
    assert.equal(events.length, lines.length);
    assert.deepEqual(
      events.map(({ seq }) => seq),
      lines.map((_, index) => index + 1),
    );
    assert.equal(new Set(events.map(({ run }) => run)).size, 1);
    const last = events.at(-1)!;
    assert.ok(last.type === 'run/finished' && last.path && fs.existsSync(last.path));
    const folder = path.join(runs, last.run);
    assert.deepEqual(fs.readdirSync(folder).sort(), [
      'checkpoints.ndjson',
      'events.ndjson',
      'evidence',
      'journal.ndjson',
      'report.md',
      'run.json',
      'sources.json',
    ]);
    assert.equal(fs.readFileSync(path.join(folder, 'events.ndjson'), 'utf8'), stdout);
  });

  it('finds papers and repositories, and cites them', async () => {
    const { code, events, stderr } = await runInHost([
      question,
      '--workspace',
      workspace,
      '--run-dir',
      runs,
      '--settings',
      online,
      '--yes',
      '--events',
    ]);
    assert.equal(code, 0, stderr);
    const kinds = new Set(ofType(events, 'source/added').map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ['arxiv', 'github', 'workspace']);
    const calls = ofType(events, 'tool/finished').filter(({ error }) => error === undefined);
    assert.ok(
      calls.some(({ name }) => name === 'search_arxiv_papers') && calls.some(({ name }) => name === 'github_search'),
    );
  });

  it('writes to a file or folder of choice, adding a number when it is taken', async () => {
    const out = temporaryFolder('out');
    for (const expected of ['my.md', 'my-2.md']) {
      const { code } = await runInHost([question, ...common(), '--yes', '--out', path.join(out, 'my.md')]);
      assert.equal(code, 0);
      assert.ok(fs.existsSync(path.join(out, expected)));
    }
    const { code } = await runInHost([question, ...common(), '--yes', '--out', path.join(out, 'new', 'folder')]);
    assert.equal(code, 0);
    assert.equal(fs.readdirSync(path.join(out, 'new', 'folder')).length, 2, 'the report and its evidence');
    removeFolder(out);
  });

  for (const [why, args, says] of [
    ['no question and no terminal', [], /no question/i],
    ['an empty question', [''], /no question/i],
    ['an empty query', ['--query', '  '], /no question/i],
    ['an overlong question', ['x'.repeat(100_000)], /100,000 characters; the limit is 20,000/],
    ['an unknown option', [question, '--frobnicate'], /frobnicate/],
    ['an option without its value, as from an unset variable', [question, '--out', ''], /--out is empty/],
    ['a report of another format', [question, '--out', 'report.pdf'], /report\.pdf[^]*Pass a path that ends in \.md/],
    ['an unknown strategy', [question, '--strategy', 'magic'], /strategy.*"magic".*allowed: auto, sections/],
    ['an unknown provider', [question, '-p', 'nobody'], /model\.provider.*"nobody".*allowed: auto, openai/],
    [
      'a bad number',
      [question, '--max-iterations', '11'],
      /--max-iterations is "11"; allowed: a whole number from 1 to 10/,
    ],
    ['a base URL that is none', [question, '--base-url', 'localhost:1'], /model\.baseUrl.*http\(s\) URL/],
    ['a missing workspace', [question, '--workspace', '/no/such/folder'], /--workspace .*does not exist/],
    ['a file as workspace', [question, '--workspace', process.execPath], /--workspace .*is not a folder/],
    [
      'an address with a password, which is not shown,',
      [question, '--base-url', 'http://user:hunter2@127.0.0.1:9/v1'],
      /^(?![^]*hunter2)[^]*model\.baseUrl.*http\(s\) URL/,
    ],
    ['a missing settings file', [question, '--settings', 'nothing.json'], /--settings nothing\.json can't be read/],
  ] as const) {
    it(`refuses ${why} with exit code 2`, async () => {
      const { code, stdout, stderr } = await runInHost([...args, '--run-dir', runs]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, says);
      assert.equal(stdout, '');
      assert.ok(!/\n\s+at /.test(stderr), 'no stack trace');
    });
  }

  it('refuses settings that are no JSON object, or hold a bad value, and warns of an unknown key', async () => {
    const file = path.join(runs, 'bad.json');
    for (const [content, says] of [
      ['{', /not valid JSON/],
      ['[]', /not a JSON object/],
      ['{"deepResearch.depth": "abyss"}', /"deepResearch\.depth" is "abyss"; allowed: quick, standard, deep/],
      [
        '{"deepResearch.limits.maxReviewIterations": 9}',
        /maxReviewIterations" is 9; allowed: a whole number from 0 to 5/,
      ],
      [
        `{"deepResearch.depth": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        /depth" is a list; allowed: quick, standard, deep/,
      ],
      [`${'{"a":'.repeat(100_000)}1${'}'.repeat(99_999)}, "deepResearch.depth": 1}`, /depth" is 1; allowed/],
    ] as const) {
      fs.writeFileSync(file, content);
      const { code, stderr } = await runInHost([question, '--settings', file, '--run-dir', runs]);
      assert.equal(code, 2);
      assert.match(stderr, says);
    }
    fs.writeFileSync(
      file,
      JSON.stringify({ ...(JSON.parse(fs.readFileSync(offline, 'utf8')) as object), 'deepResearch.nonsense': 1 }),
    );
    const { code, stdout, stderr } = await runInHost([
      question,
      '--settings',
      file,
      '--run-dir',
      runs,
      '--workspace',
      workspace,
      '--yes',
    ]);
    assert.equal(code, 0);
    assert.match(stderr, /"deepResearch\.nonsense" is unknown/);
    const account = stdout.split('## How this report was made')[1] ?? '';
    assert.match(account, /"deepResearch\.nonsense" is unknown/);
  });

  it('prints help and version', async () => {
    const help = await runCommand(['--help']);
    assert.equal(help.code, 0);
    assert.match(help.stdout, /^Usage: deep-research/);
    const version = await runInHost(['--version']);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('takes questions in Chinese, Arabic and emoji', async () => {
    for (const [text, heading] of [
      ['RAG 的主要技术有哪些？', '## 结论与展望'],
      ['ما هي تقنيات retrieval-augmented generation؟', '## الخلاصة والآفاق'],
    ] as const) {
      const { code, stdout, stderr } = await runInHost([text, ...common(), '--yes']);
      assert.equal(code, 0, stderr);
      assert.ok(stdout.includes(`question: ${JSON.stringify(text)}`));
      assert.ok(stdout.includes(heading), stdout.slice(0, 400));
    }
    const emoji = await runInHost(['🔥🚀', ...common(), '--yes']);
    assert.equal(emoji.code, 2, emoji.stderr);
    assert.match(emoji.stderr, /does not say what it is about/);
  });

  it('stops with 3 when a question waits that nobody can answer, and keeps the run', async () => {
    const { code, events } = await runInHost(['help me', ...common(), '--events']);
    assert.equal(code, 3);
    assert.equal(ofType(events, 'clarify/asked').length, 1);
    assert.equal(events.at(-1)!.type, 'run/paused');
    assert.ok(fs.existsSync(path.join(runs, events[0]!.run, 'run.json')));
  });

  it('fails with noEvidence when nothing is found, saying what to do', async () => {
    const empty = temporaryFolder('empty');
    const { code, stderr } = await runInHost([
      question,
      '--workspace',
      empty,
      '--run-dir',
      runs,
      '--settings',
      offline,
      '--yes',
    ]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /no service could be reached, so nothing was found.* Check the network and rerun the question/,
    );
    assert.equal(fs.existsSync(path.join(empty, 'research')), false);
    removeFolder(empty);
  });

  it('keeps the report when it cannot be saved: on stdout and in the run', async () => {
    const blocked = path.join(runs, 'a-file');
    fs.writeFileSync(blocked, 'in the way');
    const { code, stdout, stderr } = await runInHost([
      question,
      ...common(),
      '--yes',
      '--out',
      path.join(blocked, 'folder'),
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /Could not save the report .*saved in/);
    assert.match(stdout, /## References/);
  });

  it('researches although the run’s folder can’t be made, and says so', async () => {
    const blocked = path.join(runs, 'b-file');
    fs.writeFileSync(blocked, 'in the way');
    const { code, stdout, stderr } = await runInHost([
      question,
      '--workspace',
      workspace,
      '--settings',
      offline,
      '--run-dir',
      path.join(blocked, 'x'),
      '--yes',
    ]);
    assert.equal(code, 0);
    assert.equal(stderr.match(/This run is not saved/g)?.length, 1);
    assert.match(stderr, /Could not make the run's folder/);
    assert.match(stdout, /## References/);
  });

  describe('with an OpenAI-compatible model', () => {
    const model = (url: string) => [...common(), '--base-url', url, '--model', 'imitation-1'];

    it('asks, sends a section back, and writes a cited report', async () => {
      const scripted = await startModelServer({ script: either(clarifyOnce(), sendBackOnce(0)) });
      const { code, events, stderr } = await runInHost([
        question,
        ...model(scripted.url),
        '--answer',
        '2',
        '--yes',
        '--events',
      ]);
      await scripted.close();
      assert.equal(code, 0, stderr);
      assert.equal(ofType(events, 'clarify/answered')[0]!.answer, 'Recent results');
      assert.equal(ofType(events, 'review/finished')[0]!.retry.length, 1);
      assert.ok(ofType(events, 'section/updated').some(({ attempt }) => attempt === 2));
      const started = events[0]!;
      assert.ok(started.type === 'run/started' && started.model === 'imitation-1' && started.analyst === 'llm');
      assert.ok(ofType(events, 'usage').length > 5);
      const { citations } = ofType(events, 'report/finished')[0]!;
      assert.ok(citations.cited > 0 && citations.verified > 0);
    });

    it('discovers the items of a list question and plans by them', async () => {
      const server = await startModelServer({ script: discoverList('vector databases') });
      const { code, events, stderr } = await runInHost([
        'Which open-source vector databases are there?',
        ...model(server.url),
        '--yes',
        '--events',
      ]);
      await server.close();
      assert.equal(code, 0, stderr);
      const [{ entities } = { entities: [] }] = ofType(events, 'discover/found');
      assert.ok(entities.length > 0);
      const known = new Set(ofType(events, 'source/added').map(({ id }) => id));
      assert.ok(
        entities.every(({ source }) => known.has(source)),
        'each entity has a source that was fetched',
      );
      assert.ok(ofType(events, 'run/phase').some(({ phase }) => phase === 'discover'));
    });

    it('quotes the sources of a section whose model calls fail, and says so', async () => {
      const failing = await startModelServer({ script: failResearcher('How it works') });
      const { code, events, stderr } = await runInHost([question, ...model(failing.url), '--yes', '--events']);
      await failing.close();
      assert.equal(code, 0, stderr);
      const { id } = ofType(events, 'plan/approved')[0]!.sections.find(({ title }) => title === 'How it works')!;
      const warned = ofType(events, 'run/warning').filter(({ kind }) => kind === 'distil.quotesOnly');
      assert.equal(warned.length, 1, stderr);
      assert.match(warned[0]!.message, /HTTP 500[^]*given as quotes/);
      const section = ofType(events, 'section/updated').findLast((update) => update.id === id)!;
      assert.equal(section.status, 'completed');
      assert.ok(ofType(events, 'report/finished')[0]!.citations.verified > 0);
      const end = events.at(-1)!;
      assert.ok(end.type === 'run/finished' && end.outcome === 'partial');
    });

    for (const [name, override, says] of [
      ['wrong key', refusals.badKey, /key/i],
      ['no quota', refusals.quota, /quota|credit|billing|money/i],
      ['unknown model', refusals.unknownModel, /model/i],
    ] as const) {
      it(`ends at the first answer with one clear message: ${name}`, async () => {
        const server = await startModelServer({ script: whenever(override) });
        const { code, events, stderr } = await runCommand([question, ...model(server.url), '--yes', '--events'], {
          env: { OPENAI_API_KEY: 'sk-secret-0123456789abcdef' },
        });
        await server.close();
        assert.equal(code, 1, stderr);
        assert.equal(server.requests.length, 1);
        const failures = ofType(events, 'run/failed');
        assert.equal(failures.length, 1);
        assert.match(failures[0]!.message, says);
        assert.notEqual(failures[0]!.next, '');
        assert.ok(!stderr.includes('0123456789abcdef'), 'no key in messages');
      });
    }

    it('says so when the base URL is dead', async () => {
      const { code, stderr } = await runInHost([question, ...model(`${await deadUrl()}/v1`), '--yes']);
      assert.equal(code, 1);
      assert.match(stderr, /reach|refused|connect/i);
    });

    it('asks for a key when OpenAI is chosen without one, and sends nothing', async () => {
      const { code, stderr } = await runInHost([question, ...common(), '-p', 'openai', '--yes']);
      assert.equal(code, 1);
      assert.match(stderr, /OPENAI_API_KEY/);
    });

    it('copes with a model that answers prose instead of JSON', async () => {
      const server = await startModelServer({ plain: ['noResponseFormat', 'proseFirst'] });
      const { code, stdout, stderr } = await runInHost([question, ...model(server.url), '--yes']);
      await server.close();
      assert.equal(code, 0, stderr);
      assert.match(stdout, /## References/);
    });

    it('researches without the model, and says why, when the server rejects every request', async () => {
      const server = await startModelServer({
        script: () => ({
          status: 400,
          body: { error: { message: 'No.', type: 'invalid_request_error', param: null, code: null } },
        }),
      });
      const { code, stdout, stderr } = await runInHost([question, ...model(server.url), '--yes']);
      await server.close();
      assert.equal(code, 0, stderr);
      assert.match(stderr, /rejected the request \(HTTP 400\)/);
      assert.match(stdout, /\n## References\n\n- <a id="ref-1"><\/a>\[1\] /);
    });

    it('ends with 130 at the second Ctrl+C and stops all calls', async () => {
      const server = await startModelServer({ script: ({ step }) => (step === 'distil' ? { hang: true } : undefined) });
      const command = startCommand([question, ...model(server.url), '--yes', '--events']);
      await server.waitFor((request) => request.step === 'distil');
      command.child.kill('SIGINT');
      await command.seen('Press Ctrl+C again to stop.');
      // A second press, not a copy of the first one.
      await new Promise((resolve) => setTimeout(resolve, 150));
      command.child.kill('SIGINT');
      const { code, events } = await command.done;
      assert.equal(code, 130);
      assert.equal(events.at(-1)!.type, 'run/cancelled');
      assert.equal(server.inFlight, 0);
      await server.close();
    });
  });

  it('runs one node of the graph from a state file', async () => {
    const state = path.join(runs, 'state.json');
    fs.writeFileSync(
      state,
      JSON.stringify({
        originalQuery: question,
        analysis: {
          queryType: 'general',
          outputFormat: 'prose',
          needsDiscovery: false,
          discoveryTarget: '',
          reasoning: '',
        },
      }),
    );
    const { spawnSync } = await import('node:child_process');
    const step = spawnSync(
      process.execPath,
      [
        '--import',
        './test/support/register.mjs',
        'src/step.ts',
        'plan',
        '--state',
        state,
        '--workspace',
        workspace,
        '--settings',
        offline,
      ],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(step.status, 0, step.stderr);
    assert.match(step.stdout, /"outline"/);
    assert.match(step.stderr, /"type":"plan\/proposed"/);
  });

  it('runs one node of the graph on the last checkpoint of a run', async () => {
    const { events } = await withEvents();
    const run = path.join(runs, events[0]!.run);
    const { spawnSync } = await import('node:child_process');
    const step = spawnSync(
      process.execPath,
      [
        '--import',
        './test/support/register.mjs',
        'src/step.ts',
        'report',
        '--state',
        run,
        '--workspace',
        workspace,
        '--settings',
        offline,
      ],
      { cwd: root, encoding: 'utf8' },
    );
    assert.equal(step.status, 0, step.stderr);
    assert.match(
      (JSON.parse(step.stdout) as { finalReport: string }).finalReport,
      /\n## References\n\n- <a id="ref-1"><\/a>\[1\] /,
    );
  });
});

/** A URL on which nothing listens. */
async function deadUrl(): Promise<string> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
