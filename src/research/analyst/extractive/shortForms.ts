import { stopwords } from '../../text/stopwords.ts';

/** "retrieval-augmented generation" -> "RAG": the short form that texts use beside the long one; "" for fewer than three words. */
export function acronymOf(keywords: string): string {
  const words = keywords
    .split(/[\s-]+/)
    .filter((word) => /^[a-z]+$/i.test(word) && !stopwords.get('en')!.has(word.toLowerCase()));
  if (words.length < 3 || words.length > 6 || words.length < keywords.split(/[\s-]+/).length) return '';
  return words.map((word) => word.charAt(0).toUpperCase()).join('');
}

/** "RAG" -> "Retrieval-Augmented Generation", when one of the texts explains it: "… (RAG)"; "" when none does. */
export function longFormOf(acronym: string, texts: readonly string[]): string {
  if (!/^\p{Lu}{3,6}s?$/u.test(acronym)) return '';
  const letters = acronym.replace(/s$/, '').toLowerCase();
  for (const text of texts) {
    for (const { index } of text.slice(0, 50_000).matchAll(new RegExp(`\\(${acronym}s?\\)`, 'g'))) {
      const before = text
        .slice(Math.max(0, index - 120), index)
        .trim()
        .split(/[\s-]+/)
        .slice(-letters.length);
      if (
        before.length === letters.length &&
        before.every((word, i) =>
          word
            .replace(/^\P{L}+/u, '')
            .toLowerCase()
            .startsWith(letters[i]!),
        )
      ) {
        return before.join(' ').replace(/[^\p{L}\p{N} ]/gu, '');
      }
    }
  }
  return '';
}
