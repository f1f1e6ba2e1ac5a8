import type { FoundDocument } from '../ports.ts';
import { addressIdentity, decodedPath } from './addressIdentity.ts';
import { familyOf, identitiesOf } from './identity.ts';
import { addressesIn, namedIn } from './namedIn.ts';
import { longestName, longestTitle, mostAuthors, plainDate, plainText } from './metadata.ts';
import { safeUrl } from './neutralize.ts';
import { isMoreOriginal } from './paperIdentity.ts';
import { areCopies, containment, shingles, type Sketch, sketchOf } from './similarity.ts';
import type { Source } from './source.ts';
import { sha256 } from '../text/digest.ts';
import { tokenize } from '../text/tokenize.ts';

const shortestId = 5;
/** UTF-16 units of text that are stored of one source. */
const maxText = 1_000_000;
const mostFacts = 20;

export interface Added {
  readonly source: Source;
  readonly isNew: boolean;
  /** The stored text grew, so it has to be stored again. */
  readonly changed: boolean;
  /** Sources that turned out to be the same as {@link source}: their ids mean it from now on. */
  readonly absorbed: readonly Source[];
}

/**
 * All sources of one run. Nothing can be cited that is not in here, and nothing comes in but by a tool's result.
 *
 * Sources form works: the passages of a file, a repository with its issues and files, and copies of one text are one work each,
 * and count as one voice.
 */
export class EvidenceRegistry {
  readonly #byId = new Map<string, Source>();
  readonly #idByIdentity = new Map<string, string>();
  /** Addresses as they were named first, by identity. */
  readonly #addresses = new Map<string, string>();
  /** Ids of absorbed sources, and the source that each means now. */
  readonly #replacedBy = new Map<string, string>();
  /** First source of each family, and of each text that is found again. */
  readonly #workByFamily = new Map<string, string>();
  readonly #workById = new Map<string, string>();
  readonly #sketches = new Map<string, Sketch>();

  /**
   * Registers a document; one that shares an identity with a known source is merged into it and keeps its id. One that shows that
   * two known sources are the same makes one of them, that with the lower id: no order of arrival changes it.
   *
   * @param known Identity of a source of another run, which has its id here too.
   */
  add(document: FoundDocument, retrievedAt: string, known?: string): Added {
    const normal = normalized(document);
    const at = normal.url === undefined ? undefined : addressIdentity(normal.url);
    if (at !== undefined) this.#name(at, normal.url!);
    const identities = [...new Set([...(known === undefined ? [] : [known]), ...identitiesOf(normal)])];
    const [kept, ...others] = [
      ...new Set(identities.flatMap((identity) => this.#idByIdentity.get(identity) ?? [])),
    ].sort();
    const before = kept === undefined ? undefined : this.#byId.get(kept);
    const absorbed = others.flatMap((id) => this.#byId.get(id) ?? []);
    const whole = absorbed.reduce<Source | undefined>((all, other) => (all ? merge(all, other) : other), before);
    // One that had no text was read now.
    const source = whole
      ? { ...merge(whole, normal), ...(whole.text === '' && { retrievedAt }) }
      : this.#create(identities[0]!, normal, retrievedAt);
    this.#byId.set(source.id, source);
    for (const { id } of absorbed) this.#replace(id, source.id);
    for (const identity of identities)
      if (!this.#idByIdentity.has(identity)) this.#idByIdentity.set(identity, source.id);
    const changed = source.text !== before?.text;
    if (changed) this.#assignWork(source);
    return { source, isNew: before === undefined, changed, absorbed };
  }

  /** Id of the source that a source counts with: the first of its work. */
  workOf(id: string): string {
    const current = this.#current(id);
    const work = this.#workById.get(current) ?? current;
    return work === current || work === id ? current : this.workOf(work);
  }

  has(document: FoundDocument): boolean {
    return identitiesOf(document).some((identity) => this.#idByIdentity.has(identity));
  }

  /** How many works some sources are. */
  works(ids: Iterable<string>): number {
    return new Set([...ids].map((id) => this.workOf(id))).size;
  }

  /** The user wrote this: addresses in it are named. */
  asked(text: string): void {
    for (const { identity, url } of namedIn(text)) if (url !== undefined) this.#name(identity, url);
  }

  /**
   * An address as the user, a source's address, text or facts spell it: another spelling would carry what its letters were chosen by.
   * Undefined: nothing names it.
   */
  named(address: string): string | undefined {
    const identity = addressIdentity(address);
    if (identity === undefined || !URL.canParse(address)) return undefined;
    const named = this.#addresses.get(identity) ?? this.byUrl(address)?.url ?? this.#inTexts(identity, address);
    // Services have several pages of one thing; anybody's page may name a DOI.
    return named === undefined || /^(?:url|doi):/.test(identity) ? named : address;
  }

  #name(identity: string, url: string): void {
    if (!this.#addresses.has(identity)) this.#addresses.set(identity, url);
  }

  #inTexts(identity: string, address: string): string | undefined {
    const { hostname } = new URL(address);
    const hosts = [hostname, address.split('/', 3)[2] || hostname].map((host) => host.replace(/^www\./, ''));
    const hasHost = (text: string): boolean => hosts.some((host) => text.includes(host));
    for (const { text, facts, file, isPrivate } of this.#byId.values()) {
      // What may leave was decided by the address as it was given: one of the user's files adds nothing to it.
      const isOwn = file !== undefined || isPrivate === true;
      for (const url of [text, ...facts].filter(hasHost).flatMap(addressesIn))
        if (hasHost(url) && addressIdentity(url) === identity && (!isOwn || plain(url) === plain(address))) return url;
    }
    return undefined;
  }

  get(id: string): Source | undefined {
    return this.#byId.get(this.#current(id));
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
      work: this.workOf(source.id),
      length: text.length,
    }));
    return JSON.stringify({ version: 1, sources }, undefined, 1);
  }

  #current(id: string): string {
    return this.#replacedBy.get(id) ?? id;
  }

  #replace(id: string, by: string): void {
    this.#byId.delete(id);
    this.#sketches.delete(id);
    this.#replacedBy.set(id, by);
    for (const [other, target] of this.#replacedBy) if (target === id) this.#replacedBy.set(other, by);
    for (const [identity, owner] of this.#idByIdentity) if (owner === id) this.#idByIdentity.set(identity, by);
  }

  #assignWork({ id, identity, text }: Source): void {
    const family = familyOf(identity);
    const leader = this.#workByFamily.get(family);
    const sketch = sketchOf(text);
    if (sketch) this.#sketches.set(id, sketch);
    else this.#sketches.delete(id);
    if (leader === undefined) this.#workByFamily.set(family, id);
    const own = this.#current(leader ?? id);
    if (own !== id) this.#workById.set(id, own);
    if (!sketch || this.#workById.has(own)) return;
    for (const [other, known] of this.#sketches) {
      if (this.workOf(other) === this.workOf(own) || !areCopies(sketch, known)) continue;
      this.#workById.set(own, this.workOf(other));
      return;
    }
  }

  #create(identity: string, { ids: _, ...document }: FoundDocument, retrievedAt: string): Source {
    return {
      ...document,
      ...{ id: this.#freeId(identity), identity, retrievedAt },
      title: document.title || identity.replace(/^\w+:/, '').slice(0, longestTitle),
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

/** Without escapes. */
function plain(address: string): string {
  return decodedPath(new URL(address).href);
}

/** What a service says of a document, as what it claims to be: a date is a date, a name one line of plain text. */
function normalized(document: FoundDocument): FoundDocument {
  const { date, url, ...rest } = document;
  const day = plainDate(date);
  return {
    ...rest,
    // Passages are cut at blank lines, and the text has to contain a quote as it is. Lines of a file are left as they are.
    text: document.file ? document.text : evenLines(document.text),
    title: plainText(document.title, longestTitle),
    authors: document.authors.slice(0, mostAuthors).flatMap((name) => plainText(name, longestName) || []),
    ...(day === undefined ? {} : { date: day }),
    ...(url !== undefined && safeUrl(url) !== undefined ? { url } : {}),
    ...(document.facts
      ? { facts: document.facts.slice(0, mostFacts).map((fact) => plainText(fact, longestTitle)) }
      : {}),
  };
}

function evenLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.filter((line, index) => line !== '' || lines[index - 1] !== '').join('\n');
}

type Mergeable = Pick<
  FoundDocument,
  'kind' | 'authors' | 'date' | 'url' | 'standing' | 'facts' | 'alreadyCited' | 'isPrivate' | 'isGiven' | 'text'
>;

function merge(source: Source, document: Mergeable): Source {
  const date = source.date ?? document.date;
  const isOriginal = isMoreOriginal(document.url, source.url);
  const url = isOriginal ? document.url : (source.url ?? document.url);
  const standings = [source.standing, document.standing];
  const standing = (['retracted', 'withdrawn', 'doubted'] as const).find((worst) => standings.includes(worst));
  return {
    ...source,
    // The source that has the original names it, in any order of arrival.
    ...(isOriginal ? { kind: document.kind } : {}),
    authors: source.authors.length > 0 ? source.authors : document.authors,
    ...(date ? { date } : {}),
    ...(url ? { url } : {}),
    ...(standing ? { standing } : {}),
    facts: [...new Set([...source.facts, ...(document.facts ?? [])])],
    alreadyCited: source.alreadyCited || (document.alreadyCited ?? false),
    ...(source.isPrivate === true || document.isPrivate === true ? { isPrivate: true } : {}),
    ...(source.isGiven === true || document.isGiven === true ? { isGiven: true } : {}),
    text: mergeText(source.text, document.text),
  };
}

/** Share of a paragraph's shingles that the known text has when the paragraph says nothing new. */
const knownShare = 0.8;

/** Keeps every word that may already have been quoted, and adds the paragraphs that say something new. */
function mergeText(before: string, added: string): string {
  if (before.includes(added)) return before;
  if (added.includes(before)) return added.slice(0, maxText);
  const known = shingles(tokenize(before));
  const fresh = added.split(/\n\s*\n/).filter((paragraph) => {
    const own = shingles(tokenize(paragraph));
    return own.size > known.size || containment(own, known) < knownShare;
  });
  return fresh.length === 0 ? before : `${before}\n\n${fresh.join('\n\n')}`.slice(0, maxText);
}
