import * as z from 'zod';
import { ResearchError } from '../../src/research/errors.ts';
import type { WorkspaceFile, WorkspacePort, FoundDocument } from '../../src/research/ports.ts';
import type { ResearchTool, ToolResult } from '../../src/research/tools.ts';
import { canary } from './canary.ts';
import type { ScriptedAnswer } from './sourceServer.ts';

/** What can go wrong at a source, and tools from outside that break every promise of their contract. */

const always = { times: Infinity } as const;
const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>${canary}</title><entry><id>http://arxiv.org/abs/2004.04906v3</id><title>Cut`;

/** By name: what the service answers to every request. */
export const sourceFaults: Readonly<Record<string, ScriptedAnswer>> = {
  '429 with Retry-After': {
    ...always,
    status: 429,
    headers: { 'retry-after': '3600' },
    body: `Rate exceeded ${canary}.`,
  },
  '429 without Retry-After': { ...always, status: 429, body: `Rate exceeded ${canary}.` },
  '403 rate limited': {
    ...always,
    status: 403,
    headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3_600) },
    body: { message: `API rate limit exceeded ${canary}.` },
  },
  '400': { ...always, status: 400, body: { message: `Validation ${canary} failed` } },
  '403': { ...always, status: 403, body: { message: `Forbidden ${canary}` } },
  '500': { ...always, status: 500, body: `Traceback ${canary} (most recent call last): File "/srv/app.py"` },
  hang: { ...always, fault: 'hang' },
  'hang in the body': { ...always, fault: 'hangInBody', body: feed },
  'cut off': { ...always, fault: 'close' },
  'cut body': { ...always, fault: 'truncate', body: feed },
  'malformed XML and JSON': { ...always, body: feed },
  'HTML instead': {
    ...always,
    headers: { 'content-type': 'text/html' },
    body: `<!DOCTYPE html><html><head><title>${canary}</title></head><body>Sign in</body></html>`,
  },
  'other JSON': { ...always, body: { error: { trace: [canary] } } },
  empty: { ...always, body: '' },
};

const document: FoundDocument = {
  kind: 'mcp',
  title: 'Dense retrieval handbook',
  authors: ['A. Author'],
  url: 'https://example.org/dense-retrieval',
  text: 'Dense retrieval maps questions and passages into one vector space. Sparse retrieval weighs the words that both share.',
};

/** By name: what an outside tool does when it is called. */
export const outsideFaults: Readonly<Record<string, (signal: AbortSignal) => unknown>> = {
  'throws an error': () => {
    throw new TypeError(`Cannot read properties of undefined (reading '${canary}')`);
  },
  'throws a text': () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the fault that is imitated
    throw `oops ${canary}`;
  },
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the fault that is imitated
  'throws nothing': () => Promise.reject(undefined),
  'throws what is no text': () => Promise.reject(Object.create(null)),
  'throws an AbortError of its own': () =>
    Promise.reject(new DOMException(`This operation was aborted ${canary}`, 'AbortError')),
  'says what was wrong': () =>
    Promise.reject(new ResearchError('badRequest', 'The handbook needs a year.', { next: 'Give one.' })),
  'returns nothing': () => undefined,
  'returns null': () => null,
  'returns a text': () => `an answer ${canary}`,
  'returns no list': () => ({ documents: { 0: document } }),
  'returns a list of nothing': () => ({ documents: [null, undefined, 7, 'text'] }),
  'returns documents without text': () => ({
    documents: [
      { ...document, text: undefined },
      { ...document, title: 3 },
    ],
  }),
  'returns a cyclic document': () => {
    const cyclic: Record<string, unknown> = { ...document, text: 5n };
    cyclic['self'] = cyclic;
    return { documents: [cyclic] };
  },
};

/** What an outside tool may do and still be used: the odd parts are left out. */
export const oddAnswers: Readonly<Record<string, () => unknown>> = {
  'a document among what is none': () => ({ documents: [null, document, { title: 'x' }], note: { not: 'a text' } }),
  'fields of other types': () => ({
    documents: [
      { ...document, authors: 'A. Author', date: 5, ids: 'x', file: { path: 1 }, facts: null, extra: { self: 1n } },
    ],
  }),
  'fifty megabytes of text': () => ({
    documents: [{ ...document, text: `${document.text}\n\n${'word '.repeat(10_000_000)}` }],
  }),
};

export function outsideTool(run: (signal: AbortSignal) => unknown): ResearchTool {
  return {
    name: 'search_handbook',
    description: 'Searches a handbook.',
    parameters: z.object({ query: z.string() }),
    source: 'handbook',
    kind: 'search',
    // What comes from outside keeps no types.
    run: (async (_args: unknown, _context: unknown, signal: AbortSignal) =>
      run(signal)) as unknown as ResearchTool['run'],
  };
}

/** Never answers; told to stop, it fails in its own time. */
export const unresponsiveTool = (onCall: () => void): ResearchTool =>
  outsideTool(
    (signal) =>
      new Promise<ToolResult>((_, reject) => {
        onCall();
        signal.addEventListener('abort', () => setImmediate(() => reject(new Error(`too late ${canary}`))), {
          once: true,
        });
      }),
  );

const notes: readonly WorkspaceFile[] = [{ path: 'notes/dense.md', size: 200, modified: Date.UTC(2026, 0, 1) }];
const notesText = `# Dense retrieval\n\n${document.text} Dense retrieval needs training data of questions with their passages.\n`;

export const healthyWorkspace: WorkspacePort = {
  name: 'notes',
  files: async () => notes,
  read: async () => notesText,
  blocks: async function* () {},
  gitRemotes: async () => [],
};

/** By name: what the folder does. */
export const workspaceFaults: Readonly<Record<string, Partial<WorkspacePort>>> = {
  'the folder has gone': {
    files: () =>
      Promise.reject(
        new ResearchError('storage', 'The folder can not be read: it does not exist.', {
          next: 'Open another folder.',
        }),
      ),
  },
  'the file can not be read': {
    read: () =>
      Promise.reject(
        new ResearchError('storage', 'The file can not be read: there is no permission.', {
          next: 'Open another folder.',
        }),
      ),
  },
  'an unknown error': {
    files: () => Promise.reject(Object.assign(new Error(`EIO: i/o error ${canary}`), { code: 'EIO' })),
  },
  'an unknown error in a file': {
    read: () => Promise.reject(Object.assign(new Error(`EIO: i/o error ${canary}`), { code: 'EIO' })),
  },
};
