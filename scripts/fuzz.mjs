// npm run fuzz [-- --minutes N --seed S NAME…]: random texts for everything that reads text from outside (test/fuzz).
import path from 'node:path';
import { bootstrap, exitWith, run } from './bootstrap.mjs';

async function main() {
  const { node } = await bootstrap();
  const imports = ['register', 'offline'].flatMap((name) => ['--import', `./test/support/${name}.mjs`]);
  return run(node, [...imports, path.join('test', 'fuzz', 'fuzz.ts'), ...process.argv.slice(2)]);
}

exitWith(main());
