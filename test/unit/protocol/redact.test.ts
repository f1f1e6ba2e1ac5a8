import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RedactedLog, logEvent } from '../../../src/runs/log.ts';
import { redact } from '../../../src/protocol/redact.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';

const keys = {
  openai: 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789',
  github: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  githubFineGrained: 'github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz',
  huggingface: 'hf_abcdefghijklmnopqrstuvwxyz',
  tavily: 'tvly-dev-abcdefghijklmnop',
  webToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N',
};

for (const [service, key] of Object.entries(keys)) {
  test(`a key of ${service} is taken out wherever it stands`, () => {
    for (const line of [
      key,
      `Incorrect API key provided: ${key}.`,
      `{"key":"${key}"}`,
      `https://host/path?x=${key}&y=1`,
      `authorization: Bearer ${key}`,
    ]) {
      assert.ok(!redact(line).includes(key), redact(line));
    }
  });
}

test('what follows "Bearer", "api key" or a password in an address is taken out, whatever it looks like', () => {
  assert.equal(redact('Authorization: Bearer 1234567890abcdef'), 'Authorization: Bearer [redacted]');
  assert.equal(redact('api_key=hello-there-friend, model=gpt'), 'api_key=[redacted], model=gpt');
  assert.equal(redact('{"access_token":"abc123def456"}'), '{"access_token":"[redacted]"}');
  assert.equal(
    redact('fetch https://me:secret@host.example/x failed'),
    'fetch https://[redacted]@host.example/x failed',
  );
});

test('a key that was handed out is taken out although it looks like a plain word', () => {
  assert.equal(redact('server said: banana42 is wrong', ['banana42']), 'server said: [redacted] is wrong');
});

test('a key that was handed out is taken out in every form that a text gives it, and in parts', () => {
  for (const key of [
    'Gateway~Nr.7/Nordlicht+Umbra=',
    'plainwordsonlyandnothingelse',
    'ключ-от-шлюза-номер-семь',
    ...Object.values(keys),
  ]) {
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const forms = [
      encodeURIComponent(key),
      encodeURIComponent(encodeURIComponent(key)),
      JSON.stringify({ key: JSON.stringify(key) }),
      ...['', 'u', 'us', 'user', 'a-long-name'].flatMap((user) => [base64(`${user}:${key}`), base64(user + key)]),
      Buffer.from(`me:${key}`).toString('base64url'),
      key.slice(0, Math.ceil(key.length * 0.6)),
      key.slice(-Math.ceil(key.length * 0.6)),
      `${key.slice(0, Math.ceil(key.length * 0.5))}…`,
    ];
    for (const form of forms) {
      const shown = redact(`The proxy saw <${form}> and refused.`, [key]);
      const left = shown.replace('The proxy saw <', '').replace('> and refused.', '').replaceAll('[redacted]', '');
      const most = Math.ceil(form.length / 2);
      assert.ok(left.length <= most, `${form}: ${shown}`);
      assert.ok(!Buffer.from(left, 'base64').toString().includes(key.slice(0, 12)), shown);
    }
  }
});

test('a short key and its parts change no other word', () => {
  assert.equal(redact('keyboards and monkeys', ['key']), 'keyboards and monkeys');
  assert.equal(redact('The model ollama-model is gone.', ['ollama']), 'The model [redacted]-model is gone.');
  assert.equal(redact('placeholder text', ['placeholders']), 'placeholder text');
});

test('ordinary lines stay as they are', () => {
  for (const line of [
    'run a1: research',
    'about 12000 tokens in, 300 out',
    'The token limit of 4096 tokens was reached.',
    'https://api.openai.com/v1/chat/completions',
  ]) {
    assert.equal(redact(line, ['unused-key']), line);
  }
});

test('a very long line is redacted in time that grows with its length', () => {
  const line = 'token '.repeat(200_000) + keys.openai;
  assert.ok(!redact(line).includes(keys.openai));
});

function recorder() {
  const lines: string[] = [];
  const note = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  return {
    lines,
    log: new RedactedLog({
      trace: note('trace'),
      debug: note('debug'),
      info: note('info'),
      warn: note('warn'),
      error: note('error'),
    }),
  };
}

/** What redacts is loaded with the first line, and this after it. */
const written = () => import('../../../src/protocol/redact.ts');

test('every level of the log is redacted, in order', async () => {
  const { lines, log } = recorder();
  log.hide('banana42');
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) log[level](`${keys.openai} banana42`);
  await written();
  assert.deepEqual(
    lines,
    ['trace', 'debug', 'info', 'warn', 'error'].map((level) => `${level} [redacted] [redacted]`),
  );
});

test('the log of a run holds neither the question nor what was found, thought or written', async () => {
  const { lines, log } = recorder();
  const secret = 'PRIVATE';
  const at = { run: 'r1', seq: 1, at: '2025-01-01T00:00:00.000Z' };
  const events: ResearchEvent[] = [
    {
      type: 'run/started',
      ...at,
      question: secret,
      strategy: 'sections',
      model: 'm',
      provider: 'openai',
      analyst: 'llm',
    },
    {
      type: 'clarify/asked',
      ...at,
      id: 'q1',
      question: secret,
      options: [{ label: secret, recommended: true }],
      missingInfo: 'scope',
      why: secret,
    },
    { type: 'clarify/answered', ...at, id: 'q1', answer: secret, skipped: false },
    {
      type: 'plan/proposed',
      ...at,
      title: secret,
      sections: [{ id: 's1', title: secret, description: secret }],
      estimate: { calls: 1, tokens: 1, minutes: 1, cost: null },
      needsApproval: false,
    },
    {
      type: 'section/updated',
      ...at,
      id: 's1',
      title: secret,
      status: 'researching',
      attempt: 1,
      activity: secret,
      sources: 0,
    },
    { type: 'thought', ...at, text: secret },
    { type: 'tool/started', ...at, call: 'c1', name: 'search', args: secret },
    { type: 'tool/finished', ...at, call: 'c1', name: 'search', ms: 1, sources: [], error: secret },
    { type: 'source/added', ...at, id: 'S1', kind: 'web', title: secret },
    {
      type: 'review/finished',
      ...at,
      score: 5,
      sufficient: false,
      gaps: [{ section: 's1', gap: secret }],
      retry: ['s1'],
      round: 1,
      needsApproval: false,
    },
    { type: 'report/delta', ...at, offset: 0, text: secret },
    {
      type: 'run/finished',
      ...at,
      outcome: 'complete',
      path: `/${secret}.md`,
      tokens: { in: 1, out: 1, cached: 0 },
      ms: 5,
    },
  ];
  for (const event of events) logEvent(log, event);
  await written();
  assert.ok(lines.length >= 6);
  assert.deepEqual(
    lines.filter((line) => line.includes(secret)),
    [],
  );
});

test('the user and the password of an address are taken out, of any scheme and unescaped', () => {
  for (const scheme of ['https', 'http', 'htps', 'ws', 'postgres', 'ftp'])
    for (const password of ['hunter2plum', 'p@ss4471w', "qu'ote4471", 'p<4471>q', 'a#b4471c', '4471'.repeat(200)]) {
      const clean = redact(`Connection to ${scheme}://ann:${password}@models.example/v1 failed`);
      assert.equal(clean, `Connection to ${scheme}://[redacted]@models.example/v1 failed`);
    }
  assert.equal(
    redact('See https://a.example/b, or write to ann@b.example'),
    'See https://a.example/b, or write to ann@b.example',
  );
});
