import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MemorySaver, type BaseCheckpointSaver } from '@langchain/langgraph';
import { CheckpointLog, isCheckpointLine } from '../../../../src/research/persistence/checkpointLog.ts';
import { root } from '../../../support/paths.ts';

interface Verdict {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const config = (id?: string) => ({
  configurable: { thread_id: 't', checkpoint_ns: '', ...(id === undefined ? {} : { checkpoint_id: id }) },
});
const metadata = { source: 'loop', step: 1, parents: {} } as const;

function checkpoint(step: number, values: Record<string, unknown>) {
  const versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, step]));
  return {
    v: 4,
    id: `1f0b${String(step).padStart(4, '0')}-0000-6000-8000-000000000000`,
    ts: '2026-01-01T00:00:00.000Z',
    channel_values: values,
    channel_versions: versions,
    versions_seen: {},
  };
}

async function putInto(saver: BaseCheckpointSaver, step: number, values: Record<string, unknown>, parent?: string) {
  const made = checkpoint(step, values);
  await saver.put(config(parent), made, metadata, made.channel_versions);
  return made.id;
}

function log(lines: string[] = []): { saver: CheckpointLog; lines: string[] } {
  return { saver: new CheckpointLog(async (line) => void lines.push(line), [...lines]), lines };
}

describe('checkpoint log', () => {
  it('passes LangGraph’s own checks, also when it is read from its lines each time', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
        'run',
        '--globals',
        '--reporter=json',
        '--root',
        root,
        'test/support/checkpointLog.spec.ts',
      ],
      { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: '' } },
    ).catch((error: { stdout: string }) => error);
    const verdict = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Verdict;
    const failed = verdict.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed');
    assert.deepEqual(
      failed.map(({ fullName }) => fullName),
      [],
    );
    assert.ok(verdict.numPassedTests >= 2 * 718, `${verdict.numPassedTests} checks`);
  });

  it('gives the same state after its lines were read again', async () => {
    const { saver, lines } = log();
    const sections = [
      { id: 's1', content: 'x'.repeat(1000) },
      { id: 's2', gaps: [] },
      null,
      'short',
      ['nested', { deep: 1 }],
    ];
    const first = await putInto(saver, 1, { sections, today: '2026-01-01', empty: null });
    await saver.putWrites(
      config(first),
      [
        ['sections', [sections[0]]],
        ['lastReview', undefined],
      ],
      'task-1',
      '~__pregel_pull, 1',
    );
    const read = await log(lines).saver.getTuple(config());
    assert.deepEqual(read, await saver.getTuple(config()));
    assert.deepEqual(read!.checkpoint.channel_values, { sections, today: '2026-01-01', empty: null });
    assert.deepEqual(read!.pendingWrites, [
      ['task-1', 'sections', [sections[0]]],
      ['task-1', 'lastReview', undefined],
    ]);
  });

  it('writes a large element of a growing list once, so that the log grows with what is new', async () => {
    const section = (index: number) => ({ id: `s${index}`, content: String(index).padEnd(10_000, '.') });
    const sizeAfter = async (steps: number): Promise<number> => {
      const { saver, lines } = log();
      for (let step = 1; step <= steps; step += 1)
        await putInto(saver, step, { sections: Array.from({ length: step }, (_, index) => section(index)) });
      return lines.join('\n').length;
    };
    const [ten, twenty, forty] = [await sizeAfter(10), await sizeAfter(20), await sizeAfter(40)];
    assert.ok(twenty / ten < 2.2 && forty / twenty < 2.2, `${ten} ${twenty} ${forty}`);
  });

  it('passes over lines that are torn, foreign or of another version, and falls back to what is whole', async () => {
    const { saver, lines } = log();
    const first = await putInto(saver, 1, { a: 1 });
    await putInto(saver, 2, { a: 2 }, first);
    const torn = lines.at(-1)!.slice(0, 40);
    const foreign = [
      '',
      'null',
      '[]',
      '{}',
      '{"v":2,"type":"delete","thread":"t"}',
      '{"v":1,"type":"checkpoint"}',
      '\u0000\u0000',
      '{"__proto__":{"v":1}}',
    ];
    assert.deepEqual([...foreign, torn].filter(isCheckpointLine), []);
    const read = new CheckpointLog(async () => undefined, [...foreign, lines[0]!, torn]);
    assert.equal((await read.getTuple(config()))!.checkpoint.id, first);
  });

  it('revives no class and runs nothing, whatever a line contains', async () => {
    const { saver, lines } = log();
    const hostile = {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'HumanMessage'],
      kwargs: { content: 'x' },
    };
    await putInto(saver, 1, {
      messages: [hostile, { lc: 2, type: 'constructor', id: ['Map'], args: [[['a', 1]]] }],
      one: hostile,
    });
    const { channel_values: values } = (await log(lines).saver.getTuple(config()))!.checkpoint;
    assert.deepEqual(values['one'], hostile);
    assert.equal(Object.getPrototypeOf((values['messages'] as object[])[0]), Object.prototype);
    assert.equal(Object.getPrototypeOf((values['messages'] as object[])[1]), Object.prototype);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('says which part of a checkpoint is missing', async () => {
    const { saver, lines } = log();
    await putInto(saver, 1, { sections: [{ id: 's1', content: 'x'.repeat(1000) }] });
    const without = lines.filter((line) => !line.includes('"part","digest"'));
    assert.equal(without.length, lines.length - 1);
    await assert.rejects(log(without).saver.getTuple(config()), /A part of a checkpoint is missing/);
  });

  it('gives copies: what the graph does to a state does not change the log', async () => {
    const { saver } = log();
    await putInto(saver, 1, { sections: [{ id: 's1', content: 'x'.repeat(1000) }] });
    const changed = (await saver.getTuple(config()))!.checkpoint.channel_values['sections'] as { id: string }[];
    changed[0]!.id = 'changed';
    assert.equal(
      ((await saver.getTuple(config()))!.checkpoint.channel_values['sections'] as { id: string }[])[0]!.id,
      's1',
    );
  });

  it('answers like the saver in memory for a real thread of checkpoints', async () => {
    const memory = new MemorySaver();
    const { saver } = log();
    for (const one of [memory, saver]) {
      let parent: string | undefined;
      for (let step = 1; step <= 5; step += 1) parent = await putInto(one, step, { n: step }, parent);
    }
    const idsOf = async (one: BaseCheckpointSaver) => {
      const ids: string[] = [];
      for await (const tuple of one.list(config(), { limit: 3 }))
        ids.push(
          `${tuple.checkpoint.id} ${String(tuple.parentConfig?.configurable?.['checkpoint_id'])} ${String(tuple.checkpoint.channel_values['n'])}`,
        );
      return ids;
    };
    assert.deepEqual(await idsOf(saver), await idsOf(memory));
  });
});
