/** Words about the wish, not the subject: a paper seldom holds them all. */
const wishWords = new Set(
  `arxiv paper papers article articles publication publications literature preprint preprints recent recently latest newest new best good top main major important key
  popular overview introduction explain explanation detail details example examples list different various current state-of-the-art vs versus`.split(/\s+/),
);
/** Words that a paper may put in another way: the first to be dropped. */
const weakWords = new Set(
  `technique techniques method methods approach approaches way ways strategy strategies tool tools using use used based application applications challenge challenges
  problem problems solution solutions advantage advantages disadvantage disadvantages limitation limitations comparison compare difference differences improve improving
  improvement improvements work works issue issues trend trends impact effect effects role type types kind kinds research study studies
  framework frameworks library libraries project projects system systems implementation implementations package packages software open source open-source`.split(/\s+/),
);

/** Whether a word speaks of the answer that is wanted ("latest", "overview", a year), not of its subject. */
export function isWishWord(word: string): boolean {
  return wishWords.has(word.toLowerCase()) || /^(19|20)\d\d$/.test(word);
}

/** Whether a word could well be put in another way, or left out. */
export function isWeakWord(word: string): boolean {
  return weakWords.has(word.toLowerCase()) || wishWords.has(word.toLowerCase());
}

/** How much a word or phrase says about the subject: names and compounds first, weak words last. */
export function subjectWeight(value: string): number {
  if (isWeakWord(value)) return -1;
  const name = /(?=.*\p{L})\p{N}|\p{L}\p{Lu}|^\p{Lu}(?=\p{Ll})/u.test(value) ? 6 : 0;
  const compound = /[\s-]/.test(value) ? 4 : 0;
  return name + compound + Math.min(value.length, 14) / 2;
}
