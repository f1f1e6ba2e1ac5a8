import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainMarks } from '../../support/plainMarks.ts';

const folder = join(import.meta.dirname, '../../../src/research/languages/texts');
type Lines = Readonly<Record<'missing' | 'notHere' | 'notHereLacks' | 'nearest' | 'nearestLacks', string>>;

/** Lines, up to the words that they name, with which a report says that it is no answer, or not to all that is asked. */
const beginnings = readdirSync(folder).flatMap((file) => {
  const { digest } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly digest: Lines };
  const { missing, notHere, notHereLacks, nearest, nearestLacks } = digest;
  return [missing, notHere, notHereLacks, nearest, nearestLacks].map((line) => plainMarks(line.split('{words}')[0]!));
});

export function apologies(ownLines: readonly string[]): readonly string[] {
  return ownLines.filter((line) => beginnings.some((beginning) => beginning !== '' && line.startsWith(beginning)));
}
