import { extractive } from './extractive/extractiveProvider.ts';
import { openAiCompatible } from './openai/compatibleProvider.ts';
import { openAi } from './openai/openAiProvider.ts';
import type { ProviderDefinition } from './provider.ts';

/** All providers of this version, in the order in which `auto` tries them. */
export const providerDefinitions: readonly ProviderDefinition[] = [openAi, openAiCompatible, extractive];
