import type { FoundDocument } from '../tools.ts';
import { identitiesOf } from './identity.ts';
import { addressIdentity } from './addressIdentity.ts';
import { longestName, longestTitle, mostAuthors, plainDate, plainText } from './metadata.ts';
import { safeUrl } from './neutralize.ts';
import type { Source } from './source.ts';
import { sha256 } from '../text/digest.ts';

const shortestId = 5;
/** UTF-16 units of text that are stored of one source. */
const maxText = 1_000_000;
const mostFacts = 20;

export interface Added {
  readonly source: Source;
  readonly isNew: boolean;
  /** The stored text grew, so it has to be stored again. */
  readonly changed: boolean;
}

/** All sources of one run. Nothing can be cited that is not in here, and nothing comes in but by a tool's result. */
export class EvidenceRegistry {
  readonly #byId = new Map<string, Source>();
  readonly #idByIdentity = new Map<string, string>();

  /** Registers a document; one that shares an identity with a known source is merged into it and keeps its id. */
  add(document: FoundDocument, retrievedAt: string): Added {
    const normal = normalized(document);
    const identities = identitiesOf(normal);
    const known = identities.map((identity) => this.#idByIdentity.get(identity)).find((id) => id !== undefined);
    const before = known === undefined ? undefined : this.#byId.get(known);
    const source = before ? merge(before, normal) : this.#create(identities[0]!, normal, retrievedAt);
    this.#byId.set(source.id, source);
    for (const identity of identities)
      if (!this.#idByIdentity.has(identity)) this.#idByIdentity.set(identity, source.id);
    return { source, isNew: before === undefined, changed: source.text !== before?.text };
  }

  get(id: string): Source | undefined {
    return this.#byId.get(id);
  }

  /** The source that an address belongs to. */
  byUrl(url: string): Source | undefined {
    const identity = addressIdentity(url);
    const id = identity === undefined ? undefined : this.#idByIdentity.get(identity);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** In order of arrival. */
  all(): readonly Source[] {
    return [...this.#byId.values()];
  }

  /** `sources.json`: everything but the texts, which lie in `evidence/`. */
  toJson(): string {
    const aliases = new Map<string, string[]>();
    for (const [identity, id] of this.#idByIdentity) aliases.set(id, [...(aliases.get(id) ?? []), identity]);
    const sources = this.all().map(({ text, ...source }) => ({
      ...source,
      aliases: aliases.get(source.id) ?? [],
      length: text.length,
    }));
    return JSON.stringify({ version: 1, sources }, undefined, 1);
  }

  #create(identity: string, document: FoundDocument, retrievedAt: string): Source {
    return {
      id: this.#freeId(identity),
      kind: document.kind,
      identity,
      title: document.title || identity.replace(/^\w+:/, '').slice(0, longestTitle),
      authors: document.authors,
      ...(document.date ? { date: document.date } : {}),
      ...(document.url ? { url: document.url } : {}),
      ...(document.file ? { file: document.file } : {}),
      retrievedAt,
      facts: document.facts ?? [],
      alreadyCited: document.alreadyCited ?? false,
      text: document.text.slice(0, maxText),
    };
  }

  /** Five digits of the hash; one more as long as another identity has them (1 in 10,000 runs of 15 sources). */
  #freeId(identity: string): string {
    const digest = sha256(identity);
    for (let length = shortestId; ; length += 1) {
      const id = `S${digest.slice(0, length)}`;
      if (!this.#byId.has(id)) return id;
    }
  }
}

/** What a service says of a document, as what it claims to be: a date is a date, a name one line of plain text. */
function normalized(document: FoundDocument): FoundDocument {
  const { date, url, ...rest } = document;
  const day = plainDate(date);
  return {
    ...rest,
    title: plainText(document.title, longestTitle),
    authors: document.authors.slice(0, mostAuthors).flatMap((name) => plainText(name, longestName) || []),
    ...(day === undefined ? {} : { date: day }),
    ...(url !== undefined && safeUrl(url) !== undefined ? { url } : {}),
    ...(document.facts
      ? { facts: document.facts.slice(0, mostFacts).map((fact) => plainText(fact, longestTitle)) }
      : {}),
  };
}

function merge(source: Source, document: FoundDocument): Source {
  const date = source.date ?? document.date;
  const url = source.url ?? document.url;
  return {
    ...source,
    authors: source.authors.length > 0 ? source.authors : document.authors,
    ...(date ? { date } : {}),
    ...(url ? { url } : {}),
    facts: [...new Set([...source.facts, ...(document.facts ?? [])])],
    alreadyCited: source.alreadyCited || (document.alreadyCited ?? false),
    text: mergeText(source.text, document.text),
  };
}

/** Keeps every word that may already have been quoted. */
function mergeText(before: string, added: string): string {
  if (before.includes(added)) return before;
  if (added.includes(before)) return added.slice(0, maxText);
  return `${before}\n\n${added}`.slice(0, maxText);
}
