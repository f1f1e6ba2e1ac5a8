import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { type PanelHost, PanelLink } from '../../../src/host/panel/panelLink.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import type { HostMessage, PanelMessage, Setup } from '../../../src/protocol/messages.ts';
import { emptyView, reduceRun } from '../../../src/protocol/reduceRun.ts';
import type { RunView } from '../../../src/protocol/runView.ts';

const setup: Setup = {
  analyst: 'extractive',
  provider: 'extractive',
  model: null,
  modelHost: null,
  sources: [],
  kinds: [],
  strategy: 'auto',
  depth: 'standard',
  workspace: null,
  trusted: true,
  examples: ['Try this'],
  problem: null,
};

/** A webview that counts what it is sent, and folds it as the panel does. */
function fakeWebview() {
  let view = emptyView();
  let setups: () => Promise<Setup> = async () => setup;
  const sent: HostMessage[] = [];
  const handled: PanelMessage[] = [];
  const refused: string[] = [];
  const host: PanelHost = {
    view: () => view,
    setup: () => setups(),
    attached: () => [],
    isRead: () => false,
    strings: async () => ({ 'ask.label': 'What?' }),
    locale: 'en',
    handle: (message) => void handled.push(message),
    refused: (reason) => void refused.push(reason),
  };
  const link = new PanelLink(host, (message) => void sent.push(message));
  return {
    link,
    sent,
    handled,
    refused,
    types: () => sent.map(({ type }) => type),
    bytes: () => sent.reduce((sum, message) => sum + JSON.stringify(message).length, 0),
    /** What the panel draws after all that it was sent. */
    drawn: () =>
      sent.reduce((drawn: RunView, message) => {
        if (message.type === 'snapshot') return message.view;
        return message.type === 'events' ? message.events.reduce(reduceRun, drawn) : drawn;
      }, emptyView()),
    current: () => view,
    describeBy: (describe: () => Promise<Setup>) => (setups = describe),
    happens(event: ResearchEvent) {
      view = reduceRun(view, event);
      link.event(event);
    },
  };
}

let seq = 0;
const envelope = () => ({ run: 'r1', seq: ++seq, at: '2025-01-01T00:00:00.000Z' });
const started = (): ResearchEvent => ({
  type: 'run/started',
  ...envelope(),
  question: 'Q?',
  strategy: 'sections',
  model: null,
  provider: 'extractive',
  analyst: 'extractive',
});
const delta = (offset: number, text: string): ResearchEvent => ({ type: 'report/delta', ...envelope(), offset, text });

test('a page that says ready gets one snapshot with the setup and the texts, and then only what is new', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const webview = fakeWebview();
    webview.happens(started());
    await webview.link.receive({ type: 'ready' });
    assert.deepEqual(webview.types(), ['snapshot']);
    webview.happens(delta(0, 'Hello'));
    webview.happens(delta(5, ' there'));
    assert.deepEqual(webview.types(), ['snapshot'], 'events are gathered first');
    mock.timers.tick(100);
    assert.deepEqual(webview.types(), ['snapshot', 'events']);
    mock.timers.tick(1_000);
    assert.deepEqual(webview.types(), ['snapshot', 'events'], 'nothing is sent twice');
    assert.deepEqual(webview.drawn(), webview.current());
  } finally {
    mock.timers.reset();
  }
});

test('nothing is posted before the page is ready or while it is hidden; when it returns one snapshot has it all', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const webview = fakeWebview();
    webview.happens(started());
    mock.timers.tick(1_000);
    assert.deepEqual(webview.types(), []);
    await webview.link.receive({ type: 'ready' });
    webview.happens(delta(0, 'One. '));
    webview.link.closed();
    webview.happens(delta(5, 'Two. '));
    mock.timers.tick(1_000);
    assert.deepEqual(webview.types(), ['snapshot']);
    await webview.link.receive({ type: 'ready' });
    assert.deepEqual(webview.types(), ['snapshot', 'snapshot', 'setup']);
    assert.deepEqual(webview.drawn(), webview.current());
    assert.equal(webview.drawn().report.text, 'One. Two. ');
  } finally {
    mock.timers.reset();
  }
});

test('what happens while a snapshot is being prepared is in it, once', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const webview = fakeWebview();
    webview.happens(started());
    const slow = Promise.withResolvers<Setup>();
    webview.describeBy(() => slow.promise);
    const ready = webview.link.receive({ type: 'ready' });
    webview.happens(delta(0, 'Early.'));
    slow.resolve(setup);
    await ready;
    mock.timers.tick(1_000);
    assert.deepEqual(webview.types(), ['snapshot']);
    assert.equal(webview.drawn().report.text, 'Early.');
  } finally {
    mock.timers.reset();
  }
});

test('a page that is gone before its snapshot is ready gets none', async () => {
  const webview = fakeWebview();
  const slow = Promise.withResolvers<Setup>();
  webview.describeBy(() => slow.promise);
  const ready = webview.link.receive({ type: 'ready' });
  webview.link.closed();
  slow.resolve(setup);
  await ready;
  assert.deepEqual(webview.types(), []);
});

test('a page that comes back is drawn at once, however long the setup takes to be found out', async () => {
  const webview = fakeWebview();
  await webview.link.receive({ type: 'ready' });
  webview.link.closed();
  const slow = Promise.withResolvers<Setup>();
  webview.describeBy(() => slow.promise);
  const ready = webview.link.receive({ type: 'ready' });
  assert.deepEqual(webview.types(), ['snapshot', 'snapshot']);
  slow.resolve({ ...setup, provider: 'openai' });
  await ready;
  assert.deepEqual(webview.sent.at(-1), { type: 'setup', setup: { ...setup, provider: 'openai' } });
});

test('a page that reloads twice in a row gets one snapshot', async () => {
  const webview = fakeWebview();
  await Promise.all([webview.link.receive({ type: 'ready' }), webview.link.receive({ type: 'ready' })]);
  assert.deepEqual(webview.types(), ['snapshot']);
});

test('the question box is filled at once when the page is up, and otherwise as soon as it is', async () => {
  const webview = fakeWebview();
  webview.link.ask('first');
  webview.link.ask('second');
  await webview.link.receive({ type: 'ready' });
  webview.link.ask('third');
  assert.deepEqual(
    webview.sent.filter(({ type }) => type === 'ask'),
    [
      { type: 'ask', question: 'second' },
      { type: 'ask', question: 'third' },
    ],
  );
  assert.equal(webview.sent[0]?.type, 'snapshot');
});

test('a change of settings reaches an open page and costs nothing when none is open', async () => {
  const webview = fakeWebview();
  let described = 0;
  webview.describeBy(async () => (described++, setup));
  await webview.link.setupChanged();
  assert.equal(described, 0);
  await webview.link.receive({ type: 'ready' });
  await webview.link.setupChanged();
  assert.deepEqual(webview.types(), ['snapshot', 'setup']);
});

test('the latest setup stays, also when an earlier one takes longer to describe', async () => {
  const webview = fakeWebview();
  await webview.link.receive({ type: 'ready' });
  const slow = Promise.withResolvers<Setup>();
  webview.describeBy(() => slow.promise);
  const earlier = webview.link.setupChanged();
  webview.describeBy(async () => ({ ...setup, model: 'new' }));
  await webview.link.setupChanged();
  slow.resolve({ ...setup, model: 'old' });
  await earlier;
  assert.deepEqual(webview.sent.at(-1), { type: 'setup', setup: { ...setup, model: 'new' } });
  assert.deepEqual(webview.types(), ['snapshot', 'setup']);
});

test('a change while the setup of the first page is described reaches that page', async () => {
  const webview = fakeWebview();
  const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<Setup>()];
  webview.describeBy(() => (begun.resolve(), slow.promise));
  const ready = webview.link.receive({ type: 'ready' });
  await begun.promise;
  webview.describeBy(async () => ({ ...setup, model: 'new' }));
  await webview.link.setupChanged();
  slow.resolve({ ...setup, model: 'old' });
  await ready;
  assert.deepEqual(webview.sent.at(-1), { type: 'setup', setup: { ...setup, model: 'new' } });
});

test('what the panel says is checked; anything else is refused and changes nothing', async () => {
  const webview = fakeWebview();
  const hostile: unknown[] = [
    undefined,
    null,
    7,
    'start',
    [],
    {},
    { type: 'eval', code: '1' },
    { type: 'start' },
    { type: 'start', question: 5 },
    { type: 'openSource', id: { path: '/etc/passwd' } },
    { type: 'approvePlan', sections: 'all' },
  ];
  for (const message of hostile) await webview.link.receive(message);
  assert.deepEqual(webview.handled, []);
  assert.equal(webview.refused.length, hostile.length);
  assert.ok(webview.refused.every((reason) => reason.length <= 40));
  await webview.link.receive({ type: 'start', question: 'Q?' });
  assert.deepEqual(webview.handled, [{ type: 'start', question: 'Q?' }]);
});

/** Streams a report of so many sentences to a page that stays open, and gives the bytes that were posted. */
async function bytesFor(sentences: number): Promise<number> {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const webview = fakeWebview();
    webview.happens(started());
    await webview.link.receive({ type: 'ready' });
    const sentence = 'Each statement of the report stands on a source that was read [1]. ';
    for (let i = 0; i < sentences; i++) {
      webview.happens(delta(i * sentence.length, sentence));
      if (i % 3 === 0) mock.timers.tick(100);
    }
    mock.timers.tick(100);
    assert.equal(webview.drawn().report.text.length, sentences * sentence.length);
    return webview.bytes();
  } finally {
    mock.timers.reset();
  }
}

test('the bytes that are posted grow as the report does: no history is sent again', async () => {
  const [small, large] = [await bytesFor(100), await bytesFor(1_600)];
  // Sixteen times the report: sixteen times the bytes, less the first snapshot, plus longer numbers.
  assert.ok(large / small < 17, `${small} -> ${large}`);
  assert.ok(large < 1_600 * 260, `${large / 1_600} bytes a sentence`);
});

test('a page that was hidden at once gets nothing, and the next one everything', async () => {
  const webview = fakeWebview();
  const first = webview.link.receive({ type: 'ready' });
  webview.link.closed();
  const second = webview.link.receive({ type: 'ready' });
  await Promise.all([first, second]);
  assert.deepEqual(webview.types(), ['snapshot']);
});
