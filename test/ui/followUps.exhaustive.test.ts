// What comes after a report with a model, in the real editor: each kind of change, and what it must not lose.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EditorPage } from '../support/editor.ts';
import { isWriting } from '../support/modelRequest.ts';
import type { ModelServer } from '../support/modelServer.ts';
import { openModelEditor, type ModelEditor } from './support/modelEditor.ts';
import { findPanel, keepFailures, killHost, openPanel, type Panel } from './support/researchPage.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';
const shorter = 'Shorter, for a manager';
const asTable = 'As a table';

describe('a report that is changed', () => {
  let modelEditor: ModelEditor;
  let server: ModelServer;
  let page: EditorPage;
  let panel: Panel;
  let folder: string;
  let isHeld = false;

  before(async () => {
    modelEditor = await openModelEditor({
      installed: true,
      viewport: { width: 1600, height: 1000 },
      model: {
        delayMs: 10,
        script: ({ step, prompt, question: asked }) => {
          if (isHeld && isWriting(step)) return { stopAfter: { pieces: 4, how: 'stall' } };
          const [, claim, id] = /^- (.+?)[.\s]* \[(S[0-9a-f]+)\]/m.exec(prompt) ?? [];
          const cited = `${claim!} [${id!}]`;
          if (step === 'section' && prompt.includes(shorter)) return { text: `${cited}.` };
          if (step === 'section' && prompt.includes(asTable)) return { text: `| Finding |\n| --- |\n| ${cited} |` };
          const queries = ['hybrid retrieval reranking', 'evaluation of retrieval'];
          return step === 'followUp' ? { json: { standalone_question: asked, queries } } : undefined;
        },
      },
    });
    ({ server, page, panel } = modelEditor);
    folder = path.join(modelEditor.workspace, 'research');
    await panel.ask(question);
    await panel.reaches('finished');
    await panel.get('follow-up').waitFor();
  });
  keepFailures(() => page);
  after(() => modelEditor?.close());

  const file = (): string => {
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.md') && !name.endsWith('.evidence.md'));
    assert.equal(names.length, 1, names.join(', '));
    return path.join(folder, names[0]!);
  };
  const read = (): string => fs.readFileSync(file(), 'utf8');
  /** Each citation has its reference and each reference its citation, numbered from 1. */
  const assertSound = (text: string): void => {
    const cited = new Set([...text.matchAll(/\]\(#ref-(\d+)\)/g)].map(([, number]) => Number(number)));
    const listed = [...text.matchAll(/<a id="ref-(\d+)">/g)].map(([, number]) => Number(number));
    assert.deepEqual(listed, [...new Set(listed)], 'no reference twice');
    assert.deepEqual(
      [...cited].sort((a, b) => a - b),
      [...listed].sort((a, b) => a - b),
    );
    assert.ok(listed.length > 0);
  };
  const ask = async (kind: string, text: string, of = panel): Promise<void> => {
    await of.get('follow-up-text').fill(text);
    await of.get(`follow-up-${kind}`).click();
    await of.get('follow-up-text').press('Enter');
  };
  /** The text of a report once it is another than before: an editor that saves truncates a file before it writes it. */
  const changed = async (report: string, was: string): Promise<string> => {
    for await (const _ of fs.promises.watch(path.dirname(report))) {
      const text = fs.readFileSync(report, 'utf8');
      if (text !== was && text !== '') return text;
    }
    throw new Error(`Nothing more is written beside ${report}.`);
  };
  /** Resolves when the text of a file is as wanted. */
  const holds = (report: string, isWanted: (text: string) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isWanted(fs.readFileSync(report, 'utf8'))) return;
        watcher.close();
        resolve();
      };
      const watcher = fs.watch(path.dirname(report), look);
      look();
    });
  /** Accepts the version that is shown as a diff, and gives the report as it was and is. */
  const accept = async (
    picture: string,
    says = /Version \d+ changes/,
  ): Promise<{ readonly was: string; readonly is: string }> => {
    const was = read();
    const change = await page.notification(says);
    await page.page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
    await page.screenshot(picture);
    assert.equal(read(), was, 'it waits');
    const written = changed(file(), was);
    await change.getByRole('button', { name: 'Accept', exact: true }).click();
    await change.waitFor({ state: 'detached' });
    const is = await written;
    await page.runCommand('View: Close All Editors');
    assertSound(is);
    return { was, is };
  };
  const showReport = async (): Promise<void> => {
    await page.runCommand('Deep Research: View Last Report');
    panel = await findPanel(page);
    // What is typed before that belongs to the change that was shown.
    await panel.get('shown-question').filter({ hasText: question }).waitFor();
    await panel.get('follow-up').waitFor();
    // What was asked before has begun.
    await panel.frame.waitForFunction(() => document.querySelector('textarea')?.value === '');
  };

  // First: the host of a second window is there for a while after it has closed, and which one is killed would be chance.
  const ends = {
    'the extension host is killed': async (): Promise<void> => {
      panel = await killHost(modelEditor.editor, page, panel);
    },
    'the window reloads': async (): Promise<void> => {
      await page.reload();
      panel = await findPanel(page);
      // Extensions that the reload has interrupted say so, above everything else.
      await page.clearNotifications();
    },
  };
  for (const [index, [how, interrupt]] of Object.entries(ends).entries())
    it(`resumes when ${how} in the middle of a change`, async () => {
      const remark = `My remark number ${index + 1} stays.`;
      fs.writeFileSync(file(), read().replace(/^(## .*)$/m, `$1\n\n${remark}`));
      await showReport();
      isHeld = true;
      const before = server.requests.length;
      await ask('research', ['How are passages cut?', 'What does an index cost?'][index]!);
      await server.waitFor((request) => request.index > before && isWriting(request.step));
      await interrupt();
      await panel.get('resume').waitFor();
      // Of the view's title: what could be stopped has ended.
      await page.page
        .locator('.pane-header')
        .getByRole('button', { name: 'Stop', exact: true })
        .waitFor({ state: 'detached' });
      await page.screenshot(`follow-up-interrupted-${index + 1}`);
      isHeld = false;
      const paid = server.requests.slice(before).flatMap(({ prompt, aborted }) => (aborted ? [] : [prompt]));
      const resumed = server.requests.length;
      await panel.get('resume').click();
      const { is } = await accept(`follow-up-resumed-${index + 1}`);
      assert.deepEqual(
        server.requests.slice(resumed).filter(({ prompt }) => paid.includes(prompt)),
        [],
        'no answer is asked for twice',
      );
      assert.ok(is.includes(remark));
    });

  it('has what two windows have found, each with a research of its own at the same time', async () => {
    const other = await modelEditor.editor.openPage({ viewport: { width: 1600, height: 1000 } });
    await openPanel(other);
    await other.pick('Deep Research: View Saved Run', 'Techniques for retrieval-augmented generation');
    const beside = await findPanel(other);
    await beside.get('shown-question').filter({ hasText: question }).waitFor();
    const was = read();
    const questions = ['Which vector databases are used?', 'What does reranking cost?'] as const;
    await Promise.all([ask('research', questions[0]), ask('research', questions[1], beside)]);
    const changes = await Promise.all([page, other].map((window) => window.notification(/Version \d+ changes/)));
    assert.equal(read(), was, 'both wait');
    await page.screenshot('two-windows-first');
    await other.screenshot('two-windows-second');
    await Promise.all(changes.map((change) => change.getByRole('button', { name: 'Accept', exact: true }).click()));
    await Promise.all(changes.map((change) => change.waitFor({ state: 'detached' })));
    const copy = path.join(modelEditor.editor.runs, /^run: "?([\w-]+)/m.exec(was)![1]!, 'report.md');
    const headings = questions.map((asked) => `## ${asked.slice(0, -1)}`);
    for (const report of [file(), copy])
      await holds(report, (text) => headings.every((heading) => text.includes(heading)));
    assertSound(read());
    await other.page.close();
    await page.runCommand('View: Close All Editors');
  });

  it('keeps its citations when it is written again for another reader', async () => {
    await showReport();
    assertSound(read());
    await ask('rewrite', shorter);
    const { was, is } = await accept('follow-up-rewrite');
    assert.notEqual(is, was);
  });

  it('has the outcome of a challenge with its passages', async () => {
    await showReport();
    const sentence = /^(?!#|-|>|\||\*\*)([A-Z][^[\n]{30,200}?[.]?) ?\[/m.exec(read().split('\n---\n').at(-1)!)![1]!;
    await ask('challenge', `“${sentence.trim()}”`);
    const judged = panel.get('report').filter({ hasText: 'Needs a condition: ' });
    await judged.getByTestId('citation').first().waitFor();
    const { is } = await accept('follow-up-challenge', /Version \d+ changes.* Needs a condition: “/);
    assert.match(is, /\n### \d{4}-\d\d-\d\d: Needs a condition: “.*\n\n.* \[\[\d+\]\]\(#ref-\d+\)/);
  });

  it('keeps what the user has written by hand when a section is researched again', async () => {
    fs.writeFileSync(file(), read().replace(/^(## .*)$/m, '$1\n\nMy own remark stays.'));
    await showReport();
    await panel.frame.getByRole('button', { name: /^Sections/ }).click();
    const section = panel.get('section').last();
    await section.getByRole('button').first().click();
    await panel.get('redo-remark').first().fill('Say more about its cost');
    await panel.get('redo').first().click();
    const { is } = await accept('follow-up-redo');
    assert.match(is, /My own remark stays\./);
  });

  it('is written again without a source that is left out', async () => {
    await showReport();
    await panel.frame.getByRole('button', { name: /^Sources/ }).click();
    const out = panel.get('leave-out').first();
    await out.waitFor();
    const references = (text: string): string[] =>
      [...text.matchAll(/<a id="ref-\d+"><\/a>\[\d+\] (.*)$/gm)].map(([, line]) => line!);
    await out.click();
    const { was, is } = await accept('follow-up-without');
    assert.ok(references(is).length < references(was).length, `${references(was).length} to ${references(is).length}`);
    assert.match(is, /My own remark stays\./);
  });

  it('is changed where it was moved to', async () => {
    const moved = path.join(folder, '..', 'notes', 'moved.md');
    const was = read();
    fs.renameSync(file(), moved);
    await showReport();
    await ask('rewrite', asTable);
    const change = await page.notification(/Version \d+ changes/);
    const written = changed(moved, was);
    await change.getByRole('button', { name: 'Accept', exact: true }).click();
    assertSound(await written);
  });
});
