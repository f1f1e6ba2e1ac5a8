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
  const { sources, report, events } = savedFiles([gate], {
    body: `## Gates\n\nThe gate closes at 2.1 m. ${cite(1)}`,
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
    const claim = {
      ...{ type: 'report/claim', run, seq: 8, at: '2026-03-05T10:00:00.000Z', id: 'C1', section: 's', offset: 0 },
      ...statement('The gate closes at 2.1 m.', 1, idOf('Gate', sources), gate.text.trim(), 'L1-L1'),
    };
    const added = { type: 'source/added', run, seq: 1, at: claim.at, ...gate, id: idOf('Gate', sources) };
    write(path.join(folder, 'run.json'), JSON.stringify(savedRecord({ run, workspace, path: file, title: 'Tides' })));
    write(path.join(folder, 'report.md'), report);
    write(path.join(folder, 'sources.json'), sources);
    write(path.join(folder, 'events.ndjson'), `${JSON.stringify(added)}\n${events}${JSON.stringify(claim)}\n`);
    write(path.join(folder, 'evidence', `${idOf('Gate', sources)}.txt`), gate.text);
    write(path.join(workspace, gate.file.path), gate.text);
    write(file, report);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const made of [folder, file, path.join(workspace, 'docs')]) fs.rmSync(made, { recursive: true });
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
      .replace('\n\n## References', `\n\n## Boats\n\nBoats wait outside. ${cite(2)}\n\n## References`)
      .replace(
        '\n\n## How',
        '\n- <a id="ref-2"></a>[2] Boats. https://boats.example/x. Retrieved 2026-03-05\n\n## How',
      );
    const number = await addVersion(folder, {
      ...{ kind: 'research', run: followUp, title: 'Boats?', state: 'waiting', gone: [], text, base: report },
      sources: { 1: idOf('Gate', sources), 2: id },
      statements: [statement('Boats wait outside.', 2, id, boats.text, '0-19')],
    });
    await vscode.commands.executeCommand('deepResearch.compareVersion', run, number, 'accept');
    assert.match(await hoverAt(document, '[2]]('), /Boats wait outside\\\./);
    const hints = () => vscode.languages.getDiagnostics(document.uri).map(({ code }) => code);
    await when(vscode.languages.onDidChangeDiagnostics, () => (hints().length === 0 ? true : undefined));
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      10,
    );
    assert.equal(lenses[0]?.command?.title, '2 cited · 2 supported');
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
