import { tokenize } from '../text/tokenize.ts';
import type { EvidenceRegistry } from './registry.ts';

const shownSources = 6;
const shownSearches = 8;
const longest = 900;

/**
 * What the researchers of a run know of each other: which sources the others have found and what they have searched. One
 * line a prompt; the full texts stay in the registry.
 */
export class EvidencePool {
  readonly #registry: EvidenceRegistry;
  readonly #sources = new Map<string, Set<string>>();
  readonly #searches: { readonly section: string; readonly query: string }[] = [];

  constructor(registry: EvidenceRegistry) {
    this.#registry = registry;
  }

  found(section: string, ids: readonly string[]): void {
    for (const id of ids) this.#sources.set(id, (this.#sources.get(id) ?? new Set()).add(section));
  }

  searched(section: string, query: string): void {
    this.#searches.push({ section, query });
  }

  /** What the others have that bears on a subject, as one line; "" when they have nothing. */
  line(section: string, subject: string): string {
    const wanted = new Set(tokenize(subject));
    const others = [...this.#sources]
      .filter(([, sections]) => !sections.has(section))
      .map(([id]) => this.#registry.get(id)!);
    const fitting = others
      .map((source) => ({ source, shared: tokenize(source.title).filter((token) => wanted.has(token)).length }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared || (a.source.id < b.source.id ? -1 : 1))
      .slice(0, shownSources)
      .map(({ source }) => `[${source.id}] ${source.title.slice(0, 80)}`);
    const searches = [
      ...new Set(this.#searches.filter((search) => search.section !== section).map(({ query }) => query)),
    ].slice(-shownSearches);
    const parts = [
      fitting.length > 0 ? `Found by others: ${fitting.join('; ')}.` : '',
      searches.length > 0
        ? `Searched by others: ${searches.map((query) => `"${query.slice(0, 60)}"`).join(', ')}.`
        : '',
    ];
    return parts
      .filter((part) => part !== '')
      .join(' ')
      .replace(/\s+/g, ' ')
      .slice(0, longest);
  }
}
