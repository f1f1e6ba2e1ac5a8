import { lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, parse, relative, sep } from 'node:path';
import { ResearchError } from '../research/errors.ts';
import type { ReportSink } from '../research/ports.ts';
import { createFile } from '../files/createFile.ts';
import { readRegular, reportLimit } from '../files/regularFile.ts';
import { replaceFile } from '../files/replaceFile.ts';
import { storageError } from './storageError.ts';

const mostNumbers = 10_000;

/**
 * Saves reports into a folder of the workspace, which is made when it is missing. A folder that lies outside once links are
 * resolved is refused: a cloned repository may hold such a link.
 *
 * @param below Relative to `workspace`.
 */
export function workspaceSink(workspace: string, below: string): ReportSink {
  return {
    ...leadingTo(workspace, join(workspace, below)),
    async save(fileName, markdown) {
      const folder = join(workspace, below);
      const root = await realpath(workspace).catch((error: unknown) => {
        throw storageError(error, `save the report in ${folder}`);
      });
      const inside = (path: string): boolean =>
        path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
      if (!inside(await realBeginning(join(root, below)))) {
        throw new ResearchError('storage', `The report folder ${below} is outside the workspace.`, {
          next: 'Set deepResearch.report.folder to a folder inside it, or save the report elsewhere.',
        });
      }
      return saveUnder(folder, fileName, markdown);
    },
    saveBeside,
  };
}

/** The real path of the deepest folder of `path` that exists; a link that leads nowhere counts as one that leads out. */
async function realBeginning(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const found = await lstat(at).catch(() => undefined);
    if (found !== undefined) return realpath(at).catch(() => '');
    if (dirname(at) === at) return at;
  }
}

/** Saves to the given path: a `.md` file (a number is added when it exists), else a folder. */
export function pathSink(path: string, workspace?: string): ReportSink {
  const isNamed = extname(path).toLowerCase() === '.md';
  return {
    ...(workspace === undefined ? {} : leadingTo(workspace, isNamed ? dirname(path) : path)),
    async save(fileName, markdown) {
      const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
      return isNamed && !isFolder
        ? saveUnder(dirname(path), parse(path).base, markdown)
        : saveUnder(path, fileName, markdown);
    },
    saveBeside,
  };
}

function leadingTo(workspace: string, folder: string): Pick<ReportSink, 'toWorkspace'> {
  const path = relative(folder, workspace);
  // On another drive.
  return isAbsolute(path) ? {} : { toWorkspace: path.split(sep).join('/') };
}

async function saveBeside(report: string, ending: string, text: string): Promise<void> {
  await saveUnder(dirname(report), parse(report).name + ending, text);
}

/** A process that is killed right after it has saved a file has not recorded that yet: the file of the same run is replaced. */
async function saveUnder(folder: string, fileName: string, markdown: string): Promise<string> {
  const { name, ext } = parse(fileName);
  const run = runOf(markdown);
  try {
    await mkdir(folder, { recursive: true });
    for (let number = 1; number <= mostNumbers; number += 1) {
      const path = join(folder, number === 1 ? fileName : `${name}-${number}${ext}`);
      if (await createFile(path, markdown)) return path;
      const before = await readRegular(path, reportLimit).catch(() => undefined);
      if (before === markdown) return path;
      if (before === undefined || run === undefined || runOf(before) !== run) continue;
      await replaceFile(path, markdown);
      return path;
    }
  } catch (error) {
    throw storageError(error, `save the report in ${folder}`);
  }
  throw storageError(new Error('every name is taken'), `save the report in ${folder}`);
}

/** As the front matter of a report names it. */
function runOf(report: string): string | undefined {
  return /^run: "?(\d{8}-\d{6}-[0-9a-f]{6})"?$/m.exec(report.slice(0, 50_000))?.[1];
}
