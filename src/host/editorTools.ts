import * as vscode from 'vscode';
import type { EditorTool } from '../protocol/ports.ts';

/** Names of the tools that the user picked, in the global state: no folder picks tools. */
export const pickedToolsKey = 'editorTools';

/** The picked tools that the editor has now; none until the workspace is trusted. */
export function pickedTools(state: vscode.Memento): readonly EditorTool[] {
  const picked = new Set(state.get<readonly string[]>(pickedToolsKey) ?? []);
  if (picked.size === 0 || !vscode.workspace.isTrusted) return [];
  return vscode.lm.tools.filter(({ name }) => picked.has(name)).map(toolOf);
}

function toolOf({ name, description, inputSchema }: vscode.LanguageModelToolInformation): EditorTool {
  return {
    name,
    description,
    inputSchema,
    async call(args, signal) {
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
    },
  };
}
