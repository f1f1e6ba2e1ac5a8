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
    call: async (args, signal) => (await import('./invokeEditorTool.ts')).invokeEditorTool(name, args, signal),
  };
}
