import assert from 'node:assert/strict';
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/paths.ts';

/** Who may import whom (docs/architecture.md). A layer is a folder of src, or one of the entries beside them. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  markdown: [],
  research: ['protocol', 'markdown'],
  sources: ['research', 'files'],
  models: ['research'],
  files: ['protocol'],
  node: ['research', 'files', 'protocol'],
  panel: ['protocol', 'markdown'],
  runs: ['files', 'protocol'],
  host: ['protocol', 'files', 'runs'],
  'extension.ts': ['host', 'protocol'],
  'catalogue.ts': ['research', 'sources', 'models', 'protocol'],
  engine: ['catalogue.ts', 'research', 'sources', 'models', 'node', 'protocol'],
  'engine.ts': ['engine', 'catalogue.ts', 'research', 'sources', 'models', 'node', 'protocol'],
  'api.ts': ['engine.ts', 'engine', 'catalogue.ts', 'research', 'sources', 'models', 'node', 'files', 'protocol'],
  'cli.ts': ['engine.ts', 'catalogue.ts', 'research', 'sources', 'models', 'node', 'files', 'protocol'],
  mcp: ['engine.ts', 'catalogue.ts', 'research', 'runs', 'node', 'files', 'protocol'],
  batch: ['engine.ts', 'catalogue.ts', 'research', 'sources', 'runs', 'node', 'files', 'protocol'],
  'step.ts': ['engine.ts', 'catalogue.ts', 'research', 'sources', 'models', 'node', 'protocol'],
  'launch.ts': [],
};

/**
 * The rooms of research, from top to bottom: each may import those below it, types included. A room is a folder, or one of the
 * files beside the folders.
 */
const rooms = [
  'runResearch.ts',
  'runner',
  'graph.ts',
  'strategies',
  'nodes',
  'export',
  'report',
  'verification',
  'plan',
  'section',
  'run',
  'calls',
  'analyst',
  'persistence',
  'policy',
  'tools.ts',
  'routes.ts',
  'evidence',
  'state.ts',
  'settings',
  'stateSchema.ts',
  'text',
  'languages',
  'ports.ts',
  'errors.ts',
];
const mostLooseFiles = 8;

/** What is loaded later, on first use, by import(). */
const lazyArrows: Readonly<Record<string, readonly string[]>> = {
  'extension.ts': ['engine.ts'],
  'launch.ts': ['cli.ts'],
  'cli.ts': ['mcp', 'batch'],
};

const mayUseNode = new Set([
  'sources',
  'models',
  'files',
  'runs',
  'node',
  'host',
  'extension.ts',
  'catalogue.ts',
  'engine',
  'engine.ts',
  'api.ts',
  'cli.ts',
  'mcp',
  'batch',
  'step.ts',
  'launch.ts',
]);
const mayUseVscode = new Set(['host', 'extension.ts']);
/** The one place that talks HTTP: rate limits, retries, the journal and the address guard are there. */
const httpFolder = 'src/sources/http/';
/** Connects to the address that it has checked, which `fetch` does not offer. */
const pageExchange = 'src/sources/pages/pageExchange.ts';
/** Connects to tell a dead address from a slow model, and sends nothing. */
const probe = 'src/models/firstContact.ts';

interface Import {
  readonly file: string;
  readonly layer: string;
  readonly specifier: string;
  readonly lazy: boolean;
}

const files = fs
  .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .map((file) => ({
    file: `src/${file.split(path.sep).join('/')}`,
    code: withoutComments(fs.readFileSync(path.join(root, 'src', file), 'utf8')),
  }));
const imports = files.flatMap(({ file, code }) => importsOf(file, code));

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function layerOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function importsOf(file: string, code: string): Import[] {
  const layer = layerOf(file);
  const eager = [
    ...code.matchAll(/^\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm),
  ];
  const lazy = [...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)];
  return [
    ...eager.map((match) => ({
      file,
      layer,
      specifier: match[1] ?? match[2] ?? '',
      lazy: false,
    })),
    ...lazy.map((match) => ({ file, layer, specifier: match[1] ?? '', lazy: true })),
  ];
}

/** Sets of files that import each other, directly or not (Tarjan's strongly connected components), each sorted. */
function cyclesOf(edges: readonly Import[]): string[][] {
  const targets = Map.groupBy(edges, ({ file }) => file);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    stack.push(file);
    for (const { specifier } of targets.get(file) ?? []) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, low.get(target)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) cycles.push(component.sort());
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

function told(list: readonly Import[]): string[] {
  return list.map(({ file, specifier }) => `${file} imports ${specifier}`);
}

const isBuiltin = (specifier: string) => specifier.startsWith('node:') || builtinModules.includes(specifier);

describe('layers', () => {
  it('know every folder and entry of src', () => {
    const unknown = files.map(({ file }) => layerOf(file)).filter((layer) => !(layer in arrows));
    assert.deepEqual([...new Set(unknown)], []);
    assert.ok(imports.length > 20, 'the test reads imports');
  });

  it('import along the arrows only', () => {
    const wrong = imports.filter(({ file, layer, specifier, lazy }) => {
      if (!specifier.startsWith('.')) return false;
      const target = path.posix.join(path.posix.dirname(file), specifier);
      // Prompts are texts beside src; the manifest names the version.
      if (!target.startsWith('src/'))
        return !target.startsWith('prompts/') && !(target === 'package.json' && layer.endsWith('.ts'));
      const to = layerOf(target);
      return to !== layer && !arrows[layer]?.includes(to) && !(lazy && lazyArrows[layer]?.includes(to));
    });
    assert.deepEqual(told(wrong), []);
  });

  it('have rooms in research, each of which imports those below it only', () => {
    const roomOf = (file: string) => /^src\/research\/([^/]+)/.exec(file)?.[1];
    const known = new Set(files.flatMap(({ file }) => roomOf(file) ?? []));
    assert.deepEqual(
      [...known].filter((room) => !rooms.includes(room)),
      [],
    );
    assert.deepEqual(
      rooms.filter((room) => !known.has(room)),
      [],
    );
    assert.ok([...known].filter((room) => room.endsWith('.ts')).length <= mostLooseFiles);
    const wrong = imports.filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const from = roomOf(file);
      const to = roomOf(path.posix.join(path.posix.dirname(file), specifier));
      return from !== undefined && to !== undefined && from !== to && rooms.indexOf(from) > rooms.indexOf(to);
    });
    assert.deepEqual(told(wrong), []);
  });

  it('have no import cycle, types included', () => {
    assert.deepEqual(cyclesOf(imports.filter(({ specifier, lazy }) => specifier.startsWith('.') && !lazy)), []);
    const [a, b, c] = ['src/a.ts', 'src/b.ts', 'src/c.ts'];
    const edge = (file: string, specifier: string): Import => ({
      file,
      layer: '',
      specifier,
      lazy: false,
    });
    assert.deepEqual(cyclesOf([edge(a, './b.ts'), edge(b, './c.ts'), edge(c, './b.ts')]), [[b, c]]);
  });

  it('name the file that they import, so that Node runs the sources as they are', () => {
    assert.deepEqual(
      told(imports.filter(({ specifier }) => specifier.startsWith('.') && !/\.(ts|tsx|md|css|json)$/.test(specifier))),
      [],
    );
  });

  it('import vscode in the host only', () => {
    assert.deepEqual(
      told(imports.filter(({ layer, specifier }) => specifier === 'vscode' && !mayUseVscode.has(layer))),
      [],
    );
  });

  it('keep Node out of the protocol, the Markdown, the research and the panel', () => {
    assert.deepEqual(
      told(imports.filter(({ layer, specifier }) => isBuiltin(specifier) && !mayUseNode.has(layer))),
      [],
    );
    const globals =
      /\bprocess\.(env|argv|cwd|stdout|stderr|exit|version|platform|nextTick)\b|\bBuffer\.|\b__dirname\b|\brequire\(|\bimport\.meta\b/;
    const users = files.filter(({ file, code }) => !mayUseNode.has(layerOf(file)) && globals.test(code));
    assert.deepEqual(
      users.map(({ file }) => file),
      [],
    );
  });

  it('keep libraries out of the protocol but zod/mini', () => {
    assert.deepEqual(
      told(
        imports.filter(
          ({ layer, specifier }) => layer === 'protocol' && !specifier.startsWith('.') && specifier !== 'zod/mini',
        ),
      ),
      [],
    );
  });

  it('ask the network in the HTTP client and the guarded exchange of pages only', () => {
    const clients = /^(node:)?(https?|http2|net|tls|dgram|undici)$|^(axios|got|node-fetch|ky)$/;
    const engine = new Set(['research', 'sources', 'models', 'node']);
    const wrong = imports.filter(
      ({ file, layer, specifier }) =>
        engine.has(layer) &&
        clients.test(specifier) &&
        !file.startsWith(httpFolder) &&
        ![probe, pageExchange].includes(file),
    );
    assert.deepEqual(told(wrong), []);
    const callers = files.filter(({ file, code }) => {
      return (
        engine.has(layerOf(file)) &&
        !file.startsWith(httpFolder) &&
        file !== pageExchange &&
        /(?<![.#\w])fetch\(|globalThis\.fetch\b|\bXMLHttpRequest\b|\bnew WebSocket\b|\bsendBeacon\b/.test(code)
      );
    });
    assert.deepEqual(
      callers.map(({ file }) => file),
      [],
    );
  });

  it('hold no default export of our own', () => {
    assert.deepEqual(
      files.filter(({ code }) => /^export default\b/m.test(code)).map(({ file }) => file),
      [],
    );
  });
});
