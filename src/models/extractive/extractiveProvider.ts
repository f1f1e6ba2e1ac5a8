import type { ProviderDefinition } from '../provider.ts';

/** No model: the extractive analyst quotes. It needs nothing, so `auto` ends here. */
export const extractive: ProviderDefinition = {
  name: 'extractive',
  label: 'No model',
  description: 'No model and no key: every sentence of the report is a verbatim quote from a source.',
  whyConfigured: () => undefined,
};
