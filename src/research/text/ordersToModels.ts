import { stripHidden } from '../../markdown/hidden.ts';
import { orderWords, type OrderWords } from './orderWords.ts';
import { splitSentences } from './sentences.ts';

/** Replaces a sentence that addresses a model. */
export const leftOut = '[…]';
/** UTF-16 units that are checked at once: orders are shorter, and each piece takes a bounded time. */
const longest = 600;

/**
 * A text from outside without the sentences that give orders to the model which reads it. Lines stay lines.
 *
 * A sentence counts as one for what it does, not for its topic: it sets the reader's rules aside, gives it another role, asks for
 * its prompt, or speaks to a machine and asks for something. A sentence that quotes an order and says something about it
 * mentions it, and stays.
 */
export function withoutOrdersToModels(text: string): string {
  let clean = '';
  let kept = 0;
  for (const { start, end } of splitSentences(text))
    for (let at = start, next = at; at < end; at = next) {
      next = pieceEnd(text, at, end);
      const piece = text.slice(at, next);
      if (!ordersModel(piece)) continue;
      const order = piece.trim();
      clean += text.slice(kept, at) + piece.replace(order, leftOut + '\n'.repeat(order.split('\n').length - 1));
      kept = next;
    }
  clean += text.slice(kept);
  // What is left of a text of nothing but orders is no passage that a report could quote.
  return kept === 0 ? text : /\p{L}|\p{N}/u.test(clean) ? clean : '';
}

/** Where a piece of a long sentence ends: behind a line or a comma in its second half, else behind a word. */
function pieceEnd(text: string, start: number, end: number): number {
  if (end - start <= longest) return end;
  const half = text.slice(start + longest / 2, start + longest);
  const found = [/\n/, /[,;:，；：、]/, /\s/].map((ending) => half.search(ending)).find((at) => at >= 0);
  return start + longest / 2 + (found === undefined ? half.length : found + 1);
}

/** Whether one sentence gives an order to a model, however its words are disguised. */
export function ordersModel(sentence: string): boolean {
  return readings(sentence).some((reading) => isOrder(reading));
}

function isOrder(text: string): boolean {
  const orders = languages.filter(({ script }) => script.test(text)).flatMap(({ expressions }) => expressions);
  if (!orders.some((order) => order.test(text))) return false;
  const own = text.replace(quotation, ' «» ');
  return own === text || !/\p{L}{2}[^«]*\p{L}{2}/u.test(own) || orders.some((order) => order.test(own));
}

/** A part in quotation marks or code, with something before or after it. */
const quotation =
  /"[^"\n]{1,300}"|“[^“”\n]{1,300}[”“]|„[^“”„\n]{1,300}[“”]|«[^«»\n]{1,300}»|`[^`\n]{1,300}`|(?<![\p{L}\d])'[^'\n]{1,300}'(?!\p{L})|「[^「」\n]{1,300}」|『[^『』\n]{1,300}』/gu;

/** Letters of folded text of a language with spaces; `\p{L}`, which expressions repeat, takes longer to compile and to run. */
const letters = 'a-zß-\u024Fа-яё';

const languages = orderWords.map((words) => ({ script: new RegExp(words.script, 'u'), expressions: compiled(words) }));

function compiled(words: OrderWords): RegExp[] {
  const [open, close] = words.unspaced ? ['', ''] : [`(?<![${letters}\\d])`, `(?![${letters}\\d])`];
  const lead = words.unspaced
    ? ''
    : `(?:^[^${letters}]{0,12}|[,;:.!?>=*#"“„«(\\[{|\\]/-] ?|(?<![${letters}])(?:please|kindly|bitte|por favor|пожалуйста|and|und|et|y|и|then|now|must|should|shall|will now|instead|immediately|also|just|simply|first|to you|hereby) )`;
  const gap = words.unspaced ? '[^.!?。！？，、;\\n]{0,40}?' : '[^.!?;\\n]{0,50}?';
  const both = (verb: string, object: string): string =>
    words.verbLast
      ? `(?:${object})${gap}(?:${verb})`
      : `${lead}(?:${verb})${close}${words.unspaced ? '' : ' '}${gap}${open}(?:${object})`;
  return [
    both(words.setAside, words.rules),
    both(words.reveal, words.prompt),
    `(?:${words.machine}).{0,300}?${open}(?:${words.ask})${close}`,
    words.role,
  ].map((source) => new RegExp(source, 's'));
}

/** Letters of other scripts that look like Latin ones (Unicode's confusables, the small letters of them). */
const looksLike: Readonly<Record<string, string>> = Object.fromEntries(
  [...'аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwкkмmтtвbнhгrпnьbӏlαaεeοoρpυuνvιiκkτtγyηnωwᴀaɑaɡgıiɩiℓlսuոnօoѕs'].reduce<
    [string, string][]
  >((pairs, char, index, all) => (index % 2 === 0 ? [...pairs, [char, all[index + 1]!]] : pairs), []),
);
const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' };

/** The spaced letters of one word. */
const apart = /(?<!\p{L})\p{L}([ .\-_*])\p{L}(?!\p{L})(?:\1\p{L}(?!\p{L})){1,40}/gu;

/** A sentence as its words, and what else it may be read as: look-alikes, digits for letters, letters apart, encoded. */
function readings(sentence: string): string[] {
  const plain = folded(sentence);
  const all = [plain];
  if (/\p{sc=Latin}/u.test(plain) && /[\p{sc=Cyrillic}\p{sc=Greek}ᴀɑɡıɩℓօսո]/u.test(plain))
    all.push(plain.replace(/[\p{L}]/gu, (char) => looksLike[char] ?? char));
  if (/\p{L}[013457@$]|[013457@$]\p{L}/u.test(plain))
    all.push(plain.replace(/[013457@$]/g, (char) => digits[char] ?? char));
  const joined = sentence.replace(apart, (run) => run.replace(/[^\p{L}]/gu, ''));
  if (joined !== sentence) all.push(folded(joined));
  if (/\p{L}_\p{L}+_/u.test(plain)) all.push(plain.replaceAll('_', ' '));
  for (const [run] of stripHidden(sentence).matchAll(/[\w+/-]{24,}/g)) {
    const decoded = decodedText(run);
    if (decoded !== undefined) all.push(folded(decoded));
  }
  return all;
}

/** Lower case, one form of each letter, no accents, no emphasis, single blanks. */
function folded(text: string): string {
  const seen = /^[\n\x20-\x7e]*$/.test(text) ? text : unaccented(stripHidden(text).normalize('NFKC'));
  return seen
    .replace(/\n(?=[ \t]*\p{Lu})/gu, '; ')
    .toLowerCase()
    .replace(/\]\([^()\s]*\)/g, ']')
    .replace(/[*`~\\]+|(?<!\p{L})_|_(?!\p{L})|<[^<>\n]{0,40}>|[[\]]/gu, ' ')
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[—–‑]/g, '-')
    .replace(/[أإآ]/g, 'ا')
    .replace(/\s+/g, ' ')
    .trim();
}

function unaccented(text: string): string {
  return text
    .normalize('NFD')
    .replace(/(?<=[\p{sc=Latin}\p{sc=Arabic}])\p{Mn}+/gu, '')
    .normalize('NFC');
}

/** The text that a word in base64 or hexadecimal digits encodes; undefined when it is none. */
function decodedText(run: string): string | undefined {
  const bytes = /^(?:[\da-f]{2})+$/i.test(run)
    ? Uint8Array.from(run.match(/../g)!, (pair) => parseInt(pair, 16))
    : base64Bytes(run);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  return /[\uFFFD\u0000-\u0008]/.test(text) || !/\p{L}{2}/u.test(text) ? undefined : text.slice(0, longest);
}

function base64Bytes(run: string): Uint8Array | undefined {
  try {
    const body = run.replaceAll('-', '+').replaceAll('_', '/');
    return Uint8Array.from(atob(body), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
