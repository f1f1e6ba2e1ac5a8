import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCommand, runInHost, startCommand } from '../support/commandLine.ts';
import { type ModelServer, type Script, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

/** Of the parent's prompt tokens, an answer with its second reader takes at most this share. */
const mostOfParent = 0.15;

describe('a question about a finished run', () => {
  let server: ModelServer;
  let sources: SourceServer;
  let workspace: string;
  let runs: string;
  let parent: string;
  let promptTokens: number;
  let script: Script | undefined;

  const command = (...args: string[]) => {
    const model = args.includes('extractive') ? [] : ['--base-url', server.url, '--model', 'imitation-1'];
    const place = ['--settings', path.join(runs, 'settings.json'), '--workspace', workspace, '--run-dir', runs];
    return [...place, ...args, ...model, '--yes'];
  };
  const ask = (question: string, ...more: string[]) =>
    runInHost(command('-q', question, '--follow-up', parent, '--as', 'answer', ...more));
  const folders = () =>
    fs
      .readdirSync(runs)
      .filter((name) => /^\d{8}-/.test(name))
      .sort();
  /** Two runs may begin in one second, which is all that their names say. */
  const newest = (): string => {
    const begun = (folder: string): number => fs.statSync(folder).birthtimeMs;
    return folders()
      .map((name) => path.join(runs, name))
      .toSorted((a, b) => begun(a) - begun(b))
      .at(-1)!;
  };
  const recordOf = (folder: string) =>
    JSON.parse(fs.readFileSync(path.join(folder, 'run.json'), 'utf8')) as Readonly<Record<string, unknown>>;
  const saved = () => fs.readdirSync(path.join(workspace, 'research')).sort();

  before(async () => {
    server = await startModelServer({ script: (request) => script?.(request) });
    sources = await startSourceServer();
    workspace = copyWorkspace('examples');
    runs = temporaryFolder('runs');
    fs.writeFileSync(path.join(runs, 'settings.json'), JSON.stringify(imitatedSettings(sources)));
    const question = 'What are the main techniques for retrieval-augmented generation?';
    const run = await runInHost(command(question, '--strategy', 'sections'));
    assert.equal(run.code, 0, run.stderr);
    parent = folders().at(-1)!;
    promptTokens = server.requests.reduce((sum, request) => sum + request.promptTokens, 0);
  });
  after(async () => {
    await server.close();
    await sources.close();
    removeFolder(workspace);
    removeFolder(runs);
  });

  it('is answered with citations of what the run has read, without a search and for little', async () => {
    const [asked, searched, files] = [server.requests.length, sources.requests.length, saved()];
    const report = fs.readFileSync(path.join(runs, parent, 'report.md'), 'utf8');
    const { code, stdout, stderr } = await ask('How does reranking change the order of passages?');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\[\[1\]\]\(#ref-1\)/);
    assert.match(stdout, /^- <a id="ref-1"><\/a>\[1\] /m);
    assert.doesNotMatch(stdout, /^---/);
    assert.equal(sources.requests.length, searched);
    assert.deepEqual(saved(), files);
    assert.equal(fs.readFileSync(path.join(runs, parent, 'report.md'), 'utf8'), report);
    assert.equal(recordOf(newest())['parent'], parent);
    assert.deepEqual(fs.readdirSync(path.join(newest(), 'evidence')), [], 'it copies no evidence');
    const own = server.requests.slice(asked);
    assert.deepEqual(
      own.map(({ step }) => step).filter((step) => ['assess', 'analyze', 'plan', 'act', 'review'].includes(step)),
      [],
    );
    const share = own.reduce((sum, request) => sum + request.promptTokens, 0) / promptTokens;
    assert.ok(share <= mostOfParent, `${Math.round(share * 100)} % of the prompt tokens of its parent`);
  });

  it('is answered in short: no summary, no conclusion, and a second reader of few controls', async () => {
    const asked = server.requests.length;
    const { code, stdout, stderr } = await ask('Which retrievers are there?');
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      [...stdout.matchAll(/^## (.*)/gm)].map(([, heading]) => heading),
      ['Which retrievers are there', 'References', 'How this report was made'],
    );
    const answer = /^## Which retrievers are there\n+([^]*?)\n+## /m.exec(stdout)![1]!;
    assert.ok(answer.split(/\s+/).length <= 170, answer);
    assert.match(stdout, /A second reader compared each/);
    const [report] = server.requests.slice(asked).filter(({ step }) => step === 'report');
    assert.match(report!.prompt, /^You answer a question about a research report/);
  });

  for (const [question, then] of [
    ['How do dense and sparse retrieval differ?', 'Which of them needs training?'],
    ['How is retrieval-augmented generation evaluated?', 'What do the benchmarks measure?'],
  ] as const)
    it(`costs little of what its run took: ${then}`, async () => {
      const before = server.requests.length;
      const run = await runInHost(command(question, '--strategy', 'sections'));
      assert.equal(run.code, 0, run.stderr);
      const asked = server.requests.length;
      const about = path.basename(newest());
      const { code, stderr } = await runInHost(command('-q', then, '--follow-up', about, '--as', 'answer'));
      assert.equal(code, 0, stderr);
      const sum = (from: number, to?: number) =>
        server.requests.slice(from, to).reduce((tokens, request) => tokens + request.promptTokens, 0);
      const share = sum(asked) / sum(before, asked);
      assert.ok(share <= mostOfParent, `${Math.round(share * 100)} % of the prompt tokens of its parent`);
    });

  it('is understood by the report, and answered as it was understood', async () => {
    const understood = { text: JSON.stringify({ standalone_question: 'How does reranking work?' }) };
    script = ({ step }) => (step === 'followUp' ? understood : undefined);
    const asked = server.requests.length;
    const { code, stderr } = await ask('And how does the second of them work?');
    assert.equal(code, 0, stderr);
    script = undefined;
    const [first, ...others] = server.requests.slice(asked);
    assert.equal(first!.step, 'followUp');
    assert.match(first!.prompt, /<report>\n# /);
    for (const { prompt } of others.filter(({ step }) => step !== 'verify')) assert.match(prompt, /reranking/);
  });

  it('researches the answer of a digest again by its question, with the remark if there is one', async () => {
    const digest = ['--provider', 'extractive', '--settings', path.join(runs, 'offline.json')];
    fs.writeFileSync(path.join(runs, 'offline.json'), '{ "deepResearch.sources.enabled": ["workspace"] }');
    const placesOf = (report: string) =>
      [...report.matchAll(/^- <a id="ref-\d+"><\/a>.*\]\(([^)]*)\)/gm)].map((one) => one[1]);
    const first = await runInHost(command(...digest, '-q', 'How does reranking change the order of passages?'));
    const about = path.basename(newest());
    const redo = (...more: string[]) => runInHost(command(...digest, '--follow-up', about, '--redo', '1', ...more));
    const again = await redo();
    assert.match(again.stdout, /^## Answer$/m, again.stderr);
    assert.deepEqual(placesOf(again.stdout).sort(), placesOf(first.stdout).sort());
    const remarked = await redo('-q', 'Say more of latency.');
    assert.match(remarked.stdout, /rerank[^]*latency/i, remarked.stderr);
  });

  it('has each of its citations among the sources of the run', async () => {
    const { events, code } = await ask('Which retrievers are there?', '--events');
    assert.equal(code, 0);
    const known = fs.readFileSync(path.join(runs, parent, 'sources.json'), 'utf8');
    const claims = events.filter((event) => event.type === 'report/claim');
    assert.ok(claims.length > 0);
    for (const { passages } of claims)
      for (const { source, text } of passages) {
        assert.ok(known.includes(`"${source}"`), source);
        assert.ok(fs.readFileSync(path.join(runs, parent, 'evidence', `${source}.txt`), 'utf8').includes(text));
      }
    const finished = events.find((event) => event.type === 'report/finished')!;
    assert.equal(finished.path, undefined);
  });

  it('resumes after a kill without asking for a finished call again', async () => {
    const asked = server.requests.length;
    script = ({ step }) => (step === 'verify' ? { hang: true } : undefined);
    const begun = startCommand(command('-q', 'How does reranking work?', '--follow-up', parent, '--as', 'answer'));
    await Promise.race([server.waitFor(({ step, index }) => step === 'verify' && index >= asked), begun.done]);
    assert.equal(begun.child.exitCode, null, 'it is asked for a verdict');
    begun.child.kill('SIGKILL');
    await begun.done;
    script = undefined;
    const finished = server.requests.slice(asked).filter(({ step }) => step !== 'verify');
    const before = server.requests.length;
    const { code, stdout, stderr } = await runCommand(command('--resume', path.basename(newest())));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\[\[1\]\]\(#ref-1\)/);
    const repeated = server.requests
      .slice(before)
      .filter(({ prompt }) => finished.some((one) => one.prompt === prompt));
    assert.deepEqual(repeated, []);
  });

  it('is answered by quotes without a model, and says when nothing that was read answers it', async () => {
    const quoted = await ask('How does reranking work?', '--provider', 'extractive');
    assert.equal(quoted.code, 0, quoted.stderr);
    assert.match(quoted.stdout, /^> .*rerank/im);
    const unknown = await ask('What is the boiling point of ammonia?', '--provider', 'extractive');
    assert.equal(unknown.code, 0, unknown.stderr);
    assert.match(unknown.stdout, new RegExp(`Nothing was found for this section; searched: ${parent}`));
    assert.doesNotMatch(unknown.stdout, /#ref-1/);
  });

  it('links files of the folder that is named today, from where its report is, whatever the record of the run says', async () => {
    const file = path.join(runs, parent, 'run.json');
    const json = fs.readFileSync(file, 'utf8');
    const linked = async (change: object) => {
      fs.writeFileSync(file, JSON.stringify({ ...(JSON.parse(json) as object), ...change }));
      const { code, stdout, stderr } = await ask('How does reranking work?', '--provider', 'extractive');
      fs.writeFileSync(file, json);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /\.md#L\d/);
      return [...stdout.matchAll(/\]\(([^)]*#L\d[^)]*)\)/g)].map(([, link]) => link!);
    };
    const links = await linked({});
    assert.ok(links.length > 0 && links.every((link) => /^\.\.\/\w/.test(link)), String(links));
    assert.deepEqual(await linked({ workspace: path.dirname(workspace) }), []);
    assert.deepEqual(await linked({ path: path.join(workspace, 'a', 'b', 'c', 'd', 'report.md') }), []);
  });

  it('shows no file of the folder to a model where the settings forbid it today', async () => {
    const asked = server.requests.length;
    const settings = path.join(runs, 'private.json');
    fs.writeFileSync(
      settings,
      JSON.stringify({ ...imitatedSettings(sources), 'deepResearch.workspace.forModel': 'metadata' }),
    );
    const { stderr } = await ask('How does reranking work?', '--settings', settings);
    const prompts = server.requests.slice(asked);
    assert.ok(prompts.length > 0, stderr);
    for (const { prompt } of prompts) assert.doesNotMatch(prompt, /\w\.md\b|<report>/);
  });

  describe('a report whose run is on another machine', () => {
    let elsewhere: string;
    const about = (file: string, ...more: string[]) =>
      runInHost([
        ...[
          '-q',
          'How does reranking work?',
          '--follow-up',
          file,
          '--workspace',
          workspace,
          '--run-dir',
          elsewhere,
          '--yes',
        ],
        ...more,
      ]);
    const model = () => ['--base-url', server.url, '--model', 'imitation-1'];
    before(() => {
      elsewhere = temporaryFolder('elsewhere');
      const { path: file } = recordOf(path.join(runs, parent)) as { path: string };
      fs.copyFileSync(file, path.join(elsewhere, 'report.md'));
      fs.copyFileSync(file.replace(/\.md$/, '.evidence.md'), path.join(elsewhere, 'report.evidence.md'));
      // In a folder of its own: evidence beside a report is found under any name.
      fs.mkdirSync(path.join(elsewhere, 'alone'));
      fs.copyFileSync(file, path.join(elsewhere, 'alone', 'report.md'));
      fs.writeFileSync(path.join(elsewhere, 'none.md'), '# A text of mine\n');
    });
    after(() => removeFolder(elsewhere));

    it('is answered from the evidence beside it, with and without a model', async () => {
      const sidecar = fs.readFileSync(path.join(elsewhere, 'report.evidence.md'), 'utf8').replace(/\s+/g, ' ');
      const searched = sources.requests.length;
      for (const how of [model(), ['--provider', 'extractive', '--as', 'answer']]) {
        const { code, stdout, stderr } = await about(path.join(elsewhere, 'report.md'), ...how);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /rerank[^\n]*\[\[\d\]\]\(#ref-\d\)/i);
        for (const [, quote] of stdout.matchAll(/^> ([^\n[]{20,80})/gm))
          assert.ok(sidecar.includes(quote!.trim()), quote);
      }
      assert.equal(sources.requests.length, searched);
    });

    it('is answered after a kill in the middle, and asked of nothing twice', async () => {
      const asked = server.requests.length;
      script = ({ step }) => (step === 'verify' ? { hang: true } : undefined);
      const file = path.join(elsewhere, 'report.md');
      const others = fs.readdirSync(elsewhere);
      const place = ['--workspace', workspace, '--run-dir', elsewhere, '--yes', ...model()];
      const begun = startCommand(['-q', 'How does reranking work?', '--follow-up', file, '--as', 'answer', ...place]);
      await Promise.race([server.waitFor(({ step, index }) => step === 'verify' && index >= asked), begun.done]);
      assert.equal(begun.child.exitCode, null, 'it is asked for a verdict');
      begun.child.kill('SIGKILL');
      await begun.done;
      script = undefined;
      const finished = server.requests.slice(asked).filter(({ step }) => step !== 'verify');
      const before = server.requests.length;
      const [run = ''] = fs.readdirSync(elsewhere).filter((name) => /^\d{8}-/.test(name) && !others.includes(name));
      const { code, stdout, stderr } = await runCommand(['--resume', run, ...place]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /\[\[1\]\]\(#ref-1\)/);
      const repeated = server.requests
        .slice(before)
        .filter(({ prompt }) => finished.some((one) => one.prompt === prompt));
      assert.deepEqual(repeated, []);
    });

    for (const [name, file, as] of [
      ['nothing is beside it', 'alone/report.md', []],
      ['more is to be found', 'report.md', ['--as', 'research']],
    ] as const)
      it(`is attached to the question, which is researched: ${name}`, async () => {
        const settings = ['--settings', path.join(runs, 'settings.json'), '--provider', 'extractive', '--events'];
        const { code, stderr, events } = await about(path.join(elsewhere, file), ...as, ...settings);
        assert.equal(code, 0, stderr);
        assert.match(stderr, /not on this machine: the question is researched with the report attached/);
        const sourcesRead = events.filter((event) => event.type === 'source/added');
        assert.ok(sourcesRead.some(({ kind }) => kind === 'attached'));
        const { path: saved } = events.find((event) => event.type === 'report/finished')!;
        assert.ok(fs.existsSync(saved!));
      });

    it('is found by its file where its run is on this machine', async () => {
      const { code, stdout, stderr } = await runInHost(
        command(
          '-q',
          'How does reranking work?',
          '--follow-up',
          path.join(elsewhere, 'alone', 'report.md'),
          '--as',
          'answer',
        ),
      );
      assert.equal(code, 0, stderr);
      assert.match(stdout, /#ref-1/);
    });

    it('shows no passage of a file to a model where the settings forbid it today', async () => {
      const settings = path.join(elsewhere, 'private.json');
      fs.writeFileSync(settings, JSON.stringify({ 'deepResearch.workspace.forModel': 'metadata' }));
      const asked = server.requests.length;
      const { stderr } = await about(path.join(elsewhere, 'report.md'), ...model(), '--settings', settings);
      const prompts = server.requests.slice(asked);
      assert.ok(prompts.length > 0, stderr);
      for (const { prompt } of prompts) assert.doesNotMatch(prompt, /\w\.md\b|<report>/);
    });

    for (const [name, file, more, why] of [
      [
        'it would be changed',
        'report.md',
        ['--as', 'rewrite'],
        /answered about, not changed.*as a question of its own/s,
      ],
      ['it is no report', 'none.md', [], /is no report of Deep Research/],
      ['it is not there', 'gone.md', [], /is no report of Deep Research/],
    ] as const)
      it(`ends with 2 and says what to do: ${name}`, async () => {
        const { code, stderr } = await about(path.join(elsewhere, file), ...model(), ...more);
        assert.match(stderr, why);
        assert.equal(code, 2);
      });
  });

  it('can be asked about an answer', async () => {
    const first = path.basename(newest());
    const { code, stderr } = await runInHost(
      command('-q', 'How does reranking work?', '--follow-up', first, '--as', 'answer', '--provider', 'extractive'),
    );
    assert.equal(code, 0, stderr);
  });

  it('is refused where the folder of the run, or of one that it asks about, is a link, as a resumed run is', async () => {
    const linked = temporaryFolder('linked');
    const own = (run: string) => path.join(runs, run);
    const { code: answered, stderr: said } = await ask('How does reranking work?', '--provider', 'extractive');
    assert.equal(answered, 0, said);
    const answer = path.basename(newest());
    const args = (...more: string[]) => [...more, '--run-dir', linked, '--workspace', workspace, '--yes'];
    fs.symlinkSync(own(parent), path.join(linked, parent), 'junction');
    fs.cpSync(own(answer), path.join(linked, answer), { recursive: true });
    const before = fs.readdirSync(own(parent), { recursive: true }).sort();
    for (const command of [
      ['--resume', parent],
      ['-q', 'Why?', '--follow-up', parent, '--as', 'answer'],
      ['-q', 'What is new in reranking?', '--follow-up', parent, '--as', 'research'],
      ['-q', 'Why?', '--follow-up', answer, '--as', 'answer'],
      ['--follow-up', parent, '--accept'],
    ]) {
      const { code, stderr } = await runInHost(args(...command));
      assert.match(stderr, /holds a link in its place, which is not a regular file of its own/, command.join(' '));
      assert.equal(code, 2, stderr);
    }
    assert.deepEqual(fs.readdirSync(own(parent), { recursive: true }).sort(), before);
    removeFolder(linked);
  });

  for (const [name, args, why] of [
    ['an unknown run', ['--follow-up', '20260101-000000-abcdef', '--as', 'answer'], /There is no run/],
    ['a path in place of a run', ['--follow-up', '../x', '--as', 'answer'], /There is no run/],
    [
      'an unknown kind',
      ['--follow-up', '20260101-000000-abcdef', '--as', 'dance'],
      /allowed: answer, research, rewrite, or challenge/,
    ],
    ['a kind and a section', ['--follow-up', '20260101-000000-abcdef', '--as', 'answer', '--redo', '1'], /exclude/],
    ['a section alone', ['--redo', '1'], /belongs to --follow-up/],
    ['a kind alone', ['--as', 'answer'], /belongs to --follow-up/],
    ['a place for a report', ['--follow-up', '20260101-000000-abcdef', '--as', 'answer', '--out', 'x.md'], /exclude/],
  ] as const)
    it(`ends with 2 and says why: ${name}`, async () => {
      const { code, stderr } = await runInHost(command('-q', 'Why?', ...args));
      assert.match(stderr, why);
      assert.equal(code, 2);
    });
});
