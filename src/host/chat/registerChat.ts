import * as vscode from 'vscode';
import { participantId, toolName } from '../commandIds.ts';
import type { ChatHost } from './chatHost.ts';
import type { Participant } from './participant.ts';

/** Registers the tool `#deepResearch` and the participant `@research`; their code is loaded when they are first called. */
export function registerChat(host: ChatHost): vscode.Disposable {
  let loading: Promise<Participant> | undefined;
  const load = (): Promise<Participant> =>
    (loading ??= import('./participant.ts').then(({ Participant }) => new Participant(host)));
  const participant = vscode.chat.createChatParticipant(participantId, async (...request) =>
    (await load()).respond(...request),
  );
  participant.iconPath = new vscode.ThemeIcon('telescope');
  participant.followupProvider = { provideFollowups: async (result) => (await load()).followUps(result) };
  const tool = vscode.lm.registerTool<unknown>(toolName, {
    prepareInvocation: async ({ input }) => (await import('./researchTool.ts')).prepareInvocation(host, input),
    invoke: async (options, token) => (await import('./researchTool.ts')).invoke(host, options, token),
  });
  return vscode.Disposable.from(participant, tool);
}
