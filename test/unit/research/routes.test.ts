import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command, Send } from '@langchain/langgraph';
import { buildGraph } from '../../../src/research/graph.ts';
import { routes, type Route } from '../../../src/research/routes.ts';

test('the compiler refuses a route that the graph does not have', () => {
  const good: Route<'plan'> = new Command({ goto: 'dispatch' });
  // @ts-expect-error There is no node of this name.
  const misspelt: Route<'plan'> = new Command({ goto: 'dispatsh' });
  // @ts-expect-error The plan does not lead to the review.
  const wrong: Route<'plan'> = new Command({ goto: 'review' });
  // @ts-expect-error Only sections are sent to.
  const sent: Route<'dispatch'> = new Command({ goto: [new Send('report', {})] });
  // @ts-expect-error The state has no such channel.
  const update: Route<'plan'> = new Command({ update: { outlines: [] }, goto: 'dispatch' });
  assert.deepEqual([good, misspelt, wrong, sent, update].length, 5);
});

test('every route leads to a node of the graph, and every node but the start can be reached', () => {
  const graph = buildGraph(new Proxy({}, { get: () => ({}) }) as Parameters<typeof buildGraph>[0]);
  const nodes = new Set(Object.keys(graph.nodes));
  const targets = new Set<string>(Object.values(routes).flat());
  assert.deepEqual(
    [...targets].filter((target) => !nodes.has(target)),
    [],
  );
  const byEdge = ['assess', 'followUp', 'reflect', '__start__'];
  assert.deepEqual(
    [...nodes].filter((name) => !targets.has(name) && !byEdge.includes(name)),
    [],
  );
});
