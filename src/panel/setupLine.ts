import type { Setup } from '../protocol/messages.ts';
import type { Texts } from './texts.ts';

/** What a run would send where, in sentences. */
export function setupLine(setup: Setup, texts: Texts): string[] {
  const hosts = [...new Set(setup.sources.flatMap((source) => source.host ?? []))];
  const files = setup.sources.some((source) => source.host === null);
  const sentences = [toModel(setup, texts)];
  if (setup.analyst === 'llm' && files && setup.workspace !== null && setup.trusted) sentences.push(...seen(setup, setup.workspace, texts));
  sentences.push(hosts.length > 0 ? texts.of('setup.searches', texts.list(hosts)) : texts.of('setup.noSearches'));
  if (setup.workspace === null) sentences.push(texts.of('setup.noFolder'));
  else if (!setup.trusted) sentences.push(texts.of('setup.restricted', setup.workspace));
  else if (files) sentences.push(texts.of('setup.files', setup.workspace));
  return sentences;
}

function toModel(setup: Setup, texts: Texts): string {
  if (setup.analyst === 'extractive') return texts.of('setup.noModel');
  const name = setup.model ?? setup.provider;
  return setup.modelHost === null ? texts.of('setup.modelHere', name) : texts.of('setup.model', name, setup.modelHost);
}

function seen(setup: Setup, workspace: string, texts: Texts): string[] {
  switch (setup.workspaceForModel ?? 'content') {
    case 'content':
      return [texts.of('setup.modelFiles', workspace)];
    case 'metadata':
      return [texts.of('setup.modelMetadata', workspace)];
    case 'off':
      return [];
  }
}
