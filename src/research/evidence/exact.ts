import { stripHidden } from '../../markdown/hidden.ts';
import { datesIn, type PlainDate } from './dates.ts';
import { detectLanguage } from '../text/language.ts';
import { trimEnd } from '../text/trimEnd.ts';
import { holdsQuote, isLongEnough, normalizeForQuote } from './quotes.ts';
import { asciiDigits, isDerived, isSame, quantitiesOf, type Quantity } from './quantities.ts';
import { unitOf } from './units.ts';

/** What a statement says that has to be in its passages as it is. Small numbers in words are left to the second reader. */
export interface Claims {
  readonly quantities: readonly Quantity[];
  readonly dates: readonly PlainDate[];
  /** Versions, numbers of documents, names of code, as {@link plainName} compares them. */
  readonly names: readonly string[];
  /** Quotations of at least three words. */
  readonly quotations: readonly string[];
  /** As {@link plainAddress} compares them. */
  readonly addresses: readonly string[];
}

/** A text in which claims are looked up. */
export interface Held {
  readonly quantities: readonly Quantity[];
  readonly dates: readonly PlainDate[];
  readonly names: ReadonlySet<string>;
  readonly addresses: ReadonlySet<string>;
  /** As {@link normalizeForQuote} gives it. */
  readonly text: string;
}

const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
const letter = String.raw`[[\p{L}\p{N}_]--[${unspaced}]]`;
const spacedName = new RegExp(String.raw`(${letter}{1,31}):? (\d{1,9}(?:[.,]\d{1,9})*)`, 'gv');

export const noClaims: Claims = { quantities: [], dates: [], names: [], quotations: [], addresses: [] };

/** Things that a writer counts in words. */
const mostCounted = 12;
/** Words of a quotation: fewer are a term, or said with distance. */
const leastQuoted = 3;

/** Marks of quotation that no apostrophe looks like. Which one opens is not said by its form: Germans write »so«, some ”so”. */
const quotationMark = /[“”„‟"«»‹›″״❝❞〝〞〟＂「」『』]|``|''/gu;
const openingMark = /^[“„‟«‹❝〝「『`]/u;
/** Single marks, where they are no apostrophes: at the beginning and the end of words. One alone begins a quotation behind a colon. */
const single = `[‘’‚‛'‵′´❛❜＇]`;
const singleQuotation = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${single}(?=\p{L})([^\n]{16,600}?)${single}(?![\p{L}\p{N}])|[:：]\s?${single}(?=\p{L})((?:(?!${single}(?![\p{L}\p{N}]))[^\n]){16,600})$`,
  'gu',
);
/** The end of a quotation that began in an earlier sentence. Behind an s it is more often a genitive. */
const singleEnd = new RegExp(
  String.raw`^((?:(?!(?<![\p{L}\p{N}])${single}(?=\p{L}))[^\n]){16,600}?[^s\s])${single}(?![\p{L}\p{N}])`,
  'u',
);
/** Whether a quotation is open between two sentences of a paragraph. */
export interface Quoting {
  isOpen: boolean;
}

/** @param quoting Of the paragraph so far; changed to what is open behind the statement. */
export function claimsIn(statement: string, quoting: Quoting = { isOpen: false }): Claims {
  const quotations = quotationsIn(statement, quoting);
  const addresses = addressesIn(statement);
  const bareStatement = addresses.reduce((text, one) => text.replace(one, ' '), statement);
  const { quantities, dates, names } = exactParts(bareStatement, detectLanguage(statement));
  return {
    // A writer counts too: "three approaches". What is measured or many stands in a passage.
    quantities: quantities.filter(
      ({ isSpelled, isDefinite, values }) => !isSpelled || isDefinite || values[0]! > mostCounted,
    ),
    ...{ dates, names: [...names], quotations },
    // A scheme alone names no place.
    addresses: addresses.map(plainAddress).filter((one) => one !== ''),
  };
}

/** `timeout_ms: 2500`, `"maxSizeMb": 256`, but `size_min: 3` is no time. */
const keyed =
  /((?<=[\p{L}\d]_)(?!min(?!\p{L}))\p{Ll}{1,12}|(?<=\p{Ll})(?!Min(?!\p{L}))\p{Lu}\p{Ll}{1,11})("?'?\s?[:=]\s?["']?\d+(?:[.,]\d+)*)/gu;

function withUnit(_: string, key: string, figure: string): string {
  return unitOf(key.toLowerCase()) === undefined ? key + figure : `${key}${figure} ${key.toLowerCase()}`;
}

const mostColumns = 100;
/** Fields of CSV begin without a space. */
const isCsvHead = /^(?:"?[\p{L}_][^,"]{0,40}"?(?:,(?!\s)|$)){3,}$/u;

/** What a table's fields are divided by, and the units that its heads name: `| Reads (ms) |`, `rain_mm`, `Глубина, м`. */
function columnsIn(
  line: string,
): { readonly mark: string; readonly units: readonly (string | undefined)[] } | undefined {
  const mark = ['|', ';', '\t', ','].find((one) => line.split(one).length > 2);
  if (mark === undefined || line.split(mark).length > mostColumns || (mark === ',' && !isCsvHead.test(line.trim())))
    return undefined;
  const units = line.split(mark).map((head) => {
    const unit = /(?:[(（]|, |_)(?!min(?:\)|$))([^()（）,_]{1,24})[)）]?"?$/u.exec(head.trim())?.[1];
    return unit !== undefined && quantitiesOf(`1 ${unit}`)[0]?.dimension ? unit : undefined;
  });
  return { mark, units };
}

/** The unit of a column is that of its figures; what a comma divides are no digits of one figure. */
function withColumnUnits(text: string): string {
  let columns: ReturnType<typeof columnsIn>;
  return text
    .split('\n')
    .map((line) => {
      const cells = line.split(columns?.mark ?? '\n');
      if (columns === undefined || cells.length === 1) {
        columns = columnsIn(line);
        return line;
      }
      // A field in quotation marks may have a comma of its own.
      if (cells.length !== columns.units.length) return line;
      const { mark, units } = columns;
      return cells
        .map((cell, at) =>
          units[at] !== undefined && /^\s*[-−–]?\d[\d.,  ]*$/.test(cell) ? `${cell.trimEnd()} ${units[at]} ` : cell,
        )
        .join(mark === ',' ? '; ' : mark);
    })
    .join('\n');
}

/** The numbers of a list's items say nothing; "12. März" alone is a date. */
function withoutItemNumbers(text: string): string {
  const item = /^[ \t]{0,8}(\d{1,3})[.)] /gm;
  const numbers = new Set([...text.matchAll(item)].map(([, number]) => Number(number)));
  const isOfList = (number: number): boolean => numbers.has(number - 1) || numbers.has(number + 1);
  return text.replace(item, (all, number: string) => (isOfList(Number(number)) ? '' : all));
}

export function heldIn(text: string): Held {
  const parts = exactParts(withoutItemNumbers(withColumnUnits(text)).replace(keyed, withUnit));
  // 14:05:09 is a time of day too.
  for (const [clock] of text.matchAll(/(?<!\d)\d{1,2}:\d\d(?=:\d\d)/g))
    for (const one of quantitiesOf(clock)) parts.quantities.push(one);
  // "HMAC-SHA256" is SHA-256, a "COVID-19-Verordnung" is about COVID-19.
  for (const [whole] of text.matchAll(run)) {
    const joined = whole.split(/[-\/]/);
    const last = joined.findLastIndex((part) => !/^\p{Lu}\p{Ll}{5,}$/u.test(part));
    for (const part of [joined.slice(0, last + 1).join('-'), ...joined])
      if (/\d/.test(part) && /\p{L}/u.test(part) && part.length > 3) parts.names.add(plainName(part));
  }
  // "Llama 3" is Llama-3.
  for (const [, word = '', number = ''] of text.matchAll(spacedName)) parts.names.add(plainName(word + number));
  // "sub-75ms", "Mistral-7B".
  for (const [, figure = ''] of text.matchAll(/[a-z]-(\d{1,9}(?:[.,]\d{1,9})*\p{L}{1,3})(?![\p{L}\p{N}])/giu))
    for (const one of quantitiesOf(figure)) parts.quantities.push(one);
  // "the top 20" is top-20, version 1.0 is ver1.0.
  for (const [, number = ''] of text.matchAll(/[a-z]-?(\d{1,9}(?:\.\d{1,9})*)(?![\p{L}\d]|\.\d)/giu))
    parts.names.add(number);
  const addresses = new Set(addressesIn(text).map(plainAddress));
  // What a link leads to is named without it: "arXiv:2312.17149".
  for (const address of addresses)
    for (const part of [address.slice(address.indexOf('/') + 1), ...address.split('/'), ...address.split(/[.:/]/)])
      parts.names.add(plainName(part));
  // "doi:10.1007/s10712".
  for (const name of [...parts.names]) if (name.includes(':')) parts.names.add(name.slice(name.indexOf(':') + 1));
  return { ...parts, addresses, text: normalizeForQuote(text) };
}

/** Looks claims up in the given texts together. The rest is in none of them. */
export function notHeld(claims: Claims, held: readonly Held[]): Claims {
  if (isNothing(claims)) return claims;
  const hasYear = (year: number): boolean =>
    held.some(
      ({ quantities, dates }) =>
        dates.some(({ y }) => y === year) || quantities.some((one) => !one.isDefinite && one.values.includes(year)),
    );
  const isHeldDate = (said: PlainDate): boolean =>
    (said.m === undefined && said.y !== undefined && hasYear(said.y)) ||
    held.some(({ dates }) =>
      dates.some(
        (one) =>
          (said.m === undefined || one.m === said.m) &&
          (said.d === undefined || one.d === said.d) &&
          (said.y === undefined || one.y === said.y || (one.y === undefined && hasYear(said.y))),
      ),
    );
  return {
    quantities: claims.quantities.filter(
      (said) =>
        !held.some(
          ({ quantities, dates, names }) =>
            quantities.some((one) => isSame(said, one)) ||
            (!said.isDefinite && names.has(said.raw)) ||
            (said.isYear && dates.some(({ y }) => y === said.values[0])),
        ),
    ),
    // A day and a month in doubtful order are two dates, of which one is meant.
    dates: claims.dates.filter(
      (said) => !claims.dates.some((one) => (one === said || isOtherOrder(one, said)) && isHeldDate(one)),
    ),
    names: claims.names.filter(
      (name) =>
        !held.some(({ names, quantities }) =>
          [name, name.slice(name.indexOf(':') + 1)].some(
            (one) => names.has(one) || quantities.some(({ raw }) => raw === one),
          ),
        ),
    ),
    addresses: claims.addresses.filter(
      (said) =>
        !held.some(({ addresses, text }) =>
          said.includes('/') ? [...addresses].some((one) => leadsTo(one, said)) : isWholeIn(text, said),
        ),
    ),
    quotations: claims.quotations.filter((quote) => !held.some(({ text }) => holdsQuote(bare(quote), text))),
  };
}

function isOtherOrder(one: PlainDate, other: PlainDate): boolean {
  return one.start === other.start && one.m === other.d && one.d === other.m;
}

/** A quotation without what its writer may change: a bracketed letter at its beginning, marks at its end. */
function bare(quote: string): string {
  return trimEnd(quote.replace(/^\[(\p{L})\]/u, '$1'), '.,;:!?…。，');
}

/** Whether all of the statement's claims are in its passages. */
export function exactCheck(statement: string, passages: readonly string[]): boolean {
  const claims = claimsIn(statement);
  return isNothing(claims) || isNothing(notHeld(claims, passages.map(heldIn)));
}

export function isNothing({ quantities, dates, names, quotations, addresses }: Claims): boolean {
  return quantities.length + dates.length + names.length + quotations.length + addresses.length === 0;
}

/** Whether what is open are figures alone, and each the sum, difference, ratio or change in percent of two others that are known. */
export function follows(open: Claims, claims: Claims, held: readonly Held[]): boolean {
  if (!isNothing({ ...open, quantities: [] })) return false;
  const known = [...held.flatMap(({ quantities }) => quantities), ...claims.quantities].filter(
    (one) => !open.quantities.includes(one),
  );
  const dates = [...held, claims].flatMap((one) => one.dates);
  const days = [...dates, ...known.flatMap(({ isYear, values: [y] }) => (isYear && y !== undefined ? { y } : []))];
  return open.quantities.every((said) => isDerived(said, known) || isBetween(said, days));
}

const daysOfMonth = 30.437;

/** Whether a length of time lies between two of the dates, as precisely as they are given. */
function isBetween({ dimension, values, factor }: Quantity, dates: readonly Partial<PlainDate>[]): boolean {
  if (dimension !== 'time' && dimension !== 'months') return false;
  const unit = dimension === 'months' ? factor * daysOfMonth : factor / 86_400;
  const days = dates.flatMap(({ y, m = 1, d = 1 }) => (y === undefined ? [] : (y * 12 + m - 1) * daysOfMonth + d));
  return days.some((a) => days.some((b) => a > b && values.some((value) => Math.abs(a - b - value * unit) <= unit)));
}

/** Whether an address is the other one, or what is below it: a part, a version, a query. */
function leadsTo(one: string, said: string): boolean {
  return one.startsWith(said) && /^(?:$|[/?#@:]|\.git$)/.test(one.slice(said.length));
}

/** Whether a host or an address of mail is in a text, and not as a part of a longer one. */
function isWholeIn(text: string, said: string): boolean {
  for (let at = text.indexOf(said); at >= 0; at = text.indexOf(said, at + 1)) {
    const isBegun = /[\p{L}\p{N}@_-]$|(?<!\bwww)\.$/u.test(text.slice(Math.max(0, at - 4), at));
    if (!isBegun && !/^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u.test(text.slice(at + said.length))) return true;
  }
  return false;
}

/** Up to a mark that Markdown or a sentence sets around it, or a character of a script without spaces. Linear. */
const address =
  /(?:\b[a-z][a-z\d+.-]{1,15}:\/\/|\bwww\.)[^\s<>"'“”‘’`|[\]{}\\…—\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFFEF]+/giu;

/** An address of mail, or a host with at least three labels: two are also a file, a method or a product ("Next.js"). Linear. */
const mailOrHost =
  /(?<![\w@.\/+-])(?:[\w+-]{1,64}(?:\.[\w+-]{1,64}){0,4}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63}){1,4}|[a-z][a-z\d-]{1,62}(?:\.[a-z][a-z\d-]{1,62}){2,4})(?![\w@-])/g;

function addressesIn(text: string): string[] {
  return [...text.matchAll(address), ...text.matchAll(mailOrHost)].map(([one]) =>
    trimEnd(one.split(')(', 1)[0]!, "])}.,;:!?'*。，、"),
  );
}

/** Without what leads to the same page: scheme, "www.", the case of the host, a slash at the end. */
function plainAddress(written: string): string {
  const bare = trimEnd(written.replace(/^https?:\/\//i, '').replace(/^www\./i, ''), '/');
  const [host = ''] = bare.split('/', 1);
  // What follows a comma there is the next word of a Chinese sentence.
  if (/[,;]/.test(host)) return plainAddress(host.split(/[,;]/, 1)[0]!);
  const end = bare.indexOf('/');
  return end < 0 ? bare.toLowerCase() : bare.slice(0, end).toLowerCase() + bare.slice(end);
}

/** What is between two marks, and between one mark and the end where the other one is in another sentence. Linear. */
function quotationsIn(text: string, quoting: Quoting): string[] {
  const found: string[] = [];
  let from = quoting.isOpen ? 0 : -1;
  for (const { 0: mark, index } of text.matchAll(quotationMark)) {
    const end = index + mark.length;
    if (from >= 0) found.push(text.slice(from, index));
    // Not a mark of inches, nor one that is left over.
    const opens =
      openingMark.test(mark) || (!/[\p{L}\p{N}]$/u.test(text.slice(0, index)) && /^\S/.test(text.slice(end)));
    from = from < 0 && opens ? end : -1;
  }
  if (from >= 0) found.push(text.slice(from));
  quoting.isOpen = from >= 0;
  const singles = [...text.matchAll(singleQuotation)].map(([, whole, begun = '']) => whole ?? begun);
  if (singles.length === 0) singles.push(singleEnd.exec(text)?.[1] ?? '');
  return [...found, ...singles].map((quote) => quote.trim()).filter((quote) => isLongEnough(quote, leastQuoted));
}

/** A run of letters and digits with marks inside. Linear: each mark is followed by a letter or digit. */
const run = new RegExp(String.raw`${letter}+(?:[.,\/:@#+‐‑\-]${letter}+)*(?:\(\))?`, 'gv');

/** The figures, dates and names of a text. Each run of characters with a digit is one of them. Linear. @param language See {@link quantitiesOf}. */
function exactParts(
  written: string,
  language?: string,
): Pick<Held, 'dates'> & { readonly quantities: Quantity[]; readonly names: Set<string> } {
  const said = stripHidden(written)
    .replace(/(?<=\d)T(?=\d\d:\d\d)|(?<=:\d\d)Z(?![\p{L}\d])/gu, ' ')
    .replace(/(?<![\d:.,])(0?[1-9]|1[0-2])(:[0-5]\d)\s?([ap])\.?m(?:\.|(?!\p{L}))/giu, inDayHours)
    .replace(
      /(?:(上午|早上|午前|오전)|下午|晚上|午後|오후)\s?(\d{1,2})(?:[点點時时시]\s?(?:(\d{1,2})[分분])?|:(\d\d))/gu,
      (_, morning: string | undefined, hour: string, minutes: string | undefined, colon: string | undefined) =>
        inDayHours('', hour, `:${(colon ?? minutes ?? '0').padStart(2, '0')}`, morning ? 'a' : 'p'),
    );
  // Raised and lowered figures, and fractions, are no further digits of the number before them.
  const apart = said.replace(/(?<=\p{Nd})(?=[\u00B2\u00B3\u00B9\u00BC-\u00BE\u2070-\u2089\u2150-\u215E])/gu, ' ');
  const text = asciiDigits(apart.normalize('NFKC'));
  const dates = datesIn(text);
  const undated = blanked(text, dates);
  const named = [...undated.matchAll(run)].filter(([word]) => isName(word) && unitOf(word) === undefined);
  const rest = blanked(
    undated,
    named.map(({ 0: word, index }) => ({ start: index, end: index + word.length })),
  );
  return {
    quantities: quantitiesOf(rest, language),
    dates,
    names: new Set([
      ...named.map(([word]) => plainName(withoutWords(word))).filter(isTelling),
      // Options of a command.
      ...[...rest.matchAll(/(?<=^|[\s`'"(])(?:--[a-z][a-z\d]*(?:[-._][a-z\d]+)*|-[a-z]\d?)(?![\p{L}\p{N}-])/giu)].map(
        ([option]) => option,
      ),
      // "#973" is no quantity.
      ...[...rest.matchAll(/[#@\/\\_](\d+(?:[.,]\d+)*)/g)].map(([, number = '']) => number),
    ]),
  };
}

/** 6:30 pm is 18:30. */
function inDayHours(_: string, hour: string, minutes: string, half: string): string {
  return `${(Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)}${minutes} `;
}

function blanked(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let out = '';
  let at = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    out += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return out + text.slice(at);
}

/** Whether a run of letters, digits and marks is a name that can't be said in other words. */
function isName(word: string): boolean {
  // Numbers without digits: ❾, Ⅸ of scripts that have no other form. They are compared as they are.
  if (/[\p{Nl}\p{No}]/u.test(word)) return true;
  if (!isTelling(word) || /^\d{1,2}(?:h\d\d|:\d\d:\d\d(?:[.,]\d+)?)$/.test(word)) return false;
  if (!/\d/.test(word)) return /_|\(\)$|(?:^|[.:])\p{Ll}+\p{Lu}\p{Ll}/u.test(word) && /\p{L}{2}/u.test(word);
  // A figure, with a unit or a word behind it, or two of them: "12ms", "5-year", "1,250.5", "10-20", "1/3".
  if (/^\d+(?:[.,]\d+)*[-‐‑]?\p{L}*(?:(?:\/\p{L}+)+|-\p{Ll}{3,})?$/u.test(word))
    return /^\d+\.\d+\.\d/.test(word) && !/^\d{1,3}(?:\.\d{3})+\D*$/.test(word);
  return !/^\d+(?:[.,]\d+)*[-‐‑/:]\d+(?:[.,]\d+)*\p{L}*$/u.test(word);
}

/** "s1", "A4" are names of too much; "v2" is a version. */
function isTelling(name: string): boolean {
  return !/^[\p{L}\p{N}]{1,2}$/u.test(name) || /^v?\d$/i.test(name);
}

/** A name without the words that it is joined to: "GPT-4-based" is about GPT-4. */
function withoutWords(word: string): string {
  const parts = word.split('-');
  const last = parts.findLastIndex((part) => !/^\p{L}\p{Ll}{2,}$/u.test(part));
  const short = parts.slice(0, last + 1).join('-');
  return /\d/.test(short) ? short : word;
}

/** Without case, the joints of a name and the "v" of a version. */
function plainName(word: string): string {
  return word
    .toLowerCase()
    .replace(/\(\)$/, '')
    .replace(/[-‐‑_]/g, '')
    .replace(/^v(?=\d)/, '');
}
