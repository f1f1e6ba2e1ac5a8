import { stat } from 'node:fs/promises';
import { readBytes } from '../../files/regularFile.ts';
import { reportHeadLength, runOfReport } from '../reports/reportText.ts';

/** Files that are open at once: only their beginnings are read. */
const atOnce = 16;

/** The file, among `files` (absolute paths), whose front matter names the run; of copies the one changed last. */
export async function findReportFile(run: string, files: readonly string[]): Promise<string | undefined> {
  let found: { readonly file: string; readonly modified: number } | undefined;
  for (let at = 0; at < files.length; at += atOnce) {
    const batch = files.slice(at, at + atOnce);
    const heads = await Promise.all(batch.map(async (file) => ({ file, ...(await readHead(file)) })));
    for (const { file, text, modified } of heads)
      if (text !== undefined && runOfReport(text) === run && modified > (found?.modified ?? -1))
        found = { file, modified };
  }
  return found?.file;
}

/** What a file says about the run that wrote it: its id, or its title when it names none; `gone` when there is no such file. */
export async function runOfFile(file: string): Promise<{ readonly run?: string; readonly title?: string } | 'gone'> {
  const { text } = await readHead(file);
  if (text === undefined) return 'gone';
  const run = runOfReport(text);
  return run === undefined ? { title: /^# (.*)/m.exec(text)?.[1]?.trim() ?? '' } : { run };
}

/** The beginning of a file; nothing of one that cannot be read. */
async function readHead(file: string): Promise<{ readonly text?: string; readonly modified: number }> {
  try {
    const head = await readBytes(file, reportHeadLength);
    return { text: head.toString('utf8'), modified: (await stat(file)).mtimeMs };
  } catch {
    return { modified: 0 };
  }
}
