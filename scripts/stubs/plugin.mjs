import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** What must not be in a bundle, and what stands in its place (facts: size, and silence on the network). */
const stubs = [
  {
    name: 'zodLocales',
    file: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/,
    when: /[\\/]zod[\\/]v4[\\/](classic|mini)[\\/]external\.js$/,
  },
  {
    name: 'zodFromJson',
    file: /[\\/]zod[\\/]v4[\\/]classic[\\/]from-json-schema\.js$/,
    when: /[\\/]zod[\\/]v4[\\/]classic[\\/]external\.js$/,
  },
  {
    name: 'tracing',
    file: /[\\/]@langchain[\\/]core[\\/]dist[\\/]utils[\\/]callbacks\.js$/,
    when: /[\\/]@langchain[\\/]core[\\/]/,
  },
  {
    name: 'tiktoken',
    file: /[\\/]@langchain[\\/]core[\\/]dist[\\/]utils[\\/]tiktoken\.js$/,
    when: /[\\/]@langchain[\\/]core[\\/]/,
  },
  {
    name: 'sax',
    file: /[\\/]@langchain[\\/]core[\\/]dist[\\/]utils[\\/]sax-js[\\/]sax\.js$/,
    when: /[\\/]@langchain[\\/]core[\\/]dist[\\/]output_parsers[\\/]xml\.js$/,
  },
  {
    name: 'jsonSchema',
    specifier: /^@cfworker\/json-schema$/,
    when: /[\\/]@langchain[\\/]core[\\/]dist[\\/]utils[\\/]json_schema\.js$/,
  },
  {
    name: 'unsafeContexts',
    file: /[\\/]is-unsafe[\\/]src[\\/]contexts[\\/](?:sql|sql-strict|shell|redos|nosql|log|svg)\.js$/,
    when: /[\\/]is-unsafe[\\/]src[\\/]index\.js$/,
  },
  {
    name: 'loadables',
    file: /[\\/]@langchain[\\/]core[\\/]dist[\\/]load[\\/]import_map\.js$/,
    when: /[\\/]@langchain[\\/]core[\\/]dist[\\/]load[\\/]index\.js$/,
  },
  { name: 'langsmith', specifier: /^langsmith(\/|$)/, when: /[\\/]@langchain[\\/]core[\\/]/ },
];

/**
 * Libraries of which a few functions are used, and whose modules do nothing when they are loaded, though their package.json does not
 * say so: what is not used is left out (docs/decisions/007-converters-of-langchain-openai.md).
 */
const withoutSideEffects = /[\\/]node_modules[\\/](?:@langchain[\\/]openai|openai)[\\/]/;

/**
 * LangChain imports zod as one object, of which nothing can be left out, and zod 3 beside zod 4, which has the same builders: as a
 * namespace of zod 4 it is cut to what is used.
 */
const zodAsObject = /^import \{ z(?: as (\S+))? \} from "zod\/v[34]";/gm;

/** Marks a resolution as our own, so that it is not resolved again. */
const resolving = Symbol('resolving');

/** Replaces the modules above, and fails the build when a library moved a file so that its stub no longer matches. */
export const stubPlugin = {
  name: 'stubs',
  setup(build) {
    const matched = new Set();
    build.onStart(() => matched.clear());
    for (const stub of stubs) {
      const contents = fs.readFileSync(path.join(here, `${stub.name}.mjs`), 'utf8');
      const replacement = () => (matched.add(stub.name), { contents, loader: 'js', resolveDir: here });
      if (stub.file) {
        build.onLoad({ filter: stub.file }, replacement);
      } else {
        build.onResolve({ filter: stub.specifier }, () => ({ path: stub.name, namespace: 'stub' }));
        build.onLoad({ filter: new RegExp(`^${stub.name}$`), namespace: 'stub' }, replacement);
      }
    }
    build.onLoad({ filter: /[\\/]@langchain[\\/](?:core|langgraph)[\\/]dist[\\/].*\.js$/ }, ({ path: file }) => {
      const code = fs
        .readFileSync(file, 'utf8')
        .replace(zodAsObject, (_, name = 'z') => `import * as ${name} from "zod";`);
      return { contents: code.replace('from "zod/v3"', 'from "zod"') };
    });
    build.onResolve(
      { filter: /^(?:\.|openai|@langchain\/openai)/ },
      async ({ path: specifier, pluginData, ...from }) => {
        const mayBe = withoutSideEffects.test(from.importer) || specifier === '@langchain/openai';
        if (!mayBe || pluginData === resolving) return undefined;
        const found = await build.resolve(specifier, { ...from, pluginData: resolving });
        return withoutSideEffects.test(found.path) ? { ...found, sideEffects: false } : found;
      },
    );
    build.onEnd((result) => {
      if (!result.metafile) return undefined;
      const inputs = Object.keys(result.metafile.inputs);
      const missed = stubs.filter(
        (stub) => !matched.has(stub.name) && inputs.some((input) => stub.when.test(`/${input}`)),
      );
      const leaked = inputs.filter((input) => /[\\/](langsmith|js-tiktoken)[\\/]/.test(input));
      return {
        errors: [
          ...missed.map((stub) => ({
            text: `The stub scripts/stubs/${stub.name}.mjs replaced nothing: did the library move the file?`,
          })),
          ...leaked.map((input) => ({ text: `${input} is bundled although it should be stubbed.` })),
        ],
      };
    });
  },
};
