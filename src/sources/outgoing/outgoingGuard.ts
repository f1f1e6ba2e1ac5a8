import * as z from 'zod';
import { untilAborted } from '../../research/calls/waiting.ts';
import type { Settings } from '../../research/settings/config.ts';
import { ResearchError } from '../../research/errors.ts';
import { familyOf } from '../../research/evidence/identity.ts';
import { namedIn } from '../../research/evidence/namedIn.ts';
import { arxivIdentity, doiIdentity } from '../../research/evidence/paperIdentity.ts';
import type { Source } from '../../research/evidence/source.ts';
import type { WorkspacePort } from '../../research/ports.ts';
import type { OutgoingGuard } from '../../research/policy/outgoing.ts';
import type { ResearchTool, WorkspaceFacts } from '../../research/tools.ts';
import { detectLanguage } from '../../research/text/language.ts';
import { addFacts, FolderWords, readFolderWords } from './folderWords.ts';
import { type LanguageWords, languageWords } from './languageWords.ts';
import { KnownWords } from './knownWords.ts';
import { PrivateWords } from './privateWords.ts';
import type { PublicNames } from './publicNames.ts';
import { loadVocabulary } from './vocabulary.ts';

export interface OutgoingGuardOptions {
  readonly inQueries: Settings['workspace.inQueries'];
  /** Undefined without a folder, or where nothing of it may be shown to a model. */
  readonly workspace: WorkspacePort | undefined;
  readonly facts: WorkspaceFacts | undefined;
  readonly publicNames: PublicNames;
  /**
   * All files are read for their words, so that none is sent by chance. False: only what the run has retrieved; whoever writes the
   * queries then knows no more.
   */
  readonly readsFolder: boolean;
  /** Aborted when the run ends. */
  readonly ended: AbortSignal;
  /** Kinds of documents that everybody can read. */
  readonly publicKinds: ReadonlySet<string>;
}

/** Values nested deeper than this are refused. */
const deepest = 6;
/** A smaller number is a count, a page, a limit. */
const leastSecret = 1_000;
/** UTF-16 units of all texts of a call. */
const longest = 20_000;
/** Arguments that a search is made of: without a word they still mean something. */
const isQueryName = /quer|search|question|keyword|term|topic|text|prompt|title/i;
const address = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+|\bwww\.[^\s"'<>]+/gi;

/**
 * Removes words that only the user's files contain from the arguments of a tool, and refuses addresses that could carry them.
 * With `public`, repositories and packages that their service confirms as public, and paper ids, may be sent. With `nothing`, no other words
 * leave than those that the user wrote or a public source has.
 */
export function createOutgoingGuard(options: OutgoingGuardOptions): OutgoingGuard {
  return options.inQueries === 'all' ? openGuard : new FolderGuard(options);
}

/** Nothing has to be held back. */
const openGuard: OutgoingGuard = {
  asked: () => undefined,
  retrieved: () => undefined,
  prepare: () => undefined,
  check: (_, args) => Promise.resolve({ args, removed: [] }),
};

class FolderGuard implements OutgoingGuard {
  readonly #options: OutgoingGuardOptions;
  readonly #known = new KnownWords();
  readonly #folder = new FolderWords();
  /** Works that the folder names (identities), and those that the user named or the run found. */
  readonly #ownWorks: ReadonlySet<string>;
  readonly #knownWorks = new Set<string>();
  readonly #languages = new Set<string>();
  #words: Promise<PrivateWords> | undefined;
  /** There is something whose words must not be sent. */
  #hasOwn: boolean;

  constructor(options: OutgoingGuardOptions) {
    this.#options = options;
    // With `nothing`, what a model knows by itself stays here too.
    this.#hasOwn = options.workspace !== undefined || (options.readsFolder && this.#isStrict);
    const { facts } = options;
    if (facts) addFacts(this.#folder, facts);
    const repos = [...(facts?.repos ?? []), ...(facts?.githubLinks ?? [])];
    this.#ownWorks = new Set(
      [
        ...(facts?.arxivIds ?? []).map((id) => arxivIdentity(id)),
        ...repos.map((repo) => `github:${repo.toLowerCase()}`),
      ].filter((identity) => identity !== undefined),
    );
  }

  asked(text: string): void {
    if (text.trim() !== '') this.#languages.add(detectLanguage(text));
    this.#known.add(text);
    for (const work of worksIn(text)) this.#knownWorks.add(work);
  }

  retrieved({ identity, kind, title, authors, url = '', text, file, isPrivate }: Source): void {
    const all = [title, authors.join(' '), url, identity, text].join('\n');
    if (file !== undefined || isPrivate === true) {
      this.#hasOwn = true;
      this.#folder.add(all);
    } else if (!this.#hasOwn) return;
    else if (this.#options.publicKinds.has(kind)) {
      this.#known.add(all);
      this.#knownWorks.add(familyOf(identity));
    }
    // Not known to be public, but it may name pages.
    else this.#known.addAddresses(all);
  }

  /** Reads the folder while the model reads the question. */
  prepare(): void {
    if (this.#hasOwn) void this.#privateWords(this.#options.ended).catch(() => undefined);
  }

  async check(tool: ResearchTool, args: Readonly<Record<string, unknown>>, signal: AbortSignal) {
    if (tool.traits?.isLocal || !this.#hasOwn) return { args, removed: [] };
    const words = await this.#privateWords(signal);
    const removed = new Set<string>();
    let length = 0;
    const clean = async (name: string, value: unknown, depth: number): Promise<unknown> => {
      if (isChoice(tool, name, value)) return value;
      if (typeof value === 'number' && value >= leastSecret) {
        const isUnasked = this.#isStrict && words.unaskedIn(String(value)).size > 0;
        if (isUnasked || words.isPrivate(String(value))) throw refusal([String(value)]);
      }
      if (typeof value === 'string') {
        length += value.length;
        if (length > longest) throw refusal(['a text of this length']);
        return await this.#cleanText(words, name, value, removed, signal);
      }
      if (typeof value !== 'object' || value === null) return value;
      if (depth >= deepest) throw refusal(['values nested this deeply']);
      if (Array.isArray(value)) {
        const items: unknown[] = [];
        for (const item of value) items.push(await clean(name, item, depth + 1));
        return items;
      }
      const entries: [string, unknown][] = [];
      for (const [key, inner] of Object.entries(value)) {
        const isDeclared = Object.hasOwn(tool.parameters.shape, key);
        if (!isDeclared && words.privateIn(key).size > 0) throw refusal([key]);
        entries.push([key, await clean(key, inner, depth + 1)]);
      }
      return Object.fromEntries(entries);
    };
    const cleaned = (await clean('', args, 0)) as Readonly<Record<string, unknown>>;
    return { args: cleaned, removed: [...removed], ...(this.#isStrict && { isStrict: true }) };
  }

  async #cleanText(
    words: PrivateWords,
    name: string,
    text: string,
    removed: Set<string>,
    signal: AbortSignal,
  ): Promise<string> {
    const whole = workOf(text);
    if (whole !== undefined && this.#isKnownWork(whole)) return text;
    this.#refuseOwnWorks(text);
    const addresses = text.match(address) ?? [];
    const mayOpen = (one: string): boolean => words.mayOpen(one) && (!this.#isStrict || this.#known.hasAddress(one));
    for (const one of addresses) if (!mayOpen(one)) throw refusal([one.slice(0, 80)], 'address');
    const rest = text.replace(address, ' ');
    const found = words.privateIn(rest, await this.#languagesOf(rest));
    for (const unit of found) if (await this.#isPublicName(unit, signal)) found.delete(unit);
    if (this.#isStrict) for (const unit of words.unaskedIn(rest)) found.add(unit);
    if (found.size === 0) return text;
    const why = this.#isStrict ? 'unasked' : 'private';
    // A name, a path or an id is meant as a whole.
    if (!isQueryName.test(name) || addresses.length > 0) throw refusal([...found], why);
    const kept = words.without(rest, found);
    if (!/[\p{L}\p{N}]{2}/u.test(kept)) throw refusal([...found], why);
    for (const unit of found) removed.add(unit);
    return kept;
  }

  get #isStrict(): boolean {
    return this.#options.inQueries === 'nothing';
  }

  /** With `nothing`, a work that only the folder names stays here in every form of its name. */
  #refuseOwnWorks(text: string): void {
    if (!this.#isStrict) return;
    for (const work of worksIn(text)) {
      if (this.#ownWorks.has(work) && !this.#isKnownWork(work)) throw refusal([nameOf(work)]);
    }
  }

  #isKnownWork(work: string): boolean {
    return this.#knownWorks.has(work) || this.#known.has(nameOf(work));
  }

  /** Words of the languages that the user wrote in, and of the scripts of a query. */
  async #languagesOf(text: string): Promise<readonly LanguageWords[]> {
    const tags = new Set(this.#languages);
    if (/\p{Script=Han}/u.test(text)) tags.add('zh');
    if (/\p{Script=Hangul}/u.test(text)) tags.add('ko');
    return (await Promise.all([...tags].map(languageWords))).filter((words) => words !== undefined);
  }

  /** Of the workspace's own names, those that the setting lets out and that everybody can see. */
  async #isPublicName(unit: string, signal: AbortSignal): Promise<boolean> {
    const { inQueries, publicNames } = this.#options;
    return inQueries === 'public' && (await publicNames.isPublic(unit, signal));
  }

  /** What is known so far; the folder is read once, before the first call. */
  async #privateWords(signal: AbortSignal): Promise<PrivateWords> {
    const { workspace, readsFolder, inQueries, facts, ended } = this.#options;
    this.#words ??= (async () => {
      const reading = workspace && readsFolder && readFolderWords(this.#folder, workspace, ended);
      const [vocabulary] = await Promise.all([loadVocabulary(), reading]);
      const own = inQueries === 'nothing' ? [...(facts?.repos ?? []), ...(facts?.packages ?? [])] : [];
      return new PrivateWords(this.#folder, this.#known, vocabulary, own);
    })();
    const words = this.#words;
    words.catch(() => {
      if (this.#words === words) this.#words = undefined;
    });
    return await untilAborted(words, signal);
  }
}

function nameOf(work: string): string {
  return work.slice(work.indexOf(':') + 1);
}

/** The paper or repository that an argument is the name of; undefined for an address, which may carry more. */
function workOf(text: string): string | undefined {
  if (/:\/\/|[?#]/.test(text)) return undefined;
  if (/^(?:doi:\s*)?10\.\d{4,9}\/\S+$/i.test(text)) return doiIdentity(text);
  return arxivIdentity(text) ?? (/^[\w.-]+\/[\w.-]+$/.test(text) ? `github:${text.toLowerCase()}` : undefined);
}

/** Papers and repositories that a text names, in any form. */
function worksIn(text: string): string[] {
  const whole = workOf(text);
  return [...(whole === undefined ? [] : [whole]), ...namedIn(text).map(({ identity }) => familyOf(identity))];
}

/** One of the values that the tool itself lists: it carries no information. */
function isChoice({ parameters }: ResearchTool, name: string, value: unknown): boolean {
  let type: unknown = Object.hasOwn(parameters.shape, name) ? parameters.shape[name] : undefined;
  while (type instanceof z.ZodOptional || type instanceof z.ZodDefault || type instanceof z.ZodNullable)
    type = type.unwrap();
  return typeof value === 'string' && type instanceof z.ZodEnum && type.options.includes(value);
}

function refusal(what: readonly string[], kind: 'private' | 'unasked' | 'address' = 'private'): ResearchError {
  const named = what
    .slice(0, 5)
    .map((one) => `"${one}"`)
    .join(', ');
  if (kind === 'unasked')
    return new ResearchError('badRequest', `Not sent: neither the question nor a public source has ${named}.`, {
      refusal: 'notSent',
      next: 'Search with words of the question and of what was found.',
    });
  return kind === 'address'
    ? new ResearchError('badRequest', `Not sent: no search or page of this run named the address ${named}.`, {
        refusal: 'notSent',
        next: 'Open addresses as the results give them.',
      })
    : new ResearchError('badRequest', `Not sent: ${named} is only in the user's own files, which stay here.`, {
        refusal: 'notSent',
        next: 'Search by the public subject, in general terms.',
      });
}
