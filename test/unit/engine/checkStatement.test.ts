import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareStatement } from '../../../src/engine/checkStatement.ts';
import type { CheckOptions } from '../../../src/protocol/ports.ts';
import { verdictsOf } from '../../support/rightReader.ts';
import { silentLog } from '../../support/scriptedParts.ts';

const others = [
  'Bees visit about 2,000 flowers on a warm afternoon in June. A colony stores 15 kg of honey for one winter.',
  'The library lends 48,000 volumes to students every year. Its reading room seats 120 people under one roof.',
].map((text) => ({ passages: [text], isFile: false }));

function options(text: string, settings: Readonly<Record<string, unknown>> = {}, asked: string[] = []): CheckOptions {
  return {
    ...{
      text,
      others,
      runsFolder: '',
      log: silentLog,
      version: 'test',
      secrets: { key: () => Promise.resolve(undefined) },
    },
    settings: { 'model.provider': 'vscode', 'model.name': 'test/reader', ...settings },
    sources: [
      {
        passages: ['The storm barrier closes when the water stands 3.10 m above the mean level. It was built in 1997.'],
        isFile: true,
        text: 'Preface. '.repeat(100) + 'Its two arms are each 210 m long, which is about the height of a tower.',
      },
    ],
    editorModels: {
      list: () => Promise.resolve([{ id: 'test/reader', label: 'Reader', vendor: 'test', contextTokens: 30_000 }]),
      send(_model, { messages }, onPiece) {
        const prompt = messages.map((one) => JSON.stringify(one)).join('\n');
        asked.push(prompt);
        const texts = messages.map((one) => ('content' in one ? String(one.content) : '')).join('\n');
        onPiece({ type: 'text', text: JSON.stringify(verdictsOf(texts)) });
        return Promise.resolve();
      },
    },
  };
}

describe('a statement that is checked again', () => {
  const judge = async (text: string) => {
    const check = await prepareStatement(options(text));
    assert.ok(check && check.tokens > 1_000 && check.cost === null);
    return (await check.read(new AbortController().signal))?.verdict;
  };

  it('is judged against its passages and what was read of its source', async () => {
    assert.equal(await judge('The barrier closes at 3.10 m.'), 'supported');
    assert.equal(await judge('Its two arms are each 210 m long.'), 'supported');
    assert.equal(await judge('The barrier closes at 9.90 m.'), 'contradicted');
  });

  it('costs nothing before it is read', async () => {
    const asked: string[] = [];
    await prepareStatement(options('The barrier closes.', {}, asked));
    assert.deepEqual(asked, []);
  });

  it('is not judged without a model, nor where no file may be sent to one', async () => {
    assert.equal(await prepareStatement(options('The barrier closes.', { 'model.provider': 'extractive' })), undefined);
    await assert.rejects(
      prepareStatement(options('The barrier closes.', { 'workspace.forModel': 'metadata' })),
      /no file may be sent to a model/,
    );
  });
});
