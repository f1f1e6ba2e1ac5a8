import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** Thrown when a configuration file has a key that nobody reads: a typo must not be silent. */
export class UnknownKeyError extends Error {}

/**
 * Reads `config/default.yaml`, lays `config/<env>.yaml` over it and the variables `PR_*` over both.
 * Lists are replaced, never merged.
 */
export async function loadConfig(env: string): Promise<Config> {
  const base = parse(await readFile('config/default.yaml', 'utf8'));
  const over = env === 'default' ? {} : parse(await readFile(`config/${env}.yaml`, 'utf8'));
  return schema.parse(merge(merge(base, over), fromEnvironment(process.env)));
}

export type Config = z.infer<typeof schema>;
