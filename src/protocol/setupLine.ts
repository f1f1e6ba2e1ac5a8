import type { Setup } from './messages.ts';
import type { PlanEstimate } from './plan.ts';
import type { Texts } from './texts.ts';

/** What a run would send where, in sentences. */
export function setupLine(setup: Setup, texts: Texts, hasAttached = false): string[] {
  const hosts = [...new Set(setup.sources.flatMap((source) => source.hosts))];
  const files = setup.sources.some((source) => source.hosts.length === 0);
  return [
    toModel(setup, texts),
    ...whyModel(setup, texts),
    hosts.length > 0 ? texts.of('setup.searches', texts.list(hosts)) : texts.of('setup.noSearches'),
    ...ofWeb(setup, texts),
    ...(setup.behindProxy && hosts.length > 0 ? [texts.of('setup.proxy')] : []),
    ...ofWorkspace(setup, files, texts),
    ...(hasAttached && setup.analyst === 'llm' ? [texts.of('setup.attachedToModel')] : []),
    ...ofCheck(setup, texts),
  ];
}

/** What one step would add; the tools of the editor are a model's to call. */
function ofWeb({ web, analyst, editorTools = { picked: [], offered: 0 } }: Setup, texts: Texts): string[] {
  const { picked, offered } = analyst === 'llm' ? editorTools : { picked: [], offered: 0 };
  if (picked.length > 0) return [texts.of('setup.editorTools', texts.list(picked))];
  if (web === undefined || web.hosts.length > 0) return [];
  return [texts.of(offered > 0 ? 'setup.noWebButTools' : 'setup.noWeb', keysOf(web, texts))];
}

/** The services of whose keys one is enough. */
export function keysOf({ keys }: NonNullable<Setup['web']>, texts: Texts): string {
  return texts.choices(keys.map(({ label }) => label));
}

/** What the last check found, in a few words: its list has the rest. */
function ofCheck({ health }: Setup, texts: Texts): string[] {
  if (health === undefined) return [];
  const { working, all } = health;
  return [working === all ? texts.of('setup.allWork', all) : texts.of('setup.someWork', working, all)];
}

function toModel(setup: Setup, texts: Texts): string {
  if (setup.analyst === 'extractive') return texts.of('setup.noModel');
  const { model, modelHost } = setup;
  if (model !== null && modelHost !== null) return texts.of('setup.model', model, modelHost);
  const to = model ?? modelHost;
  return to === null ? texts.of('setup.modelUnknown') : texts.of('setup.modelHere', to);
}

/** What `auto` went by; a model that the settings name needs no reason. */
function whyModel({ modelWhy = 'setting' }: Setup, texts: Texts): string[] {
  return modelWhy === 'setting' ? [] : [texts.of(`setup.why.${modelWhy}`)];
}

function ofWorkspace(setup: Setup, files: boolean, texts: Texts): string[] {
  const { analyst, workspace, trusted } = setup;
  if (workspace === null) return [texts.of('setup.noFolder')];
  if (!trusted) return [texts.of('setup.restricted', workspace)];
  if (!files) return [];
  const read = texts.of('setup.files', workspace);
  const forModel = analyst === 'llm' ? (setup.workspaceForModel ?? 'content') : 'off';
  switch (forModel) {
    case 'content':
      return [texts.of('setup.filesToModel', workspace)];
    case 'metadata':
      return [read, texts.of('setup.metadataToModel')];
    case 'off':
      return [read];
  }
}

/** What a plan is estimated to take, as a list. */
export function estimateText(
  { calls, tokens, minutes, cost }: PlanEstimate,
  analyst: Setup['analyst'],
  texts: Texts,
): string {
  const model =
    analyst === 'llm' ? [texts.of('plan.calls', calls), texts.of('plan.tokens', texts.compact(tokens))] : [];
  const time = texts.of('plan.minutes', Math.max(1, Math.round(minutes)));
  return texts.list([...model, time, ...(cost === null ? [] : [texts.money(cost)])]);
}
