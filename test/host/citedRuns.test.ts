import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { addVersion } from '../../src/files/versions.ts';
import type { ResearchHost } from '../../src/host/researchHost.ts';
import { savedFiles, savedRecord } from '../support/savedRun.ts';
import { activateExtension, when } from './support/extension.ts';

const run = '20260305-100000-abcdef';
const gate = {
  ...{ kind: 'workspace', title: 'Gate', authors: [], text: 'At 2.1 m the gate closes.\n' },
  file: { path: 'docs/gate.md', firstLine: 1, lastLine: 1 },
};
/** The text of a page that the user gave. */
const letter = {
  ...{ kind: 'attached', title: 'Letter', authors: [], url: 'https://crew.example/letter' },
  text: 'Dear crew,\n\nBoats pay 3 EUR.\n',
};
const boats = {
  ...{ kind: 'web', title: 'Boats', authors: [], date: '2026-01-01', url: 'https://boats.example/x' },
  text: 'Boats wait outside.',
};
const cite = (number: number) => `[[${number}]](#ref-${number})`;

describe('the report of a run on this machine', () => {
  let host: ResearchHost;
  let folder: string;
  let file: string;
  const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const { sources, report, events } = savedFiles([gate, letter], {
    body: `## Gates\n\nThe gate closes at 2.1 m. ${cite(1)} Boats pay 3 EUR. ${cite(2)}\n\n## Outlook\n\nAll of them pay. ${cite(2)}`,
    record: { run, title: 'Tides' },
    others: [],
  });
  const idOf = (title: string, json: string) =>
    (JSON.parse(json) as { sources: { id: string; title: string }[] }).sources.find((one) => one.title === title)!.id;
  const statement = (sentence: string, number: number, source: string, text: string, place: string) => ({
    ...{ sentence, citations: [number], verdict: 'supported', passages: [{ number, source, text, place }] },
  });

  before(async () => {
    host = await activateExtension();
    folder = path.join(host.options().runsFolder, run);
    file = path.join(workspace, 'research', 'tides-of-a-run.md');
    const at = { run, seq: 8, at: '2026-03-05T10:00:00.000Z' };
    const claims = [
      statement('The gate closes at 2.1 m.', 1, idOf('Gate', sources), gate.text.trim(), 'L1-L1'),
      statement('Boats pay 3 EUR.', 2, idOf('Letter', sources), 'Boats pay 3 EUR.', '12-28'),
      {
        ...statement('All of them pay.', 2, idOf('Letter', sources), 'Boats pay 3 EUR.', '12-28'),
        section: 'conclusion',
      },
    ].map((one, index) => ({ ...at, type: 'report/claim', id: `C${index}`, section: 's', offset: 0, ...one }));
    const added = [gate, letter].map((one) => ({ ...at, type: 'source/added', ...one, id: idOf(one.title, sources) }));
    const lines = (all: readonly unknown[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('');
    write(path.join(folder, 'run.json'), JSON.stringify(savedRecord({ run, workspace, path: file, title: 'Tides' })));
    write(path.join(folder, 'report.md'), report);
    write(path.join(folder, 'sources.json'), sources);
    write(path.join(folder, 'events.ndjson'), lines(added) + events + lines(claims));
    for (const { title, text } of [gate, letter])
      write(path.join(folder, 'evidence', `${idOf(title, sources)}.txt`), text);
    write(path.join(workspace, gate.file.path), gate.text);
    write(file, report);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const made of [folder, file, path.join(workspace, 'docs')]) fs.rmSync(made, { recursive: true });
  });

  it('leads to the file that was read from wherever it is moved to, and to the stored text where that has changed', async () => {
    const moved = path.join(workspace, 'research', 'of', 'boats', 'tides-moved.md');
    write(moved, report);
    const document = await vscode.workspace.openTextDocument(moved);
    const defined = async (mark: string) => {
      const [place] = await vscode.commands.executeCommand<vscode.Location[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        document.positionAt(document.getText().indexOf(mark) + 1),
      );
      const { uri, range } = place!;
      return [uri.scheme, range.start.line, (await vscode.workspace.openTextDocument(uri)).getText(range)];
    };
    assert.deepEqual(await defined('[1]]('), ['file', 0, '']);
    assert.deepEqual(await defined('[2]]('), ['deep-research-source', 2, 'Boats pay 3 EUR.']);
    const text = document.getText();
    const sentence = 'The gate closes at 2.1 m.';
    const opened = async (number: number, block: string) => {
      const evidence = await host.reports.evidence();
      await evidence.open({ run, document, text }, { number, block, before: block }, false);
      const { document: shown, selection } = vscode.window.activeTextEditor!;
      return [shown.uri.scheme, shown.getText(selection)];
    };
    assert.deepEqual(await opened(1, sentence), ['file', gate.text.trim()]);
    assert.deepEqual(await opened(2, 'Boats pay 3 EUR.'), ['deep-research-source', 'Boats pay 3 EUR.']);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(path.join(workspace, gate.file.path)));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'New.\n'));
    assert.deepEqual(await opened(1, sentence), ['file', gate.text.trim()], 'a line further down');
    assert.deepEqual(await defined('[1]]('), ['file', 1, '']);
    await editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 1, 100), 'At 9 m the gate closes.'));
    assert.deepEqual(await opened(1, sentence), ['deep-research-source', gate.text.trim()]);
    assert.deepEqual(await defined('[1]]('), ['deep-research-source', 0, gate.text.trim()]);
    await editor.document.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(path.join(workspace, 'research', 'of'), { recursive: true });
  });

  it('can be researched again by its sections, of which its conclusion is none', async () => {
    const document = await vscode.workspace.openTextDocument(file);
    const above = async (heading: string) => {
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
        20,
      );
      return lenses
        .filter(({ range }) => document.lineAt(range.start.line).text === heading)
        .map(({ command }) => command?.title);
    };
    assert.deepEqual(await above('## Gates'), ['2 cited · 2 supported', 'Redo', 'Deeper', 'Remove']);
    assert.deepEqual(await above('## Outlook'), ['1 cited · 1 supported', 'Remove']);
    const editor = await vscode.window.showTextDocument(document);
    const at = document.positionAt(document.getText().indexOf('## Gates') + '## '.length);
    await editor.edit((edit) => edit.insert(at, 'My '));
    assert.deepEqual(await above('## My Gates'), ['2 cited · 2 supported'], 'named by hand');
    await vscode.commands.executeCommand('undo');
    await document.save();
  });

  it('has the evidence of a version from its acceptance on', async () => {
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.window.showTextDocument(document);
    assert.match(await hoverAt(document, '[1]]('), /At 2\\\.1 m the gate closes/);
    const found = savedFiles([boats], { others: [] }).sources;
    const followUp = '20260305-110000-abcdef';
    const id = idOf('Boats', found);
    write(path.join(folder, '..', followUp, 'sources.json'), found);
    write(path.join(folder, '..', followUp, 'evidence', `${id}.txt`), boats.text);
    const text = report
      .replace('\n\n## References', `\n\n## Boats\n\nBoats wait outside. ${cite(3)}\n\n## References`)
      .replace(
        '\n\n## How',
        '\n- <a id="ref-3"></a>[3] Boats. https://boats.example/x. Retrieved 2026-03-05\n\n## How',
      );
    const number = await addVersion(folder, {
      ...{ kind: 'research', run: followUp, title: 'Boats?', state: 'waiting', gone: [], text, base: report },
      sources: { 1: idOf('Gate', sources), 2: idOf('Letter', sources), 3: id },
      statements: [statement('Boats wait outside.', 3, id, boats.text, '0-19')],
    });
    await vscode.commands.executeCommand('deepResearch.compareVersion', run, number, 'accept');
    assert.match(await hoverAt(document, '[3]]('), /Boats wait outside\\\./);
    const hints = () => vscode.languages.getDiagnostics(document.uri).map(({ code }) => code);
    await when(vscode.languages.onDidChangeDiagnostics, () => (hints().length === 0 ? true : undefined));
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      10,
    );
    assert.equal(lenses[0]?.command?.title, '4 cited · 4 supported');
    const { sources: view } = host;
    const tree = await view.tree();
    const works = (await tree.children(undefined)).map((one) => tree.item(one));
    assert.deepEqual(
      works.map(({ label, description }) => `${String(label)} | ${String(description)}`),
      [
        'Gate | [1] · workspace · docs/gate.md',
        'Letter | [2] · attached · crew.example',
        'Boats | [3] · web · boats.example · 2026-01-01',
      ],
    );
  });
});

async function hoverAt(document: vscode.TextDocument, text: string): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    document.positionAt(document.getText().indexOf(text) + 1),
  );
  return hovers.flatMap(({ contents }) => contents.map((one) => (one as vscode.MarkdownString).value)).join('\n');
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
