import { isRecord, parseJson } from '../../research/text/json.ts';

/** Which files name the packages that a project depends on, and how. Rough on purpose: names only, no versions. */
const readers: readonly ManifestReader[] = [
  { name: /(^|\/)package\.json$/i, read: packageJson, system: 'npm' },
  { name: /(^|\/)requirements[^/]*\.(txt|in)$/i, read: requirements, system: 'pypi' },
  { name: /(^|\/)pyproject\.toml$/i, read: pyproject, system: 'pypi' },
  { name: /(^|\/)Cargo\.toml$/i, read: cargo, system: 'cargo' },
  { name: /(^|\/)go\.mod$/i, read: goMod, system: 'go' },
  // Their packages are known by group and name; the readers give the name alone.
  { name: /(^|\/)pom\.xml$/i, read: pom },
  {
    name: /(^|\/)build\.gradle(\.kts)?$/i,
    read: all(
      /\b(?:implementation|api|compileOnly|runtimeOnly|testImplementation|kapt|ksp)\s{0,20}(?:\(\s{0,20})?["'][\w.-]{1,200}:([\w.-]{1,200})/g,
    ),
  },
  { name: /(^|\/)Gemfile$/, read: all(/^[ \t]{0,20}gem[ \t]{1,20}["']([\w-]{1,200})["']/gm), system: 'rubygems' },
  {
    name: /\.(cs|fs|vb)proj$/i,
    read: all(/<PackageReference\s[^<>]{0,300}?Include="([\w.-]{1,200})"/g),
    system: 'nuget',
  },
];

/** What the first group of a pattern holds, wherever it occurs. */
function all(pattern: RegExp): (text: string) => string[] {
  return (text) => [...text.matchAll(pattern)].map(([, name]) => name!);
}

interface ManifestReader {
  readonly name: RegExp;
  readonly read: (text: string) => string[];
  /** Package system, as deps.dev names it; absent where a package can't be looked up by what {@link read} gives. */
  readonly system?: string;
}

const maxName = 100;

/** Whether a file is a manifest. */
export function isManifest(path: string): boolean {
  return readers.some(({ name }) => name.test(path));
}

/** The package system that a manifest's packages belong to, where they can be looked up by name. */
export function packageSystemOf(path: string): string | undefined {
  return readers.find(({ name }) => name.test(path))?.system;
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
  const parsed = parseJson(text);
  return ['dependencies', 'peerDependencies', 'devDependencies']
    .map((key) => (isRecord(parsed) ? parsed[key] : undefined))
    .flatMap((group) => (isRecord(group) ? Object.entries(group) : []))
    .filter(([name, version]) => !name.startsWith('@types/') && !isLocal(version))
    .map(([name]) => name);
}

function isLocal(version: unknown): boolean {
  return typeof version !== 'string' || /^(file|link|workspace|portal):/.test(version);
}

function requirements(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.split('#', 1)[0]!.trim())
    .filter((line) => line !== '' && !/^(-|https?:|git\+|\.|\/)/.test(line))
    .map(pythonName);
}

function pythonName(requirement: string): string {
  return /^[\w.-]+/.exec(requirement.trim())?.[0] ?? '';
}

/** PEP 621 lists, PEP 735 groups and Poetry's tables. */
function pyproject(text: string): string[] {
  const lists = [
    listOf(sectionOf(text, /^project$/), 'dependencies'),
    sectionOf(text, /^project\.optional-dependencies$/),
    sectionOf(text, /^dependency-groups$/),
  ].join('\n');
  const names = all(/["']([A-Za-z][\w.-]{0,200})(?![\w.-])[^"'\n]{0,300}["']/g)(lists);
  const poetry = keysOf(text, /^tool\.poetry(\.group\.[\w-]+)?\.(dev-)?dependencies$/).filter(
    (name) => name !== 'python',
  );
  return [...names, ...poetry];
}

/** The text of a TOML list, from its bracket to the line that ends it. */
function listOf(section: string, name: string): string {
  const lines = section.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^${name}[ \\t]{0,20}=[ \\t]{0,20}\\[`).test(line));
  if (start === -1) return '';
  const end = lines.findIndex(
    (line, index) => index >= start && (/^\s{0,20}\]/.test(line) || /["'[],?\s{0,20}\]\s{0,20}$/.test(line)),
  );
  return lines.slice(start, end === -1 ? undefined : end + 1).join('\n');
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
  return all(/^[ \t]{0,20}"?([A-Za-z][\w.-]{0,200})"?[ \t]{0,20}=/gm)(sectionOf(text, table));
}

function goMod(text: string): string[] {
  const names: string[] = [];
  let inBlock = false;
  for (const line of text.split('\n')) {
    const [first = '', second = '', third = ''] = line.slice(0, 500).trim().split(/\s+/, 3);
    if (inBlock && line.startsWith(')')) inBlock = false;
    else if (inBlock && !/\/\/ ?indirect/.test(line)) names.push(first);
    else if (first === 'require(' || (first === 'require' && second === '(')) inBlock = true;
    else if (first === 'require' && third.startsWith('v')) names.push(second);
  }
  return names;
}

function pom(text: string): string[] {
  return text
    .split('<dependency>')
    .slice(1)
    .map((one) => /<artifactId>\s{0,20}([\w.-]{1,200})\s{0,20}<\/artifactId>/.exec(one)?.[1] ?? '');
}
