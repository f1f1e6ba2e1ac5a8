import { aliyun } from './aliyun/aliyunProvider.ts';
import { anthropic } from './anthropic/anthropicProvider.ts';
import { extractive } from './extractive/extractiveProvider.ts';
import { ollama } from './ollama/ollamaProvider.ts';
import { openAiCompatible } from './openai/compatibleProvider.ts';
import { openAi } from './openai/openAiProvider.ts';
import type { ProviderDefinition } from './provider.ts';
import { editorModels } from './vscode/vscodeProvider.ts';

/** All providers of this version, in the order in which `auto` tries them: keys and addresses, the editor's models, this machine. */
export const providerDefinitions: readonly ProviderDefinition[] = [
  openAi,
  aliyun,
  anthropic,
  openAiCompatible,
  editorModels,
  ollama,
  extractive,
];
