import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ErrorReason, ResearchError } from '../../src/research/errors.ts';
import type { ToolResult } from '../../src/research/tools.ts';
import type { ScriptedService, ServiceAnswer } from './scriptedService.ts';

interface Contract {
  readonly service: () => ScriptedService;
  /** Calls a tool with a client of its own, so that no answer is remembered. */
  readonly call: () => Promise<ToolResult>;
  /** A body of the right shape with at least one document. */
  readonly good: ServiceAnswer;
}

const html = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><html><body>Sign in</body></html>' };
const failures: readonly (readonly [about: string, answer: ServiceAnswer, reason: ErrorReason])[] = [
  ['is limited without a time', { status: 429, body: { error: 'Too many' } }, 'rateLimit'],
  ['is limited for seconds', { status: 429, headers: { 'retry-after': '2' }, body: 'Too many' }, 'rateLimit'],
  ['is limited for an hour', { status: 429, headers: { 'retry-after': '3600' }, body: {} }, 'rateLimit'],
  ['fails', { status: 500, body: { error: 'Internal' } }, 'network'],
  ['is down for maintenance', { status: 503, ...html }, 'network'],
  ['refuses the request', { status: 400, body: { error: 'Bad parameter' } }, 'badRequest'],
  ['forbids the request', { status: 403, body: { message: 'Forbidden' } }, 'auth'],
  ['has nothing there', { status: 404, body: 'Resource not found.' }, 'notFound'],
  ['answers with a web page', { status: 200, ...html }, 'badAnswer'],
  ['answers with nothing', { status: 200, body: '' }, 'badAnswer'],
  ['answers with a number', { status: 200, body: 7 }, 'badAnswer'],
  ['answers with another object', { status: 200, body: { unexpected: [1, 2, 3] } }, 'badAnswer'],
];

/** What every service of a source has to be able to do, over real HTTP. Call it inside a `describe`. */
export function itKeepsTheContract({ service, call, good }: Contract): void {
  const failsWith = async (reason: ErrorReason): Promise<void> => {
    await assert.rejects(call(), (error: unknown) => {
      assert.ok(ResearchError.is(error, reason), `expected ${reason}, got ${String(error)}`);
      assert.ok(error.message.length > 10 && error.next !== '');
      return true;
    });
  };
  for (const [about, answer, reason] of failures) {
    it(`rejects with ${reason} when the service ${about}`, async () => {
      service().answer = () => answer;
      await failsWith(reason);
    });
  }
  it('rejects with network when the connection breaks in the middle of an answer', async () => {
    service().answer = () => ({ ...good, fault: 'truncate' });
    await failsWith('network');
  });
  it('answers after one refusal that named a short time', async () => {
    let asked = 0;
    service().answer = () => (asked++ === 0 ? { status: 429, headers: { 'retry-after': '1' }, body: {} } : good);
    assert.ok((await call()).documents.length > 0);
    assert.equal(asked, 2);
  });
}
