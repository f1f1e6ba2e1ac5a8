export interface Property {
  readonly scope: string;
  readonly enum?: readonly string[];
  readonly items?: {
    readonly enum?: readonly string[];
    readonly anyOf?: readonly { readonly type?: string; readonly enum?: readonly string[] }[];
  };
}

/** What tests look at in package.json. */
export interface Manifest extends Readonly<Record<string, unknown>> {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly keyServices: readonly { readonly service: string }[];
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[];
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly submenus: readonly { readonly id: string }[];
    readonly menus: Readonly<
      Record<string, readonly { readonly command?: string; readonly submenu?: string; readonly when?: string }[]>
    >;
    readonly keybindings: readonly { readonly command: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly media: { readonly svg: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly viewsContainers: { readonly activitybar: readonly [{ readonly icon: string }] };
  };
}

/** The settings of all groups, by their full names. */
export function settingsOf(manifest: Manifest): Readonly<Record<string, Property>> {
  return Object.fromEntries(manifest.contributes.configuration.flatMap((group) => Object.entries(group.properties)));
}
