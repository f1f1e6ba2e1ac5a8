import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { plainReference } from '../../src/files/references.ts';
import { itemsOf } from '../../src/files/mergeReports.ts';
import { partsOf } from '../../src/files/reportParts.ts';
import { research } from '../../src/engine.ts';
import type * as Api from '../../src/api.ts';
import { runInHost, startCommand } from '../support/commandLine.ts';
import { isWriting } from '../support/modelRequest.ts';
import { type ModelServer, type Script, startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { silentLog } from '../support/scriptedParts.ts';
import { imitatedSettings, type SourceServer, startSourceServer } from '../support/sourceServer.ts';

/** Of the parent's prompt tokens, the second reader included. */
const mostOfParent = { research: 0.4, rewrite: 0.6 };

describe('a change of a finished report', () => {
  let server: ModelServer;
  let sources: SourceServer;
  let workspace: string;
  let runs: string;
  let parent: string;
  let file: string;
  let written: string;
  let promptTokens: number;
  /** Addresses, with their queries. */
  let fetchedByParent: ReadonlySet<string>;
  let script: Script | undefined;
  /** What is asked to be shorter is: a section is its first finding. */
  const shortened: Script = ({ step, prompt }) => {
    const [, claim, id] = /^- (.+?)[.\s]* \[(S[0-9a-f]+)\]/m.exec(prompt) ?? [];
    return step === 'section' && /shorter/i.test(prompt) && id ? { text: `${claim!} [${id}].` } : undefined;
  };

  const command = (...args: string[]) => {
    const model = args.includes('extractive') ? [] : ['--base-url', server.url, '--model', 'imitation-1'];
    const place = ['--settings', path.join(runs, 'settings.json'), '--workspace', workspace, '--run-dir', runs];
    return [...place, ...args, ...model];
  };
  const change = (...args: string[]) => runInHost(command('--follow-up', parent, ...args));
  const folder = () => path.join(runs, parent);
  const read = (...names: string[]) => fs.readFileSync(path.join(folder(), ...names), 'utf8');
  const report = () => fs.readFileSync(file, 'utf8');
  const versions = () => {
    const names = fs.existsSync(path.join(folder(), 'versions')) ? fs.readdirSync(path.join(folder(), 'versions')) : [];
    const json = names
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(read('versions', name)) as never);
    return (json as { number: number; kind: string; state: string; gone: string[] }[]).sort(
      (a, b) => a.number - b.number,
    );
  };
  const headings = (text: string) => partsOf(text).map(({ key }) => key);
  const assertCited = (text: string) => {
    const cited = new Set([...text.matchAll(/\[\[(\d+)\]\]\(#ref-\1\)/g)].map(([, number]) => Number(number)));
    assert.deepEqual(
      [...itemsOf(text).keys()],
      [...cited].sort((a, b) => a - b),
    );
  };
  const tokensSince = (asked: number) =>
    server.requests.slice(asked).reduce((sum, request) => sum + request.promptTokens, 0) / promptTokens;

  before(async () => {
    server = await startModelServer({ script: (request) => script?.(request) ?? shortened(request) });
    sources = await startSourceServer();
    workspace = copyWorkspace('examples');
    runs = temporaryFolder('runs');
    fs.writeFileSync(path.join(runs, 'settings.json'), JSON.stringify(imitatedSettings(sources)));
    const question = 'What are the main techniques for retrieval-augmented generation?';
    const run = await runInHost(command(question, '--strategy', 'sections', '--yes'));
    assert.equal(run.code, 0, run.stderr);
    parent = fs.readdirSync(runs).find((name) => /^\d{8}-/.test(name))!;
    file = (JSON.parse(read('run.json')) as { path: string }).path;
    written = report();
    fetchedByParent = new Set(sources.requests.map(({ url }) => url));
    promptTokens = server.requests.reduce((sum, request) => sum + request.promptTokens, 0);
  });
  beforeEach(() => {
    fs.rmSync(path.join(folder(), 'versions'), { recursive: true, force: true });
    fs.writeFileSync(path.join(folder(), 'report.md'), written);
    fs.writeFileSync(file, written);
    script = undefined;
  });
  after(async () => {
    await server.close();
    await sources.close();
    removeFolder(workspace);
    removeFolder(runs);
  });

  it('waits as a version of its own, and leaves the report as it is', async () => {
    const { code, stderr, events } = await change('--as', 'rewrite', '-q', 'Make it shorter.', '--events');
    assert.equal(code, 3, stderr);
    assert.equal(report(), written);
    assert.equal(read('report.md'), written);
    assert.deepEqual(
      versions().map(({ kind, state }) => [kind, state]),
      [
        ['first', 'accepted'],
        ['rewrite', 'waiting'],
      ],
    );
    const finished = events.find((event) => event.type === 'report/finished')!;
    assert.equal(finished.path, path.join(folder(), 'versions', '2.md'));
    assert.match(stderr, /It waits: /);
    const sections = events.filter((event) => event.type === 'section/updated');
    assert.ok(sections.length > 1 && sections.every(({ status }) => status === 'completed'), 'none is left undone');
  });

  it('writes the report again from its findings alone, and says which citations went', async () => {
    const [asked, searched] = [server.requests.length, sources.requests.length];
    script = ({ step, prompt }) => {
      const [, claim, id] = /^- (.+?)[.\s]* \[(S[0-9a-f]+)\]/m.exec(prompt) ?? [];
      return step === 'section' && claim !== undefined ? { text: `${claim} [${id!}].` } : undefined;
    };
    const { code, stderr } = await change('--as', 'rewrite', '-q', 'Make it shorter.', '--yes');
    assert.equal(code, 0, stderr);
    assert.equal(sources.requests.length, searched);
    const share = tokensSince(asked);
    assert.ok(share <= mostOfParent.rewrite, `${Math.round(share * 100)} % of the prompt tokens of its parent`);
    const steps = server.requests.slice(asked).map(({ step }) => step);
    assert.deepEqual(
      steps.filter((step) => ['act', 'distil', 'plan', 'assess'].includes(step)),
      [],
    );
    const text = report();
    assert.notEqual(text, written);
    assert.equal(read('report.md'), text);
    assertCited(text);
    const titleOf = (report: string) => /^# .*/m.exec(report)?.[0];
    assert.equal(titleOf(text), titleOf(written), 'what was asked for is no title');
    const [before, now] = [itemsOf(written), itemsOf(text)];
    for (const [number, line] of now) assert.equal(line, before.get(number) ?? line);
    const { gone } = versions().at(-1)!;
    assert.ok(gone.length > 0);
    assert.equal(gone.length, [...before.keys()].filter((number) => !now.has(number)).length);
    for (const one of gone) assert.ok(stderr.includes(`No longer cited: ${plainReference(one)}`), one);
    assert.doesNotMatch(stderr, /\]\(|\\_/);
  });

  it('leaves a section for which the model writes nothing as it was, and what its run left open', async () => {
    const open = written.replace(
      '\n## References\n',
      '\n## Not answered\n\n- What it costs (Evaluation)\n\n## References\n',
    );
    for (const at of [file, path.join(folder(), 'report.md')]) fs.writeFileSync(at, open);
    const [, failed, ...others] = partsOf(open).filter(({ key }) => !key.startsWith('\0'));
    script = ({ step, prompt }) => {
      if (step !== 'section') return undefined;
      if (prompt.includes(`"${failed!.key}"`)) return { status: 400, body: { error: { message: 'No such request.' } } };
      const [, claim, id] = /^- (.+?)[.\s]* \[(S[0-9a-f]+)\]/m.exec(prompt) ?? [];
      return { text: `${claim!} [${id!}].` };
    };
    const { code, stderr } = await change('--as', 'rewrite', '-q', 'Make it shorter.', '--yes');
    assert.equal(code, 0, stderr);
    const now = new Map(partsOf(report()).map(({ key, text }) => [key, text]));
    assert.equal(now.get(failed!.key), failed!.text);
    assert.deepEqual(
      others.filter(({ key, text }) => now.get(key) === text).map(({ key }) => key),
      ['Conclusion and outlook', 'Not answered'],
    );
    assertCited(report());
  });

  it('says of a section that rested on sources which are left out that it did', async () => {
    const { followUp } = (await import(path.join(root, 'dist', 'api.js'))) as typeof Api;
    const model = { 'model.provider': 'openai-compatible', 'model.name': 'imitation-1', 'model.baseUrl': server.url };
    const { key, text } = partsOf(written)[1]!;
    const without = [...new Set([...text.matchAll(/\(#ref-(\d+)\)/g)].map(([, number]) => Number(number)))];
    const { path: version } = await followUp(parent, 'Without these sources.', {
      ...{ as: 'rewrite', without, runDir: runs, workspace, config: { ...imitatedSettings(sources), ...model } },
    });
    const section = partsOf(fs.readFileSync(version!, 'utf8')).find((part) => part.key === key)!;
    assert.equal(section.text, `## ${key}\n\nEverything in this section rested on sources that were left out.`);
  });

  it('ends with 1 and adds nothing to the report where nothing is found without a model', async () => {
    const settings = path.join(runs, 'local.json');
    fs.writeFileSync(settings, '{ "deepResearch.sources.enabled": ["workspace"] }');
    const asked = ['--as', 'research', '-q', 'Zebras in Antarctica?', '--settings', settings];
    const { code, stderr } = await change(...asked, '--provider', 'extractive', '--yes');
    assert.equal(code, 1, stderr);
    assert.match(stderr, /Nothing that answers the question was found in /);
    assert.equal(report(), written);
    assert.deepEqual(versions(), []);
  });

  it('researches one section again with a remark, and leaves the others word for word', async () => {
    const [asked, searched, heading] = [server.requests.length, sources.requests.length, headings(written)[1]!];
    const { code, stderr } = await change('--redo', '1', '-q', 'Say more about reranking.', '--yes');
    assert.equal(code, 0, stderr);
    const share = tokensSince(asked);
    assert.ok(share <= mostOfParent.research, `${Math.round(share * 100)} % of the prompt tokens of its parent`);
    const prompts = server.requests.slice(asked);
    assert.ok(prompts.some(({ step, prompt }) => step === 'distil' && prompt.includes('Say more about reranking.')));
    assert.ok(sources.requests.length > searched, 'it searches');
    const [before, now] = [partsOf(written), partsOf(report())];
    assert.deepEqual(headings(report()), headings(written));
    for (const [index, { key, text }] of before.entries())
      if (![heading, '\0references', '\0account'].includes(key)) assert.equal(now[index]!.text, text);
    assertCited(report());
    assert.match(now.at(-1)!.text, /### \d{4}-\d\d-\d\d: Say more about reranking\./);
  });

  it('adds a section with new searches before the conclusion, and asks for nothing that was asked before', async () => {
    const before = server.requests.map(({ prompt }) => prompt);
    // Of its parent, and of its own.
    const queries = ['techniques for retrieval-augmented generation evaluation', 'RAG benchmarks'];
    const plan = {
      standalone_question: 'How is RAG evaluated?',
      kind: 'research',
      section: 0,
      title: 'Benchmarks',
      queries,
    };
    script = ({ step }) => (step === 'followUp' ? { text: JSON.stringify(plan) } : undefined);
    const [asked, fetched] = [server.requests.length, sources.requests.length];
    const { code, stderr } = await change('--as', 'research', '-q', 'And how is it evaluated?', '--yes');
    assert.equal(code, 0, stderr);
    const fresh = sources.requests.slice(fetched).map(({ url }) => url);
    assert.ok(fresh.length > 0, 'it searches');
    assert.deepEqual(
      fresh.filter((url) => fetchedByParent.has(url)),
      [],
    );
    const share = tokensSince(asked);
    assert.ok(share <= mostOfParent.research, `${Math.round(share * 100)} % of the prompt tokens of its parent`);
    const names = headings(report());
    assert.equal(
      names[names.indexOf('Benchmarks') + 1],
      headings(written).find((name) => name.startsWith('Conclusion')),
    );
    assertCited(report());
    assert.deepEqual(
      server.requests.slice(asked).filter(({ step, prompt }) => step !== 'trial' && before.includes(prompt)),
      [],
    );
    const known = read('sources.json');
    for (const [, id] of Object.entries((versions().at(-1) as unknown as { sources: object }).sources))
      assert.ok(known.includes(`"${id as string}"`), 'what was found belongs to the run');
  });

  it('reads a file and a pasted text that the user has added to it, and cites both', async () => {
    const plan = { standalone_question: 'How is RAG evaluated?', kind: 'research', section: 0, title: 'Benchmarks' };
    const added = path.join(runs, 'measured.md');
    const measured = 'Our team reads 417 tickets of the help desk each month.';
    fs.writeFileSync(added, `# Measured\n\n${measured}\n`);
    const pasted = 'Lawyers of the partner company have signed 93 contracts since spring.';
    script = ({ step, sources: shown }) => {
      if (step === 'followUp') return { json: plan };
      if (step !== 'distil') return undefined;
      const key_findings = shown.flatMap(({ id, text }) =>
        [measured, pasted].flatMap((quote) => (text.includes(quote) ? [{ source: id, quote, claim: quote }] : [])),
      );
      return { json: { off_topic: [], to_readers: [], key_findings, content: '' } };
    };
    const model = { 'model.provider': 'openai-compatible', 'model.name': 'imitation-1', 'model.baseUrl': server.url };
    // As the panel asks, which has what is added.
    await research({
      ...{ question: 'And how is it evaluated?', followUp: { run: parent, as: 'research' } },
      attached: [{ path: added }, { path: 'Pasted text', excerpt: { text: pasted, firstLine: 1 } }],
      settings: { ...imitatedSettings(sources), ...model },
      ...{ runsFolder: runs, workspaceFolder: workspace, secrets: { key: async () => undefined } },
      ...{ log: silentLog, version: 'test' },
    });
    const text = read('versions', '2.md');
    const section = partsOf(text).find(({ key }) => key === 'Benchmarks')!.text;
    for (const [words, title] of [
      [/417 tickets[^[]*\[\[(\d+)\]\]/, /Measured|measured\.md/],
      [/93 contracts[^[]*\[\[(\d+)\]\]/, /Pasted text/],
    ] as const) {
      const [, number] = words.exec(section) ?? assert.fail(section);
      assert.match(itemsOf(text).get(Number(number))!, title);
    }
    assertCited(text);
  });

  it('makes no version where nothing of it changes, and says so', async () => {
    const refused = { status: 400, body: { error: { message: 'No such request.' } } };
    script = ({ step }) => (['section', 'frame'].includes(step) ? refused : undefined);
    const { code, stderr, events } = await change('--as', 'rewrite', '-q', 'Make it shorter.', '--yes', '--events');
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /Nothing changed: the new text is the same as that of the report, and there is no new version\./,
    );
    assert.equal(events.find((event) => event.type === 'report/finished')?.unchanged, true);
    assert.equal(report(), written);
    assert.deepEqual(versions(), []);
  });

  it('has its headings in the language in which it is written again, and an edited section once', async () => {
    const own = partsOf(written).filter(({ key }) => !key.startsWith('\0'));
    const titles = own.slice(1).map(({ key }) => key);
    const sections = titles.filter((title) => title !== 'Conclusion and outlook');
    const translated = ['Suche und Sprachmodelle', ...sections.map((_, index) => `Abschnitt ${index + 1}`)];
    const understood = { standalone_question: 'Auf Deutsch, bitte.', kind: 'rewrite', section: 0, language: 'de' };
    script = ({ step, prompt }) => {
      if (step === 'followUp') return { json: { ...understood, headings: translated } };
      const [, claim, id] = /^- (.+?)[.\s]* \[(S[0-9a-f]+)\]/m.exec(prompt) ?? [];
      return step === 'section' ? { text: `${claim!} [${id!}].` } : undefined;
    };
    const { text: second } = own.find(({ key }) => key === sections[1])!;
    fs.writeFileSync(file, written.replace(second, `## ${sections[1]!}\n\nMy own words, in place of all others.`));
    const { code, stderr } = await change('--as', 'rewrite', '-q', 'In German, please.', '--yes');
    assert.equal(code, 3, stderr);
    assert.ok(stderr.includes(`Edited by hand, and left as it is: ${sections[1]!}`), stderr);
    const wanted = [...translated.slice(1), 'Fazit und Ausblick', 'Quellen', 'Wie dieser Bericht entstand'];
    const shown = (text: string) => [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(shown(read('versions', '2.md')), wanted);
    assert.match(read('versions', '2.md'), /^title: "Suche und Sprachmodelle"\n[^]*^# Suche und Sprachmodelle$/m);
    assert.match(report(), /^title: "Suche und Sprachmodelle"$/m);
    // The user has to decide about a section, and the history names what the report is called by now.
    assert.match(read('run.json'), /"title": "Suche und Sprachmodelle"/);
    assert.match(
      read('versions', '2.md'),
      /\n### .*: In German, please\.\n\n- Geschrieben am .*\n- Abgerufene Quellen: /,
    );
    assert.deepEqual(shown(report()), wanted.with(1, sections[1]!));
    assertCited(report());
  });

  it('is researched further in the language in which it was written again', async () => {
    const understood = { standalone_question: 'Auf Deutsch, bitte.', kind: 'rewrite', section: 0, language: 'de' };
    script = ({ step }) => (step === 'followUp' ? { text: JSON.stringify(understood) } : undefined);
    const german = await change('--as', 'rewrite', '-q', 'In German, please.', '--yes');
    assert.equal(german.code, 0, german.stderr);
    const sentence = 'Die Suche findet zuerst die besten Stellen, und das Modell schreibt dann mit ihnen.';
    const translated = report().replace(/^(?:- )?\w.*\[\[\d+\]\]\(#ref-(\d+)\).*$/gm, `${sentence} [[$1]](#ref-$1)`);
    fs.writeFileSync(path.join(folder(), 'report.md'), translated);
    fs.writeFileSync(file, translated);
    const asked = server.requests.length;
    const plan = { standalone_question: 'How is RAG evaluated?', kind: 'research', section: 0, title: 'Maßstäbe' };
    script = ({ step }) => (step === 'followUp' ? { text: JSON.stringify(plan) } : undefined);
    const { code, stderr } = await change('--as', 'research', '-q', 'And how is it evaluated?', '--yes');
    assert.equal(code, 0, stderr);
    const written = server.requests.slice(asked).filter(({ step }) => step === 'distil');
    assert.ok(written.length > 0);
    for (const { prompt } of written) assert.equal(/Write in (.*?)\./.exec(prompt)?.[1], 'German (de)');
    const names = headings(report());
    assert.equal(names[names.indexOf('Maßstäbe') + 1], 'Fazit und Ausblick');
  });

  it('ends with 1 and says why when its version can’t be saved, and leaves the report', async () => {
    fs.writeFileSync(path.join(folder(), 'versions'), 'A file where a folder should be.');
    const { code, stderr } = await change('--redo', '1', '--provider', 'extractive', '--yes');
    assert.equal(code, 1, stderr);
    assert.match(stderr, /Could not save the new version of the report in /);
    assert.equal(report(), written);
  });

  it('ends with 1 and leaves the report when the model finds nothing for it, and says where it searched', async () => {
    const nothing = { off_topic: [], to_readers: [], key_findings: [], content: '' };
    script = ({ step }) => (step === 'distil' ? { json: nothing } : undefined);
    const { code, stderr } = await change('--redo', '1', '-q', 'Say more about reranking.', '--yes');
    assert.equal(code, 1, stderr);
    assert.match(
      stderr,
      /Nothing that answers the question was found in .*workspace, arxiv, github.* Try other or fewer words/,
    );
    assert.equal(report(), written);
    assert.deepEqual(versions(), []);
  });

  it('leaves what was edited by hand, names it, and waits', async () => {
    const parts = partsOf(written);
    const edited = written.replace(parts[1]!.text, `${parts[1]!.text.split('\n')[0]}\n\nMy own words.`);
    fs.writeFileSync(file, edited.replace(parts[2]!.text, `${parts[2]!.text}\n\nA remark of mine.`));
    const { code, stderr } = await change('--redo', '1', '--yes');
    assert.equal(code, 3, stderr);
    assert.match(stderr, /Edited by hand, and left as it is: /);
    assert.match(report(), /My own words\./);
    assert.match(report(), /A remark of mine\./);
    assert.deepEqual(
      versions()
        .map(({ state }) => state)
        .at(1),
      'waiting',
    );
  });

  it('leaves edits in other sections, and takes the change', async () => {
    const parts = partsOf(written);
    fs.writeFileSync(file, written.replace(parts[2]!.text, `${parts[2]!.text}\n\nA remark of mine.`));
    const { code, stderr } = await change('--redo', '1', '--yes');
    assert.equal(code, 0, stderr);
    assert.match(report(), /A remark of mine\./);
    assert.doesNotMatch(read('report.md'), /A remark of mine\./);
    assert.ok(versions().some(({ kind }) => kind === 'edited'));
  });

  it('is accepted in a report that was moved, by its file; without it the version waits', async () => {
    const moved = path.join(workspace, 'moved.md');
    fs.renameSync(file, moved);
    const named = await runInHost(command('--follow-up', moved, '--redo', '1', '--yes'));
    assert.equal(named.code, 0, named.stderr);
    assert.ok(named.stderr.includes(`Accepted: ${moved}`), named.stderr);
    assert.notEqual(fs.readFileSync(moved, 'utf8'), written);
    assert.ok(!fs.existsSync(file));
    fs.writeFileSync(path.join(folder(), 'report.md'), written);
    const unnamed = await change('--redo', '1', '-q', 'Say more.', '--yes');
    assert.equal(unnamed.code, 3, unnamed.stderr);
    assert.match(unnamed.stderr, /The report is no longer where it was saved.*\n.*It waits: /);
    assert.equal(read('report.md'), written);
  });

  it('is accepted or rejected later by the command that is printed, and once', async () => {
    const first = await change('--redo', '1', '--provider', 'extractive');
    const [, printed] = /Accept it with: deep-research (--follow-up .*)/.exec(first.stderr)!;
    assert.equal(first.code, 3);
    const second = await change('--redo', '2', '--provider', 'extractive');
    assert.equal(second.code, 3);
    const here = ['--run-dir', runs, '--workspace', workspace];
    const both = await runInHost(['--follow-up', parent, '--accept', ...here]);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /Name one that waits: 2, 3\./);
    const accepted = await runInHost(printed!.split(' '));
    assert.equal(accepted.code, 0, accepted.stderr);
    assert.ok(accepted.stderr.includes(`Accepted: ${file}`), accepted.stderr);
    assert.notEqual(report(), written);
    const again = await runInHost(['--follow-up', parent, '--accept', '2', ...here]);
    assert.equal(again.code, 2, again.stderr);
    const now = report();
    const rejected = await runInHost(['--follow-up', file, '--reject', ...here]);
    assert.equal(rejected.code, 0, rejected.stderr);
    assert.match(rejected.stderr, /Version 3 of the report of .* is rejected\./);
    assert.equal(report(), now);
    assert.deepEqual(
      versions().map(({ state }) => state),
      ['accepted', 'accepted', 'rejected'],
    );
  });

  it('resumes after a kill in the middle with one version, and asks for nothing twice', async () => {
    const asked = server.requests.length;
    script = ({ step }) => (step === 'verify' ? { hang: true } : undefined);
    const begun = startCommand(command('--follow-up', parent, '--redo', '1'));
    await Promise.race([server.waitFor(({ step, index }) => step === 'verify' && index >= asked), begun.done]);
    assert.equal(begun.child.exitCode, null, 'it is asked for a verdict');
    begun.child.kill('SIGKILL');
    await begun.done;
    script = undefined;
    const finished = server.requests.slice(asked).filter(({ step }) => step !== 'verify');
    const resumed = server.requests.length;
    const newest = fs
      .readdirSync(runs)
      .filter((name) => /^\d{8}-/.test(name))
      .sort()
      .at(-1)!;
    const { code, stderr } = await runInHost(command('--resume', newest));
    assert.equal(code, 3, stderr);
    assert.deepEqual(
      server.requests.slice(resumed).filter(({ prompt }) => finished.some((one) => one.prompt === prompt)),
      [],
    );
    assert.equal(versions().length, 2);
  });

  it('searches what speaks against a sentence, says what becomes of it, and corrects it in its place', async () => {
    const [, first] = partsOf(written);
    const [, sentence, marker] = /\n\n([^\n[\]]+?\.?) (\[\[\d+\]\]\(#ref-\d+\))/.exec(first!.text)!;
    const [asked, searched] = [server.requests.length, sources.requests.length];
    const queries = ['RAG failure modes criticism'];
    const understood = { standalone_question: `Is it true that ${sentence!}`, kind: 'challenge', section: 0, queries };
    script = ({ step }) => (step === 'followUp' ? { text: JSON.stringify(understood) } : undefined);
    const { code, stdout, stderr } = await change('--as', 'challenge', '-q', `“${sentence!}”`, '--yes');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^## Needs a condition: /m);
    assert.match(stdout, /^### Corrected$/m);
    assert.ok(
      sources.requests.slice(searched).some(({ url }) => decodeURIComponent(url).includes('criticism')),
      'it searches',
    );
    const share = tokensSince(asked);
    assert.ok(share <= mostOfParent.research, `${Math.round(share * 100)} % of the prompt tokens of its parent`);
    const now = partsOf(report());
    assert.ok(!now[1]!.text.includes(`${sentence!} ${marker!}`), 'the sentence is another one');
    const { title } = versions().at(-1)! as unknown as { title: string };
    assert.ok(title.startsWith(`Needs a condition: “${sentence!.slice(0, 100)}`), title);
    const [, entry, reason] = /\n### \d{4}-\d\d-\d\d: (.*)\n\n(.*)\n\n- /.exec(now.at(-1)!.text)!;
    assert.equal(entry, title);
    const said = /^## Needs a condition: .*\n\n(.+?) \[/m.exec(stdout)![1]!;
    assert.ok(reason!.startsWith(said), reason);
    assert.match(reason!, /\[\[\d+\]\]\(#ref-\d+\)/);
    for (const [index, { key, text }] of partsOf(written).entries())
      if (index !== 1 && !key.startsWith('\0')) assert.equal(now[index]!.text, text);
    assertCited(report());
  });

  it('leaves the report as it is when a challenge can’t be judged, whatever headings are written instead', async () => {
    const [, sentence] = /\n\n([^\n[\]]{40,}?)\.? \[\[\d+\]\]\(#ref-\d+\)/.exec(partsOf(written)[1]!.text)!;
    script = ({ step, prompt }) => {
      if (step === 'challenge') return { status: 400, body: { error: { message: 'No such request.' } } };
      const [, claim, id] = /^- (.+?)[.\s]* \[(S[0-9a-f]+)\]/m.exec(prompt) ?? [];
      const cited = `${claim!} [${id!}].`;
      return isWriting(step) ? { text: `## What was found\n\n${cited}\n\n### Details\n\n${cited}` } : undefined;
    };
    const { stdout, stderr } = await change('--as', 'challenge', '-q', `“${sentence!}”`, '--yes');
    assert.match(stdout, /^### Details$/m);
    assert.match(stderr, /The report could not be completed: .*HTTP 400/);
    assert.equal(report(), written);
    assert.deepEqual(versions(), []);
  });

  for (const [how, outcome, quoting, heading] of [
    ['with words around it', 'wrong', (sentence: string) => `“${sentence}”, I don't buy that.`, 'Is wrong'],
    ['in part', 'disputed', (sentence: string) => sentence.split(' ').slice(1, -1).join(' '), 'Is disputed'],
    ['whole', 'holds', (sentence: string) => sentence, 'Holds'],
    ['in other words', 'wrong', () => 'Nobody has ever measured any of this.', 'Is wrong'],
  ] as const)
    it(`judges a sentence that is quoted ${how}, and corrects it: ${outcome}`, async () => {
      const [, sentence] = /\n\n([^\n[\]]{40,}?)\.? \[\[\d+\]\]\(#ref-\d+\)/.exec(partsOf(written)[1]!.text)!;
      script = ({ step, prompt }) => {
        if (step !== 'challenge') return undefined;
        const claims = [...prompt.matchAll(/^- (.+?)[.\s]* \[(S[0-9a-f]+)\]/gm)].map(
          ([, claim, id]) => `${claim!} [${id!}].`,
        );
        return { text: JSON.stringify({ outcome, reasons: claims[0], corrected: claims.at(-1) }) };
      };
      const { code, stdout, stderr } = await change('--as', 'challenge', '-q', quoting(sentence!), '--yes');
      assert.equal(code, 0, stderr);
      assert.match(stdout, new RegExp(`^## ${heading}: `, 'm'));
      const isCorrected = outcome !== 'holds' && how !== 'in other words';
      if (isCorrected) assert.ok(stdout.includes(`## ${heading}: ${sentence!.slice(0, 100)}`), stdout);
      const body = partsOf(report()).filter(({ key }) => key !== '\0account');
      assert.equal(
        body
          .map(({ text }) => text)
          .join('\n')
          .includes(sentence!),
        !isCorrected,
      );
      assert.equal(/The report has no such statement/.test(stderr), how === 'in other words');
    });

  it('is written again without a source through the API, and accepted by section', async () => {
    const { followUp, acceptVersion } = (await import(path.join(root, 'dist', 'api.js'))) as typeof Api;
    const config = { ...imitatedSettings(sources), 'model.provider': 'openai-compatible', 'model.name': 'imitation-1' };
    const result = await followUp(parent, 'Without the first source.', {
      ...{ as: 'rewrite', without: [1], runDir: runs, workspace },
      config: { ...config, 'model.baseUrl': server.url },
    });
    assert.equal(result.path, path.join(folder(), 'versions', '2.md'));
    const first = itemsOf(written).get(1)!;
    assert.ok(![...itemsOf(fs.readFileSync(result.path, 'utf8')).values()].includes(first));
    const [, heading, other] = headings(written);
    const { changed, isAccepted } = await acceptVersion(parent, result.reportVersion!, {
      runDir: runs,
      takes: (one) => one !== other,
    });
    assert.ok(isAccepted && changed.includes(heading!));
    assert.equal(partsOf(report())[2]!.text, partsOf(written)[2]!.text);
    assertCited(report());
  });

  it('is what the model takes the question for when no kind is given', async () => {
    const asked = { standalone_question: 'Shorter.', kind: 'rewrite', section: 0 };
    script = ({ step }) => (step === 'followUp' ? { text: JSON.stringify(asked) } : undefined);
    const { code, stderr } = await change('-q', 'Shorter, please.');
    assert.equal(code, 3, stderr);
    assert.equal(versions().at(-1)!.kind, 'rewrite');
  });

  describe('the plan of a change', () => {
    /** Asks through the API, as the panel does. */
    const ask = async (question: string, asked: Partial<Parameters<typeof Api.followUp>[2]>) => {
      const { followUp } = (await import(path.join(root, 'dist', 'api.js'))) as typeof Api;
      const model = { 'model.provider': 'openai-compatible', 'model.name': 'imitation-1', 'model.baseUrl': server.url };
      const config = { ...imitatedSettings(sources), ...model, ...asked.config };
      return followUp(parent, question, { runDir: runs, workspace, ...asked, config });
    };
    const understoodAs = (kind: string, more: object = {}) => {
      const answer = { standalone_question: 'How is RAG evaluated?', kind, section: 0, ...more };
      script = ({ step }) => (step === 'followUp' ? { text: JSON.stringify(answer) } : undefined);
    };

    it('is shown with the kind that the model takes a question for, and its cost, before anything else is asked', async () => {
      understoodAs('rewrite');
      const [asked, whys] = [server.requests.length, [] as string[]];
      const seen: { calls: number; sections: number; steps: (string | undefined)[] }[] = [];
      const { reportVersion } = await ask('Shorter, please.', {
        onEvent: (event) => void (event.type === 'run/strategy' && whys.push(event.why)),
        approve: (plan) => {
          const steps = server.requests.slice(asked).map(({ step }) => step);
          seen.push({ calls: plan.estimate.calls, sections: plan.sections.length, steps });
          const [removed, ...sections] = plan.sections;
          assert.ok(removed);
          return Promise.resolve({ sections });
        },
      });
      assert.deepEqual(whys, [
        'Asked for a report in another form: written again from its findings, without a search.',
      ]);
      const [{ calls, sections, steps }] = seen as [(typeof seen)[0]];
      assert.deepEqual([...new Set(steps)], ['followUp']);
      assert.ok(calls > 0 && calls < 60, String(calls));
      const text = read('versions', `${reportVersion!}.md`);
      const own = headings(text).filter((name) => headings(written).includes(name) && /^\w/.test(name));
      assert.ok(!own.includes(headings(written)[1]!), 'what was removed from the plan is not written');
      assert.ok(sections > 1);
    });

    it('is another one when the user says what should be different', async () => {
      understoodAs('research', { title: 'Benchmarks' });
      const kinds: string[] = [];
      await ask('And how is it evaluated?', {
        approve: (plan) => {
          kinds.push(plan.sections[0]!.title);
          if (kinds.length > 1) return Promise.resolve(plan);
          understoodAs('research', { title: 'Costs' });
          return Promise.resolve({ remark: 'What does it cost?' });
        },
      });
      assert.deepEqual(kinds, ['Benchmarks', 'Costs']);
      const last = server.requests.findLast(({ step }) => step === 'followUp')!;
      assert.match(last.prompt, /And how is it evaluated\?\s+What does it cost\?/);
      assert.ok(headings(read('versions', '2.md')).includes('Costs'));
    });

    it('comes again for another kind that the user chooses in place of the model’s', async () => {
      understoodAs('rewrite', { title: 'Benchmarks' });
      const [asked, searched] = [server.requests.length, sources.requests.length];
      const plans: number[] = [];
      const { reportVersion } = await ask('Shorter, with how it is evaluated.', {
        approve: (plan) => {
          plans.push(plan.sections.length);
          assert.equal(sources.requests.length, searched, 'nothing is searched before');
          return Promise.resolve(plans.length === 1 ? { remark: '', as: 'research' } : plan);
        },
      });
      assert.equal(plans.length, 2);
      assert.ok(plans[0]! > 1 && plans[1] === 1, String(plans));
      assert.deepEqual(
        versions().map(({ kind }) => kind),
        ['first', 'research'],
      );
      assert.ok(headings(read('versions', `${reportVersion!}.md`)).includes('Benchmarks'));
      const understood = server.requests.slice(asked).filter(({ step }) => step === 'followUp');
      assert.equal(understood.length, 2);
    });

    it('is followed by an answer where the user chooses that in place of a change', async () => {
      understoodAs('rewrite');
      const searched = sources.requests.length;
      let plans = 0;
      const { reportVersion, report: answer } = await ask('How is it evaluated?', {
        approve: () => {
          plans += 1;
          return Promise.resolve({ remark: '', as: 'answer' });
        },
      });
      assert.deepEqual([plans, reportVersion, sources.requests.length], [1, undefined, searched]);
      assert.ok(itemsOf(answer).size > 0, answer);
      assert.deepEqual(versions(), []);
    });

    it('is that of the chosen kind after a resume as well, and no answer of the model is asked for twice', async () => {
      understoodAs('rewrite', { title: 'Benchmarks' });
      const [asked, stop] = [server.requests.length, new AbortController()];
      let run = '';
      let plans = 0;
      const stopped = ask('Shorter, with how it is evaluated.', {
        signal: stop.signal,
        onEvent: (event) => void (run = event.run),
        approve: (plan) => {
          plans += 1;
          if (plans === 1) return Promise.resolve({ remark: '', as: 'research' });
          stop.abort();
          return Promise.resolve(plan);
        },
      });
      await assert.rejects(stopped);
      const before = server.requests.slice(asked).map(({ prompt }) => prompt);
      const resumed = server.requests.length;
      const { code, stderr } = await runInHost(command('--resume', run, '--yes'));
      assert.equal(code, 0, stderr);
      assert.equal(versions().at(-1)!.kind, 'research');
      assert.deepEqual(
        server.requests.slice(resumed).filter(({ step, prompt }) => step !== 'trial' && before.includes(prompt)),
        [],
      );
    });

    it('is not shown for an answer, nor for a kind that the user has chosen', async () => {
      understoodAs('answer');
      const approve = () => assert.fail('It is asked for.');
      assert.equal((await ask('How is it evaluated?', { approve })).reportVersion, undefined);
      understoodAs('rewrite');
      assert.equal((await ask('Shorter.', { approve, as: 'rewrite' })).reportVersion, 2);
    });

    it('is shown for a kind that the user has chosen where the settings say so', async () => {
      understoodAs('research', { title: 'Benchmarks' });
      const config = { planApproval: 'always' };
      const searched = sources.requests.length;
      let plans = 0;
      const approve = (plan: { readonly sections: readonly { id: string; title: string; description: string }[] }) => {
        plans += 1;
        assert.equal(sources.requests.length, searched, 'nothing is searched before');
        return Promise.resolve({ sections: plan.sections.map((one) => ({ ...one, title: 'Measurements' })) });
      };
      const { reportVersion } = await ask('And how is it evaluated?', { as: 'research', config, approve });
      assert.equal(plans, 1);
      assert.ok(headings(read('versions', `${reportVersion!}.md`)).includes('Measurements'));
    });
  });

  for (const [name, args, why] of [
    [
      'no kind without a model',
      ['-q', 'Shorter.', '--provider', 'extractive'],
      /To decide what is asked needs a model\. Choose a model/,
    ],
    [
      'a rewrite without a model',
      ['-q', 'Shorter.', '--as', 'rewrite', '--provider', 'extractive'],
      /To rewrite a report needs a model\. Choose a model/,
    ],
    ['no number of a version', ['--accept', 'two'], /"two" is no number of a version/],
    ['a version that does not wait', ['--reject', '7'], /No version 7 .*waits.*There is none that waits/],
    ['a section that it has not', ['--redo', 'Nothing of the kind'], /It has: 1 /],
  ] as const)
    it(`ends with 2 and says why: ${name}`, async () => {
      const { code, stderr } = await change(...args);
      assert.match(stderr, why);
      assert.equal(code, 2);
    });
});
