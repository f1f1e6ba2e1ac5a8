import * as vscode from 'vscode';
import type { Participant } from '../../../src/host/chat/participant.ts';

export interface Answered {
  readonly text: string;
  readonly references: readonly unknown[];
  readonly anchors: readonly { readonly value: unknown; readonly title: string }[];
}

/** Makes a turn of a chat's history, which only the editor constructs. */
type Constructor<T> = new (...args: unknown[]) => T;

/** A chat with a participant, as the editor keeps one: the turns before are the history of the next. */
export class ImitatedChat {
  readonly #participant: Participant;
  readonly #model: vscode.LanguageModelChat;
  readonly #history: (vscode.ChatRequestTurn | vscode.ChatResponseTurn)[] = [];
  #token = new vscode.CancellationTokenSource();
  #result: vscode.ChatResult = {};
  last: Answered | undefined;
  onMarkdown: (text: string) => void = () => undefined;

  constructor(participant: Participant, model: vscode.LanguageModelChat) {
    this.#participant = participant;
    this.#model = model;
  }

  async say(prompt: string, more: Partial<Pick<vscode.ChatRequest, 'command' | 'references'>> = {}): Promise<Answered> {
    const { command, references = [] } = more;
    this.#token = new vscode.CancellationTokenSource();
    let text = '';
    const used: unknown[] = [];
    const anchors: { value: unknown; title: string }[] = [];
    const stream = {
      markdown: (part: string) => {
        this.onMarkdown(part);
        text += part;
      },
      anchor: (value: unknown, title: string) => void anchors.push({ value, title }),
      reference: (value: unknown) => void used.push(value),
      button: () => undefined,
      progress: () => undefined,
    } as unknown as vscode.ChatResponseStream;
    const request = {
      prompt,
      command,
      references,
      toolReferences: [],
      model: this.#model,
    } as unknown as vscode.ChatRequest;
    this.#result = await this.#participant.respond(request, { history: [...this.#history] }, stream, this.#token.token);
    const Request = vscode.ChatRequestTurn as unknown as Constructor<vscode.ChatRequestTurn>;
    const Response = vscode.ChatResponseTurn as unknown as Constructor<vscode.ChatResponseTurn>;
    this.#history.push(new Request(prompt, command, references, 'deep-research.research', []));
    this.#history.push(new Response([], JSON.parse(JSON.stringify(this.#result)), 'deep-research.research', command));
    if (this.#result.errorDetails) throw new Error(this.#result.errorDetails.message);
    this.last = { text, references: used, anchors };
    return this.last;
  }

  /** Cancels the request in progress. */
  cancel(): void {
    this.#token.cancel();
  }

  /** Prompts that are offered beside the answer. */
  offered(): string[] {
    return this.#participant.followUps(this.#result).map(({ prompt }) => prompt);
  }
}
