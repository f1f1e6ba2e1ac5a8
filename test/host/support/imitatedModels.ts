import * as vscode from 'vscode';
import { complete } from '../../support/modelCompletion.ts';
import { parseRequest, type ParsedRequest } from '../../support/modelRequest.ts';

/** Models that test/fixtures/modelProvider offers to vscode.lm, answered by the imitated model. */
export interface ImitatedModels {
  readonly requests: readonly ImitatedRequest[];
  /** Most that were being answered at one time. */
  readonly inFlight: number;
  /** Changes or ends the answer to a request: what it throws is the provider's error. True: nothing more is said. */
  script: (
    request: ImitatedRequest,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ) => Promise<boolean> | boolean;
  remove(): Promise<void>;
}

export interface ImitatedRequest extends ParsedRequest {
  readonly roles: readonly vscode.LanguageModelChatMessageRole[];
  readonly mustCall: boolean;
  cancelled: boolean;
}

const place = Symbol.for('deepResearch.imitatedModels');

export async function offerModels(
  capabilities: { readonly toolCalling: boolean } = { toolCalling: true },
): Promise<ImitatedModels> {
  const requests: ImitatedRequest[] = [];
  let inFlight = 0;
  const models: ImitatedModels = {
    requests,
    get inFlight() {
      return inFlight;
    },
    script: () => false,
    remove: () => offer(undefined),
  };
  const information: vscode.LanguageModelChatInformation = {
    ...{ id: 'careful', name: 'Careful', family: 'careful', version: '1' },
    ...{ maxInputTokens: 64_000, maxOutputTokens: 8_000, capabilities },
  };
  const respond: vscode.LanguageModelChatProvider['provideLanguageModelChatResponse'] = async (
    _model,
    messages,
    options,
    progress,
    token,
  ) => {
    const mustCall = options.toolMode === vscode.LanguageModelChatToolMode.Required;
    const body = asCompletions(messages, options.tools ?? [], mustCall);
    const request: ImitatedRequest = {
      ...parseRequest(requests.length, JSON.stringify(body), {}),
      roles: messages.map(({ role }) => role),
      mustCall,
      cancelled: false,
    };
    requests.push(request);
    inFlight += 1;
    token.onCancellationRequested(() => (request.cancelled = true));
    try {
      if (await models.script(request, progress, token)) return;
      const answer = complete(request, {}, { searches: 2, thinks: false }, new Set(), requests.slice(0, -1));
      if (mustCall) {
        const name = options.tools![0]!.name;
        progress.report(new vscode.LanguageModelToolCallPart('answer', name, JSON.parse(answer.text) as object));
        return;
      }
      for (const [piece] of answer.text.matchAll(/[^]{1,60}/gu))
        progress.report(new vscode.LanguageModelTextPart(piece));
      for (const { id, name, args } of answer.toolCalls)
        progress.report(new vscode.LanguageModelToolCallPart(id, name, JSON.parse(args) as object));
    } finally {
      inFlight -= 1;
    }
  };
  await offer({ list: [information], respond });
  return models;
}

/** Resolves when VS Code has noticed the models, or that they are gone. */
async function offer(models: object | undefined): Promise<void> {
  Object.assign(globalThis, { [place]: models });
  const extension = vscode.extensions.getExtension<{ changed(): void }>('deep-research-tests.model-provider');
  if (!extension) throw new Error('The extension with the imitated models is not installed.');
  const api = await extension.activate();
  const noticed = new Promise<void>((resolve) => {
    const subscription = vscode.lm.onDidChangeChatModels(async () => {
      const found = await vscode.lm.selectChatModels({ vendor: 'imitated' });
      if (found.length > 0 !== (models !== undefined)) return;
      subscription.dispose();
      resolve();
    });
  });
  api.changed();
  const found = await vscode.lm.selectChatModels({ vendor: 'imitated' });
  if (found.length > 0 !== (models !== undefined)) await noticed;
}

type Part = vscode.LanguageModelChatRequestMessage['content'][number];

function asCompletions(
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  tools: readonly vscode.LanguageModelChatTool[],
  mustCall: boolean,
): unknown {
  const text = (parts: readonly Part[]) =>
    parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  return {
    model: 'careful',
    stream: true,
    messages: messages.flatMap(({ role, content }): object[] => {
      const results = content.filter((part) => part instanceof vscode.LanguageModelToolResultPart);
      const calls = content.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
      if (results.length > 0)
        return results.map((part) => ({
          ...{ role: 'tool', tool_call_id: part.callId, content: text(part.content as readonly Part[]) },
        }));
      return [
        {
          role: role === vscode.LanguageModelChatMessageRole.User ? 'user' : 'assistant',
          content: text(content),
          tool_calls: calls.map(({ callId, name, input }) => ({
            ...{ id: callId, function: { name, arguments: JSON.stringify(input) } },
          })),
        },
      ];
    }),
    ...(mustCall
      ? { response_format: { type: 'json_schema', json_schema: { schema: tools[0]?.inputSchema } } }
      : {
          tools: tools.map(({ name, inputSchema }) => ({
            type: 'function',
            function: { name, parameters: inputSchema },
          })),
        }),
  };
}
