import { opendir, readFile, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ResearchError } from '../research/errors.ts';
import { isRecord } from '../research/text/json.ts';
import { l10n } from './l10n.ts';
import { type PlanFile, readPlanFile } from './planFile.ts';
import { say } from './terminalLine.ts';

/** The files and folders that arguments name. What can't be read of them is a wrong use of the command. */

export async function planFrom(file: string): Promise<PlanFile> {
  const problem = (why: string) =>
    new ResearchError('badRequest', why, { next: l10n.t('deep-research "…" --plan-only prints a plan.') });
  const path = resolve(file);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile())
    throw problem(found ? l10n.t('--plan {0} is not a file.', file) : l10n.t('--plan {0} does not exist.', file));
  // Before it is read: a plan is far smaller.
  if (found.size > 4_000_000) throw problem(l10n.t('--plan {0} is too large for a plan.', file));
  const unread = () => Promise.reject(problem(l10n.t("--plan {0} can't be read.", file)));
  return readPlanFile(await readFile(path, 'utf8').catch(unread), file);
}

/** The settings file's content. Rejects with `badRequest` when it can't be read or is not a JSON object. */
export async function settingsFrom(file: string | undefined): Promise<Record<string, unknown>> {
  if (file === undefined) return {};
  const wrong = (why: string) =>
    new ResearchError('badRequest', why, {
      next: l10n.t('Pass a JSON file like {0}.', '{"deepResearch.strategy": "sections"}'),
    });
  let text: string;
  try {
    text = await readFile(resolve(file), 'utf8');
  } catch {
    throw wrong(l10n.t("--settings {0} can't be read.", file));
  }
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>;
  } catch {
    throw wrong(l10n.t('--settings {0} is not valid JSON.', file));
  }
  throw wrong(l10n.t('--settings {0} is not a JSON object.', file));
}

/** Names the tools of an MCP server that may be used where the settings file has the server. */
export async function saveTools(file: string | undefined, server: string, tools: readonly string[]): Promise<void> {
  const settings = await settingsFrom(file);
  const servers = [settings, settings['deepResearch']]
    .filter(isRecord)
    .flatMap((one) => [one['deepResearch.mcpServers'], one['mcpServers']])
    .filter(isRecord);
  for (const named of servers) if (isRecord(named[server])) Object.assign(named[server], { tools });
  if (file === undefined) return;
  await writeFile(resolve(file), `${JSON.stringify(settings, undefined, 2)}\n`).catch((error: unknown) =>
    say(
      l10n.t('The answer could not be saved in {0}: {1}', file, error instanceof Error ? error.message : String(error)),
    ),
  );
}

export async function existingFolder(path: string, option: string): Promise<string> {
  try {
    await (await opendir(path)).close();
    return path;
  } catch (error) {
    throw new ResearchError('badRequest', unreadable(error as NodeJS.ErrnoException, `${option} ${path}`), {
      next: l10n.t('Pass a folder that you can read.'),
    });
  }
}

function unreadable({ code, message }: NodeJS.ErrnoException, what: string): string {
  if (code === 'ENOENT') return l10n.t('{0} does not exist.', what);
  if (code === 'ENOTDIR') return l10n.t('{0} is not a folder.', what);
  if (code === 'EACCES' || code === 'EPERM') return l10n.t("{0} can't be read: permission denied.", what);
  return l10n.t("{0} can't be read: {1}.", what, message);
}
