import { codeSegments, stripHidden } from './neutralize.ts';

/** A piece of a sentence: text to show, or the ids and addresses that stand at this place. */
export type Piece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'ids'; readonly ids: readonly string[] }
  | { readonly type: 'url'; readonly url: string }
  /** A marker that was not made from an id: a number or footnote that the writer invented. */
  | { readonly type: 'invented' };

const id = 'S[0-9a-f]{5,64}';
const joiner = '\\s*(?:[,;、，；&/|]|and|und|et|和)?\\s*';
const patterns = [
  String.raw`(?<escape>\\[\s\S])`,
  String.raw`!\[(?<alt>[^\]\n]*)\]\([^)\n]*\)`,
  String.raw`(?<open>[\[【(（])\s*(?:(?:sources?|src|ids?|来源)\s*[:：]?\s*)?(?<ids>${id}(?:${joiner}(?:\[?${id}\]?))*)\s*[\]】)）](?:\((?<idurl>[^)\s]*)\))?`,
  String.raw`\[(?<label>[^\[\]\n]+)\]\((?<href>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+["'][^"'\n]*["'])?\)`,
  String.raw`(?<number>\[\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*\])`,
  String.raw`(?<footnote>\[\^[\w-]+\])`,
  String.raw`<(?<auto>https?:\/\/[^<>\s]+)>`,
  String.raw`(?<bare>(?:https?:\/\/|www\.(?=[\w-]+\.\w))[^\s<>"'”’」』）】\]|\x60]+)`,
  String.raw`(?<![\p{L}\p{N}_-])(?<bareid>${id})(?![\p{L}\p{N}_-])`,
  String.raw`(?<angle>[<>])`,
].join('|');

/**
 * Reads one unit (a sentence, a heading, a table cell) that a model wrote. Raw HTML is escaped, images become their
 * alternative text, hidden characters go.
 */
export function parseUnit(markdown: string): Piece[] {
  const pieces: Piece[] = [];
  for (const segment of codeSegments(stripHidden(markdown))) {
    if (segment.code) {
      // Ids that a model puts into code marks are ids all the same.
      const ids = new RegExp(`^\`+\\s*\\[?(${id})\\]?\\s*\`+$`).exec(segment.text)?.[1];
      pieces.push(ids ? { type: 'ids', ids: [ids] } : { type: 'code', text: segment.text });
    } else parsePlain(segment.text, pieces);
  }
  return pieces;
}

function parsePlain(text: string, pieces: Piece[]): void {
  const pattern = new RegExp(patterns, 'gu');
  let from = 0;
  const addText = (part: string): void => {
    if (part === '') return;
    const last = pieces.at(-1);
    if (last?.type === 'text') pieces[pieces.length - 1] = { type: 'text', text: last.text + part };
    else pieces.push({ type: 'text', text: part });
  };
  for (const match of text.matchAll(pattern)) {
    addText(text.slice(from, match.index));
    from = match.index + match[0].length;
    const groups = match.groups ?? {};
    if (groups.escape !== undefined) addText(groups.escape === '\\<' ? '&lt;' : groups.escape);
    else if (groups.alt !== undefined) addText(groups.alt);
    else if (groups.ids !== undefined) pieces.push({ type: 'ids', ids: groups.ids.match(new RegExp(id, 'g')) ?? [] });
    else if (groups.label !== undefined) parseLink(groups.label, groups.href ?? '', pieces, addText);
    else if (groups.number !== undefined || groups.footnote !== undefined) pieces.push({ type: 'invented' });
    else if (groups.auto !== undefined) pieces.push({ type: 'url', url: groups.auto });
    else if (groups.bare !== undefined) {
      const url = groups.bare.replace(/[.,;:!?。，；：！？)*_]+$/u, '');
      pieces.push({ type: 'url', url: url.startsWith('www.') ? `https://${url}` : url });
      addText(groups.bare.slice(url.length));
    } else if (groups.bareid !== undefined) pieces.push({ type: 'ids', ids: [groups.bareid] });
    else addText(groups.angle === '<' ? '&lt;' : '>');
  }
  addText(text.slice(from));
}

function parseLink(label: string, href: string, pieces: Piece[], addText: (part: string) => void): void {
  const labelId = new RegExp(`^${id}$`).exec(label.trim())?.[0];
  if (labelId) {
    pieces.push({ type: 'ids', ids: [labelId] });
    return;
  }
  if (/^\^?\d{1,3}$/.test(label.trim())) {
    pieces.push({ type: 'url', url: href });
    return;
  }
  // An address as its own label is said once.
  if (!/^(?:https?:\/\/|www\.)/.test(label.trim())) addText(label.replace(/</g, '&lt;'));
  // In-page anchors and relative paths lead nowhere in the saved report: the label is enough.
  if (/^[a-z][a-z0-9+.-]*:/i.test(href)) pieces.push({ type: 'url', url: href });
}

/** The words of the pieces without markers and addresses: what figures and quotations are looked for in. */
export function visibleText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.type === 'text' || piece.type === 'code' ? piece.text : '')).join('');
}
