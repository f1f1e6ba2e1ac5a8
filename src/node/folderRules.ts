import { join } from 'node:path';
import { isRecord } from '../protocol/json.ts';
import { readRegular } from '../files/regularFile.ts';
import { ResearchError } from '../research/errors.ts';
import { type DeclaredSettings, restrictedSettings } from '../research/settings/config.ts';

const place = ['.vscode', 'settings.json'] as const;
/** Bytes of a file of settings that people write. */
const longest = 1_000_000;
/** What a file means that can't be read: it may have meant this. */
const strictest = { 'deepResearch.workspace.forModel': 'off', 'deepResearch.workspace.inQueries': 'nothing' };

export interface FolderRules {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly warnings: readonly { readonly code: string; readonly text: string }[];
}

/**
 * The user's settings, restricted by the folder's `.vscode/settings.json` as in the editor; nothing that the file says loosens one, or
 * names a server, a key or an address. Throws `config` for a setting that can't be used.
 */
export async function withFolderRules(
  user: Readonly<Record<string, unknown>>,
  folder: string,
  declared: DeclaredSettings,
): Promise<FolderRules> {
  const file = join(folder, ...place);
  let rules: Readonly<Record<string, unknown>>;
  try {
    rules = await readRules(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return { settings: user, warnings: [] };
    const message = `${file} can't be read, so the strictest is assumed: no model sees the folder, and none of its names is in a query.`;
    return {
      settings: restrictedSettings(user, declared, strictest),
      warnings: [{ code: 'settings.folder', text: message }],
    };
  }
  try {
    return { settings: restrictedSettings(user, declared, rules), warnings: [] };
  } catch (error) {
    const { message } = ResearchError.from(error);
    throw new ResearchError('config', `${message} (${file}, or your own settings)`, {
      next: 'Correct the setting and start again.',
    });
  }
}

/** Only what is ours, as the editor reads it: flat or nested keys, with comments and trailing commas. Rejects when it is no such file. */
async function readRules(file: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readRegular(file, longest);
  const { parse } = await import('jsonc-parser');
  const errors: unknown[] = [];
  const read: unknown =
    text.trim() === '' ? {} : parse(text.replace(/^\uFEFF/, ''), errors as never, { allowTrailingComma: true });
  if (errors.length > 0 || !isRecord(read)) throw new Error('no JSON object');
  return Object.fromEntries(Object.entries(read).filter(([key]) => /^deepResearch(?:\.|$)/.test(key)));
}
