import type { KeyService, Secrets } from '../research/ports.ts';

/**
 * Keys from the environment, by the variables of each service. An empty variable is absent. A key goes where the user points: to the
 * address of the provider that they name. The key of one that is not named goes to its own hosts alone, but where other servers take
 * it too.
 * @param provider As the user named it; undefined: not at all.
 */
export function environmentSecrets(
  environment: NodeJS.ProcessEnv,
  services: readonly KeyService[],
  provider?: unknown,
): Secrets {
  return {
    key: (service, origin) => {
      const found = services.find((one) => one.service === service);
      if (!found || (service !== provider && !isAtHome(found, origin))) return Promise.resolve(undefined);
      const values = found.environment.map((variable) => environment[variable]?.trim() ?? '');
      return Promise.resolve(values.find((value) => value !== ''));
    },
  };
}

function isAtHome({ setting, address, forAnyServer }: KeyService, origin: string): boolean {
  if (setting !== 'model.baseUrl' || address === undefined || forAnyServer) return true;
  const domain = (url: string) => new URL(url).hostname.split('.').slice(-2).join('.');
  return domain(origin) === domain(address);
}
