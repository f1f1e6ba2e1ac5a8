// npm run bench -- linearTime
import { foreignReaders } from '../support/foreignReaders.ts';
import { superLinear } from '../support/growth.ts';

let failed = 0;
for (const [name, read] of Object.entries(foreignReaders)) {
  const problems = await superLinear(read);
  failed += problems.length;
  for (const problem of problems) console.log(`✖ ${name}: ${problem}`);
}
console.log(
  `${Object.keys(foreignReaders).length} readers, ${failed} ${failed === 1 ? 'text' : 'texts'} that cost more than linear time`,
);
process.exitCode = failed > 0 ? 1 : 0;
