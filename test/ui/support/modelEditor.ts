import {
  type Editor,
  type EditorOptions,
  type EditorPage,
  type PageOptions,
  startEditor,
} from '../../support/editor.ts';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../support/modelServer.ts';
import { copyWorkspace, removeFolder } from '../../support/paths.ts';
import { offline, openPanel, type Panel } from './researchPage.ts';

/** A window of the editor with the panel open, on a copy of the sample workspace, and an imitated model behind it. */
export interface ModelEditor {
  readonly workspace: string;
  readonly server: ModelServer;
  readonly editor: Editor;
  readonly page: EditorPage;
  readonly panel: Panel;
  close(): Promise<void>;
}

export interface ModelEditorOptions
  extends Pick<EditorOptions, 'installed' | 'beside' | 'env'>, Pick<PageOptions, 'viewport'> {
  readonly model?: ModelServerOptions;
  /** Beside the ones that name the model; by their names without `deepResearch.`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Addresses of imitated sources. Default: nothing answers. */
  readonly endpoints?: Readonly<Record<string, string>>;
}

export async function openModelEditor({
  model,
  settings = {},
  endpoints,
  viewport,
  ...options
}: ModelEditorOptions = {}): Promise<ModelEditor> {
  const workspace = copyWorkspace('examples');
  const server = await startModelServer(model);
  let editor: Editor | undefined;
  const close = async () => {
    await editor?.stop();
    await server.close();
    removeFolder(workspace);
  };
  try {
    const wanted = { 'model.provider': 'openai-compatible', 'model.name': 'imitation-1', ...settings };
    editor = await startEditor({
      ...options,
      workspace,
      userSettings: Object.fromEntries(Object.entries(wanted).map(([key, value]) => [`deepResearch.${key}`, value])),
      machineSettings: { ...(endpoints ?? (await offline())), 'deepResearch.model.baseUrl': server.url },
    });
    const page = await editor.openPage(viewport ? { viewport } : {});
    return { workspace, server, editor, page, panel: await openPanel(page), close };
  } catch (error) {
    await close();
    throw error;
  }
}
