import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { folderGuard } from '../../../support/folderGuard.ts';
import { type OutgoingCase, outgoingCases } from '../../../support/outgoingCases.ts';

const search: ResearchTool = {
  name: 'search',
  description: '',
  parameters: z.object({ query: z.string() }),
  source: 'web',
  kind: 'search',
  run: () => Promise.resolve({ documents: [] }),
};

/** The words that leave, each in a query of its own. */
async function sentOf(
  { text, question }: OutgoingCase,
  words: readonly string[],
  name?: string,
): Promise<readonly string[]> {
  const guard = folderGuard({ 'notes/a.md': text }, question);
  const sent: string[] = [];
  for (const word of words) {
    const query = `database ${word}`;
    const { args } = await guard.check(search, { query }, new AbortController().signal).catch(() => ({ args: {} }));
    if (
      Object.values(args)
        .join(' ')
        .includes(name ?? word)
    )
      sent.push(word);
  }
  return sent;
}

describe('words of a folder in several languages', () => {
  for (const language of ['en', 'de', 'fr', 'zh', 'ko', 'ja'])
    it(`leave when they are ordinary ones, and stay when they are names (${language})`, async (context) => {
      const cases = outgoingCases.filter((one) => one.language === language);
      let [held, all] = [0, 0];
      const leaked: string[] = [];
      for (const one of cases) {
        all += one.harmless.length;
        held += one.harmless.length - (await sentOf(one, one.harmless)).length;
        leaked.push(...(await sentOf(one, one.mustStay)));
      }
      context.diagnostic(`held back ${held} of ${all}, let through: ${leaked.join(', ') || 'none'}`);
      assert.ok(held / all <= 0.1, `${held} of ${all} ordinary words were held back`);
      // An adverb of the dictionary that is somebody's name too, and a name of two words of the dictionary.
      assert.deepEqual(leaked, language === 'ko' ? ['온새미로'] : language === 'ja' ? ['ナギサワ'] : []);
    });

  it('stay when they are names, whatever is written beside them without a space', async () => {
    const text = '我们用zquarkvault保存数据。夜隼项目由ZephyrQuill替换，ゼトリクソン也是。';
    const folder = {
      language: 'zh',
      half: 'dev',
      question: '怎样保存时间序列？',
      text,
      harmless: [],
      mustStay: [],
    } as const;
    for (const [written, name] of [
      ['搜索zquarkvault的文档', 'zquarkvault'],
      ['db夜隼', '夜隼'],
      ['夜隼的数据', '夜隼'],
      ['用夜隼写', '夜隼'],
      ['替换zephyr quill时', 'quill'],
      ['ゼトリクソンの設定', 'ゼトリクソン'],
    ] as const)
      assert.deepEqual(await sentOf(folder, [written], name), [], written);
  });

  it('are known by their own language alone: a German word in an English run stays', async () => {
    const text = 'We call the new broker Warteschlange, and the importer Abrechnung.';
    const folder = {
      language: 'en',
      half: 'dev',
      question: 'Which broker?',
      text,
      harmless: [],
      mustStay: [],
    } as const;
    assert.deepEqual(await sentOf(folder, ['Warteschlange']), []);
    assert.deepEqual(
      await sentOf({ ...folder, question: 'Welchen Vermittler sollen wir nehmen?' }, ['Warteschlange']),
      ['Warteschlange'],
    );
  });
});
