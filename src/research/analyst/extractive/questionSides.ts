import { askingWords, aspectThenSubject, conjunctions, strip, subjectOf } from './questionSubject.ts';

/** How a question says that it compares. */
export const comparison =
  /\bvs\.?(?![\p{L}\p{N}])|\bversus\b|(?<!\b(?:finite|central|time|temporal|potential) )\bdifferences?\b|\bdiffer(?:s|ent from)?\b|\bcompar(?:e|es|ed|ing|ison|isons)\b|\btrade-?offs? between\b|\b(?:dis)?advantages? of .{1,60} over\b|\bbenefits? of .{1,60} over\b|\bwhich (?:one )?is (?:better|faster|best)\b|\bshould (?:i|we|you|one) (?:use|choose|pick|take|prefer) .{1,60} or |^\W*(?:is|are|does|do|can) .{2,60} (?:faster|slower|better|worse|cheaper|safer|larger|smaller|harder|easier|more \p{L}+|less \p{L}+) than |对比|區別|区别|比較|比较|差异|差別|差别|哪个更|違い|どちら|차이|비교|الفرق|قارن|مقارنة|разниц|сравн|отличи[ея]|отлича|unterschied|vergleich|différence|compar(?:er|aison|atif)|diferencia|comparar|comparaci|diferença|differenz|confront/iu;

const sidePatterns: readonly RegExp[] = [
  /\b(?:differences?|comparison|differs?|choose|choosing|decide|trade-?offs?|distinction)\b.{0,40}?\bbetween (.+)$/iu,
  /\b(?:(?:dis)?advantages?|benefits?) of (.+?) over (.+)$/iu,
  /\bhow (?:do|does|is|are) (.+?) (?:differ|different|compare)(?: (?:from|to|with) (.+))?$/iu,
  /\b(?:compare|comparing|comparison of) (.+)$/iu,
  /\bwhich (?:one )?is (?:\p{L}+ ){0,3}(?:better|faster|best|cheaper)[^,:]{0,40}[,:]? (.+? or .+)$/iu,
  /\bshould (?:i|we|you|one) (?:use|choose|pick|take|prefer) (.+? or .+)$/iu,
  /^\W*(?:is|are|does|do|can) (.+?) (?:\p{L}+ )?(?:faster|slower|better|worse|cheaper|safer|larger|smaller|harder|easier|(?:more|less) \p{L}+) than (.+)$/iu,
  /(?:对比|比较|比較)(?:一下)?(?<=[对比较較一下])\s*(.+?(?:和|与|跟|及|、|與).+)$/u,
  /^(.+?(?:和|与|跟|及|與|、|还是|と).+?)(?:之间)?(?:的|の)?(?:主要|本质)?(?:区别|區別|对比|比较|比較|差异|差別|差别|違い|优缺点|哪个更).*$/u,
  /^(.+?(?:와|과|랑|하고) .+?)(?:의|을|를)?\s*(?:차이|비교).*$/u,
  /(?:разниц\p{L}* между|сравн\p{L}*|отличи\p{L}* между) (.+)$/iu,
  /чем (.+? отлича\p{L}+ от .+)$/iu,
  /(?:unterschied\p{L}* zwischen|vergleich\p{L}*(?: von| zwischen)?) (.+)$/iu,
  /(?:différences? entre|compar\p{L}*(?: entre)?) (.+)$/iu,
  /(?:diferencias? entre|compar\p{L}*(?: entre)?|diferenças? entre|differenz\p{L}* tra|confront\p{L}*(?: tra)?) (.+)$/iu,
  /(?:الفرق بين|قارن بين|مقارنة بين) (.+)$/u,
];
const sideSeparator =
  /\s*,\s*(?:and|or|und|et|y|и)?\s+|\s+(?:vs\.?|versus|and|or|with|to|against|und|oder|mit|et|ou|avec|y|o|con|e|и|или|от|с|with respect to)\s+|\s+отлича\p{L}+ от\s+|\s+و\s?|\s*(?:和|与|跟|及|與|、|还是)\s*|(?<=[\p{Script=Han}\p{Script=Katakana}A-Za-z0-9])と|(?<=\S)(?:와|과|랑|하고)\s+/iu;

/** Begins a clause that asks something more. */
const nextClause = new RegExp(`(?:[,;]?\\s+(?:${conjunctions})|[:;,])\\s+(?=(?:${askingWords})(?:\\s|$))`, 'iu');
/** What a side of its own cannot be: a question. */
const questionStart = new RegExp(`^(?:can|${askingWords})(?:\\s|$)`, 'iu');

/** The clause that holds the comparison tells the sides; a clause before it says what a pronoun in it stands for. */
export function sidesOf(text: string): readonly string[] {
  const cleaned = text.replace(/[?？!！.。؟]+\s*$/u, '');
  const clauses = cleaned.split(nextClause);
  const at = clauses.findIndex((clause) => comparison.test(clause));
  const before = at > 0 ? subjectOf(clauses[at - 1]!) : undefined;
  const sides = at < 0 ? [] : sidesOfClause(clauses[at]!, before?.isPhrase ? before.subject : '');
  return sides.length > 1 || clauses.length === 1 ? sides : sidesOfClause(cleaned, '');
}

/** `antecedent` is what "it" stands for; "" when nothing tells. */
function sidesOfClause(clause: string, antecedent: string): readonly string[] {
  const tidySides = (parts: readonly (string | undefined)[]): string[] =>
    distinctSides(
      parts.map((part, index) => tidySide(part ?? '', index === 0, index === parts.length - 1)),
      antecedent,
    );
  const versus = clause.split(/\s+(?:vs\.?|versus)\s+/iu);
  if (versus.length > 1) return withHead(tidySides(versus));
  for (const pattern of sidePatterns) {
    const found = pattern.exec(clause);
    if (!found) continue;
    const parts = found
      .slice(1)
      .filter((part) => part !== undefined)
      .flatMap((part) => part.split(sideSeparator));
    const sides = withHead(tidySides(parts));
    if (sides.length > 1) return sides;
  }
  return [];
}

const adjective =
  /^(?:dense|sparse|naive|soft|hard|static|deep|shallow|sync|async|eager|lazy|open|closed|early|late|strong|weak|long|short|fast|slow|small|large|single|\p{L}+(?:al|ive|ous|ic|able|ible|less))$/u;

/** "dense and sparse retrieval" are dense retrieval and sparse retrieval. */
function withHead(sides: readonly string[]): readonly string[] {
  const [first = '', ...head] = sides.at(-1)?.split(' ') ?? [];
  const others = sides.slice(0, -1);
  return head.length > 0 && [first, ...others].every((word) => adjective.test(word))
    ? [...others.map((word) => `${word} ${head.join(' ')}`), sides.at(-1)!]
    : sides;
}

function tidySide(part: string, isFirst: boolean, isLast: boolean): string {
  let side = strip(part);
  // "A vs B for C": what follows the last side is the setting, not the side.
  if (isLast)
    side = side.replace(
      /\s+(?:for|in|when|as|on|with regard to|in terms of|regarding|für|bei|pour|dans|para|en|для|в|في)\s.+$/iu,
      '',
    );
  if (isFirst) {
    side = side.replace(/^.*\b(?:between|compare|comparing)\s+/iu, '');
    // "pros and cons of A vs B": what is asked of both.
    side = aspectThenSubject.exec(side)?.[2] ?? side;
  }
  return strip(side)
    .replace(/(?:的|の|의)?(?:区别|對比|对比|比较|比較|差异|違い|차이|비교).*$/u, '')
    .trim();
}

function distinctSides(tidied: readonly string[], antecedent: string): string[] {
  const named = tidied.map((side) => (/^(?:it|they|them|this|that)$/iu.test(side) ? antecedent : side));
  const sides = named.filter((side) => side !== '' && side.length <= 60 && !questionStart.test(side));
  const distinct = [...new Map(sides.map((side) => [side.toLowerCase(), side])).values()];
  return distinct.length > 1 ? distinct.slice(0, 5) : [];
}
