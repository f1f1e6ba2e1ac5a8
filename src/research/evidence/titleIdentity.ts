/** Titles that say what a text is in its volume, not what it is about. */
const ofVolume =
  /^(?:introduction (?:to the|special)|editorial|preface|foreword|guest editor|book review|front matter|table of contents|proceedings|errat|corrigend|correction|author index|reply|response to)/;
const leastWords = 3;
const leastLength = 20;
const mostNames = 4;

/**
 * Identities of a paper by title and first author, for records that name no common id: the preprint and the journal's version.
 * One for each part of the author's name, since services order and shorten them differently.
 */
export function paperTitleIdentities(title: string, authors: readonly string[]): string[] {
  const key = nameWords(title).join(' ');
  if (key.length < leastLength || key.split(' ').length < leastWords || ofVolume.test(key)) return [];
  const names = nameWords(authors[0] ?? '').filter((name) => name.length > 1);
  return names.slice(0, mostNames).map((name) => `paper:${key}/${name}`);
}

function nameWords(text: string): string[] {
  return (
    text
      .slice(0, 500)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
