import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.ts';

/**
 * Answers that were recorded from the real services. They are not part of the repository: in its place
 * `DEEP_RESEARCH_FIXTURES` may name their folder, and where there is none the tests that replay them are skipped.
 */
const folder = [
  process.env['DEEP_RESEARCH_FIXTURES'],
  path.join(root, '../shared/fixtures'),
  path.join(root, '../../shared/fixtures'),
]
  .filter((candidate) => candidate !== undefined)
  .find((candidate) => existsSync(candidate));

/** Of a service's recorded answers; it may not be there. */
export function recordedFolder(service: string): URL {
  return pathToFileURL(`${path.join(folder ?? '/nowhere', service)}/`);
}

export interface Recording {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Names of the recorded answers of a service; none where they are absent. */
export function recordingsOf(service: string): readonly string[] {
  if (folder === undefined || !existsSync(path.join(folder, service))) return [];
  return readdirSync(path.join(folder, service)).filter((name) => name.includes('.'));
}

export function recording(service: string, name: string): Recording {
  const text = readFileSync(path.join(folder ?? '', service, name), 'utf8');
  if (!name.endsWith('.http.json')) return { status: 200, headers: {}, body: text };
  const { status, headers, body } = JSON.parse(text) as {
    status: number;
    headers: Record<string, unknown>;
    body: unknown;
  };
  const kept = Object.entries(headers)
    .filter(([header]) => !/^(date|etag|content-length|transfer-encoding|content-encoding)$/i.test(header))
    .map(([header, value]) => [header, String(value)]);
  return {
    status,
    headers: Object.fromEntries(kept) as Record<string, string>,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
