import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRareWord } from '../../../src/sources/rareWord.ts';

describe('a rare word', () => {
  const rareOf = async (language: string, words: readonly string[]) => {
    const rare: string[] = [];
    for (const word of words) if (await isRareWord(word, language)) rare.push(word);
    return rare;
  };

  it('is in no list, nor made of two words that are', async () => {
    const words = [
      'velotuzumab',
      'Velotuzumab',
      'retrieval',
      'Kubernetes',
      'datacenter',
      'hyperparameter',
      'tokenizer',
    ];
    assert.deepEqual(await rareOf('en', words), ['velotuzumab', 'Velotuzumab']);
    assert.deepEqual(await rareOf('de-DE', ['Velotuzumab', 'Kündigungsfrist', 'Wärmepumpe']), ['Velotuzumab']);
    assert.deepEqual(await rareOf('zh', ['velotuzumab', 'transformer']), ['velotuzumab']);
  });

  it('is none in a language of which no word is known', async () => {
    assert.deepEqual(await rareOf('es', ['velotuzumab', 'arrendamiento']), []);
  });
});
