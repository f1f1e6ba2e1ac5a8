import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { ResearchHost } from '../../src/host/researchHost.ts';
import { deadEndpoint } from '../support/deadEndpoint.ts';
import { activateExtension } from './support/extension.ts';
import { type ImitatedModels, offerModels } from './support/imitatedModels.ts';

const question = 'What are the main techniques for retrieval-augmented generation?';

describe('a research over the language models of VS Code', () => {
  let host: ResearchHost;
  let models: ImitatedModels;
  const set = (key: string, value: unknown) =>
    vscode.workspace.getConfiguration('deepResearch').update(key, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    host = await activateExtension();
    await set('sources.enabled', ['workspace', 'arxiv']);
    await set('endpoints.arxiv', await deadEndpoint());
    await set('planApproval', 'never');
    await set('limits.idleSeconds', 5);
  });
  after(async () => {
    for (const key of ['sources.enabled', 'endpoints.arxiv', 'planApproval', 'limits.idleSeconds', 'depth'])
      await set(key, undefined);
  });
  afterEach(async () => {
    await host.session.stop();
    await models.remove();
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('takes them without a key, and says that VS Code offers them', async () => {
    models = await offerModels();
    const setup = await host.describeSetup();
    assert.deepEqual(
      [setup.provider, setup.model, setup.modelHost, setup.modelWhy, setup.problem],
      ['vscode', 'imitated/careful', 'VS Code', 'editor', null],
    );
    assert.equal(models.requests.length, 0, 'nothing is sent before a run');
  });

  it('plans, calls tools, and streams a report with references', async () => {
    models = await offerModels();
    // Its researchers ask the model where to search next, however much the plan's queries have found.
    await set('depth', 'deep');
    await host.session.start(question);
    const { status, report, model, tokens } = host.session.view;
    assert.equal(status, 'finished', host.session.view.end?.message);
    assert.equal(model, 'imitated/careful');
    assert.ok(tokens.in > 1_000 && tokens.out > 100);
    const text = fs.readFileSync(report.path!, 'utf8');
    assert.match(text, /\n## References\n\n- <a id="ref-1"><\/a>\[1\] /);
    assert.match(text, /by imitated\/careful \(vscode\)/);
    const steps = models.requests.map(({ step }) => step);
    for (const step of ['assess', 'plan', 'act', 'distil', 'review', 'section', 'frame'] as const)
      assert.ok(steps.includes(step), step);
    const structured = models.requests.filter(({ step }) => step === 'plan');
    assert.ok(structured.every(({ mustCall, tools }) => mustCall && tools.length === 0));
    assert.ok(models.requests.some(({ messages }) => messages.some(({ role }) => role === 'tool')));
    const { User, Assistant } = vscode.LanguageModelChatMessageRole;
    assert.ok(models.requests.every(({ roles }) => roles.every((role) => role === User || role === Assistant)));
  });

  it('goes on without tools where a model has none', async () => {
    models = await offerModels({ toolCalling: false });
    models.script = ({ tools, mustCall }) => {
      if (tools.length > 0 || mustCall) throw new Error('This model does not support tools.');
      return false;
    };
    await host.session.start(question);
    assert.equal(host.session.view.status, 'finished', host.session.view.end?.message);
    assert.ok(host.session.view.sources.length > 0);
  });

  it('ends with one message when VS Code refuses, the quota is used up, or the model is gone', async () => {
    const quota = () =>
      Object.assign(new Error('You have exhausted your premium model quota.'), { name: 'ChatQuotaExceeded' });
    const cases: readonly (readonly [() => Error, string, RegExp])[] = [
      [() => vscode.LanguageModelError.NoPermissions('The user said no.'), 'auth', /Allow/],
      [quota, 'quota', /Select Model/],
      [() => vscode.LanguageModelError.NotFound('gone'), 'notFound', /Select Model/],
    ];
    models = await offerModels();
    for (const [error, reason, next] of cases) {
      models.script = () => {
        throw error();
      };
      await host.session.start(question);
      const { status, end } = host.session.view;
      assert.deepEqual([status, end?.reason], ['failed', reason], end?.message);
      assert.match(end?.next ?? '', next);
      assert.match(end?.message ?? '', /imitated\/careful/);
    }
  });

  it('ends in a report, with one message, when the consent is withdrawn in the middle of a run', async () => {
    models = await offerModels();
    models.script = ({ step }) => {
      if (step !== 'distil') return false;
      throw vscode.LanguageModelError.NoPermissions('The user said no.');
    };
    await host.session.start(question);
    const { status, end, report, warnings, sources } = host.session.view;
    assert.deepEqual([status, end?.outcome], ['finished', 'partial'], end?.message);
    assert.ok(sources.length > 0);
    assert.match(fs.readFileSync(report.path!, 'utf8'), /\n## References\n/);
    const about = warnings.filter(({ message }) => /imitated\/careful/.test(message));
    assert.deepEqual(
      about.map(({ code }) => code),
      ['model.refused'],
    );
  });

  it('survives a model that fails once in the middle of an answer', async () => {
    models = await offerModels();
    let failed = false;
    models.script = ({ step }, progress) => {
      if (step !== 'distil' || failed) return false;
      failed = true;
      progress.report(new vscode.LanguageModelTextPart('Half an'));
      throw new Error('The provider lost its connection.');
    };
    await host.session.start(question);
    assert.equal(host.session.view.status, 'finished', host.session.view.end?.message);
    assert.ok(failed);
  });

  it('cancels the requests of a run that is stopped', async () => {
    models = await offerModels();
    const asked = Promise.withResolvers<void>();
    // The editor passes the cancellation on through its main process.
    const cancelled = Promise.withResolvers<void>();
    models.script = async ({ step }, _progress, token) => {
      if (step !== 'plan') return false;
      token.onCancellationRequested(() => cancelled.resolve());
      asked.resolve();
      await cancelled.promise;
      return true;
    };
    const run = host.session.start(question);
    await asked.promise;
    await host.session.stop();
    await run;
    assert.equal(host.session.view.status, 'cancelled');
    await cancelled.promise;
  });
});
