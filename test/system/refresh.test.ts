import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { itemsOf } from '../../src/files/mergeReports.ts';
import { partsOf } from '../../src/files/reportParts.ts';
import { runCommand, runInHost, startCommand } from '../support/commandLine.ts';
import { type ModelServer, type Script, startModelServer } from '../support/modelServer.ts';
import { removeFolder, temporaryFolder } from '../support/paths.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

const page = (title: string, text: string) =>
  `<html><title>${title}</title><body><article><h1>${title}</h1><p>${text}</p></article></body></html>`;
const written = {
  '/stable': page('Stable page', 'Reranking orders the passages of a query by a cross-encoder before they are read.'),
  '/gone': page('Gone page', 'Reranking with a large model improves the precision of retrieval by twelve points.'),
  '/changed': page('Changing page', 'The reranking service costs 10 dollars per month for one team of engineers.'),
};

describe('a refresh of a finished report', () => {
  let web: Server;
  let pages: Record<string, string>;
  let asked: string[];
  let server: ModelServer;
  let script: Script | undefined;
  let sources: SourceServer;
  let workspace: string;
  let runs: string;

  const place = () => ['--settings', path.join(runs, 'settings.json'), '--workspace', workspace, '--run-dir', runs];
  const withModel = () => ['--base-url', server.url, '--model', 'imitation-1'];
  const withoutModel = ['--provider', 'extractive'];
  const runIds = () =>
    fs
      .readdirSync(runs)
      .filter((name) => /^\d{8}-/.test(name))
      .sort();
  const newest = () => runIds().at(-1)!;
  const of = (run: string) => JSON.parse(fs.readFileSync(path.join(runs, run, 'run.json'), 'utf8')) as { path: string };
  const reportOf = (run: string) => fs.readFileSync(of(run).path, 'utf8');
  const partOf = (report: string, wanted: string) => partsOf(report).find(({ key }) => key === wanted)?.text ?? '';
  const lineOf = (report: string, title: string) => [...itemsOf(report).values()].find((line) => line.includes(title))!;
  const numberOf = (report: string, title: string) =>
    [...itemsOf(report)].find(([, line]) => line.includes(title))?.[0];
  const versionsOf = (run: string) => {
    const folder = path.join(runs, run, 'versions');
    const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    return names.map(
      (name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as { kind: string; state: string },
    );
  };
  const refresh = (run: string, ...args: string[]) =>
    runCommand([...place(), '--follow-up', run, '--refresh', ...args]);

  async function researched(question: string, ...args: string[]): Promise<string> {
    const { code, stderr } = await runInHost([...place(), question, '--yes', ...args]);
    assert.equal(code, 0, stderr);
    return newest();
  }

  before(async () => {
    web = createServer((request, response) => {
      asked.push(request.url!);
      const text = pages[request.url!];
      const type = text?.startsWith('{') ? 'application/json' : 'text/html';
      response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text ?? 'Nothing here.');
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    server = await startModelServer({ script: (request) => script?.(request) });
    sources = await startSourceServer();
  });
  beforeEach(() => {
    [pages, asked, script] = [{ ...written }, [], undefined];
    workspace = temporaryFolder('workspace');
    fs.writeFileSync(path.join(workspace, 'notes.md'), '# Notes\n\nReranking is done by one service of ours.\n');
    runs = temporaryFolder('runs');
    const { port } = web.address() as AddressInfo;
    const settings = {
      ...imitatedSettings(sources),
      'deepResearch.sources.enabled': ['workspace', 'arxiv', 'web'],
      'deepResearch.network.allowPrivateHosts': [`127.0.0.1:${port}`],
    };
    fs.writeFileSync(path.join(runs, 'settings.json'), JSON.stringify(settings));
  });
  afterEach(() => {
    sources.clearScripts();
    removeFolder(workspace);
    removeFolder(runs);
  });
  after(async () => {
    await server.close();
    await sources.close();
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
  });

  const aboutPages = () => {
    const { port } = web.address() as AddressInfo;
    const [stable, gone, changed] = Object.keys(written).map((name) => `http://127.0.0.1:${port}${name}`);
    return `What do ${stable}, ${gone} and ${changed} say about reranking?`;
  };

  it('marks what is gone or has other words without a model, lists it on top, and leaves the rest word for word', async () => {
    const run = await researched(aboutPages(), ...withoutModel);
    const before = reportOf(run);
    delete pages['/gone'];
    pages['/changed'] = pages['/changed']!.replace('10 dollars', '25 dollars');
    const { code, stdout, stderr } = await refresh(run, ...withoutModel);
    assert.equal(code, 3, stderr);
    assert.equal(reportOf(run), before);
    assert.match(stdout, /^- ✗ No longer there: Gone page$/m);
    const accepted = await refresh(run, '--yes', ...withoutModel);
    assert.equal(accepted.code, 0, accepted.stderr);
    const report = reportOf(run);
    assert.equal(partsOf(report)[1]!.key, 'What has changed');
    const [gone, changed] = [numberOf(before, 'Gone page')!, numberOf(before, 'Changing page')!];
    const list = partOf(report, 'What has changed');
    assert.match(list, new RegExp(`^- ✗ No longer there: Gone page \\[\\[${gone}\\]\\]\\(#ref-${gone}\\)$`, 'm'));
    assert.match(list, new RegExp(`^- ↻ No longer has the cited words: Changing page \\[\\[${changed}\\]\\]`, 'm'));
    assert.doesNotMatch(list, /Stable page/);
    assert.match(lineOf(report, 'Gone page'), / ✗ No longer there \(\d{4}-\d\d-\d\d\)$/);
    // Without its signs and the list it is the report of before.
    const bare = report
      .replace(`${list}\n\n`, '')
      .replace(/ [✗↻] [^✗↻\n]*\(\d{4}-\d\d-\d\d\)$/gm, '')
      .replace(/ [✗↻]/g, '');
    assert.equal(bare.slice(0, bare.indexOf('## How this')), before.slice(0, before.indexOf('## How this')));
  });

  it('marks a paper that the register of DOIs calls retracted since', async () => {
    const file = path.join(runs, 'settings.json');
    const { port } = web.address() as AddressInfo;
    const services = ['crossref', 'openalex', 'semanticscholar'].map((name) => [
      `deepResearch.endpoints.${name}`,
      `http://127.0.0.1:${port}/${name}`,
    ]);
    fs.writeFileSync(
      file,
      JSON.stringify({
        ...JSON.parse(fs.readFileSync(file, 'utf8')),
        ...Object.fromEntries(services),
        'deepResearch.sources.enabled': ['workspace', 'scholarly'],
      }),
    );
    const doi = '10.1234/rerank';
    const record = `/crossref/works/${encodeURIComponent(doi)}`;
    const work = {
      ...{ DOI: doi, title: ['Reranking of passages'], issued: { 'date-parts': [[2024, 5, 1]] } },
      abstract: 'Reranking with a cross-encoder improves the precision of retrieval by twelve points in all tests.',
    };
    pages[record] = JSON.stringify({ message: work });
    const run = await researched(`What does https://doi.org/${doi} say about reranking?`, ...withoutModel);
    const before = reportOf(run);
    const number = numberOf(before, 'Reranking of passages')!;
    assert.ok(number > 0, before);
    const notice = { DOI: '10.1234/notice', type: 'retraction', updated: { 'date-parts': [[2026, 1, 2]] } };
    pages[record] = JSON.stringify({ message: { ...work, 'updated-by': [notice] } });
    const { code, stderr } = await refresh(run, '--yes', ...withoutModel);
    assert.equal(code, 0, stderr);
    const report = reportOf(run);
    const list = partOf(report, 'What has changed');
    assert.match(
      list,
      new RegExp(`^- ⚠ Retracted: Reranking of passages \\[\\[${number}\\]\\]\\(#ref-${number}\\)$`, 'm'),
    );
    assert.match(lineOf(report, 'Reranking of passages'), / ⚠ Retracted \(\d{4}-\d\d-\d\d\)$/);
    assert.match(report, new RegExp(`twelve points in all tests.*\\[\\[${number}\\]\\]\\(#ref-${number}\\) ⚠`));
    const again = await refresh(run, ...withoutModel);
    assert.match(again.stdout, /Nothing has changed since/, 'what is known to be retracted is no news');
  });

  it('makes no version where nothing changed since, and says when a page is back', async () => {
    const run = await researched(aboutPages(), ...withoutModel);
    const { code, stdout } = await refresh(run, ...withoutModel);
    assert.equal(code, 0);
    assert.match(stdout, /Nothing has changed since \d{4}-\d\d-\d\d\. Sources looked at: \d\./);
    assert.deepEqual(versionsOf(run), []);
    delete pages['/gone'];
    assert.equal((await refresh(run, '--yes', ...withoutModel)).code, 0);
    const again = await refresh(run, ...withoutModel);
    assert.equal(again.code, 0, 'what is known to be gone is no news');
    assert.equal(versionsOf(run).length, 2);
    pages['/gone'] = written['/gone'];
    const back = await refresh(run, '--yes', ...withoutModel);
    assert.equal(back.code, 0, back.stderr);
    assert.match(reportOf(run), /^- As it was read again: Gone page/m);
    assert.doesNotMatch(reportOf(run), /✗/);
  });

  it('sees files of the folder that have other words, or are no longer there', async () => {
    const files = (costs: string, steps: string, limits: string, plans: string) => {
      fs.writeFileSync(path.join(workspace, 'costs.md'), `# Costs\n\nReranking costs us ${costs} dollars per month.\n`);
      const list = `1. Reranking reads the passages.\n2. Reranking orders ${steps} of them.\n`;
      fs.writeFileSync(path.join(workspace, 'steps.md'), `# Steps of reranking\n\n${list}`);
      fs.writeFileSync(path.join(workspace, 'limits.md'), `# Limits of reranking\n\n${limits}\n`);
      fs.writeFileSync(path.join(workspace, 'plans.md'), `# Plans for reranking\n\n${plans}\n`);
    };
    const [limit, plan] = ['Reranking reads 40 passages at most.', 'Reranking gets a smaller model.'];
    files('10', 'ten', limit, plan);
    const run = await researched(
      'Which costs, steps, limits and plans of reranking do my notes name?',
      ...withoutModel,
    );
    const cited = ['notes.md', 'costs.md', 'steps.md', 'limits.md', 'plans.md'];
    for (const name of cited) assert.ok(numberOf(reportOf(run), name), `${name}\n${reportOf(run)}`);
    fs.rmSync(path.join(workspace, 'notes.md'));
    files('30', 'five', `~~${limit}~~ Reranking reads 20.`, `<!-- ${plan} -->`);
    const { code, stdout, stderr } = await refresh(run, ...withoutModel);
    assert.equal(code, 3, stderr);
    assert.match(stdout, /^- ✗ .*notes\.md/m);
    for (const name of cited.slice(1)) assert.match(stdout, new RegExp(`^- ↻ .*${name}`, 'm'));
  });

  it('names newer versions and withdrawn papers', async () => {
    const run = await researched('What do arXiv:2602.05014 and arXiv:2603.16169 propose?', ...withoutModel);
    const feed = await (await fetch(`${sources.arxivUrl}/api/query?id_list=2602.05014,2603.16169`)).text();
    const body = feed
      .replaceAll('2602.05014v3', '2602.05014v9')
      .replace(/(?<=2603\.16169v1[\s\S]*?<summary>)/, 'This paper has been withdrawn by the authors. ');
    sources.script('arxiv', { when: ({ query }) => query.has('id_list'), times: Infinity, body });
    const { code, stdout, stderr } = await refresh(run, '--yes', ...withoutModel);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^- ↑ Newer version, v3 → v9: DeepRead/m);
    assert.match(stdout, /^- ⚠ Withdrawn: Open-Source Reproduction/m);
    const report = reportOf(run);
    const number = numberOf(report, '2603.16169')!;
    assert.match(lineOf(report, '2603.16169'), /⚠ Withdrawn \(\d{4}-\d\d-\d\d\)$/);
    assert.ok(report.includes(`[[${number}]](#ref-${number}) ⚠`));
  });

  it('writes again what changed, adds what is new, and leaves the other sections word for word', async () => {
    const run = await researched(aboutPages(), '--strategy', 'sections', ...withModel());
    const before = reportOf(run);
    const number = numberOf(before, 'Changing page');
    assert.ok(number !== undefined, before);
    const cites = partsOf(before).filter(({ key, text }) => !key.startsWith('\0') && text.includes(`(#ref-${number})`));
    pages['/changed'] = pages['/changed']!.replace('10 dollars', '25 dollars');
    fs.writeFileSync(
      path.join(workspace, 'later.md'),
      '# Later\n\nReranking moved to a new service of another team.\n',
    );
    const tomorrow = new Date(Date.now() + 86_400_000);
    fs.utimesSync(path.join(workspace, 'later.md'), tomorrow, tomorrow);
    const since = server.requests.length;
    const { code, stderr } = await refresh(run, '--yes', ...withModel());
    assert.equal(code, 0, stderr);
    const report = reportOf(run);
    assert.doesNotMatch(partOf(report, cites.find(({ key }) => key !== '')!.key), /10 dollars/);
    assert.match(report, /25 dollars/);
    const fresh = partsOf(report).find(({ key }) => key.startsWith('New since '))!;
    assert.match(fresh.text, /another team/);
    for (const { key, text } of partsOf(before))
      if (!key.startsWith('\0') && !cites.some((one) => one.key === key)) assert.equal(partOf(report, key), text);
    assert.equal(numberOf(report, 'Changing page'), number, 'it keeps its number');
    const steps = server.requests.slice(since).map(({ step }) => step);
    assert.deepEqual(
      steps.filter((step) => ['assess', 'analyze', 'plan', 'review'].includes(step)),
      [],
    );
    for (const { prompt, step } of server.requests.slice(since))
      if (step === 'section') assert.doesNotMatch(prompt, /10 dollars/, 'nothing is written from what it was');
    const again = await refresh(run, ...withModel());
    assert.doesNotMatch(again.stdout, /Changing page/, 'what was written again is as new as its source');
    assert.doesNotMatch(again.stderr, /answers the question|searched:/, 'a refresh asks no question');
    const other = path.join(workspace, 'latest.md');
    fs.writeFileSync(other, '# Latest\n\nReranking of passages is paid for by the library of the town.\n');
    fs.utimesSync(other, tomorrow, tomorrow);
    const twice = await refresh(run, '--yes', ...withModel());
    assert.equal(twice.code, 0, twice.stderr);
    const news = partsOf(reportOf(run)).filter(({ key }) => key.startsWith('New since '));
    assert.deepEqual(
      news.map(({ text }) => text.split('\n')[0]),
      [`## ${fresh.key}`, `## ${fresh.key} (2)`],
    );
    assert.equal(news[0]!.text, fresh.text, 'what an earlier refresh found on the same day stays');
    assert.match(news[1]!.text, /library of the town/);
  });

  it('resumes after a kill without looking at a page or asking for a finished call again', async () => {
    const run = await researched(aboutPages(), '--strategy', 'sections', ...withModel());
    pages['/changed'] = pages['/changed']!.replace('10 dollars', '25 dollars');
    asked.length = 0;
    const since = server.requests.length;
    script = ({ step }) => (step === 'section' ? { hang: true } : undefined);
    const begun = startCommand([...place(), '--follow-up', run, '--refresh', ...withModel()]);
    await Promise.race([server.waitFor(({ step, index }) => step === 'section' && index >= since), begun.done]);
    assert.equal(begun.child.exitCode, null, 'it is asked for a section');
    begun.child.kill('SIGKILL');
    await begun.done;
    assert.ok(asked.length > 0);
    [script, asked] = [undefined, []];
    const finished = server.requests.slice(since).filter(({ step }) => step !== 'section');
    const resumed = server.requests.length;
    const { code, stderr } = await runCommand([...place(), '--resume', newest(), ...withModel()]);
    assert.equal(code, 3, stderr);
    assert.deepEqual(asked, []);
    assert.deepEqual(
      server.requests.slice(resumed).filter(({ prompt }) => finished.some((one) => one.prompt === prompt)),
      [],
    );
    assert.match(stderr, /What has changed/);
  });

  for (const [name, args, why] of [
    ['a refresh alone', ['--refresh'], /belongs to --follow-up/],
    ['a refresh and a kind', ['--follow-up', 'x', '--refresh', '--as', 'answer'], /--as and --refresh exclude/],
    ['a refresh and a section', ['--follow-up', 'x', '--refresh', '--redo', '1'], /--redo and --refresh exclude/],
    ['a refresh of an unknown run', ['--follow-up', '20260101-000000-abcdef', '--refresh'], /There is no run/],
  ] as const)
    it(`ends with 2 and says why: ${name}`, async () => {
      const { code, stderr } = await runInHost([...place(), ...args]);
      assert.match(stderr, why);
      assert.equal(code, 2);
    });
});
