import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksFor } from '../../../../src/research/analyst/extractive/asksFor.ts';

test('the sides of a comparison are named, wherever its word stands and however long its question begins', () => {
  const questions = [
    ['en', 'What are the differences between RDB and AOF persistence?', ['RDB', 'AOF persistence']],
    ['en', 'How do RDB and AOF differ?', ['RDB', 'AOF']],
    ['fr', 'Quelle est la différence entre RDB et AOF ?', ['RDB', 'AOF']],
    ['es', '¿Cuáles son las diferencias entre RDB y AOF?', ['RDB', 'AOF']],
    ['de', 'Was sind die Unterschiede zwischen RDB und AOF?', ['RDB', 'AOF']],
  ] as const;
  for (const [language, question, sides] of questions) assert.deepEqual(asksFor(question, language).sides, sides);
});
