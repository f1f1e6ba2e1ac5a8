import * as vscode from 'vscode';
import type { EditorModel, EditorModels, EditorPiece } from '../../protocol/ports.ts';
import { withToken } from '../cancellation.ts';

type Message = Parameters<EditorModels['send']>[1]['messages'][number];

/** The models of `vscode.lm`. Listing never asks the user; sending may make VS Code ask for consent, so it happens in a user's run alone. */
export const editorModels: EditorModels = {
  async list() {
    return (await vscode.lm.selectChatModels()).map(describe);
  },
  async send(id, { messages, tools, mustCall }, onPiece, signal) {
    await withToken(signal, async (token) => {
      const model = await findModel(id);
      signal.throwIfAborted();
      const response = await model.sendRequest(
        wireMessages(messages),
        {
          justification: vscode.l10n.t('Deep Research asks this model to plan, search and write your report.'),
          ...(tools.length > 0 && {
            tools: tools.map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })),
            toolMode: mustCall ? vscode.LanguageModelChatToolMode.Required : vscode.LanguageModelChatToolMode.Auto,
          }),
        },
        token,
      );
      for await (const part of response.stream) onPiece(pieceOf(part));
    });
  },
};

async function findModel(id: string): Promise<vscode.LanguageModelChat> {
  const models = await vscode.lm.selectChatModels({ vendor: id.slice(0, id.indexOf('/')) });
  const model = models.find((one) => idOf(one) === id);
  if (!model) throw vscode.LanguageModelError.NotFound(id);
  return model;
}

function idOf({ vendor, id }: vscode.LanguageModelChat): string {
  return `${vendor}/${id}`;
}

function describe(model: vscode.LanguageModelChat): EditorModel {
  // Not in the stable types yet.
  const { capabilities } = model as { readonly capabilities?: { readonly supportsToolCalling?: boolean } };
  const callsTools = capabilities?.supportsToolCalling;
  return {
    id: idOf(model),
    label: model.name,
    vendor: model.vendor,
    contextTokens: model.maxInputTokens,
    ...(typeof callsTools === 'boolean' && { callsTools }),
  };
}

/** All results of a turn's tools are parts of one user message. */
function wireMessages(messages: readonly Message[]): vscode.LanguageModelChatMessage[] {
  const { User, Assistant } = vscode.LanguageModelChatMessage;
  return messages.flatMap((message, index) => {
    if (message.role === 'user') return [User(message.content)];
    if (message.role === 'tool') {
      if (messages[index - 1]?.role === 'tool') return [];
      const after = messages.slice(index);
      const end = after.findIndex(({ role }) => role !== 'tool');
      return [User((end < 0 ? after : after.slice(0, end)).flatMap(resultPart))];
    }
    const calls = (message.toolCalls ?? []).map(
      ({ id, name, args }) => new vscode.LanguageModelToolCallPart(id, name, { ...args }),
    );
    const text = message.content === '' ? [] : [new vscode.LanguageModelTextPart(message.content)];
    return [Assistant([...text, ...calls])];
  });
}

function resultPart(message: Message): vscode.LanguageModelToolResultPart[] {
  if (message.role !== 'tool') return [];
  return [new vscode.LanguageModelToolResultPart(message.callId, [new vscode.LanguageModelTextPart(message.content)])];
}

function pieceOf(part: unknown): EditorPiece {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart)
    return { type: 'call', id: part.callId, name: part.name, args: part.input as Readonly<Record<string, unknown>> };
  return { type: 'text', text: '' };
}
