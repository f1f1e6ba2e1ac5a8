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

## References

- <a id="ref-1"></a>[1] Notes. [gate.md#L2-L3](../gate.md#L2-L3). Retrieved 2026-01-02
- <a id="ref-2"></a>[2] Gates. https://gates.example/x. Retrieved 2026-01-02
`;
const sidecar = `# Tides

The gate closes at 2.1 m. [[1]](#ref-1) — *supported, one voice*

> At 2.1 m the gate closes. [[1]](#ref-1)

It opens at low tide. [[2]](#ref-2) — *unverified (the budget was used up)*

> Low tide opens it. ![x](https://images.example/x.png) [[2]](#ref-2)
`;

describe('a report that is open as text', () => {
  let document: vscode.TextDocument;
  const at = (text: string, from = 0) => document.positionAt(document.getText().indexOf(text, from) + 1);

  before(async () => {
    await activateExtension();
    const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const folder = path.join(workspace, 'research');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(workspace, 'gate.md'), 'one\ntwo\nthree\n');
    fs.writeFileSync(path.join(folder, 'tides.md'), report);
    fs.writeFileSync(path.join(folder, 'tides.evidence.md'), sidecar);
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
    assert.match(first, /> At 2\.1 m the gate closes\./);
    const second = await shown('[2]](');
    assert.match(second, /unverified[^]*> Low tide opens it\./);
    assert.ok(second.includes('x.png') && !second.includes('!['), 'no image is loaded');
    assert.equal(await shown('gate closes'), '');
  });

  it('leads from a citation to the lines of its file, or to its reference', async () => {
    const found = async (text: string) => {
      const places = await vscode.commands.executeCommand<vscode.Location[]>(
        'vscode.executeDefinitionProvider',
        document.uri,
        at(text),
      );
      return places.map(({ uri, range }) => [path.basename(uri.fsPath), range.start.line, range.end.line]);
    };
    assert.deepEqual(await found('[1]]('), [['gate.md', 1, 2]]);
    const line = document.positionAt(report.indexOf('- <a id="ref-2">')).line;
    assert.deepEqual(await found('[2]]('), [['tides.md', line, line]]);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
      10,
    );
    assert.ok(links.some(({ target }) => target?.path.endsWith('/gate.md') && target.fragment === 'L2-L3'));
  });

  it('says above its title how many statements it cites and how they were judged', async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      10,
    );
    const [first, ...others] = lenses.flatMap(({ command, range }) => (command ? [{ ...command, range }] : []));
    assert.equal(first?.title, '2 cited · 1 supported · 1 unverified');
    assert.equal(first.range.start.line, 7);
    assert.deepEqual(others, [], 'its run is not on this machine');
  });
});
