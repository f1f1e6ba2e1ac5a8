import { untilAborted } from '../../research/calls/waiting.ts';
import { stem } from '../../research/text/stem.ts';
import { tokenize } from '../../research/text/tokenize.ts';
import type { ArxivEntry, ArxivFeed } from './arxivFeed.ts';
import type { ArxivAttempt } from './arxivQuery.ts';

/** Searches of one request: with more of them the results of each get few. */
const mostJoined = 4;
const mostResults = 50;

interface Waiting extends ArxivAttempt {
  readonly count: number;
  readonly signal: AbortSignal;
  readonly give: (feed: Promise<ArxivFeed>) => void;
}

/**
 * Searches that wait for the one before them go out together as one OR query, because arXiv takes one request each 3 s; each gets the
 * papers that match it. One that none of the papers matches, though there are more than were sent, is sent again alone.
 */
export class JoinedSearches {
  readonly #send: (query: string, count: number, signal: AbortSignal) => Promise<ArxivFeed>;
  readonly #waiting: Waiting[] = [];
  #isSending = false;

  /** @param send Sends a query and gives so many of its papers, best first. */
  constructor(send: (query: string, count: number, signal: AbortSignal) => Promise<ArxivFeed>) {
    this.#send = send;
  }

  async search(attempt: ArxivAttempt, count: number, signal: AbortSignal): Promise<ArxivFeed> {
    const answer = new Promise<ArxivFeed>((resolve) =>
      this.#waiting.push({ ...attempt, count, signal, give: resolve }),
    );
    void this.#drain();
    return untilAborted(answer, signal);
  }

  async #drain(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#answer(batch);
    this.#isSending = false;
  }

  #next(): readonly Waiting[] {
    const open = this.#waiting.splice(0).filter(({ signal }) => !signal.aborted);
    const first = open[0];
    if (first === undefined) return [];
    const batch = first.groups ? open.filter(({ groups }) => groups).slice(0, mostJoined) : [first];
    for (const one of open) if (!batch.includes(one)) this.#waiting.push(one);
    return batch;
  }

  async #answer(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (batch.length === 1) {
      const feed = this.#send(first!.query, first!.count, first!.signal);
      first!.give(feed);
      await feed.catch(() => undefined);
      return;
    }
    const count = Math.min(
      mostResults,
      batch.reduce((sum, one) => sum + one.count, 0),
    );
    const query = batch.map((one) => `(${one.query})`).join(' OR ');
    const joined = this.#send(query, count, whenAll(batch.map(({ signal }) => signal)));
    await joined.catch(() => undefined);
    for (const one of batch) one.give(joined.then((feed) => this.#own(feed, one)));
  }

  #own({ entries, total }: ArxivFeed, { query, groups = [], count, signal }: Waiting): ArxivFeed | Promise<ArxivFeed> {
    const own = entries.filter((entry) => {
      const shown = wordsOf(shownText(entry));
      return groups.some((group) => group.every((value) => shown.includes(wordsOf(value))));
    });
    if (own.length === 0 && total > entries.length) return this.#send(query, count, signal);
    return { entries: own.slice(0, count), total: own.length };
  }
}

/** Aborted when no caller waits any more. */
function whenAll(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController();
  const look = (): void => {
    if (signals.every(({ aborted }) => aborted)) all.abort(signals[0]!.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', look, { once: true });
  return all.signal;
}

function shownText({ title, summary, authors, comment, journalRef }: ArxivEntry): string {
  return [title, summary, authors.join(' ; '), comment, journalRef].join(' ; ');
}

/** Words about as the service compares them: without case, hyphens and plural endings. */
function wordsOf(text: string): string {
  return ` ${tokenize(text).map(stem).join(' ')} `;
}
