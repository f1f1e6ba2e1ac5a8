import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Turns } from '../../src/models/http/localServer.ts';
import { llmAnalyst } from '../../src/research/analyst/llm/llmAnalyst.ts';
import { ResearchError } from '../../src/research/errors.ts';
import type { Clock, FoundDocument } from '../../src/research/ports.ts';
import { complete, streamEvents } from '../support/modelCompletion.ts';
import { parseRequest, type ParsedRequest, type Step } from '../support/modelRequest.ts';
import { openChat } from '../support/modelTestKit.ts';
import { ofType, scriptedAnalyst, scriptedTool } from '../support/scriptedParts.ts';
import { scriptedRun } from '../support/scriptedRun.ts';

/** Whole runs on a server as small machines have it: one slot, three tokens a second. Time is the timers' own, a second at a time. */

const pieceMs = 1_000;
const tickMs = 8;
/** About three tokens. */
const pieceLength = 12;
/** Turns of the event loop in which all that is due in a second happens: nothing here waits for anything but timers. */
const turnsOfASecond = 60;
let elapsed = 0;

const clock: Clock = {
  now: () => new Date(Date.parse('2026-03-04T10:00:00Z') + elapsed),
  monotonic: () => elapsed,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      setTimeout(resolve, ms);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
};

async function second(): Promise<void> {
  for (let turn = 0; turn < turnsOfASecond; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  // A limit is counted in slices, each of which begins at the end of such a tick.
  for (let passed = 0; passed < 1_000; passed += tickMs) {
    elapsed += tickMs;
    mock.timers.tick(tickMs);
  }
}

/** Lets time pass until the work is done; gives the seconds that it took. */
async function secondsOf(work: Promise<unknown>): Promise<number> {
  const from = elapsed;
  let isDone = false;
  const done = (): void => void (isDone = true);
  work.then(done, done);
  while (!isDone) {
    assert.ok(elapsed - from < 2 * 3_600_000, 'It takes more than two hours.');
    await second();
  }
  return (elapsed - from) / 1_000;
}

interface Served extends ParsedRequest {
  /** Seconds from its turn on. */
  seconds: number;
  readonly bytes: string;
}

/** What waits for the slot has its headers already, as with llama.cpp. In this step the model writes without an end. */
function slowServer(endless?: Step) {
  const requests: Served[] = [];
  let slot: Promise<void> = Promise.resolve();
  let busy = 0;
  let most = 0;
  const encoder = new TextEncoder();
  const serve: typeof fetch = async (_url, init) => {
    const bytes = init?.body as string;
    const request: Served = { ...parseRequest(requests.length, bytes, {}), seconds: 0, bytes };
    requests.push(request);
    const signal = init!.signal!;
    const events = streamEvents(
      complete(request, {}, { searches: 1, thinks: false }, new Set(), requests),
      pieceLength,
    );
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
        const before = slot;
        slot = (async () => {
          await before;
          most = Math.max(most, (busy += 1));
          for (let index = 0; index < events.length || request.step === endless; index += 1) {
            await new Promise((resolve) => setTimeout(resolve, pieceMs));
            if (signal.aborted) break;
            request.seconds += 1;
            const event = request.step === endless ? wordsOf(index) : events[index];
            controller.enqueue(
              encoder.encode(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`),
            );
          }
          busy -= 1;
          if (!signal.aborted) controller.close();
        })();
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch: serve, requests, most: () => most };
}

/** Never the same twice, or it would be ended as a loop. */
function wordsOf(index: number) {
  const word = (index * 2_654_435_761).toString(36).replace(/\d/g, '');
  return { choices: [{ index: 0, delta: { content: `${word} ` }, finish_reason: null }] };
}

const papers: readonly FoundDocument[] = [
  ['2004.04906', 'Dense Passage Retrieval', 'Dense retrieval outperforms a strong BM25 system by 9 to 19 points.'],
  ['2005.11401', 'Retrieval-Augmented Generation', 'The models combine parametric and non-parametric memory.'],
].map(([arxiv, title, text]) => ({
  ...{ kind: 'arxiv', authors: ['A. Author'], date: '2020-04-10', url: `https://arxiv.org/abs/${arxiv}` },
  ...{ ids: { arxiv: arxiv! }, title: title!, text: text! },
}));

function slowRun(endless?: Step, finishSignal?: AbortSignal) {
  const server = slowServer(endless);
  const chat = openChat('http://127.0.0.1:9/v1', { fetch: server.fetch, turns: new Turns(90_000, () => elapsed) });
  const started = scriptedRun({
    question: 'What are the main techniques for retrieval-augmented generation?',
    ...{ analyst: llmAnalyst, fallback: scriptedAnalyst(), provider: 'openai-compatible', model: chat.model, clock },
    models: () => Promise.resolve(chat),
    tools: [
      scriptedTool(() => ({ documents: papers }), { name: 'search_arxiv_papers', source: 'arxiv', kind: 'search' }),
    ],
    settings: { strategy: 'sections', planApproval: 'never', depth: 'quick' },
    ...(finishSignal && { finishSignal }),
  });
  return { ...started, ...server };
}

describe('a server with one slot that writes three tokens a second', () => {
  beforeEach(() => {
    elapsed = 0;
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  });
  afterEach(() => mock.timers.reset());

  it('gives a whole report: no request is given up, sent twice or answered beside another', async () => {
    const { result, requests, events, most } = slowRun();
    const seconds = await secondsOf(result);
    const { outcome } = await result;
    assert.equal(outcome, 'complete');
    assert.deepEqual(ofType(events, 'run/warning'), []);
    assert.equal(most(), 1);
    assert.equal(new Set(requests.map(({ bytes }) => bytes)).size, requests.length);
    // The slot is never idle for long: what takes time is writing.
    const written = requests.reduce((sum, request) => sum + request.seconds, 0);
    assert.ok(seconds < written * 1.1 + 30, `${seconds} s for ${written} s of writing`);
  });

  it('loses a quarter of an hour where it can’t end a step, not two', async () => {
    const { result, requests, saved } = slowRun('distil');
    await secondsOf(result);
    await result;
    const distilled = requests.filter(({ step }) => step === 'distil');
    assert.ok(distilled.length > 0 && distilled.every(({ seconds }) => seconds <= 900));
    assert.equal(new Set(distilled.map(({ bytes }) => bytes)).size, distilled.length);
    assert.match(saved[0]!.markdown, /9 to 19 points/);
  });

  for (const step of ['plan', 'distil', 'section'] as const)
    it(`is not waited for after "Finish now" during ${step}`, async () => {
      const finish = new AbortController();
      const { result, requests, saved } = slowRun(undefined, finish.signal);
      while (!requests.some((request) => request.step === step && request.seconds > 3)) await second();
      finish.abort(new ResearchError('finish', 'Finish now.'));
      const seconds = await secondsOf(result);
      assert.equal((await result).outcome, 'partial');
      assert.ok(seconds <= 4, `${seconds} s`);
      assert.match(saved[0]!.markdown, /\n## How this report was made\n/);
    });
});
