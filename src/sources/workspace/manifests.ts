/** Which files name the packages that a project depends on, and how. Rough on purpose: names only, no versions. */
const readers: readonly { readonly name: RegExp; readonly read: (text: string) => string[] }[] = [
  { name: /(^|\/)package\.json$/i, read: packageJson },
  { name: /(^|\/)requirements[^/]*\.(txt|in)$/i, read: requirements },
  { name: /(^|\/)pyproject\.toml$/i, read: pyproject },
  { name: /(^|\/)Cargo\.toml$/i, read: cargo },
  { name: /(^|\/)go\.mod$/i, read: goMod },
  { name: /(^|\/)pom\.xml$/i, read: pom },
  { name: /(^|\/)build\.gradle(\.kts)?$/i, read: gradle },
  { name: /(^|\/)Gemfile$/, read: gemfile },
  { name: /\.(cs|fs|vb)proj$/i, read: dotnet },
];

const maxName = 100;

/** Whether a file is a manifest. */
export function isManifest(path: string): boolean {
  return readers.some(({ name }) => name.test(path));
}

/** Names of the packages that a manifest depends on, in its order, each once. Empty for anything malformed. */
export function packagesOf(path: string, text: string): string[] {
  const reader = readers.find(({ name }) => name.test(path));
  const names = reader?.read(text) ?? [];
  return [
    ...new Set(
      names
        .map((name) => name.trim())
        .filter((name) => name !== '' && name.length <= maxName && /^[@\w][\w./@:-]*$/.test(name)),
    ),
  ];
}

function packageJson(text: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof parsed !== 'object' || parsed === null) return [];
  return ['dependencies', 'peerDependencies', 'devDependencies']
    .map((key) => (parsed as Record<string, unknown>)[key])
    .flatMap((group) => (typeof group === 'object' && group !== null ? Object.entries(group) : []))
    .filter(([name, version]) => !name.startsWith('@types/') && !/^(file|link|workspace|portal):/.test(String(version)))
    .map(([name]) => name);
}

function requirements(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '' && !/^(-|https?:|git\+|\.|\/)/.test(line))
    .map(pythonName);
}

function pythonName(requirement: string): string {
  return /^[\w.-]+/.exec(requirement.trim())?.[0] ?? '';
}

/** PEP 621 lists, PEP 735 groups and Poetry's tables. */
function pyproject(text: string): string[] {
  const [, line, block] =
    /^dependencies\s*=\s*\[(?:([^\n]*)\]\s*$|[^\n]*\n([\s\S]*?)^\s*\])/m.exec(sectionOf(text, /^project$/)) ?? [];
  const lists = [
    line ?? block ?? '',
    sectionOf(text, /^project\.optional-dependencies$/),
    sectionOf(text, /^dependency-groups$/),
  ].join('\n');
  const names = [...lists.matchAll(/["']([A-Za-z][\w.-]*)[^"'\n]*["']/g)].map(([, name]) => name!);
  const poetry = keysOf(text, /^tool\.poetry(\.group\.[\w-]+)?\.(dev-)?dependencies$/).filter(
    (name) => name !== 'python',
  );
  return [...names, ...poetry];
}

function cargo(text: string): string[] {
  return keysOf(text, /^(target\..+\.)?(workspace\.)?(dev-|build-)?dependencies$/);
}

/** Lines of a TOML table, without its header. */
function sectionOf(text: string, table: RegExp): string {
  const lines: string[] = [];
  let inside = false;
  for (const line of text.split('\n')) {
    const [, header] = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line) ?? [];
    if (header !== undefined) inside = table.test(header.trim());
    else if (inside) lines.push(line);
  }
  return lines.join('\n');
}

function keysOf(text: string, table: RegExp): string[] {
  return [...sectionOf(text, table).matchAll(/^\s*"?([A-Za-z][\w.-]*)"?\s*=/gm)].map(([, name]) => name!);
}

function goMod(text: string): string[] {
  const blocks = [...text.matchAll(/^require\s*\(([\s\S]*?)^\)/gm)].map(([, body]) => body!);
  const single = [...text.matchAll(/^require\s+([^\s(]+)\s+v/gm)].map(([, name]) => name!);
  return [
    ...single,
    ...blocks.flatMap((body) =>
      body
        .split('\n')
        .filter((line) => !/\/\/\s*indirect/.test(line))
        .map((line) => line.trim().split(/\s/)[0] ?? ''),
    ),
  ];
}

function pom(text: string): string[] {
  return [...text.matchAll(/<dependency>[\s\S]*?<artifactId>\s*([\w.-]+)\s*<\/artifactId>/g)].map(([, name]) => name!);
}

function gradle(text: string): string[] {
  return [
    ...text.matchAll(
      /\b(?:implementation|api|compileOnly|runtimeOnly|testImplementation|kapt|ksp)\s*\(?\s*["'][\w.-]+:([\w.-]+)/g,
    ),
  ].map(([, name]) => name!);
}

function gemfile(text: string): string[] {
  return [...text.matchAll(/^\s*gem\s+["']([\w-]+)["']/gm)].map(([, name]) => name!);
}

function dotnet(text: string): string[] {
  return [...text.matchAll(/<PackageReference\s+[^>]*Include="([\w.-]+)"/g)].map(([, name]) => name!);
}
