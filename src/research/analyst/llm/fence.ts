import type { Source } from '../../evidence/source.ts';
import type { ChatMessage } from '../../ports.ts';
import { withoutModelMarks } from './modelMarks.ts';
import { cutToTokens } from '../../text/estimateTokens.ts';

/** Every tag that encloses text in the prompts. */
const tags =
  'source|section|question|original|attached|asked|lookup|workspace|notes|missing|queries|others|discovered|previous|assumptions|disagreements|focus|calls|aim|discovery|leftout|remarks|limits|frame|points|draft|findings|report|result';
const fence = new RegExp(`<(?=\\s{0,20}/?\\s{0,20}(?:${tags})\\b)`, 'gi');

const ownFence = new RegExp(`<(/?)(${tags})(?=[ >])`, 'g');

/** A prompt with the run's mark in every fence. What a model said may hold no fence. */
export function marked(messages: readonly ChatMessage[], mark: string): readonly ChatMessage[] {
  if (mark === '') return messages;
  return messages.map((message) => {
    const { role, content } = message;
    return { ...message, content: role === 'assistant' ? defuse(content) : content.replace(ownFence, `<$1$2-${mark}`) };
  });
}

/**
 * Makes text from outside harmless inside a fence: nothing in it opens or closes one of our fences or is a mark of a chat
 * template or tool protocol, and no hidden characters are in it. Everything else stays, so that quotes can be found again.
 */
export function defuse(text: string): string {
  return withoutModelMarks(text).replace(fence, '‹');
}

export function fenced(tag: string, text: string, attributes: Readonly<Record<string, string>> = {}): string {
  const listed = Object.entries(attributes).map(([name, value]) => ` ${name}="${attribute(value)}"`);
  return `<${tag}${listed.join('')}>\n${defuse(text).trim()}\n</${tag}>`;
}

/** The block, or nothing when there is no text. */
export function fencedOrNone(tag: string, text: string): string {
  return text.trim() === '' ? '' : fenced(tag, text);
}

/** A source as a prompt shows it: id, what is known about it on one line, and the passages given. */
export function fencedSource(source: Source, passages: string): string {
  return fenced('source', `${sourceLine(source)}\n${passages.trim() === '' ? '(only the title is known)' : passages}`, {
    id: source.id,
    kind: source.kind,
  });
}

/** `[S3f9a1] Title | authors | date | facts`, on one line. */
function sourceLine(source: Source): string {
  const authors =
    source.authors.length > 3 ? `${source.authors.slice(0, 3).join(', ')} et al.` : source.authors.join(', ');
  const place = source.file ? `${source.file.path}, lines ${source.file.firstLine}-${source.file.lastLine}` : '';
  const facts = [...source.facts, ...(source.alreadyCited ? ['cited in the workspace already'] : [])].join('; ');
  const parts = [oneLine(source.title), oneLine(authors), source.date ?? '', place, oneLine(facts)].filter(
    (part) => part !== '',
  );
  return `[${source.id}] ${cutToTokens(parts.join(' | '), 120)}`;
}

/** Untrusted text on one line, for titles and list items outside of a fence. */
export function oneLine(text: string): string {
  return defuse(text).replace(/\s+/g, ' ').trim();
}

/** A question is given whole up to this length, in tokens; what no prompt has room for is not. */
const longestQuestion = 3_500;
const shortestQuestion = 150;

/** A person's question as prompts show it: whole, unless it is longer than any question needs to be, or than there is room for. */
export function questionText(text: string, tokens = Infinity): string {
  const clean = defuse(text).trim();
  const most = Math.max(shortestQuestion, Math.min(longestQuestion, Math.floor(tokens)));
  if (cutToTokens(clean, most).length === clean.length) return clean;
  // What is asked is at the beginning or at the end.
  const head = cutToTokens(clean, Math.floor(most * 0.8));
  const tail = [...clean.slice(-Math.floor(most * 0.2))].slice(1).join('');
  return `${head}\n[…]\n${tail}`;
}

function attribute(value: string): string {
  return oneLine(value).replaceAll('"', "'").replace(/[<>]/g, ' ').slice(0, 200);
}
