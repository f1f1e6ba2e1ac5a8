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
async function sentOf({ text, question }: OutgoingCase, words: readonly string[]): Promise<readonly string[]> {
  const guard = folderGuard({ 'notes/a.md': text }, question);
  const sent: string[] = [];
  for (const word of words) {
    const query = `database ${word}`;
    const { args } = await guard.check(search, { query }, new AbortController().signal).catch(() => ({ args: {} }));
    if (Object.values(args).join(' ').includes(word)) sent.push(word);
  }
  return sent;
}

describe('words of a folder in several languages', () => {
  for (const language of ['en', 'de', 'fr', 'zh', 'ko'])
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
      // An adverb of the dictionary that is somebody's name too.
      assert.deepEqual(leaked, language === 'ko' ? ['온새미로'] : []);
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
