// Writes src/sources/words/public.br and terms.br: node scripts/publicWords.mjs FOLDER (after scripts/vocabulary.mjs)
//
// What software is called in public and described with: names of Debian's source packages, and words of the descriptions of its
// packages. FOLDER is where the indexes of a suite were saved, and lists of names that are not those of software:
//   apt-get -o Acquire::Languages=en update (with trixie main), then for amd64's Packages and for Translation-en
//   /usr/lib/apt/apt-helper cat-file FILE > Packages, > Translation-en
//   npm install --ignore-scripts @cspell/dict-companies@3.2.14 @cspell/dict-people-names@1.1.16 @faker-js/faker@10.6.0
// They are no dependencies of this project: what is needed of them is written here, once.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { decodeTrie } from 'cspell-trie-lib';
import { stem } from '../src/research/text/stem.ts';
import { fold } from '../src/research/text/tokenize.ts';

/** Sources whose descriptions have a term, and platforms whose interfaces do. */
const leastTerm = 40;
const leastPlatforms = 2;
/** Longer stems are names of several words, and half of the bytes. */
const longest = 16;

const folder = path.resolve(process.argv[2] ?? '.');
const installed = (file) => path.join(folder, 'node_modules', file);
const lists = new URL('../src/sources/words/', import.meta.url);
const listed = (list) => {
  const packed = fs.readFileSync(new URL(`${list}.br`, lists));
  return new Set(brotliDecompressSync(packed).toString('utf8').split('\n'));
};

/** Names of people, places and companies of some 70 countries, and proper names of the English dictionary. */
async function properNames() {
  const names = new Set();
  const add = (text) => {
    // An acronym is none of them, though a firm may be called by it.
    for (const name of text.match(/\p{Lu}[\p{L}\p{M}]+/gu) ?? []) if (/\p{Ll}/u.test(name)) names.add(stem(fold(name)));
  };
  const addAll = (value) => {
    if (typeof value === 'string') add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(addAll);
  };
  const english = new URL('../node_modules/@cspell/dict-en_us/en_US.trie.gz', import.meta.url);
  for (const word of decodeTrie(gunzipSync(fs.readFileSync(english))).words())
    if (/^\p{Lu}\p{Ll}+$/u.test(word)) add(word);
  add(fs.readFileSync(installed('@cspell/dict-people-names/dict/people-names.txt'), 'utf8'));
  add(fs.readFileSync(installed('@cspell/dict-companies/dict/companies.txt'), 'utf8'));
  const { allFakers } = await import(pathToFileURL(installed('@faker-js/faker/dist/index.js')));
  for (const { rawDefinitions } of Object.values(allFakers)) {
    const { person, location } = rawDefinitions;
    addAll([person, location?.city_name, location?.state, location?.county]);
  }
  return names;
}

/** The blocks of an index, each with its fields by name. */
function* blocksOf(file) {
  for (const block of fs.readFileSync(path.join(folder, file), 'utf8').split('\n\n')) {
    const fields = block.matchAll(/^([A-Z][\w-]*): ?(.*(?:\n .*)*)/gm);
    yield Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
  }
}

/** Where a package is from, in what its source is called. */
const ecosystem =
  /^(?:golang(?:-(?:github|gitlab)-[^-]+)?|python|node|ruby|rust|haskell|r-cran|r-bioc|php|elpa|fonts|lua|ocaml|lib(?=.*-(?:perl|java|clojure)$))-?/;
const isModule = /^(?:haskell|golang|r-)|-(?:perl|java)$/;
const kind = /-(?:perl|java|clojure|el|doc)$/;

function addPackages(add, sources) {
  for (const source of new Set(sources.values())) {
    const name = source
      .replace(/-?\d[\d.]*$/, '')
      .replace(kind, '')
      .replace(ecosystem, '');
    for (const part of source.split(/[^a-z\d]+/)) add(part);
    // Modules of these have names of several words, and are a third of all.
    if (!isModule.test(source)) add(name.replace(/[^a-z\d]+/g, ''));
  }
}

/** Two words of the dictionary that are joined may be a name of anything: NightOwl. */
function isOfWords(word) {
  const parts = word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return parts.length > 1 && parts.every((part) => known[0].has(stem(fold(part))));
}

/**
 * A word of the descriptions of two sources, of which one writes it as no name of a person or a place is: without a capital, in
 * capitals, or with one within. One source is enough for a word that looks coined. Terms are what many descriptions have.
 */
function addDescriptions(add, sources) {
  const found = new Map();
  for (const { Package: name, 'Description-en': text = '' } of blocksOf('Translation-en')) {
    for (const [word] of text.matchAll(/(?<![\w@./-])[A-Za-z\d]+(?:[_.'+-][A-Za-z\d]+)*(?![\w@])/g)) {
      const key = fold(word).replace(/[^a-z\d]+/g, '');
      const seen = found.get(key) ?? {
        all: new Set(),
        plain: new Set(),
        isNoName: false,
        isCoined: false,
        isJoined: false,
      };
      seen.all.add(sources.get(name));
      if (/^[a-z]+$/.test(word)) seen.plain.add(sources.get(name));
      seen.isNoName ||= !/^[A-Z][a-z]*$/.test(word);
      seen.isCoined ||= /[a-z][A-Z]|[A-Z]{2}|\d|_/.test(word);
      seen.isJoined ||= isOfWords(word);
      found.set(key, seen);
    }
  }
  for (const [word, { all, isNoName, isCoined, isJoined }] of found)
    if (!isJoined && (isCoined || (isNoName && all.size > 1))) add(word);
  return [...found].filter(([, { plain }]) => plain.size >= leastTerm).map(([word]) => word);
}

/** Words that the interfaces of several platforms are made of. */
function platformTerms() {
  const platforms = new Map();
  for (const file of ['golang/dict/go', 'node/dict/node', 'python/dict/python', 'typescript/dict/typescript']) {
    const list = new URL(`../node_modules/@cspell/dict-${file}.txt`, import.meta.url);
    for (const word of new Set(fs.readFileSync(list, 'utf8').match(/\b[a-z]+\b/g)))
      platforms.set(word, (platforms.get(word) ?? 0) + 1);
  }
  return [...platforms].filter(([, count]) => count >= leastPlatforms).map(([word]) => word);
}

const known = [listed('en'), listed('names'), await properNames()];
const words = new Set();
const add = (word) => {
  const stemmed = stem(word);
  const isWord = stemmed.length > 2 && stemmed.length <= longest && /[a-z]/.test(stemmed);
  if (isWord && known.every((list) => !list.has(stemmed))) words.add(stemmed);
};
const sources = new Map();
for (const { Package: name, Source: source = name } of blocksOf('Packages'))
  if (name) sources.set(name, source.split(' ')[0]);
addPackages(add, sources);
const terms = new Set([...addDescriptions(add, sources), ...platformTerms()]);
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
for (const [list, set] of Object.entries({ public: words, terms })) {
  const packed = brotliCompressSync([...set].sort().join('\n'), options);
  fs.writeFileSync(new URL(`${list}.br`, lists), packed);
  console.log(`${list}: ${set.size} words of ${sources.size} packages, ${Math.round(packed.length / 1000)} kB`);
}
