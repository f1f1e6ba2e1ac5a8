import * as vscode from 'vscode';
import type { Setup } from '../protocol/messages.ts';
import { pickedTools } from './editorTools.ts';
import { settingsPrefix } from './commandIds.ts';
import type { EditorModels, EngineOptions, ResearchEngine } from '../protocol/ports.ts';
import { hasProxyVariable } from '../protocol/proxyVariables.ts';
import { declaredSettings, localized, manifestOf } from './manifest.ts';
import type { ResearchWindow } from './researchWindow.ts';
import { describeError } from '../runs/describeError.ts';
import { settingsByLevel, type SettingsByLevel } from './settings.ts';
import { currentFolder, readableFolder } from './workspaceFolder.ts';

/** The editor's own `fetch` uses a proxy. One that only the operating system names can't be seen from here. */
function behindProxy(): boolean {
  const http = vscode.workspace.getConfiguration('http');
  if (http.get('proxySupport') === 'off') return false;
  return Boolean(http.get('proxy')) || hasProxyVariable(process.env);
}

type SetupWindow = Pick<ResearchWindow, 'context' | 'runsFolder' | 'keys' | 'log' | 'loadEngine'>;

/** Questions of the open folder, as far as they are found. */
interface Examples {
  readonly folder: string | undefined;
  found?: readonly string[];
}

/** What a run would use if it began now, read from the editor each time: settings, folder, trust, keys. */
export class RunSetup {
  readonly #window: SetupWindow;
  #examples: Examples = { folder: undefined };
  /** What the last check found; forgotten when something changes that it depends on. */
  health: Setup['health'];

  constructor(window: SetupWindow) {
    this.#window = window;
  }

  options(place?: string): EngineOptions {
    const { context, runsFolder, keys, log } = this.#window;
    const workspaceFolder = readableFolder(place);
    const { user, folder } = this.#settings(place);
    return {
      ...{ runsFolder, secrets: keys, log },
      settings: user,
      folderSettings: folder,
      ...(workspaceFolder === undefined
        ? {}
        : {
            workspaceFolder,
            symbols: async (name: string, signal: AbortSignal) => {
              const { workspaceSymbols } = await import('./documents/workspaceSymbols.ts');
              return workspaceSymbols(vscode.Uri.file(workspaceFolder), name, signal);
            },
          }),
      editorModels: lazyEditorModels,
      version: manifestOf(context.extension).version,
      behindProxy: behindProxy(),
      editorTools: pickedTools(context.globalState),
      allowTools: async (asked, signal) =>
        (await import('./allowTools.ts')).allowTools(context.globalState, asked, signal),
    };
  }

  /**
   * What is wrong is in `problem`; it never rejects.
   * @param onExamples Examples are looked for, and were found: there is more to describe.
   */
  async describe(options: EngineOptions, onExamples?: () => void): Promise<Setup> {
    const { context, log } = this.#window;
    const known = {
      workspace: currentFolder()?.name ?? null,
      folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
      trusted: vscode.workspace.isTrusted,
      editorTools: {
        picked: pickedTools(context.globalState).map(({ name }) => name),
        offered: vscode.lm.tools.length,
      },
      examples: this.#examples.found ?? [
        vscode.l10n.t('What are the main techniques for retrieval-augmented generation?'),
      ],
    };
    try {
      const engine = await this.#window.loadEngine();
      const setup = await engine.describeSetup(options);
      if (onExamples) void this.#findExamples(engine, options, onExamples);
      const kinds = setup.kinds.map((kind) => ({ ...kind, label: localized(kind.label) }));
      const sources = setup.sources.map((source) => ({ ...source, label: localized(source.label ?? source.name) }));
      const health = this.health && { health: this.health };
      return { ...setup, kinds, sources, ...known, behindProxy: behindProxy(), ...health };
    } catch (error) {
      log.error(error instanceof Error && error.stack ? error.stack : String(error));
      const problem = { message: describeError(error).message, actions: ['openSettings'] } as const;
      return {
        analyst: 'extractive',
        provider: '',
        model: null,
        modelHost: null,
        sources: [],
        kinds: [],
        strategy: 'auto',
        depth: 'standard',
        ...known,
        problem,
      };
    }
  }

  /** Once for each folder. */
  async #findExamples(engine: ResearchEngine, options: EngineOptions, onExamples: () => void): Promise<void> {
    const { workspaceFolder: folder } = options;
    if (folder === this.#examples.folder) return;
    const examples: Examples = { folder };
    this.#examples = examples;
    const found = await engine.exampleQuestions(options);
    if (found.length === 0) return;
    examples.found = found;
    if (this.#examples === examples) onExamples();
  }

  #settings(place: string | undefined): SettingsByLevel {
    const configuration = vscode.workspace.getConfiguration(undefined, currentFolder(place)?.uri);
    return settingsByLevel({
      declared: declaredSettings(this.#window.context.extension),
      trusted: vscode.workspace.isTrusted,
      inspect: (key) => configuration.inspect(key),
      all: () => configuration.get(settingsPrefix.slice(0, -1)),
    });
  }
}

/** Loaded when a run or the panel asks for models. */
const lazyEditorModels: EditorModels = {
  list: async () => (await import('./models/editorModels.ts')).editorModels.list(),
  send: async (...request) => (await import('./models/editorModels.ts')).editorModels.send(...request),
};
