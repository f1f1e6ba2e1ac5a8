import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import type { Setup } from '../../../src/protocol/messages.ts';
import { emptyView, reduceRun } from '../../../src/protocol/reduceRun.ts';
import { panelStrings } from '../../../src/protocol/strings.ts';
import { clockText, elapsedMs } from '../../../src/panel/elapsed.ts';
import { type PanelState, receive } from '../../../src/panel/panelStore.ts';
import { plain } from '../../../src/panel/plain.ts';
import { mergedInto, rowsOf, split, ticked, wantedOf, withAdded } from '../../../src/panel/entityDraft.ts';
import { maxSections } from '../../../src/protocol/planBounds.ts';
import { moved, planProblem, focusPoints, withNew, withSource } from '../../../src/panel/planDraft.ts';
import { maxQuestionLength, questionProblem } from '../../../src/panel/question.ts';
import { modelTip } from '../../../src/panel/modelTip.ts';
import { setupLine } from '../../../src/protocol/setupLine.ts';
import { steps } from '../../../src/panel/steps.ts';
import { Texts } from '../../../src/protocol/texts.ts';
import { maxQuestionLength as maxOfEngine } from '../../../src/research/runResearch.ts';
import themeFile from '../../fixtures/themes.json' with { type: 'json' };
import {
  asked,
  events,
  keyless,
  planned,
  researching,
  snapshot,
  started,
  viewOf,
  withModel,
  withoutWebKey,
  writing,
} from '../../support/panelStates.ts';

const english = new Texts(panelStrings, 'en');

describe('texts', () => {
  test('fill their places, and numbers are written as the language writes them', () => {
    assert.equal(
      english.of('ask.tooLong', 20_001, 20_000).slice(0, 60),
      'The question has 20,001 characters; the limit is 20,000. Sho',
    );
    assert.equal(new Texts(panelStrings, 'de').of('status.tokens', 12_345), '12.345 tokens');
    assert.equal(
      english.of('setup.files', '{0} {1}'),
      'Files in “{0} {1}” are read on this machine.',
      'a value is not filled in again',
    );
  });

  test('choose the plural form of their language', () => {
    assert.deepEqual(
      [english.of('section.sources', 1), english.of('section.sources', 1_200)],
      ['1 source', '1,200 sources'],
    );
    const polish = new Texts(
      { 'section.sources': '{0, plural, one {# źródło} few {# źródła} other {# źródeł}}' },
      'pl',
    );
    assert.deepEqual(
      [1, 3, 5].map((n) => polish.of('section.sources', n)),
      ['1 źródło', '3 źródła', '5 źródeł'],
    );
  });

  test('a language that is none does no harm', () => {
    assert.equal(new Texts(panelStrings, 'qps-ploc!').of('action.stop'), 'Stop');
  });
});

describe('the line on what is sent where', () => {
  const line = (setup: Setup) => setupLine(setup, english).join(' ');

  test('says that nothing goes to a model when there is none', () => {
    assert.equal(
      line(keyless),
      'Without a model: the report consists of quotes, and nothing is sent to a model. Searches go to export.arxiv.org and api.github.com. Files in “examples” are read on this machine.',
    );
  });

  test('has a tooltip with the models of all roles', () => {
    assert.equal(modelTip(keyless, english), undefined);
    const tip = modelTip({ ...withModel, provider: 'openai', modelFor: { report: 'gpt-5.1-pro' } }, english);
    assert.equal(tip, 'Model: gpt-5.1. Provider: openai.\nFor the report: gpt-5.1-pro.');
  });

  test('names the model, its host, and that passages of files go there', () => {
    assert.match(
      line(withModel),
      /are sent to gpt-5\.1 \(api\.openai\.com\)\..*relevant passages are sent to the model/,
    );
    assert.match(line({ ...withModel, workspaceForModel: 'metadata' }), /but no text/);
    assert.doesNotMatch(line({ ...withModel, workspaceForModel: 'off' }), /passages/);
  });

  test('says why auto chose the model, and nothing of one that the settings name', () => {
    assert.match(line({ ...withModel, modelWhy: 'editor' }), /chosen because VS Code offers it/);
    assert.match(line({ ...withModel, modelWhy: 'local' }), /runs on this machine/);
    assert.doesNotMatch(line({ ...withModel, modelWhy: 'setting' }), /chosen/);
  });

  test('says what is different without a folder, without trust, and without searches', () => {
    assert.match(line({ ...keyless, workspace: null }), /No folder is open/);
    assert.match(line({ ...withModel, trusted: false }), /Restricted Mode: files in “examples” are not read/);
    assert.doesNotMatch(line({ ...withModel, trusted: false }), /passages/);
    assert.match(line({ ...keyless, sources: [{ name: 'workspace', hosts: [] }] }), /No searches leave this machine/);
    assert.match(line({ ...keyless, behindProxy: true }), /through a proxy: their names are checked/);
    assert.doesNotMatch(line(keyless), /proxy/);
  });

  test('says what one key would add, and the tools of the editor that a model may call', () => {
    const noKey = 'Web pages aren’t searched: that needs a key of Tavily or Bocha.';
    assert.ok(line(withoutWebKey).includes(noKey));
    assert.doesNotMatch(line({ ...withoutWebKey, web: { hosts: ['api.tavily.com'], keys: [] } }), /Web pages/);
    const offered = { ...withoutWebKey, analyst: 'llm', editorTools: { picked: [], offered: 4 } } as const;
    assert.match(line(offered), /of Tavily or Bocha, or a tool of this editor/);
    assert.match(
      line({ ...offered, editorTools: { picked: ['fetch'], offered: 4 } }),
      /may call tools of this editor: fetch/,
    );
    // Without a model nothing calls them.
    assert.ok(line({ ...withoutWebKey, editorTools: { picked: ['fetch'], offered: 4 } }).includes(noKey));
  });
});

describe('the question', () => {
  test('is limited as the engine limits it', () => {
    assert.equal(maxQuestionLength, maxOfEngine);
    assert.equal(questionProblem(' \n '), 'empty');
    assert.equal(questionProblem(` ${'x'.repeat(maxQuestionLength)} `), null, 'white space around it does not count');
    assert.equal(questionProblem('x'.repeat(maxQuestionLength + 1)), 'tooLong');
  });
});

describe('the running time', () => {
  test('counts while the run is running, and stops while it waits', () => {
    const running = viewOf([started()]);
    const begin = Date.parse(running.startedAt);
    assert.equal(elapsedMs(running, begin + 65_000), 65_000);
    const waiting = viewOf([started(), asked]);
    assert.equal(elapsedMs(waiting, begin + 65_000), 1000);
  });

  test('is right when the host runs on another clock', () => {
    const running = viewOf([started()]);
    assert.equal(elapsedMs(running, Date.parse(running.startedAt) + 3_605_000, 3_600_000), 5000);
    assert.equal(elapsedMs(running, Date.parse(running.startedAt) - 9_000), 0, 'never negative');
  });

  test('reads as a clock', () => {
    assert.deepEqual([0, 7_999, 754_000, 3_723_000].map(clockText), ['0:00', '0:07', '12:34', '1:02:03']);
  });
});

describe('the stepper', () => {
  const states = (view: ReturnType<typeof viewOf>) => steps(view).map((step) => `${step.label.slice(6)} ${step.state}`);

  test('shows optional steps only where they are taken', () => {
    assert.deepEqual(states(viewOf(planned)), [
      'understand done',
      'plan current',
      'research next',
      'review next',
      'report next',
    ]);
    const withLookUp = viewOf([
      started(),
      { type: 'run/phase', phase: 'assess' },
      { type: 'run/phase', phase: 'verify' },
    ]);
    assert.deepEqual(states(withLookUp).slice(0, 3), ['understand done', 'verify current', 'plan next']);
  });

  test('steps back when sections are sent back, and shows what was never reached', () => {
    const back = viewOf([
      ...researching,
      { type: 'run/phase', phase: 'review' },
      { type: 'run/phase', phase: 'research' },
    ]);
    assert.deepEqual(states(back).slice(2), ['research current', 'review next', 'report next']);
    const failed = viewOf([...researching, { type: 'run/failed', reason: 'bug', message: '', next: '' }]);
    assert.deepEqual(states(failed).slice(2), ['research current', 'review notReached', 'report notReached']);
  });
});

describe('the edits of a plan', () => {
  const plan = [
    { id: 's1', title: 'A', description: '' },
    { id: 's2', title: 'B', description: '' },
  ];
  test('add and move without touching the others', () => {
    assert.deepEqual(
      moved(plan, 0, 1).map((s) => s.id),
      ['s2', 's1'],
    );
    assert.equal(moved(plan, 0, -1), plan);
    assert.equal(moved(plan, 1, 2), plan);
    assert.equal(plan[0]?.title, 'A');
  });

  test('a section searches one source at least, and all when none is left out', () => {
    const all = ['arxiv', 'github', 'web'];
    const some = withSource({}, all, 'github', false);
    assert.deepEqual(some, ['arxiv', 'web']);
    assert.equal(withSource({ sources: some }, all, 'github', true), undefined);
    assert.deepEqual(withSource({ sources: ['web'] }, all, 'web', false), ['web']);
  });

  test('focus points are the lines that say something, once each', () => {
    assert.deepEqual(focusPoints(' cost \n\nlatency\ncost'), ['cost', 'latency']);
  });

  test('a list of what was found is unticked, merged, split and added to', () => {
    const entity = (name: string) => ({
      name,
      category: '',
      brief: '',
      source: 'S1',
      urls: [],
      priority: 'medium' as const,
    });
    const rows = rowsOf(['A', 'B', 'C'].map(entity));
    const merged = mergedInto(ticked(rows, 'A', false), 'C', 'A');
    assert.deepEqual(wantedOf(merged), [
      { name: 'A', from: ['A', 'C'] },
      { name: 'B', from: ['B'] },
    ]);
    assert.deepEqual(wantedOf(ticked(split(merged, 'A'), 'B', false)), [
      { name: 'A', from: ['A'] },
      { name: 'C', from: ['C'] },
    ]);
    assert.equal(mergedInto(rows, 'A', 'A'), rows);
    assert.equal(mergedInto(rows, 'A', 'gone'), rows);
    assert.equal(withAdded(rows, ' '), 'needsName');
    assert.equal(withAdded(merged, 'c'), 'known', 'a merged name is known');
    const more = withAdded(rows, '  D  one ');
    assert.ok(typeof more !== 'string');
    assert.deepEqual(wantedOf(more).at(-1), { name: 'D one', from: [] });
    const full = rowsOf(Array.from({ length: 40 }, (_, index) => entity(`E${index}`)));
    assert.equal(withAdded(full, 'One more'), 'tooMany');
  });

  test('ids stay distinct whatever is added and removed', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant('add' as const), fc.nat(5)), { maxLength: 30 }), (edits) => {
        const result = edits.reduce(
          (sections, edit) => (edit === 'add' ? withNew(sections) : sections.toSpliced(edit, 1)),
          plan,
        );
        assert.equal(new Set(result.map((s) => s.id)).size, result.length);
      }),
    );
  });

  test("what can't be approved has a problem", () => {
    assert.equal(planProblem([]), 'needsSection');
    assert.equal(planProblem(withNew(plan)), 'needsTitle');
    assert.equal(
      planProblem(Array.from({ length: maxSections + 1 }, (_, i) => ({ id: `${i}`, title: 't', description: '' }))),
      'tooMany',
    );
    assert.equal(planProblem(plan), null);
  });
});

describe('what the host says', () => {
  const say = (state: PanelState | null, ...messages: Parameters<typeof receive>[1][]) =>
    messages.reduce((s, message) => receive(s, message, Date.now()), state);
  const at = (state: PanelState | null): PanelState => state ?? assert.fail('no state');

  test('is folded as the host folds it', () => {
    const all = events(writing);
    const state = say(
      null,
      snapshot(emptyView()),
      { type: 'events', events: all.slice(0, 7) },
      { type: 'events', events: all.slice(5) },
    );
    assert.deepEqual(at(state).view, all.reduce(reduceRun, emptyView()));
  });

  test('counts from the first snapshot on; what it does not know changes nothing', () => {
    assert.equal(say(null, { type: 'events', events: events(planned) }), null);
    const state = say(null, snapshot(emptyView()));
    assert.equal(say(state, { type: 'fromTheFuture' } as never), state);
    assert.equal(
      say(state, {
        type: 'events',
        events: [{ type: 'new/event', run: 'r9', seq: 1, at: '' } as unknown as ResearchEvent],
      }),
      state,
    );
  });

  test('a text for the question box stands in front of an ended run, not of one that is on', () => {
    const live = say(null, snapshot(viewOf(researching)), { type: 'ask', question: 'Q' });
    assert.equal(at(live).composing, false);
    const ended = say(
      null,
      snapshot(viewOf([...researching, { type: 'run/cancelled', reason: 'abort', message: '', next: '' }])),
      {
        type: 'ask',
        question: 'Q',
      },
    );
    assert.equal(at(ended).composing, true);
    const again = say(ended, { type: 'events', events: events([started()], 'r2') });
    assert.deepEqual([at(again).composing, at(again).view.run], [false, 'r2']);
  });

  test('a refusal frees what was asked for; an answered question too', () => {
    const waiting = { ...at(say(null, snapshot(viewOf([started(), asked])))), sent: 'decision' as const };
    assert.equal(at(say(waiting, { type: 'notice', message: 'no' })).sent, null);
    const usage = events([{ type: 'thought', text: 't' }], 'r1', 3);
    assert.equal(at(say(waiting, { type: 'events', events: usage })).sent, 'decision', 'not by any event');
    const answered = events([{ type: 'clarify/answered', id: 'q1', answer: 'A', skipped: false }], 'r1', 3);
    assert.equal(at(say(waiting, { type: 'events', events: answered })).sent, null);
  });

  test('a host on another clock is noticed', () => {
    const state = say(null, snapshot(emptyView()), { type: 'events', events: events([started()], 'r1', 1, 3601) });
    assert.ok(at(state).skew > 3_500_000);
    assert.equal(
      at(say(null, snapshot(emptyView()), { type: 'events', events: events([started()], 'r1', 1, 1) })).skew,
      0,
    );
  });
});

test('characters that hide or reorder text are taken out, those that scripts need stay', () => {
  assert.equal(plain('a\u202Eb\u2066c\u200Bd\u{E0041}e\u0007\n\tf'), 'abcde\n\tf');
  assert.equal(plain('می‌خواهم 👩‍🔬 中文'), 'می‌خواهم 👩‍🔬 中文');
});

describe('the style sheets', () => {
  const css = ['base.css', 'panel.css', 'report/report.css', 'reader/reader.css']
    .map((file) => readFileSync(new URL(`../../../src/panel/${file}`, import.meta.url), 'utf8'))
    .join('\n')
    .replace(/\/\*[^]*?\*\//g, '');

  test('uses no colour and no font but those of the theme', () => {
    assert.deepEqual(css.match(/#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?)\(|font-family:(?!\s*var\()[^;]+/gi), null);
  });

  test('uses only variables that the editor has', () => {
    const known = new Set(Object.values(themeFile.themes).flatMap((theme) => Object.keys(theme.variables)));
    const used = new Set(css.match(/--vscode-[\w-]+/g));
    assert.deepEqual(
      [...used].filter((name) => !known.has(name)),
      [],
    );
  });

  test('gives no element a style of its own in the code', () => {
    assert.doesNotMatch(css, /!important/);
  });
});
