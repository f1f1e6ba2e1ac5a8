// Several test files in one process, each a suite of its own, so that its hooks stay its own: saves a start of Node and
// of LangChain per file. `node --test` with `--test-isolation=none` would give the hooks of one file to all.
import path from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2))
  describe(file, async () => void (await import(pathToFileURL(path.resolve(file)).href)));
