import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choosePassages } from '../../../../src/research/analyst/extractive/choosePassages.ts';
import { judge } from '../../../../src/research/analyst/extractive/answered.ts';
import { readQuery } from '../../../../src/research/text/query.ts';
import { termsOf } from '../../../../src/research/text/tokenize.ts';
import type { WordFate } from '../../../../src/research/text/wordFates.ts';
import { sourceOf } from '../../../support/keylessResearch.ts';

const source = sourceOf({ text: '' });

/** What one passage is to a question, of whose words it lacks those that no file holds. */
function judged(question: string, absent: readonly string[], language = 'en') {
  const query = readQuery(question, language);
  const fates = query.words.map(({ word }): WordFate => {
    const isMissing = absent.includes(word);
    return { word, fate: isMissing ? 'missing' : 'held', weight: isMissing ? 1 : 0.6 };
  });
  return judge(query, fates, [{ source, text: '', lacks: absent }], language);
}

describe('what passages are to a question', () => {
  it('is an answer although an unusual word of the question is missing', () => {
    const { answered, missing } = judged('How does the relay decide which lane retries?', ['decide']);
    assert.deepEqual([answered, missing], ['answer', []]);
  });

  it('is the nearest, with the name that is missing, when most else is there', () => {
    for (const [question, name] of [
      ['What was the root cause of the Azure outage in lane billing?', 'Azure'],
      ['Which retries does the lane with 64-bit counters keep?', '64-bit'],
      ['Which lanes keep the "drone" retries for billing?', 'drone'],
    ] as const) {
      const { answered, missing } = judged(question, [name]);
      assert.deepEqual([answered, missing], ['nearest', [name]], question);
    }
  });

  it('is about something else when a name is missing and little else is there', () => {
    assert.equal(
      judged('Does the relay support Kerberos authentication?', ['Kerberos', 'support']).answered,
      'notFound',
    );
    assert.equal(judged('boiling point of ammonia', ['boiling', 'ammonia', 'point']).answered, 'notFound');
  });

  it('is about something else when all versions, identifiers and codes are missing', () => {
    for (const [question, absent, answered] of [
      ['Which retries does the lane with max_lag set keep?', ['max_lag'], 'notFound'],
      ['Which retries of the lane changed in 0.14 for billing?', ['0.14'], 'notFound'],
      ['Which retries of the lane does the code LN-404 mean?', ['LN-404'], 'notFound'],
      ['Which retries of the lane changed from 0.13 to 0.14 for billing?', ['0.13'], 'nearest'],
    ] as const)
      assert.equal(judged(question, absent).answered, answered, question);
  });

  it('has the same text once, whatever files it is in', () => {
    const query = readQuery('How many days of leave are there?', 'en');
    const at = (path: string, firstLine: number) => ({ path, firstLine, lastLine: firstLine });
    const text = 'There are 24 days of leave.';
    const own = [at('a.md', 1), at('a.md', 90), at('b.md', 1)].map((file) => sourceOf({ file, text }));
    const paths = choosePassages(query, own).map((one) => `${one.source.file?.path}:${one.source.file?.firstLine}`);
    assert.deepEqual(paths, ['a.md:1']);
  });

  it('lacks a name of which only a part is there', () => {
    const query = readQuery('How do I harden PostgreSQL 0.14?', 'en');
    const file = { path: 'notes.md', firstLine: 1, lastLine: 1 };
    const own = sourceOf({ file, text: 'MySQL: harden it with sql_mode; since v0.13 and 14 days.' });
    const [best] = choosePassages(query, [own]);
    assert.deepEqual(best?.lacks, ['PostgreSQL', '0.14']);
    const newer = sourceOf({ file, text: 'Harden postgresql as of v0.14.2.' });
    assert.deepEqual(choosePassages(query, [newer])[0]?.lacks, []);
    const patch = readQuery('What bug was fixed in 2.18.3?', 'en');
    const changes = sourceOf({ file, text: 'Changes of 2.18.2: a bug was fixed.' });
    assert.deepEqual(choosePassages(patch, [changes])[0]?.lacks, ['2.18.3']);
  });

  it('holds a name whose parts stand side by side, and not where they stand apart', () => {
    const file = { path: 'notes.md', firstLine: 1, lastLine: 1 };
    const lacksOf = (question: string, text: string) =>
      choosePassages(readQuery(question, 'en'), [sourceOf({ file, text })])[0]?.lacks;
    for (const [question, text] of [
      ['64-bit?', 'There is a 64 bit build.'],
      ['16KB?', 'The limit of 16 KB holds.'],
      ['3D-printing?', '3D printing is slow.'],
      ['2024-05-01?', 'Since 2024/05/01.'],
      ['max_lag?', 'The max lag is 3.'],
    ] as const)
      assert.deepEqual(lacksOf(question, text), [], question);
    assert.deepEqual(lacksOf('MySQL?', 'my_app runs on SQLite3 and other SQL.'), ['MySQL']);
    assert.deepEqual(lacksOf('max_lag?', 'The lag has a max.'), ['max_lag']);
    assert.deepEqual(lacksOf('1000?', 'The flag 0x1000 manages rules.'), ['1000']);
    assert.deepEqual(lacksOf('16?', 'It has 16KB.'), []);
  });

  it('reads a long name as one that is spelled alike, and no short one, and none with marks', () => {
    const spelledOf = (word: string, as: string) => {
      const query = readQuery(`How is the ${word} timeout of a lane set?`, 'en');
      const fates = query.words.map((one): WordFate => {
        const fate =
          one.word === word ? ({ fate: 'corrected', as: termsOf(as).slice(-1) } as const) : { fate: 'held' as const };
        return { word: one.word, weight: 0.8, ...fate };
      });
      const found = ['', `The ${as} timeout.`].map((text) => ({ source, text, lacks: [word] }));
      return judge(query, fates, found, 'en').spelled;
    };
    assert.deepEqual(spelledOf('WebSocekt', 'WebSocket'), [{ word: 'WebSocekt', read: 'WebSocket' }]);
    assert.deepEqual(spelledOf('MySQL', 'myxql'), []);
    assert.deepEqual(spelledOf('retries_s', 'retry_ms'), []);
  });

  it('lacks a word in passages that do not hold what it is read as', () => {
    const query = readQuery('How is the websocekt timeout set?', 'en');
    const fates = query.words.map(({ word }): WordFate => {
      return word === 'websocekt'
        ? { word, fate: 'corrected', as: ['websocket'], weight: 0.8 }
        : { word, fate: 'held', weight: 0.8 };
    });
    const { spelled, lacks } = judge(query, fates, [{ source, text: 'The timeout.', lacks: ['websocekt'] }], 'en');
    assert.deepEqual([spelled, lacks], [[], ['websocekt']]);
  });

  it('is not read as another name that is spelled like it', () => {
    const query = readQuery('Which engine do I configure to run this on MySQL?', 'en');
    const fates = query.words.map(({ word }): WordFate => {
      return word === 'MySQL'
        ? { word, fate: 'corrected', as: ['myxql'], weight: 0.8 }
        : { word, fate: 'held', weight: 0.8 };
    });
    const { missing, spelled } = judge(query, fates, [{ source, text: 'Use myxql.', lacks: ['MySQL'] }], 'en');
    assert.deepEqual([missing, spelled], [['MySQL'], []]);
  });

  it('is asked by a verb without the pronoun behind it', () => {
    const wordsOf = (question: string, language: string) => readQuery(question, language).words.map(({ word }) => word);
    assert.deepEqual(wordsOf("Que l'API autorise-t-elle ?", 'fr').at(-1), 'autorise');
    assert.deepEqual(wordsOf('Comment doit-on déclarer un rendez-vous ?', 'fr').slice(-2), ['déclarer', 'rendez']);
    assert.ok(wordsOf('Is the cache built-in?', 'en').includes('built-in'));
  });

  it('is never about something else by a noun of a language that capitalises all', () => {
    const { answered } = judged('Auf wie viel Grad ist der Lötkolben im Labor eingestellt?', ['Lötkolben'], 'de');
    assert.equal(answered, 'nearest');
  });

  it('is the nearest when each passage holds another word of the question', () => {
    const words = ['policy', 'bringing', 'office'];
    const query = readQuery('What is the policy on bringing dogs to the office?', 'en');
    const held = words.map((word): WordFate => ({ word, fate: 'held', weight: 0.6 }));
    const fates: readonly WordFate[] = [...held, { word: 'dogs', fate: 'missing', weight: 1 }];
    const lacking = (...lacks: readonly string[]) => ({ source, text: lacks.join(), lacks });
    const apart = words.map((one) => lacking('dogs', ...words.filter((word) => word !== one)));
    assert.equal(judge(query, fates, apart, 'en').answered, 'nearest');
    assert.equal(judge(query, fates, [lacking('dogs')], 'en').answered, 'answer');
  });

  it('is the nearest without the rarest name that is asked for, although other files hold it', () => {
    const answeredTo = (question: string, lacked: string, rarity: number, language = 'en') => {
      const query = readQuery(question, language);
      const fates = query.words.map(({ word }): WordFate => ({
        word,
        fate: 'held',
        weight: word === lacked ? rarity : 0.6,
      }));
      return judge(query, fates, [{ source, text: '', lacks: [lacked] }], language);
    };
    const { answered, lacks } = answeredTo('What is the minimum supported Rust version?', 'Rust', 0.7);
    assert.deepEqual([answered, lacks], ['nearest', ['Rust']]);
    for (const [question, lacked, rarity, language] of [
      ['What is the minimum supported Rust version?', 'supported', 0.7, 'en'],
      ['What is the minimum supported Rust version?', 'Rust', 0.3, 'en'],
      ['When was a lane of Tidegate 2.3 released?', 'Tidegate', 0.6, 'en'],
      ['Wie schneide ich, und welche Schritte braucht es?', 'Schritte', 0.7, 'de'],
    ] as const)
      assert.equal(answeredTo(question, lacked, rarity, language).answered, 'answer', question);
  });

  it('quotes what holds half of what the best one holds, six at most, and three about something else', () => {
    const query = readQuery('Which retries does the billing lane keep?', 'en');
    const words = query.words.map(({ word }) => word);
    const fates = words.map((word): WordFate => ({ word, fate: 'held', weight: 0.6 }));
    const holding = (count: number) => ({ source, text: `${count}`, lacks: words.slice(count) });
    const quotes = (...counts: readonly number[]): readonly string[] =>
      judge(query, fates, counts.map(holding), 'en').quoted.map(({ text }) => text);
    assert.deepEqual(quotes(1, 4, 1, 2), ['1', '4', '2']);
    assert.equal(quotes(...Array<number>(8).fill(4)).length, 6);
    assert.equal(quotes(...Array<number>(8).fill(0)).length, 3);
  });

  it('is the nearest at least where no folder was searched', () => {
    const query = readQuery('boiling point of ammonia', 'en');
    const { answered } = judge(query, [], [{ source, text: '', lacks: ['boiling', 'ammonia', 'point'] }], 'en');
    assert.equal(answered, 'nearest');
  });
});
