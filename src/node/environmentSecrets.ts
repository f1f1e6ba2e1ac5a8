import type { KeyService, Secrets } from '../research/ports.ts';

/** Keys from the environment, by the variables of each service. An empty variable is absent. The user's base URL is where they go. */
export function environmentSecrets(environment: NodeJS.ProcessEnv, services: readonly KeyService[]): Secrets {
  return {
    key: (service) => {
      const variables = services.find((one) => one.service === service)?.environment ?? [];
      const values = variables.map((variable) => environment[variable]?.trim() ?? '');
      return Promise.resolve(values.find((value) => value !== ''));
    },
  };
}
