import type { KeyService } from '../../protocol/ports.ts';
import { addressOf } from '../keys.ts';
import type { KeyRing } from '../secrets.ts';
import { originOf } from '../settings.ts';

/**
 * The saved keys as the environment variables that the command line reads. Of the models' keys only that of the provider in use: the
 * command line sends a key that several services share to the address of the settings.
 */
export async function keyVariables(
  keys: KeyRing,
  services: readonly KeyService[],
  { 'deepResearch.model.provider': provider = 'auto' }: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const variables: Record<string, string> = {};
  for (const service of services) {
    const isUsed = service.setting !== 'model.baseUrl' || provider === 'auto' || provider === service.service;
    const origin = isUsed ? originOf(addressOf(service)) : undefined;
    const key = origin === undefined ? undefined : await keys.key(service.service, origin);
    const [variable] = service.environment;
    if (key !== undefined && variable !== undefined) variables[variable] = key;
  }
  return variables;
}
