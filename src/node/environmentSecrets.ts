import type { Secrets } from '../research/ports.ts';

/** Where the command line finds the key of a service. */
export const keyVariables: Readonly<Record<string, string>> = {
  openai: 'OPENAI_API_KEY',
  'openai-compatible': 'OPENAI_API_KEY',
  github: 'GITHUB_TOKEN',
};

/** Keys from the environment; an empty variable is an absent one. They go to whatever base URL the user set. */
export function environmentSecrets(environment: NodeJS.ProcessEnv): Secrets {
  return {
    key: (service) => {
      const variable = keyVariables[service];
      const value = variable === undefined ? undefined : environment[variable]?.trim();
      return Promise.resolve(value === '' ? undefined : value);
    },
  };
}
