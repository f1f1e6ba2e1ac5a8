import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { ModelRequest, ModelServer, Script } from './modelServer.ts';
import type { RecordedRequest, SourceServer } from './sourceServer.ts';

/** The clock of another process, read in whole milliseconds, against ours. */
const clockMs = 5;

/** A part of a run's life, from its start or its resumption to `kill -9`. */
interface Life {
  /** Requests that the servers saw in it. */
  readonly asked: readonly ModelRequest[];
  readonly lookedUp: readonly RecordedRequest[];
  readonly journal: Journalled;
}

interface Journalled {
  /** Index of the requests whose answer stood in the journal when the process was dead. */
  readonly answers: ReadonlySet<number>;
  /** Calls of tools that were on their way: begun, and not in the journal. */
  readonly openLookups: readonly { readonly call: string; readonly since: number }[];
}

/**
 * Makes the usage of every answer tell which request it answered, so that a line of the journal names its request. Wraps the
 * script that says everything else.
 */
export function numbered(script?: Script): Script {
  return (request) => ({
    usage: { prompt_tokens: request.index, completion_tokens: 1, total_tokens: request.index + 1 },
    ...script?.(request),
  });
}

/**
 * The witness of what a run that was killed and went on has paid for: the logs of the imitated servers, against the journal as
 * it lay on the disk after each kill. The servers must be {@link numbered}, and nobody else's meanwhile.
 */
export class PaidOnce {
  readonly #server: ModelServer;
  readonly #sources: SourceServer | undefined;
  readonly #lives: Life[] = [];
  #asked: number;
  #lookedUp: number;

  constructor(server: ModelServer, sources?: SourceServer) {
    this.#server = server;
    this.#sources = sources;
    this.#asked = server.requests.length;
    this.#lookedUp = sources?.requests.length ?? 0;
  }

  /** The process of the run is dead. Reads what it left in its folder, before anything goes on with it. */
  async killed(runFolder: string): Promise<void> {
    // What it had sent may still lie in a socket of ours: whatever came before these is seen before them.
    for (let times = 0; times < 2; times += 1) await (await fetch(`${this.#server.url}/models`)).text();
    this.#lives.push({ ...this.#sinceLast(), journal: readJournal(runFolder) });
  }

  /**
   * The run has finished. Fails when a finished call was sent again, when an answer was used before it stood in the journal, or when
   * the run as a whole paid for other calls than `undisturbed`, the requests of such a run that nobody killed.
   * @param isComparable Whether any two runs send this request, whoever was faster.
   */
  async assertPaidOnce(
    undisturbed: readonly ModelRequest[],
    isComparable: (request: ModelRequest) => boolean = () => true,
  ): Promise<void> {
    const rest = this.#sinceLast();
    for (const [index, life] of this.#lives.entries()) {
      const later = [...this.#lives.slice(index + 1).flatMap(({ asked }) => asked), ...rest.asked];
      const finished = life.asked.filter((request) => life.journal.answers.has(request.index));
      assert.deepEqual(
        finished.filter((request) => later.some((other) => isSame(other, request))).map(nameOf),
        [],
        `life ${index + 1}: finished, and sent again`,
      );
      // A section's calls follow each other: a call whose answer was used is not the last of its chain. What the model looks for runs
      // beside the distillation.
      const chains = life.asked
        .filter((request) => !life.journal.answers.has(request.index))
        // Texts are checked side by side.
        .map(({ section, step, index: number }) =>
          step === 'verify' ? `${step} ${number}` : step === 'act' ? `${step} ${section}` : section || step,
        );
      assert.deepEqual(
        chains.filter((chain, at) => chains.indexOf(chain) !== at),
        [],
        `life ${index + 1}: an answer was used before it stood in the journal`,
      );
      await this.#assertLookedUpOnce(index, life, [
        ...this.#lives.slice(index + 1).flatMap(({ lookedUp }) => lookedUp),
        ...rest.lookedUp,
      ]);
    }
    const paid = [
      ...this.#lives.flatMap(({ asked, journal }) => asked.filter(({ index }) => journal.answers.has(index))),
      ...rest.asked,
    ];
    assert.deepEqual(
      withoutAhead(paid.filter(isComparable).map(nameOf)),
      withoutAhead(undisturbed.filter(isComparable).map(nameOf)),
      'what was in flight is sent once more, and nothing else',
    );
  }

  /** How many calls were in flight at the kills, and so had to be sent again. */
  get lost(): number {
    return this.#lives.reduce(
      (sum, { asked, journal }) => sum + asked.filter(({ index }) => !journal.answers.has(index)).length,
      0,
    );
  }

  /** A look-up may be sent again when its answer never arrived, or when its call was not done at the kill: as often as there were such calls. */
  async #assertLookedUpOnce(index: number, life: Life, later: readonly RecordedRequest[]): Promise<void> {
    const cutOff = await Promise.all(life.lookedUp.map(({ closed }) => closed));
    const again = life.lookedUp.filter(({ url }, at) => !cutOff[at] && later.some((other) => other.url === url));
    const open = life.journal.openLookups;
    const since = Math.min(...open.map((call) => call.since)) - clockMs;
    assert.deepEqual(
      again.filter(({ at }) => performance.timeOrigin + at < since).map(({ url }) => url),
      [],
      `life ${index + 1}: looked up, and looked up again`,
    );
    assert.ok(
      again.length <= open.length,
      `life ${index + 1}: ${again.length} look-ups were sent again, ${open.length} were on their way`,
    );
  }

  #sinceLast(): Pick<Life, 'asked' | 'lookedUp'> {
    const asked = this.#server.requests.slice(this.#asked);
    const lookedUp = this.#sources?.requests.slice(this.#lookedUp) ?? [];
    this.#asked += asked.length;
    this.#lookedUp += lookedUp.length;
    return { asked, lookedUp };
  }
}

/** A line of the journal, as far as it is looked at here. */
interface Line {
  readonly key: string;
  readonly at: string;
  readonly value: {
    readonly usage?: { readonly in: number };
    readonly toolCalls?: readonly { readonly name: string }[];
  } | null;
}

function readJournal(runFolder: string): Journalled {
  const lines = wholeLines<Line>(path.join(runFolder, 'journal.ndjson'));
  const events = wholeLines<{ readonly type: string; readonly call?: string; readonly at: string }>(
    path.join(runFolder, 'events.ndjson'),
  );
  const keys = new Set(lines.map(({ key }) => key));
  const begun = events.flatMap(({ type, call, at }) =>
    type === 'tool/started' && call !== undefined ? [{ call, at }] : [],
  );
  // The last events may not have reached the disk: what a researcher was told to call counts as begun, too.
  const told = lines.flatMap(({ key, at, value }) =>
    (value?.toolCalls ?? []).flatMap(({ name }, index) =>
      /\/act\/\d+$/.test(key) && name !== 'think' && name !== 'research_complete'
        ? [{ call: `${key.replace(/act\/(\d+)$/, 'tool/$1')}/${index}`, at }]
        : [],
    ),
  );
  const open = new Map(
    [...begun, ...told].filter(({ call }) => !keys.has(call)).map(({ call, at }) => [call, Date.parse(at)]),
  );
  return {
    answers: new Set(lines.flatMap(({ value }) => (value?.usage === undefined ? [] : [value.usage.in]))),
    openLookups: [...open].map(([call, since]) => ({ call, since })),
  };
}

/** A last line without its end was being written: it is none. */
function wholeLines<T>(file: string): T[] {
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as T];
      } catch {
        return [];
      }
    });
}

function isSame(one: ModelRequest, other: ModelRequest): boolean {
  return one.promptTokens === other.promptTokens && JSON.stringify(one.body) === JSON.stringify(other.body);
}

/** Sorted. Whether a question is analyzed beside its assessment, before what that makes of it, hangs on where a run goes on. */
function withoutAhead(names: readonly string[]): string[] {
  return names.filter((name, at) => name !== 'analyze' || names.indexOf(name) === at).sort();
}

function nameOf({ step, section }: ModelRequest): string {
  return section === '' ? step : `${step}: ${section}`;
}
