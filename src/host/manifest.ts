import * as vscode from 'vscode';
import type { KeyService } from '../protocol/ports.ts';
import type { DeclaredSetting } from './settings.ts';

/** What the host reads from its own package.json; `npm run generate` writes it from the declarations. */
export interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, DeclaredSetting>> }[];
  };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  /** Not a field of VS Code's: what keys can be saved for, known without loading the engine. */
  readonly keyServices: readonly KeyService[];
}

export function manifestOf({ packageJSON }: vscode.Extension<unknown>): Manifest {
  return packageJSON as Manifest;
}

/** The settings of the manifest by their full keys. */
export function declaredSettings(extension: vscode.Extension<unknown>): Readonly<Record<string, DeclaredSetting>> {
  const { configuration } = manifestOf(extension).contributes;
  return Object.fromEntries(configuration.flatMap(({ properties }) => Object.entries(properties)));
}

/** A text of a provider or source; scripts/l10n.ts reads it from their declarations. */
export function localized(text: string): string {
  return vscode.l10n.t(text);
}
