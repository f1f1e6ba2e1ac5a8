import * as vscode from 'vscode';
import type { EditorTool } from '../protocol/ports.ts';
import { withToken } from './cancellation.ts';

/** Calls a tool that the editor has, by its name. Cancelled with the signal. */
export async function invokeEditorTool(
  name: string,
  args: Parameters<EditorTool['call']>[0],
  signal: AbortSignal,
): ReturnType<EditorTool['call']> {
  const options = { input: { ...args }, toolInvocationToken: undefined };
  const { content } = await withToken(signal, (token) => vscode.lm.invokeTool(name, options, token));
  const texts = content.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []));
  return { texts, dropped: content.length - texts.length };
}
