import path from 'node:path';
import * as vscode from 'vscode';
import { knownOfReport } from '../../files/readVersions.ts';
import { presentIn } from '../../files/findStatements.ts';
import { isHeld } from '../../files/runHeld.ts';
import { isSameFolder } from '../../files/sameFolder.ts';
import { readRecord } from '../../files/amendRecord.ts';
import { entryOf } from '../../runs/runEntry.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import { noticeLine } from '../history/plainText.ts';
import type { ChatHost } from './chatHost.ts';
import { quotedQuestion, spendingOf } from './spending.ts';
import { narrowedSources, readToolInput, type ToolInput } from './toolInput.ts';
import { quotesFiles, toolResult } from './toolResult.ts';

/** Of the answer, in UTF-16 units, and of one token of it, roughly. */
const [longestAnswer, perToken] = [12_000, 3];

/** Asks the user, unless the call can't be carried out: its answer says why. Changes nothing. */
export async function prepareInvocation(host: ChatHost, input: unknown): Promise<vscode.PreparedToolInvocation> {
  const { l10n } = vscode;
  try {
    const asked = readToolInput(input);
    if (host.session.running) return {};
    if ('resume' in asked) {
      const { question } = await resumable(host, asked.resume);
      return {
        invocationMessage: l10n.t('Resuming “{0}”', noticeLine(question)),
        confirmationMessages: {
          title: asked.finish ? l10n.t('Write the report of an interrupted run?') : l10n.t('Resume deep research?'),
          message: new vscode.MarkdownString(
            `${quotedQuestion(question)}\n\n${l10n.t('Completed model calls aren’t repeated. It searches where it did before.')}`,
          ),
        },
      };
    }
    const choices = await choicesOf(host, asked);
    const setup = await host.setupFor(choices);
    if (setup.problem) return {};
    const given = l10n.t('The report is shown in the panel; its summary is given to the model of this chat.');
    const message = [quotedQuestion(asked.question), await spendingOf(host, setup, false), given].join('\n\n');
    return {
      invocationMessage: l10n.t('Researching “{0}”', noticeLine(asked.question)),
      confirmationMessages: { title: l10n.t('Start deep research?'), message: new vscode.MarkdownString(message) },
    };
  } catch {
    // Invoking it says the same to the model.
    return {};
  }
}

/** Rejects with an error whose words are for the model. */
export async function invoke(
  host: ChatHost,
  { input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<unknown>,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const asked = readToolInput(input);
  const session = host.session;
  if (session.running) throw busy(session.view.question);
  await ('resume' in asked ? resume(host, asked) : start(host, asked));
  const stopping = token.onCancellationRequested(() => void session.stop());
  try {
    if (token.isCancellationRequested) await session.stop();
    // What it asks a person is answered in the panel.
    await session.ended;
  } finally {
    stopping.dispose();
  }
  const budget = tokenizationOptions?.tokenBudget;
  const longest = budget === undefined ? longestAnswer : Math.min(longestAnswer, (budget * perToken) / 2);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await resultOf(host, longest))]);
}

async function start(host: ChatHost, asked: Extract<ToolInput, { question: string }>): Promise<void> {
  const choices = await choicesOf(host, asked);
  const { problem } = await host.setupFor(choices);
  if (problem)
    throw new Error(`Research can't start: ${problem.message} The user can correct this in the Deep Research panel.`);
  const session = host.session;
  if (session.start(asked.question, choices) === false) throw busy(session.view.question);
  await host.panel.show(true);
}

function busy(question: string): Error {
  return new Error(
    `Another run is in progress in this window: "${noticeLine(question)}". Wait until it has ended, or ask the user to stop it in the Deep Research panel.`,
  );
}

async function choicesOf(
  host: ChatHost,
  { depth, sources }: Extract<ToolInput, { question: string }>,
): Promise<RunChoices> {
  const enabled = sources === undefined ? [] : (await host.setupFor({})).sources.map(({ name }) => name);
  return { callerDepth: depth, sources: narrowedSources(sources, enabled) };
}

async function resume(host: ChatHost, { resume: run, finish }: Extract<ToolInput, { resume: string }>): Promise<void> {
  const record = await resumable(host, run);
  await (await host.reopened()).resume(entryOf(record, {}, () => false));
  const session = host.session;
  if (!session.running) throw new Error(`The run ${run} can't be resumed: what is saved of it can't be read.`);
  if (finish) session.finish();
}

/** The record of a run of this folder that can be resumed. Rejects with an error whose words are for the model. */
async function resumable(host: ChatHost, run: string) {
  const record = await readRecord(host.runsFolder, run);
  if (record === undefined || !isSameFolder(record.workspace, host.options().workspaceFolder))
    throw new Error(`There is no run "${run}" of this workspace. Use an id that an earlier result of this tool gave.`);
  if (record.status === 'finished')
    throw new Error(`The run ${run} is finished. ${record.path ? `Its report: ${record.path}` : ''}`.trim());
  if (isHeld(path.join(host.runsFolder, run)))
    throw new Error(`The run ${run} is in progress in another window or program.`);
  return record;
}

async function resultOf(host: ChatHost, longest: number): Promise<string> {
  const { view } = host.session;
  const { workspaceForModel } = await host.setupFor({});
  const mayShow = workspaceForModel === 'content' || !quotesFiles(view);
  const known = await knownOfReport(path.join(host.runsFolder, view.run)).catch(() => undefined);
  return toolResult(view, presentIn(view.report.text, known?.evidence ?? []), mayShow, longest);
}
