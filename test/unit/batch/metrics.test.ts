import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Metrics } from '../../../src/batch/metrics.ts';
import type { EventBody } from '../../../src/protocol/events.ts';

it('counts what runs do, in the text format of Prometheus, with nothing of their texts', () => {
  const metrics = new Metrics();
  const observe = (event: EventBody): void => metrics.observe({ ...event, run: 'r', seq: 1, at: '' });
  const usage = { type: 'usage', model: 'm', role: 'research', phase: 'research', estimated: false } as const;
  observe({ ...usage, tokens: { in: 10, out: 2, cached: 0 }, cost: 0.5 });
  observe({ ...usage, tokens: { in: 1, out: 1, cached: 0 }, cost: null });
  observe({ type: 'tool/finished', call: 'c', name: 'arxiv', ms: 1, sources: [] });
  observe({ type: 'tool/finished', call: 'c', name: 'arxiv', ms: 1, sources: [], error: 'secret' });
  observe({ type: 'run/failed', reason: 'auth"\n', message: 'secret', next: 'secret' });
  const text = metrics.text({ by: { pending: 2, failed: 1 }, oldestSeconds: 1.5 });
  for (const line of [
    'deep_research_model_calls_total 2',
    'deep_research_tokens_total{direction="in"} 11',
    'deep_research_tokens_total{direction="out"} 3',
    'deep_research_cost_dollars_total 0.5',
    'deep_research_tool_calls_total{outcome="failed"} 1',
    'deep_research_runs_total{outcome="failed"} 1',
    String.raw`deep_research_errors_total{reason="auth\"\n"} 1`,
    'deep_research_questions{status="pending"} 2',
    'deep_research_oldest_pending_seconds 1.5',
    'deep_research_queue_up 1',
  ])
    assert.ok(text.split('\n').includes(line), `${line} is in ${text}`);
  assert.doesNotMatch(text, /secret/);
  assert.match(
    text,
    /^# HELP deep_research_tokens_total .*\n# TYPE deep_research_tokens_total counter\ndeep_research_tokens_total/m,
  );
  // What the queue has is unknown while its database does not answer.
  const without = metrics.text(undefined);
  assert.match(without, /^deep_research_queue_up 0$/m);
  assert.doesNotMatch(without, /oldest/);
});
