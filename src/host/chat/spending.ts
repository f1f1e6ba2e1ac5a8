import * as vscode from 'vscode';
import type { Setup } from '../../protocol/messages.ts';
import { estimateText, setupLine } from '../../protocol/setupLine.ts';
import { Texts } from '../../protocol/texts.ts';
import { markdownLine, oneLine } from '../history/plainText.ts';
import { commandIds } from '../commandIds.ts';
import type { ChatHost } from './chatHost.ts';
import type { ChatOutput } from './chatOutput.ts';
import { type Turn, words } from './chatTurn.ts';
import { errorText } from '../shownErrors.ts';

/** What a run would cost, and what would leave the machine, as Markdown. */
export async function spendingOf(host: ChatHost, setup: Setup, hasAttached: boolean): Promise<string> {
  const texts = new Texts(await host.texts(), vscode.env.language);
  const { estimate, analyst } = setup;
  const lines = [
    ...(estimate ? [texts.of('plan.estimate', estimateText(estimate, analyst, texts))] : []),
    ...setupLine(setup, texts, hasAttached),
  ];
  return lines.map((line) => `- ${markdownLine(oneLine(line, 600))}`).join('\n');
}

/** Shows what a request costs and sends, and waits for the user to accept it. */
export async function proposeStart(host: ChatHost, setup: Setup, hasAttached: boolean, out: ChatOutput): Promise<Turn> {
  const choose = vscode.l10n.t('Choose {0}, or ask differently.', `**${words.start()}**`);
  out.markdown(`${await spendingOf(host, setup, hasAttached)}\n\n${choose}`);
  return { waits: { for: 'start', model: setup.model }, followUps: [{ prompt: words.start() }] };
}

/** Shows why no run can start, and what helps. False: one can. */
export function showProblem({ problem }: Setup, out: ChatOutput): boolean {
  if (!problem) return false;
  out.markdown(markdownLine(errorText(problem.message)));
  out.button(commandIds.selectModel, vscode.l10n.t('Select Model…'));
  return true;
}

/** What is shown of a foreign question, as Markdown. */
export function quotedQuestion(question: string): string {
  return `> ${markdownLine(oneLine(question, 600))}`;
}
