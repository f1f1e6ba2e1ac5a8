// Builds everything that runs: node esbuild.mjs [--production] [--watch] [--tests]
//
//   dist/extension.js            what VS Code loads at activation, with the chunks in extension/ that it imports at once;
//                                reaches the engine only through import('./engine.js')
//   dist/engine.js, cli.js, engine/   the engine, the command line, and the chunks that they share
//   dist/api.js, api/            the package's API
//   dist/readerProcess.js, reader/ the process that reads web pages, PDFs and feeds
//   dist/panel.js, panel.css     the webview
//   dist/reportPage.js, .css     the page that shows a report in a tab
//   dist/codicons/               the icon font of the webview
//   dist/words/                  lists of ordinary words, packed
//   dist/l10n/, package.nls.*.json  the translations, from the tables in l10n/
//   out/test/host/               the tests that run in the extension host (--tests)
//   out/meta/NAME.json           esbuild's metafiles, for the size test
//
// The extension is a build of its own, not one more entry of the engine's: with shared chunks, the little of zod that
// checks the panel's messages would pull the whole zod core into activation.
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTranslations } from './scripts/lib/translations.mjs';
import { stubPlugin } from './scripts/stubs/plugin.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
const at = (...parts) => path.join(root, ...parts);
const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');
const watch = flags.has('--watch');
const unknown = [...flags].filter((flag) => !['--production', '--watch', '--tests'].includes(flag));
if (unknown.length > 0) fail(`Unknown option: ${unknown.join(' ')}`);

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  charset: 'utf8',
  metafile: true,
  logLevel: 'warning',
  loader: { '.md': 'text' },
  define: { 'process.env.NODE_ENV': JSON.stringify(production ? 'production' : 'development') },
};

const node = {
  // Its other build calls a require that no bundler sees.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  ...common,
  platform: 'node',
  // Some CommonJS dependencies call require() for Node's own modules, which an ES module does not have.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
};

/** Keeps the engine out of the extension's bundle: the import stays a dynamic one of the built file beside it. */
const lazyEngine = {
  name: 'lazy-engine',
  setup(build) {
    build.onResolve({ filter: /(^|\/)engine\.ts$/ }, (args) => {
      if (args.kind === 'dynamic-import') return { path: './engine.js', external: true };
      return { errors: [{ text: 'The engine may only be reached by import(), so that activation does not load it.' }] };
    });
  },
};

/** The webview's icon font, as the package ships it. */
const codicons = {
  name: 'codicons',
  setup(build) {
    build.onEnd(() => {
      fs.mkdirSync(at('dist/codicons'), { recursive: true });
      for (const file of ['codicon.css', 'codicon.ttf']) {
        fs.copyFileSync(at('node_modules/@vscode/codicons/dist', file), at('dist/codicons', file));
      }
    });
  },
};

/** Word lists, read as files: inlined in a script they would be a third larger. */
const wordLists = {
  name: 'wordLists',
  setup(build) {
    build.onEnd(() => {
      fs.mkdirSync(at('dist/words'), { recursive: true });
      for (const file of fs.readdirSync(at('src/sources/words')).filter((name) => name.endsWith('.br')))
        fs.copyFileSync(at('src/sources/words', file), at('dist/words', file));
    });
  },
};

/** The texts in other languages, where the editor and the command look for them. */
const translations = {
  name: 'translations',
  setup(build) {
    build.onEnd(writeTranslations);
  },
};

const builds = {
  extension: {
    ...node,
    // All that it bundles are ES modules.
    banner: {},
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    // What is needed once in a while (setting a key, reading an earlier run) is a chunk, not a part of activation.
    splitting: true,
    chunkNames: 'extension/[name]-[hash]',
    // engines.vscode ^1.104 runs Node 22.
    target: 'node22',
    external: ['vscode'],
    plugins: [lazyEngine, stubPlugin, translations],
  },
  engine: {
    ...node,
    // One build: the extension ships the command line too, which serves agents. Its launcher looks at the Node version before it imports
    // the rest.
    entryPoints: { engine: 'src/engine.ts', cli: 'src/launch.ts' },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'engine/[name]-[hash]',
    target: 'node22',
    // Of a queue alone; whoever uses one installs them.
    external: ['pg', 'pg-boss'],
    plugins: [stubPlugin, wordLists],
  },
  api: {
    ...node,
    entryPoints: { api: 'src/api.ts' },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'api/[name]-[hash]',
    target: 'node22',
    external: ['pg', 'pg-boss'],
    plugins: [stubPlugin],
  },
  // The process that reads documents: started for one, ended after it. PDF is a chunk of its own.
  reader: {
    ...node,
    entryPoints: { readerProcess: 'src/sources/readers/readerProcess.ts' },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'reader/[name]-[hash]',
    target: 'node22',
    // What linkedom would draw with; it does without.
    external: ['canvas'],
    plugins: [stubPlugin],
  },
  panel: {
    ...common,
    entryPoints: { panel: 'src/panel/main.ts' },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    outdir: 'dist',
    platform: 'browser',
    target: 'chrome132',
    alias: { entities: at('src/panel/entities.ts') },
    plugins: [stubPlugin, codicons],
  },
};
// A bundle of its own: a tab loads none of the panel.
builds.reportPage = {
  ...builds.panel,
  entryPoints: { reportPage: 'src/panel/reader/main.tsx' },
  plugins: [stubPlugin],
};

if (flags.has('--tests')) {
  // The suite runs every file that lies there: a test that was removed must not.
  fs.rmSync(at('out/test/host'), { recursive: true, force: true });
  builds.hostTests = {
    ...node,
    entryPoints: fs
      .readdirSync(at('test/host'))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `test/host/${file}`),
    outdir: 'out/test/host',
    outbase: 'test/host',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    target: 'node22',
    minify: false,
    sourcemap: 'inline',
    packages: 'external',
    external: ['vscode'],
    plugins: [],
  };
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Chunks are named by their content: old ones would pile up, and the packages would ship them. */
function removeStale(name, options, metafile) {
  const written = new Set(Object.keys(metafile.outputs).map((file) => path.normalize(file)));
  const chunks = options.chunkNames && path.join(options.outdir, path.dirname(options.chunkNames));
  if (!chunks || !fs.existsSync(at(chunks))) return;
  for (const file of fs.readdirSync(at(chunks))) {
    if (!written.has(path.join(chunks, file))) fs.rmSync(at(chunks, file), { recursive: true });
  }
}

/** Most chunks call no `require`: without its declaration they are a tenth of a kilobyte smaller each. */
function stripBanner({ banner: { js } = {} }, { outputs }) {
  if (!production || !js) return;
  for (const file of Object.keys(outputs).filter((output) => output.endsWith('.js'))) {
    const code = fs.readFileSync(at(file), 'utf8');
    const rest = code.replace(js, '').trimStart();
    if (!rest.startsWith('#!') && !/\brequire\b/.test(rest)) fs.writeFileSync(at(file), rest);
  }
}

function afterBuild(name, options, metafile) {
  removeStale(name, options, metafile);
  stripBanner(options, metafile);
  fs.mkdirSync(at('out/meta'), { recursive: true });
  fs.writeFileSync(at('out/meta', `${name}.json`), JSON.stringify(metafile));
  if (name === 'engine' && fs.existsSync(at('dist/cli.js'))) fs.chmodSync(at('dist/cli.js'), 0o755);
}

await Promise.all(
  Object.entries(builds).map(async ([name, options]) => {
    const hooks = {
      name: 'after',
      setup: (build) => build.onEnd((result) => void (result.metafile && afterBuild(name, options, result.metafile))),
    };
    const settings = { ...options, plugins: [...options.plugins, hooks] };
    if (watch) {
      const context = await esbuild.context({ ...settings, logLevel: 'info' });
      await context.watch();
    } else {
      await esbuild.build(settings);
    }
  }),
).catch((error) => {
  // esbuild has printed its own errors already.
  if (!error.errors) console.error(error);
  process.exit(1);
});
