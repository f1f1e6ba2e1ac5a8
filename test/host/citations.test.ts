import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { activateExtension } from './support/extension.ts';

const report = `---
title: "Tides"
question: "When does the gate close?"
strategy: "sections"
run: "20260102-000000-abcdef"
---

# Tides

The gate closes at 2.1 m. [[1]](#ref-1) It opens at low tide. [[2]](#ref-2)

## Boats

Boats wait outside. [[1]](#ref-1)

## References

- <a id="ref-1"></a>[1] Notes. [gate.md#L2-L3](../gate.md#L2-L3). Retrieved 2026-01-02
- <a id="ref-2"></a>[2] Gates. Ann Lee, 2025-11. https://gates.example/x. Retrieved 2026-01-02
`;
const sidecar = `# Tides

The gate closes at 2.1 m. [[1]](#ref-1) — *supported, one voice*

> At 2.1 m the gate closes. [[1]](#ref-1)

It opens at low tide. [[2]](#ref-2) — *unverified (the budget was used up)*

> Low tide opens it. ![x](https://images.example/x.png) [y](command:workbench.action.quit) [[2]](#ref-2)

Boats wait inside. [[1]](#ref-1) — *supported*

> Boats wait. [[1]](#ref-1)
`;

describe('a report that is open as text', () => {
  let document: vscode.TextDocument;
  const at = (text: string, from = 0) => document.positionAt(document.getText().indexOf(text, from) + 1);

  before(async () => {
    await activateExtension();
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const folder = path.join(workspace, 'research');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(workspace, 'gate.md'), 'one\nAt 2.1 m\nthe gate closes.\n');
    fs.writeFileSync(path.join(folder, 'tides.md'), report);
    // Its own name was taken by the evidence of another report.
    const ofAnother = `---\nevidenceOf: "20260101-000000-fedcba"\n---\n\n# Other\n\nX. [[1]](#ref-1) — *quoted*\n`;
    fs.writeFileSync(path.join(folder, 'tides.evidence.md'), ofAnother);
    fs.writeFileSync(
      path.join(folder, 'tides.evidence-2.md'),
      `---\nevidenceOf: "20260102-000000-abcdef"\n---\n\n${sidecar}`,
    );
    document = await vscode.workspace.openTextDocument(path.join(folder, 'tides.md'));
    await vscode.window.showTextDocument(document);
  });

  it('shows at a citation its reference, the verdict and the passage', async () => {
    const shown = async (text: string) => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        at(text),
      );
      return hovers.flatMap(({ contents }) => contents.map((one) => (one as vscode.MarkdownString).value)).join('\n');
    };
    const first = await shown('[1]](');
    assert.match(first, /Notes\. gate\.md#L2-L3\. Retrieved 2026-01-02/);
    assert.match(first, /supported\\, one voice/);
    assert.match(first, /> \*\*At 2\\\.1 m the gate closes/);
    const second = await shown('[2]](');
    assert.match(second, /unverified[^]*> .*Low tide opens it/);
    assert.match(second, /images/);
    assert.doesNotMatch(second, /!\[|[^\\]\]\((?!command:deepResearch\.openCited)/, 'none is taken from the sidecar');
    assert.match(second, /gates\\\.example · 2025\\-11 · retrieved 2026/);
    const [page, copy] = [...first.matchAll(/\(command:deepResearch\.openCited\?([^)]+)\)/g)].map(
      ([, args]) => JSON.parse(decodeURIComponent(args!)) as unknown[],
    );
    const opened = async (args: unknown[]) => {
      await vscode.commands.executeCommand('deepResearch.openCited', ...args);
      const { document: front, selection } = vscode.window.activeTextEditor!;
      return [path.basename(front.uri.fsPath), selection.start.line];
    };
    assert.deepEqual(await opened(page!), ['gate.md', 1]);
    assert.deepEqual(await opened(copy!), ['tides.evidence-2.md', 8]);
    await vscode.window.showTextDocument(document);
    assert.equal(await shown('gate closes'), '');
  });

  it('has at a citation the facts that its reference gives', async () => {
    const evidence = await (await activateExtension()).reports.evidence();
    const text = document.getText();
    const shown = async (number: number) => {
      const at = { number, block: '', before: '' };
      const { title, facts } = await evidence.show({ document, run: undefined, text }, at);
      return [title, ...facts];
    };
    assert.deepEqual(await shown(1), ['Notes', '../gate.md:2-3', 'retrieved 2026-01-02']);
    assert.deepEqual(await shown(2), ['Gates. Ann Lee, 2025-11', 'gates.example', '2025-11', 'retrieved 2026-01-02']);
  });

  it('leads from a citation to the lines of its file, to the passage in what was read, or to its reference', async () => {
    const found = async (text: string) => {
      const places = await vscode.commands.executeCommand<vscode.Location[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        at(text),
      );
      return places.map(({ uri, range }) => [path.basename(uri.fsPath), range.start.line, range.end.line]);
    };
    assert.deepEqual(await found('[1]]('), [['gate.md', 1, 2]]);
    const copy = await vscode.workspace.openTextDocument(path.join(document.uri.fsPath, '..', 'tides.evidence-2.md'));
    const { line } = copy.positionAt(copy.getText().indexOf('> Low tide opens it.'));
    assert.deepEqual(await found('[2]]('), [['tides.evidence-2.md', line, line]], 'what was read of a page');
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
      10,
    );
    assert.ok(links.some(({ target }) => target?.path.endsWith('/gate.md') && target.fragment === 'L2-L3'));
  });

  it('of somebody else leads to no file outside of the folder, and links to none', async () => {
    const folder = path.dirname(document.uri.fsPath);
    const outside = path.join(folder, '..', '..', `outside-${process.pid}.md`);
    fs.writeFileSync(outside, 'mine');
    const text = report
      .replaceAll('../gate.md#', `../../${path.basename(outside)}#`)
      .replace('Retrieved 2026', '<file:///etc/passwd> Retrieved 2026')
      // No file beside it has what its citations rest on.
      .replace('20260102-000000-abcdef', '20260103-000000-abcdef');
    fs.writeFileSync(path.join(folder, 'theirs.md'), text);
    const other = await vscode.workspace.openTextDocument(path.join(folder, 'theirs.md'));
    const [place] = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeDefinitionProvider',
      other.uri,
      other.positionAt(text.indexOf('[1]](') + 1),
    );
    assert.equal(path.basename(place!.uri.fsPath), 'theirs.md');
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      other.uri,
      other.positionAt(text.indexOf('[1]](') + 1),
    );
    assert.match((hover!.contents[0] as vscode.MarkdownString).value, /\\<file:/);
    fs.rmSync(outside);
    fs.rmSync(path.join(folder, 'theirs.md'));
  });

  it('says above its title and each section how many statements it cites and how they were judged', async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      10,
    );
    assert.deepEqual(
      lenses.map(({ command, range }) => [document.lineAt(range.start.line).text, command?.title]),
      [
        ['# Tides', '3 cited · 1 supported · 1 unverified'],
        ['# Tides', 'Sources'],
        ['# Tides', 'Export'],
        ['## Boats', '1 cited'],
      ],
      'its run is not on this machine',
    );
  });

  it('has its sources in the tree: works with their passages, and these with what rests on them', async () => {
    const { sources } = await activateExtension();
    const tree = await sources.tree();
    const shown = async (node?: Parameters<typeof tree.item>[0]) =>
      (await tree.children(node)).map((one) => {
        const { label, description, tooltip } = tree.item(one);
        return { one, line: `${String(label)} | ${String(description)}`, tooltip };
      });
    const works = await shown();
    assert.deepEqual(
      works.map(({ line }) => line),
      ['Notes | [1] · ../gate.md', 'Gates | [2] · gates.example'],
    );
    const passages = await shown(works[0]!.one);
    assert.deepEqual(
      passages.map(({ line }) => line),
      ['At 2.1 m the gate closes. | [1]'],
      'the statement about boats was edited',
    );
    assert.deepEqual(
      (await shown(passages[0]!.one)).map(({ line }) => line),
      ['The gate closes at 2.1 m. | supported, one voice'],
    );
    const [sentence] = await tree.children((await shown(works[1]!.one))[0]!.one);
    const edit = new vscode.WorkspaceEdit();
    const words = at('It opens at', report.indexOf('# Tides'));
    edit.replace(document.uri, new vscode.Range(words.translate(0, -1), words.translate(0, 10)), 'It *opens* at');
    await vscode.workspace.applyEdit(edit);
    await tree.run('deepResearch.openSource', sentence);
    assert.equal(document.offsetAt(vscode.window.activeTextEditor!.selection.start), report.indexOf('It opens'));
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('vscode.openWith', document.uri, 'deepResearch.report');
    await tree.children(undefined);
    await tree.run('deepResearch.openSource', sentence);
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(input instanceof vscode.TabInputCustom, 'where the report is read');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await vscode.window.showTextDocument(document);
    await tree.run('deepResearch.copyReference', works[1]!.one);
    assert.equal(
      await vscode.env.clipboard.readText(),
      '[2] Gates. Ann Lee, 2025-11. https://gates.example/x. Retrieved 2026-01-02',
    );
    const exported = (await activateExtension()).runToExport([document.uri]);
    assert.deepEqual(exported, ['20260102-000000-abcdef'], 'what the title of its tab exports');
    await tree.run('deepResearch.openSource', works[0]!.one);
    const { document: opened, selection } = vscode.window.activeTextEditor!;
    assert.deepEqual([path.basename(opened.uri.fsPath), selection.start.line], ['gate.md', 1]);
    await vscode.window.showTextDocument(document);
  });

  it('hints at what was edited or is unverified, and offers to check it again', async () => {
    const hints = () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .filter(({ source }) => source === 'Deep Research')
        .map(({ range, code, severity }) => [document.getText(range), code, severity]);
    await until(() => hints().length === 2);
    assert.deepEqual(hints(), [
      ['It opens at low tide.', 'unverified', vscode.DiagnosticSeverity.Hint],
      ['Boats wait outside.', 'edited', vscode.DiagnosticSeverity.Hint],
    ]);
    const [boats] = vscode.languages.getDiagnostics(document.uri).filter(({ code }) => code === 'edited');
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      boats!.range,
    );
    assert.deepEqual(
      actions.flatMap(({ command, title }) => (command?.command === 'deepResearch.checkStatement' ? [title] : [])),
      ['Check Again'],
    );
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, boats!.range, 'Boats wait inside.');
    await vscode.workspace.applyEdit(edit);
    await until(() => hints().length === 1);
    const settings = vscode.workspace.getConfiguration('deepResearch');
    await settings.update('report.hints', false, vscode.ConfigurationTarget.Global);
    await until(() => hints().length === 0);
    await settings.update('report.hints', undefined, vscode.ConfigurationTarget.Global);
  });
});

/** Resolves when the hints are as expected; the suite's own time limit ends it otherwise. */
async function until(isSo: () => boolean): Promise<void> {
  const changed = () =>
    new Promise<void>((resolve) => {
      const listening = vscode.languages.onDidChangeDiagnostics(() => {
        listening.dispose();
        resolve();
      });
    });
  while (!isSo()) await changed();
}
