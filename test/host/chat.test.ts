import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Participant } from '../../src/host/chat/participant.ts';
import { prepareInvocation } from '../../src/host/chat/researchTool.ts';
import type { RunView } from '../../src/protocol/runView.ts';
import type { ResearchHost } from '../../src/host/researchHost.ts';
import { deadEndpoint } from '../support/deadEndpoint.ts';
import { activateExtension } from './support/extension.ts';
import { type ImitatedModels, offerModels } from './support/imitatedModels.ts';
import { ImitatedChat } from './support/imitatedChat.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';
const toolName = 'research_question';

const settings = {
  'sources.enabled': ['workspace', 'arxiv'],
  planApproval: 'never',
  clarification: 'off',
  'limits.idleSeconds': 5,
};
const set = (key: string, value: unknown) =>
  vscode.workspace.getConfiguration('deepResearch').update(key, value, vscode.ConfigurationTarget.Global);

describe('deep research in chats', () => {
  let host: ResearchHost;
  let models: ImitatedModels;

  before(async () => {
    host = await activateExtension();
    for (const [key, value] of Object.entries(settings)) await set(key, value);
    await set('endpoints.arxiv', await deadEndpoint());
  });
  after(async () => {
    for (const key of [...Object.keys(settings), 'endpoints.arxiv', 'workspace.forModel', 'model.provider'])
      await set(key, undefined);
  });
  beforeEach(async () => {
    models = await offerModels();
  });
  afterEach(async () => {
    await host.session.stop();
    await models.remove();
    await set('workspace.forModel', undefined);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const reached = (test: (view: RunView) => boolean) =>
    new Promise<void>((resolve) => {
      const done = new AbortController();
      const look = () => {
        if (!test(host.session.view)) return;
        done.abort();
        resolve();
      };
      host.session.follow(look, done.signal);
    });

  describe('#deepResearch', () => {
    const call = async (input: object, token = new vscode.CancellationTokenSource().token): Promise<string> => {
      const { content } = await vscode.lm.invokeTool(toolName, { input, toolInvocationToken: undefined }, token);
      return content.map((part) => (part as vscode.LanguageModelTextPart).value).join('');
    };

    it('is offered to every model, and says what it is for', () => {
      const tool = vscode.lm.tools.find(({ name }) => name === toolName);
      assert.match(tool?.description ?? '', /every statement is cited/);
      assert.doesNotMatch(JSON.stringify(tool?.inputSchema), /%/);
    });

    it('asks with the question, the estimate, and what leaves the machine, and changes nothing', async () => {
      const { confirmationMessages } = await prepareInvocation(host, { question: `${question} [x](command:y)` });
      const { value, isTrusted } = confirmationMessages!.message as vscode.MarkdownString;
      assert.ok(!isTrusted);
      assert.match(value, /^> What are the main techniques/);
      assert.ok(!value.includes('](command:'), 'the question is foreign text');
      assert.match(value, /About \d+ model calls\\, \d+\\?\.?\d*K tokens/);
      assert.match(value, /sent to imitated\\?\/careful/);
      assert.match(value, /relevant passages are sent to the model/);
      assert.deepEqual([models.requests.length, host.session.running], [0, false]);
    });

    it('runs in the panel, and returns the answer with its citations and the file of the report', async () => {
      const result = await call({ question });
      const { view } = host.session;
      assert.deepEqual([view.status, view.question], ['finished', question]);
      assert.match(result, /\[1\]/);
      assert.match(result, /References:\n\[1\] .+#L\d+-L\d+/);
      assert.ok(result.includes(`Report: ${view.report.path}`));
      assert.ok(fs.existsSync(view.report.path!));
      assert.ok(result.length < fs.readFileSync(view.report.path!, 'utf8').length);
    });

    it('tells the model what is wrong with a call', async () => {
      await assert.rejects(call({}), /"question" must say what to find out/);
      await assert.rejects(call({ question, depth: 'bottomless' }), /quick, standard, deep/);
      await assert.rejects(call({ question, sources: ['nowhere'] }), /Enabled: .*workspace/);
      await assert.rejects(call({ resume: '../../etc' }), /id of a run/);
      await assert.rejects(
        call({ resume: '20200101-000000-aaaa' }),
        /no run "20200101-000000-aaaa" of this workspace|id of a run/,
      );
      assert.equal(models.requests.length, 0);
    });

    it('narrows the sources, and never adds one', async () => {
      await call({ question, sources: ['workspace', 'github'] });
      assert.ok(host.session.view.sources.length > 0);
      assert.ok(host.session.view.sources.every(({ file }) => file !== undefined));
    });

    /** A run whose call is cancelled while its sections are written. */
    async function stopInSection(): Promise<void> {
      const source = new vscode.CancellationTokenSource();
      models.script = ({ step }) => {
        if (step === 'section') source.cancel();
        return false;
      };
      await assert.rejects(call({ question }, source.token));
      await host.session.ended;
    }

    it('is stopped by a cancellation, resumed by its id, and finished with what was found', async () => {
      await stopInSection();
      const { run, status } = host.session.view;
      assert.equal(status, 'cancelled');
      models.script = () => false;
      const result = await call({ resume: run, finish: true });
      assert.equal(host.session.view.run, run);
      assert.match(result, /Report: /);
      await assert.rejects(call({ resume: run }), /is finished/);
    });

    it('waits for a person where a plan is to be approved, and is refused while a run is in progress', async () => {
      await set('planApproval', 'always');
      try {
        const planned = reached(({ waitingFor }) => waitingFor === 'plan');
        const result = call({ question });
        await planned;
        await assert.rejects(call({ question: 'Another?' }), /Another run is in progress/);
        await host.session.stop();
        assert.match(await result, /was stopped.+"resume": "/s);
      } finally {
        await set('planApproval', settings.planApproval);
      }
    });

    it('gives no model what files say where the settings show it none', async () => {
      await stopInSection();
      models.script = () => false;
      await set('workspace.forModel', 'off');
      const { run } = host.session.view;
      assert.match(await call({ resume: run, finish: true }), /has read files .*forModel shows to no model/);
      await set('model.provider', 'extractive');
      const result = await call({ resume: run, finish: true });
      await set('model.provider', undefined);
      assert.match(result, /only the user can read it/);
      assert.ok(!result.includes('References'));
      assert.ok(host.session.view.report.text.includes('## References'));
    });
  });

  describe('@research', () => {
    it('shows what a run costs before it asks a model, and starts it on the chat’s own model when told to', async () => {
      const chat = new ImitatedChat(new Participant(host), await model());
      const proposed = await chat.say(question);
      assert.equal(models.requests.length, 0);
      assert.match(proposed.text, /About \d+ model calls/);
      assert.match(proposed.text, /relevant passages are sent to the model/);
      assert.deepEqual(chat.offered(), ['Start']);
      const { text, references, anchors } = await chat.say('Start');
      const { view } = host.session;
      assert.deepEqual([view.status, view.model], ['finished', 'imitated/careful']);
      assert.match(text, /^## /m);
      assert.ok(references.length > 0 && references.every((one) => one instanceof vscode.Location));
      assert.ok(
        anchors.some(({ title }) => /^[\w-]+\.\w+:\d+$/.test(title)),
        'citations lead to lines',
      );
      assert.ok(anchors.some(({ title }) => title === path.basename(view.report.path!)));
      assert.doesNotMatch(text, /#ref-|<a id/);
    });

    it('streams each section once it is written', async () => {
      const chat = new ImitatedChat(new Participant(host), await model());
      await chat.say(question);
      const early: string[] = [];
      chat.onMarkdown = (text) => {
        if (host.session.running && text.startsWith('## ')) early.push(text);
      };
      const { text } = await chat.say('Start');
      assert.ok(early.length > 0, 'sections come while the run is in progress');
      const headings = [...text.matchAll(/^## .+/gm)].map(([heading]) => heading);
      assert.ok(headings.length >= early.length);
    });

    it('takes another question in place of the one that it proposed', async () => {
      const chat = new ImitatedChat(new Participant(host), await model());
      await chat.say(question);
      const { text } = await chat.say('How does reranking work?');
      assert.match(text, /How does reranking work/);
      assert.deepEqual([chat.offered(), models.requests.length], [['Start'], 0]);
    });

    it('leaves a model alone that the user chose in the settings', async () => {
      await set('model.provider', 'extractive');
      try {
        const chat = new ImitatedChat(new Participant(host), await model());
        const { text } = await chat.say(question);
        assert.equal(host.session.view.analyst, 'extractive');
        assert.equal(models.requests.length, 0);
        assert.match(text, /^## /m);
      } finally {
        await set('model.provider', undefined);
      }
    });

    it('attaches the files and selections of the request', async () => {
      const chat = new ImitatedChat(new Participant(host), await model());
      const folder = vscode.workspace.workspaceFolders![0]!.uri;
      const readme = vscode.Uri.joinPath(folder, 'README.md');
      await chat.say('Summarise #file:README.md', {
        references: [
          { id: 'file', value: readme, range: [10, 25] },
          {
            id: 'selection',
            value: new vscode.Location(vscode.Uri.joinPath(folder, 'references.bib'), new vscode.Range(0, 0, 3, 0)),
          },
          { id: 'image', value: { mimeType: 'image/png' } },
        ],
      });
      const { text } = chat.last!;
      assert.match(text, /Summarise README/);
      assert.match(text, /no text or file: 1/);
      assert.match(text, /attached documents are sent to the model/);
      await chat.say('Start');
      const files = host.session.view.sources.map(({ file }) => file?.path);
      assert.ok(files.includes('README.md') && files.includes('references.bib'), files.join(' '));
    });

    it('asks what the run asks, and passes the answer on', async () => {
      await set('clarification', 'always');
      try {
        const chat = new ImitatedChat(new Participant(host), await model());
        await chat.say(question);
        await chat.say('Start');
        assert.equal(host.session.view.waitingFor, 'answer');
        const { pending } = host.session.view;
        assert.match(chat.last!.text, new RegExp(pending!.question.slice(0, 10).replace(/\W/g, '.')));
        assert.ok(chat.offered().includes('Just start'));
        const answer = chat.offered()[0]!;
        await chat.say(answer);
        assert.deepEqual(host.session.view.answered[0]?.answer, answer);
        assert.notEqual(host.session.view.status, 'failed');
      } finally {
        await set('clarification', settings.clarification);
      }
    });

    it('/plan shows the plan, makes another one by what is said, and researches it when it is approved', async () => {
      const chat = new ImitatedChat(new Participant(host), await model());
      await chat.say(question, { command: 'plan' });
      const shown = await chat.say('Start', { command: 'plan' });
      const { plan } = host.session.view;
      assert.equal(host.session.view.waitingFor, 'plan');
      assert.ok(
        plan!.sections.every(({ title }) => shown.text.includes(title.slice(0, 10))),
        shown.text,
      );
      assert.deepEqual(chat.offered(), ['Approve and start']);
      await chat.say('Less about history, please.');
      assert.deepEqual([host.session.view.waitingFor, host.session.view.plan!.round], ['plan', 1]);
      assert.deepEqual(host.session.view.remarks, ['Less about history, please.']);
      await chat.say('Approve and start');
      assert.equal(host.session.view.status, 'finished', host.session.view.end?.message);
    });

    it('/followup lets the user choose what happens with a question, and /sources lists what the report cites', async () => {
      const chat = new ImitatedChat(new Participant(host), await model());
      await chat.say(question);
      await chat.say('Start');
      const { run } = host.session.view;
      const listed = await chat.say('', { command: 'sources' });
      assert.ok(listed.anchors.length > 0);
      assert.match(listed.text, /\\\[1\\\]/);
      const asked = models.requests.length;
      const choices = await chat.say('How does reranking work?', { command: 'followup' });
      assert.match(choices.text, /about [\d,.]+ tokens/);
      assert.deepEqual(chat.offered(), ['Answer', 'Research Further', 'Rewrite', 'Challenge']);
      assert.equal(models.requests.length, asked);
      const answered = await chat.say('Answer', { command: 'followup' });
      assert.notEqual(host.session.view.run, run);
      assert.equal(host.session.view.status, 'finished', host.session.view.end?.message);
      assert.ok(answered.text.length > 50);
    });

    it('/verify judges each sentence of a text, once its cost is accepted', async () => {
      const chat = new ImitatedChat(new Participant(host), await model());
      const text = `HyDE generates a hypothetical document and searches with its embedding. ${'The moon is made of 77 cheeses. '}`;
      const proposed = await chat.say(text, { command: 'verify' });
      assert.match(proposed.text, /2 sentences to check/);
      assert.match(proposed.text, /About 1 model call/);
      assert.deepEqual([chat.offered(), models.requests.length], [['Start'], 0]);
      const checked = await chat.say('Start', { command: 'verify' });
      assert.ok(models.requests.length > 0 && models.requests.every(({ step }) => step === 'verify'));
      const verdicts = [...checked.text.matchAll(/^\*\*(.+)\*\*: (\w+)/gm)].map(([, verdict, word]) => [word, verdict]);
      assert.deepEqual(
        verdicts.map(([word]) => word),
        ['HyDE', 'The'],
      );
      assert.match(checked.text, /^> .+/m);
      assert.ok(checked.anchors.length > 0 && checked.references.length > 0);
      assert.match(checked.text, /Verified: \d of 2\./);
    });

    it('/verify reads a selection, which does not support itself, and quotes without a model', async () => {
      await set('model.provider', 'extractive');
      try {
        const chat = new ImitatedChat(new Participant(host), await model());
        const readme = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'README.md');
        const selection = new vscode.Location(readme, new vscode.Range(0, 0, 40, 0));
        const { text, anchors } = await chat.say('', {
          command: 'verify',
          references: [{ id: 'selection', value: selection }],
        });
        assert.match(text, /Nearest passages/);
        assert.doesNotMatch(text, /Supported|Verified/);
        assert.ok(anchors.every(({ title }) => !title.startsWith('README.md')));
        const nothing = await chat.say('', { command: 'verify' });
        assert.match(nothing.text, /attach a selection/);
        await assert.rejects(chat.say('!!!', { command: 'verify' }), /no sentence to check/);
      } finally {
        await set('model.provider', undefined);
      }
    });

    it('stops the run when the request is cancelled', async () => {
      const chat = new ImitatedChat(new Participant(host), await model());
      await chat.say(question);
      models.script = ({ step }) => {
        if (step === 'section') chat.cancel();
        return false;
      };
      await chat.say('Start');
      assert.equal(host.session.view.status, 'cancelled');
    });
  });
});

async function model(): Promise<vscode.LanguageModelChat> {
  return (await vscode.lm.selectChatModels({ vendor: 'imitated' }))[0]!;
}
