import * as z from 'zod';
import { createCatalogue, readAllSettings } from '../../src/catalogue.ts';
import type { QuestionKind, ResearchTool } from '../../src/research/tools.ts';
import type { FoundDocument } from '../../src/research/ports.ts';
import type { PoliteClient } from '../../src/sources/http/politeClient.ts';
import { createTools } from '../../src/sources/createTools.ts';
import type { SourceDefinition } from '../../src/sources/source.ts';
import { noSecrets, silentLog } from './sourceContext.ts';

/** Text of a document that was only found, and of one that was opened. */
const teaser = (label: string): string => `${label} on retrieval methods.`;
const wholeText = (label: string): string =>
  `According to ${label}, retrieval methods improve the answers of language models because passages ground them. ` +
  `The evaluation of ${label} measured retrieval methods on 40 questions. ` +
  `A limitation that ${label} reports is that retrieval methods depend on the quality of the index.`;

/** A source that a test declares: its search finds teasers, its reading tool opens them. Asks no network. */
export function trialSource(name: string, more: Partial<SourceDefinition> = {}): SourceDefinition {
  const label = more.label ?? `Trial ${name}`;
  return {
    name,
    label,
    icon: 'beaker',
    description: `Documents of ${label}.`,
    endpoint: {
      default: `https://api.${name}.example`,
      description: `The address of ${label}.`,
    },
    pageHosts: [`${name}.example`],
    goodFor: ['science'],
    open: (found) =>
      found
        .filter(({ kind, text }) => kind === name && text === teaser(label))
        .map(({ url }) => ({ name: `read_${name}`, args: { url } })),
    createTools: () => trialTools(name, label),
    ...more,
  };
}

function trialTools(name: string, label: string): readonly ResearchTool[] {
  const document = (url: string, text: string): FoundDocument => ({
    kind: name,
    title: `${label}: ${url.split('/').at(-1)}`,
    authors: ['A. Author'],
    date: '2026-01-02',
    url,
    text,
  });
  return [
    {
      name: `search_${name}`,
      description: `Searches ${label}.`,
      parameters: z.object({ query: z.string() }),
      source: name,
      kind: 'search',
      run: async () => ({
        documents: ['first', 'second'].map((page) => document(`https://${name}.example/${page}`, teaser(label))),
      }),
    },
    {
      name: `read_${name}`,
      description: `Opens a page of ${label}.`,
      parameters: z.object({ url: z.string() }),
      source: name,
      kind: 'read',
      run: async ({ url }) => ({ documents: [document(String(url), wholeText(label))] }),
    },
  ];
}

export const noSession: PoliteClient = {
  session: () => ({ get: () => Promise.reject(new Error('A trial source asks no network.')) }),
  reconnected: () => undefined,
  quota: () => undefined,
};

/** The tools of a run in which only these sources are registered. */
export async function trialToolsOf(definitions: readonly SourceDefinition[]): Promise<readonly ResearchTool[]> {
  const { settings } = readAllSettings({}, createCatalogue({ providers: [], sources: definitions }));
  return (await createTools({ settings, secrets: noSecrets, client: noSession, log: silentLog }, definitions)).tools;
}

/** `count` sources, of which every third is good for each of the given kinds in turn. */
export function trialSources(count: number, kinds: readonly QuestionKind[]): readonly SourceDefinition[] {
  return Array.from({ length: count }, (_, index) =>
    trialSource(`trial${index + 1}`, { goodFor: [kinds[index % kinds.length]!] }),
  );
}
