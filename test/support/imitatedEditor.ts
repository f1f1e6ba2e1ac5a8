import { registerHooks } from 'node:module';

/** Makes these members the editor's API of modules that are imported afterwards, for tests that need no editor. */
export function imitateEditor(api: Readonly<Record<string, unknown>>): void {
  Object.assign(globalThis, { imitatedEditor: api });
  const source = Object.keys(api).map((name) => `export const ${name} = globalThis.imitatedEditor.${name};`);
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode'
        ? { url: `data:text/javascript,${encodeURIComponent(source.join('\n'))}`, shortCircuit: true }
        : next(specifier, context),
  });
}

/** An address as the editor has it, as far as a test needs it. */
export class ImitatedUri {
  readonly scheme: string;
  readonly path: string;

  constructor(scheme: string, path: string) {
    this.scheme = scheme;
    this.path = path;
  }

  static file(path: string): ImitatedUri {
    return new ImitatedUri('file', path);
  }

  static parse(address: string): ImitatedUri {
    const [scheme = '', path = ''] = address.split('://');
    return new ImitatedUri(scheme, path);
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}://${this.path}`;
  }
}

/** The members of `vscode.workspace` about folders. @param folders Their paths. */
export function imitatedFolders(folders: readonly string[]) {
  const workspaceFolders = folders.map((path) => ({ uri: ImitatedUri.file(path), name: path.split('/').at(-1)! }));
  const getWorkspaceFolder = ({ scheme, path }: ImitatedUri) =>
    workspaceFolders.find(({ uri }) => scheme === 'file' && `${path}/`.startsWith(`${uri.path}/`));
  return {
    workspaceFolders,
    getWorkspaceFolder,
    /** By default the folder's name is part of it where several are open. */
    asRelativePath(file: ImitatedUri, isNamed = folders.length > 1): string {
      const folder = getWorkspaceFolder(file);
      if (!folder) return file.path;
      const rest = file.path.slice(folder.uri.path.length + 1);
      return isNamed ? `${folder.name}/${rest}` : rest;
    },
  };
}
