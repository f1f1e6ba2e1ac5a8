import * as vscode from 'vscode';
import type { EditorTool } from '../protocol/ports.ts';

/** Calls a tool that the editor has, by its name. Cancelled with the signal. */
export async function invokeEditorTool(
  name: string,
  args: Parameters<EditorTool['call']>[0],
  signal: AbortSignal,
): ReturnType<EditorTool['call']> {
  signal.throwIfAborted();
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const input = { ...args };
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, source.token);
    signal.throwIfAborted();
    const texts = content.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []));
    return { texts, dropped: content.length - texts.length };
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
