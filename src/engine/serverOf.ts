import { createHash } from 'node:crypto';
import { builtIn } from '../catalogue.ts';
import type { CreatedModels } from '../models/createModels.ts';
import type { RunOptions } from './runOptions.ts';

/** Names the server and the key of a model: who has both shares its limits. */
export async function serverOf(
  { secrets, catalogue = builtIn }: Pick<RunOptions, 'secrets' | 'catalogue'>,
  created: CreatedModels,
): Promise<string> {
  if (created.kind === 'extractive') return '';
  const { provider, host } = created;
  const service = catalogue.providers.find(({ name }) => name === provider)?.key?.service;
  const key = service === undefined ? undefined : await secrets.key(service, `https://${host}`);
  return createHash('sha256')
    .update(`${host}\n${key ?? ''}`)
    .digest('hex')
    .slice(0, 32);
}
