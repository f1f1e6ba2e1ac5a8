import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readRegular, reportLimit } from './regularFile.ts';

/** Of a file, in UTF-16 units: its front matter holds a question, which has at most 20,000. */
const headLength = 24_000;

interface Sidecar {
  readonly file: string;
  readonly text: string;
}

/** The file beside a report, which has a number where another file had its name. */
export async function sidecarOf(report: string, run: string | undefined): Promise<Sidecar | undefined> {
  const begins = `${path.basename(report).replace(/\.md$/i, '')}.evidence`;
  const names = await readdir(path.dirname(report)).catch(() => []);
  const numbered = names.filter(
    (name) => name.startsWith(begins) && /^(?:-\d{1,5})?\.md$/.test(name.slice(begins.length)),
  );
  let first: Sidecar | undefined;
  for (const name of numbered.sort((a, b) => a.length - b.length || a.localeCompare(b, 'en'))) {
    const file = path.join(path.dirname(report), name);
    const text = await readRegular(file, reportLimit).catch(() => '');
    // A link may lead to a file that is none of ours, and this one may be written.
    if (text === '') continue;
    const head = text.slice(0, headLength);
    if (run !== undefined && head.includes(`\nevidenceOf: "${run}"\n`)) return { file, text };
    // One of an earlier version does not say whose it is.
    if (!/^evidenceOf:/m.test(head)) first ??= { file, text };
  }
  return first;
}
