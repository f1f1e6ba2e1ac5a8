import type { Source } from '../../src/research/evidence/source.ts';
import type { OutgoingGuard } from '../../src/research/policy/outgoing.ts';
import type { WorkspaceFacts } from '../../src/research/tools.ts';
import { createOutgoingGuard, type OutgoingGuardOptions } from '../../src/sources/outgoing/outgoingGuard.ts';
import { packagesOf } from '../../src/sources/workspace/manifests.ts';
import { noFacts } from './sourceContext.ts';

/** The guard of a folder with these files, in a run on `question` whose public sources have the texts. */
export function folderGuard(
  files: Readonly<Record<string, string>>,
  question: string,
  sources: readonly string[] = [],
  options: Partial<OutgoingGuardOptions> & { readonly own?: Partial<WorkspaceFacts> } = {},
): OutgoingGuard {
  const packages = Object.entries(files).flatMap(([at, text]) => packagesOf(at, text));
  const guard = createOutgoingGuard({
    inQueries: 'public',
    workspace: {
      name: 'folder',
      files: () =>
        Promise.resolve(Object.entries(files).map(([at, text]) => ({ path: at, size: text.length, modified: 0 }))),
      read: (at) => Promise.resolve(files[at]!),
      blocks: async function* () {},
      gitRemotes: () => Promise.resolve([]),
    },
    facts: { ...noFacts, packages, ...options.own },
    publicNames: { isPublic: () => Promise.resolve(false) },
    publicKinds: new Set(['web']),
    readsFolder: true,
    ended: new AbortController().signal,
    ...options,
  });
  guard.asked(question);
  for (const text of sources)
    guard.retrieved({
      identity: 'url:https://example.org/',
      kind: 'web',
      title: '',
      authors: [],
      text,
    } as unknown as Source);
  return guard;
}
