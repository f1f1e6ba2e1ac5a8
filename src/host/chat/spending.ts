import * as vscode from 'vscode';
import type { Setup } from '../../protocol/messages.ts';
import { estimateText, setupLine } from '../../protocol/setupLine.ts';
import { Texts } from '../../protocol/texts.ts';
import { markdownLine, oneLine } from '../history/plainText.ts';
import type { ChatHost } from './chatHost.ts';

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

/** What is shown of a foreign question, as Markdown. */
export function quotedQuestion(question: string): string {
  return `> ${markdownLine(oneLine(question, 600))}`;
}
