// What the user chooses for one run, beside what user and folder set.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveSettings } from '../../../src/engine.ts';
import type { EngineOptions } from '../../../src/protocol/ports.ts';
import { type RunChoices, withChoices } from '../../../src/runs/runChoices.ts';

const set = (
  choices: RunChoices,
  folder: Record<string, unknown>,
  user: Record<string, unknown> = {},
): Record<string, unknown> =>
  effectiveSettings(withChoices({ settings: user, folderSettings: folder } as unknown as EngineOptions, choices));

test('depth and strategy of the question box count above what the folder sets', () => {
  const folder = {
    'deepResearch.depth': 'quick',
    'deepResearch.strategy': 'iterative',
    'deepResearch.planApproval': 'always',
  };
  assert.deepEqual(set({ depth: 'deep', strategy: 'sections' }, folder), {
    'deepResearch.depth': 'deep',
    'deepResearch.strategy': 'sections',
    'deepResearch.planApproval': 'always',
  });
  assert.equal(set({ depth: 'deep' }, {}, { 'deepResearch.depth': 'quick' })['deepResearch.depth'], 'deep');
});

test('the depth that the caller of a tool asks for is no deeper than the user or the folder sets', () => {
  assert.equal(set({ callerDepth: 'deep' }, {})['deepResearch.depth'], 'deep');
  assert.equal(set({ callerDepth: 'deep' }, {}, { 'deepResearch.depth': 'quick' })['deepResearch.depth'], 'quick');
  assert.equal(set({ callerDepth: 'deep' }, { 'deepResearch.depth': 'quick' })['deepResearch.depth'], 'quick');
});
