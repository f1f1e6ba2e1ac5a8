import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as z from 'zod';
import { EvidenceRegistry } from '../../../../src/research/evidence/registry.ts';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { createOutgoingGuard } from '../../../../src/sources/outgoing/outgoingGuard.ts';

const never = new AbortController().signal;
const search: ResearchTool = {
  name: 'search',
  description: '',
  parameters: z.object({ query: z.string() }),
  source: 'web',
  kind: 'search',
  run: () => Promise.resolve({ documents: [] }),
};

it('with "nothing", words that the question lacks stay here, also where the folder is shown to no model', async () => {
  const guard = createOutgoingGuard({
    inQueries: 'nothing',
    workspace: undefined,
    facts: undefined,
    publicNames: { isPublic: () => Promise.resolve(false) },
    publicKinds: new Set(['web']),
    readsFolder: true,
    ended: new AbortController().signal,
  });
  guard.asked('How does a cache work?');
  assert.deepEqual(await guard.check(search, { query: 'cache zquarkvault' }, never), {
    args: { query: 'cache' },
    removed: ['zquarkvault'],
    isStrict: true,
  });
});

it('words of an attached document stay here, also where no folder is open', async () => {
  const guard = createOutgoingGuard({
    inQueries: 'public',
    workspace: undefined,
    facts: undefined,
    publicNames: { isPublic: () => Promise.resolve(false) },
    publicKinds: new Set(['web']),
    readsFolder: true,
    ended: new AbortController().signal,
  });
  guard.asked('Which queue fits our plan?');
  const query = 'message queue zquarkvault';
  assert.deepEqual((await guard.check(search, { query }, never)).removed, []);
  const { source } = new EvidenceRegistry().add(
    { kind: 'attached', title: 'plan.md', authors: [], text: 'The project is called zquarkvault.', isPrivate: true },
    '2026-01-01T00:00:00Z',
  );
  guard.retrieved(source);
  assert.deepEqual(await guard.check(search, { query }, never), {
    args: { query: 'message queue' },
    removed: ['zquarkvault'],
  });
});
