import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharesWord } from '../../../../src/research/text/sharesWord.ts';

describe('two texts share a word', () => {
  const pairs: readonly (readonly [string, string, string])[] = [
    ['in another form', 'Reranked passages', 'How do rerankers work?'],
    ['in Russian, inflected', 'Обзор поисковых систем', 'Какая поисковая система лучше?'],
    ['in Finnish, inflected', 'Tietokantojen vertailu', 'Mikä on paras tietokanta?'],
    ['in Chinese', '向量数据库比较', '哪个数据库最快？'],
    ['in Japanese', 'データベースの比較', 'どのデータベースが速いですか？'],
    ['in Korean, with particles', '데이터베이스를 비교하다', '데이터베이스는 무엇인가?'],
    ['in Thai', 'การเปรียบเทียบฐานข้อมูล', 'ฐานข้อมูลใดเร็วที่สุด'],
    ['by a name in another script', 'ColBERT 的原理', 'How does ColBERT work?'],
  ];
  for (const [how, one, other] of pairs)
    it(how, () => {
      assert.equal(sharesWord(one, ['Nothing of it.', other]), true);
    });

  it('not by words of grammar or numbers alone', () => {
    assert.equal(sharesWord('What is the use of it in 2026?', ['How is the time in 2026?']), false);
    assert.equal(sharesWord('量子烹饪的方法', ['数据库的速度']), false);
    assert.equal(sharesWord('', ['Anything']), false);
  });
});
