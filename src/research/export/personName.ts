/** A name in the form of CSL: parts of a person's, or one that must stay as it is. */
export type CslName =
  | {
      readonly family: string;
      readonly given: string;
      readonly 'non-dropping-particle'?: string;
      readonly suffix?: string;
    }
  | { readonly literal: string };

const organisation =
  /\b(?:collaborations?|teams?|groups?|consortium|projects?|institut(?:e|es|ion|o)|universit(?:y|ies|ät|é)|laborator(?:y|ies)|labs?|inc|ltd|llc|gmbh|corp|corporation|company|foundation|society|association|committee|council|organi[sz]ation|agency|department|ministry|cent(?:er|re)|initiative|network|community|contributors|developers|authors|maintainers|research|ai|et al)\b/i;
/** Scripts in which the family name comes first, or is not set apart. */
const otherOrder = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const suffixes = /^(?:jr|sr|ii|iii|iv)\.?$/i;

/**
 * Takes a name apart. "Ludwig van der Berg" has a particle, "Berg, Ludwig" is in order already; an organisation, a single
 * name, a login and anything doubtful stay whole.
 */
export function personName(name: string): CslName {
  const text = name.replace(/\s+/g, ' ').trim();
  const literal = { literal: text };
  const commas = text.split(', ');
  const legal = commas.length > 1 && organisation.test(commas.at(-1)!);
  if (legal || organisation.test(text) || otherOrder.test(text) || /[\d@/&:;()[\]{}"]|(?:^|\s)and(?:\s|$)/i.test(text))
    return literal;
  if (commas.length > 3 || commas.some((part) => part.trim() === '')) return literal;
  if (commas.length === 1 && /[^,],[^,]/.test(text)) return literal;
  const suffix = commas.find((part, index) => index > 0 && suffixes.test(part));
  const parts = commas.filter((part) => part !== suffix);
  if (parts.length === 3) return literal;
  if (parts.length === 2) return withParticle(parts[0]!.split(' '), parts[1]!, suffix);
  const words = parts[0]!.split(' ');
  const trailing = suffix === undefined && words.length > 2 && suffixes.test(words.at(-1)!) ? words.pop() : suffix;
  if (words.length < 2) return literal;
  // The family name begins at the first particle behind a given name, else at the last word.
  const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && isParticle(word));
  const at = particle > 0 ? particle : words.length - 1;
  return withParticle(words.slice(at), words.slice(0, at).join(' '), trailing);
}

function withParticle(family: readonly string[], given: string, suffix: string | undefined): CslName {
  const length = Math.min(
    family.findIndex((word) => !isParticle(word)),
    family.length - 1,
  );
  const at = Math.max(0, length);
  return {
    family: family.slice(at).join(' '),
    given,
    ...(at > 0 ? { 'non-dropping-particle': family.slice(0, at).join(' ') } : {}),
    ...(suffix === undefined ? {} : { suffix }),
  };
}

/** BibTeX takes the same words for particles: those that begin with a small letter. */
function isParticle(word: string): boolean {
  return /^\p{Ll}/u.test(word);
}
