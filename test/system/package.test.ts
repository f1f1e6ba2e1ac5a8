import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { stagePackage } from '../../scripts/lib/build.mjs';
import { writeShippedPackages } from '../../scripts/lib/shippedPackages.mjs';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';

interface Output {
  /** The source that a lazily loaded chunk begins with. */
  readonly entryPoint?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

/** What the last build wrote, by file. */
function outputs(build: string): Readonly<Record<string, Output>> {
  const file = path.join(root, 'out', 'meta', `${build}.json`);
  assert.ok(fs.existsSync(file), `${build} has not been built: run "npm run build"`);
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { outputs: Readonly<Record<string, Output>> }).outputs;
}

/** A file and all that is loaded with it. */
function loadedWith(files: Readonly<Record<string, Output>>, entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const { path: to, kind, external } of files[entry]?.imports ?? []) {
    if (!external && kind !== 'dynamic-import') loadedWith(files, to, seen);
  }
  return seen;
}

/** A file and all that it may load sooner or later, but for the chunks that begin with one of `unused`. */
function reachedFrom(
  files: Readonly<Record<string, Output>>,
  entry: string,
  unused: readonly string[],
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(entry) || unused.includes(files[entry]?.entryPoint ?? '')) return seen;
  seen.add(entry);
  for (const { path: to, external } of files[entry]?.imports ?? []) if (!external) reachedFrom(files, to, unused, seen);
  return seen;
}

function inputsOf(files: Readonly<Record<string, Output>>, loaded: Iterable<string>): string[] {
  return [...loaded].flatMap((file) => Object.keys(files[file]?.inputs ?? {}));
}

const size = (file: string) => fs.statSync(path.join(root, file)).size;
const kB = 1_000;
const MB = 1_000_000;

/** What works with the database of a queue is for the command line. */
const isOfQueue = (input: string): boolean => input.startsWith('src/batch/postgres/');

/** Loaded when the settings name a server. */
const mcp = 'src/sources/mcp/createMcpTools.ts';

describe('what is shipped', () => {
  const folder = temporaryFolder('vsix');
  after(() => removeFolder(folder));

  it('activates with at most 60 kB in all, without LangChain, zod classic or a Markdown parser', () => {
    const files = outputs('extension');
    const loaded = loadedWith(files, 'dist/extension.js');
    assert.deepEqual(
      [...loaded].filter((file) => file !== 'dist/extension.js' && !file.startsWith('dist/extension/')),
      [],
    );
    const heavy = inputsOf(files, loaded).filter((input) =>
      /node_modules\/(@langchain|openai|langsmith|marked|preact)\/|zod\/v4\/classic|src\/(research|sources|models|node|panel)\//.test(
        input,
      ),
    );
    assert.deepEqual(heavy, []);
    const foreign = [...loaded]
      .flatMap((file) => files[file]?.imports ?? [])
      .filter(
        ({ kind, external, path: to }) =>
          kind !== 'dynamic-import' && external && to !== 'vscode' && !to.startsWith('node:'),
      );
    assert.deepEqual(foreign, []);
    const history = inputsOf(files, loaded).filter((input) => input.startsWith('src/host/history/'));
    assert.deepEqual(history, ['src/host/history/historyView.ts'], 'the history loads when it is first looked at');
    const bytes = [...loaded].reduce((sum, file) => sum + size(file), 0);
    assert.ok(bytes <= 60 * kB, `${bytes} bytes`);
  });

  it('draws the panel with at most 200 kB', () => {
    assert.deepEqual([...loadedWith(outputs('panel'), 'dist/panel.js')], ['dist/panel.js']);
    assert.ok(size('dist/panel.js') <= 200 * kB, `${size('dist/panel.js')} bytes`);
    assert.deepEqual([...loadedWith(outputs('reportPage'), 'dist/reportPage.js')], ['dist/reportPage.js']);
    assert.ok(size('dist/reportPage.js') <= 100 * kB, `${size('dist/reportPage.js')} bytes`);
  });

  for (const [run, unused] of [
    ['without a model', ['src/models/openai/openAiModels.ts', 'src/research/analyst/llm/llmAnalyst.ts']],
    ['with a model', ['src/research/analyst/llm/followUp.ts', 'src/research/analyst/llm/challenge.ts']],
  ] as const) {
    it(`loads at most 2.5 MB in all for an English run ${run}`, () => {
      const files = outputs('engine');
      const others = [
        ...unused,
        mcp,
        // Loaded when the user has picked tools of the editor.
        'src/sources/mcp/outsideTool.ts',
        'src/sources/mcp/allowedTools.ts',
        'src/models/chooseModel.ts',
        'src/node/exportRun.ts',
        // Of other providers.
        'src/models/ollama/ollamaModels.ts',
        'src/models/anthropic/messagesSearch.ts',
        'src/models/aliyun/generationSearch.ts',
        'src/sources/health.ts',
        'src/models/vscode/editorChat.ts',
        'src/engine/checkStatement.ts',
        'src/engine/checkText.ts',
        'src/research/analyst/llm/critique.ts',
        'src/engine/exampleQuestions.ts',
        'src/engine/searchFolder.ts',
        'src/engine/aboutParent.ts',
        'src/research/nodes/followUp.ts',
        'src/research/runner/lookAgain.ts',
        ...['ar', 'de', 'es', 'fr', 'ja', 'ko', 'ru', 'zh'].map((one) => `src/research/languages/texts/${one}.json`),
      ];
      const entries = Object.values(files).map(({ entryPoint }) => entryPoint);
      assert.deepEqual(
        others.filter((entry) => !entries.includes(entry)),
        [],
        'chunks that such a run leaves alone',
      );
      const loaded = [
        ...reachedFrom(files, 'dist/engine.js', others),
        ...reachedFrom(outputs('extension'), 'dist/extension.js', [
          'src/host/chat/participant.ts',
          'src/host/chat/researchTool.ts',
          'src/host/history/historyActions.ts',
          'src/host/keys.ts',
          'src/host/models/selectModel.ts',
          'src/host/checkSources.ts',
          'src/host/documents/attachable.ts',
          'src/host/documents/attachedBefore.ts',
          'src/host/documents/findDocuments.ts',
          // Loaded outside of English.
          'src/protocol/errorLocalizer.ts',
          'src/host/pickEditorTools.ts',
          'src/host/invokeEditorTool.ts',
          'src/host/allowTools.ts',
          // Loaded by a click.
          'src/host/openSettings.ts',
          'src/host/reports/openSource.ts',
          'src/host/reports/checkStatement.ts',
          'src/host/reports/citedHover.ts',
          'src/host/sources/sourceTree.ts',
          'src/host/agents/useFromAgents.ts',
          'src/host/agents/launcher.ts',
          'src/host/agents/editorServer.ts',
        ]),
        'dist/panel.js',
        'dist/reportPage.js',
        'dist/words/en.br',
        'dist/words/names.br',
        'dist/words/public.br',
        'dist/words/terms.br',
      ];
      const bytes = loaded.reduce((sum, file) => sum + size(file), 0);
      assert.ok(bytes <= 2.5 * MB, `${bytes} bytes`);
    });
  }

  it('reads the arguments of the command before it loads sources, providers and the engine', () => {
    const files = outputs('engine');
    const [command] = Object.entries(files).find(([, { entryPoint }]) => entryPoint === 'src/cli.ts')!;
    const heavy = inputsOf(files, loadedWith(files, command)).filter((input) =>
      /^src\/(?:engine|sources|models|catalogue)|node_modules\/@langchain\/(?:core|langgraph)\//.test(input),
    );
    assert.deepEqual(heavy, []);
  });

  it('carries no tracing client, token tables, test doubles or compiler of schemas, and no HTTP client of OpenAI', () => {
    for (const build of ['engine', 'api', 'reader']) {
      const files = outputs(build);
      assert.deepEqual(
        inputsOf(files, Object.keys(files)).filter((input) =>
          /node_modules\/(langsmith|js-tiktoken|openai|zod\/v3|@langchain\/core\/dist\/(utils\/)?testing|zod\/v4\/core\/compile\.)/.test(
            input,
          ),
        ),
        [],
      );
    }
  });

  it('lists whose work is in the package, with versions, digests and licences', () => {
    writeShippedPackages();
    const { components } = JSON.parse(fs.readFileSync(path.join(root, 'dist', 'sbom.cdx.json'), 'utf8')) as {
      components: readonly { name: string; version: string; licenses: readonly object[]; hashes?: readonly object[] }[];
    };
    const names = components.map(({ name }) => name);
    for (const name of ['@langchain/langgraph', 'zod', 'preact', 'fast-xml-parser', '@vscode/codicons'])
      assert.ok(names.includes(name), name);
    assert.ok(!names.includes('esbuild'), 'what only builds is not shipped');
    assert.deepEqual(
      components.filter(({ licenses, hashes = [] }) => licenses.length === 0 || hashes.length === 0),
      [],
    );
    const notices = fs.readFileSync(path.join(root, 'dist', 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    for (const { name, version } of components) assert.ok(notices.includes(`${name} ${version} (`), name);
  });

  it('packs what the extension loads and what its page shows, and nothing else, in at most 6 MB', async () => {
    const packagePath = path.join(folder, 'deep-research.vsix');
    const staged = stagePackage();
    after(() => removeFolder(staged));
    const { createVSIX } = await import('@vscode/vsce');
    await createVSIX({
      cwd: staged,
      dependencies: false,
      packagePath,
      rewriteRelativeLinks: false,
      allowMissingRepository: true,
    });
    assert.ok(fs.statSync(packagePath).size <= 6 * MB);

    const packed = namesInZip(fs.readFileSync(packagePath)).flatMap((name) =>
      name.startsWith('extension/') ? [name.slice('extension/'.length)] : [],
    );
    const expected = [
      // vsce renames these three.
      'changelog.md',
      'LICENSE.txt',
      'readme.md',
      'dist/codicons/codicon.css',
      'dist/codicons/codicon.ttf',
      'dist/sbom.cdx.json',
      'dist/THIRD_PARTY_NOTICES.txt',
      ...['engine', 'extension', 'panel', 'reader', 'reportPage']
        .flatMap((build) => Object.entries(outputs(build)))
        .flatMap(([file, { inputs }]) => (Object.keys(inputs).some(isOfQueue) ? [] : [file])),
      ...['de', 'en', 'fr', 'ko', 'names', 'public', 'terms', 'zh'].map((list) => `dist/words/${list}.br`),
      ...['mcp.json', 'plugin.json', 'skills/deep-research/SKILL.md'].map((file) => `agents/${file}`),
      ...['ask', 'attach', 'model', 'sources', 'agents'].map((name) => `media/walkthrough/${name}.svg`),
      'media/activity.svg',
      'media/icon.png',
      // What the README shows.
      ...[...fs.readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(
        ([, file]) => file!,
      ),
      'package.json',
      'package.nls.json',
    ];
    assert.deepEqual(
      packed.filter(
        (name) => !expected.includes(name) && !/^(dist\/l10n\/bundle\.l10n\.|package\.nls\.)[\w-]+\.json$/.test(name),
      ),
      [],
    );
    assert.deepEqual(
      expected.filter((name) => !packed.includes(name)),
      [],
    );
  });
});

/** File names of a zip's central directory: signature PK\x01\x02, lengths of name, extra and comment at 28, 30 and 32, name at 46. */
function namesInZip(zip: Buffer): string[] {
  const names: string[] = [];
  const signature = Buffer.from([0x50, 0x4b, 0x01, 0x02]);
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  let at = zip.readUInt32LE(end + 16);
  while (zip.subarray(at, at + 4).equals(signature)) {
    const length = zip.readUInt16LE(at + 28);
    names.push(zip.toString('utf8', at + 46, at + 46 + length));
    at += 46 + length + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return names;
}
