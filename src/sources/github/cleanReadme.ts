import { decodeHTMLStrict } from 'entities';

// Every repetition below is bounded or stops at the next bracket: hostile text costs no more than its length.
/** Badges, logos and pictures, also one whose bracket was forgotten. */
const image =
  /!\[[^\]]{0,400}\](?:\([^()\s\]]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200}){0,3}(?:\s+"[^"\n]{0,200}")?(?:\)|(?=[\s\]]|$))|\[[^\]\n]{0,200}\])/g;
/** What is left of a badge that was a link. */
const emptyLink = /\[\s{0,20}\](?:\([^()\s]{0,2000}(?:\s+"[^"\n]{0,200}")?\)|\[[^\]\n]{0,200}\])/g;
const inlineLink =
  /(?<!!)\[([^[\]]{0,500}(?:\[[^[\]]{0,200}\][^[\]]{0,200}){0,5})\]\(\s{0,5}<?([^()\s<>]{0,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,200}){0,3})>?(?:\s+["'][^"'\n]{0,200}["'])?\s{0,5}\)/g;
const paperLink =
  /<a\b[^<>]{0,300}href\s?=\s?["'](https?:\/\/(?:arxiv\.org|doi\.org)\/[^"'\s<>]{1,200})["'][^<>]{0,300}>([^<]{0,400})<\/a\s?>/gi;
/** No README of this length is read to its end. */
const maxLength = 400_000;

/**
 * A README or an issue as text that can be quoted: badges, pictures, comments and HTML are gone, HTML headings, lists and
 * links become Markdown or words, code blocks stay as they are. Links keep their words, and their address where it is a paper.
 */
export function cleanReadme(markdown: string): string {
  const pieces: string[] = [];
  let prose: string[] = [];
  let fence = '';
  const flush = (): void => {
    if (prose.length > 0) pieces.push(cleanProse(prose.join('\n')));
    prose = [];
  };
  for (const line of markdown
    .slice(0, maxLength)
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
    .split('\n')) {
    const [, marks] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '' && marks === undefined) {
      prose.push(line);
      continue;
    }
    if (fence === '') {
      flush();
      fence = marks!;
    } else if (marks !== undefined && marks.startsWith(fence) && /^\s*(`+|~+)\s*$/.test(line)) {
      fence = '';
    }
    pieces.push(line);
  }
  flush();
  return pieces
    .flatMap((piece) => piece.split('\n'))
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function cleanProse(text: string): string {
  const kept = withoutElements(text.replace(/<!--[\s\S]*?(?:-->|$)/g, ''))
    .replace(image, '')
    .replace(emptyLink, '')
    .replace(
      /<h([1-6])\b[^<>]*>([\s\S]{0,400}?)<\/h\1\s?>/gi,
      (_, level: string, title: string) => `\n${'#'.repeat(Number(level))} ${oneLine(title)}\n`,
    )
    .replace(/<summary\b[^<>]*>([\s\S]{0,400}?)<\/summary\s?>/gi, (_, title: string) => `\n${oneLine(title)}\n`)
    .replace(/<li\b[^<>]*>\s?/gi, '\n- ')
    .replace(/<(?:br|\/p|\/div|\/tr|\/table|\/details|\/ul|\/ol|hr)\b[^<>]*>/gi, '\n')
    .replace(/<\/t[dh]\s?>/gi, ' ')
    .replace(/<(?:code|kbd)\b[^<>]*>([^<\n]{0,300})<\/(?:code|kbd)\s?>/gi, '`$1`')
    .replace(paperLink, '$2 ($1)')
    // What looks like an address in pointed brackets stays; every other tag goes.
    .replace(/<(?!https?:|[\w.+-]{1,60}@)\/?[A-Za-z][^<>]*>/g, '')
    .replace(inlineLink, (_, words: string, target: string) => link(words, target))
    .replace(/^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]{1,5}\S.*$/gm, '')
    .replace(/\[([^[\]]{1,500})\]\[[^\]\n]{0,200}\]/g, '$1')
    .replace(/&(?:#x?[0-9a-f]{1,6}|\w{2,8});/gi, decodeEntity);
  // Lines of nothing but badges and what separates them are removed; rules and table borders stay.
  return kept
    .split('\n')
    .filter(
      (line) =>
        line.trim() === '' || /[\p{L}\p{N}]/u.test(line) || (/^[-*_|:\s]+$/.test(line) && /[-*_]{3}/.test(line)),
    )
    .map((line) => (/^\s{0,3}#{1,6}\s/.test(line) ? line.trim() : line))
    .join('\n');
}

/** Takes elements out whose content is no prose. One that is never closed loses its tag only. */
function withoutElements(text: string): string {
  const opening = /<(script|style|svg|picture|video|iframe)\b[^<>]*>/gi;
  const unclosed = new Set<string>();
  let kept = '';
  let at = 0;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    const name = tag[1]!.toLowerCase();
    if (unclosed.has(name)) continue;
    const closing = new RegExp(`</${name}>`, 'gi');
    closing.lastIndex = opening.lastIndex;
    if (closing.exec(text) === null) {
      unclosed.add(name);
      continue;
    }
    kept += text.slice(at, tag.index);
    at = closing.lastIndex;
    opening.lastIndex = at;
  }
  return kept + text.slice(at);
}

function link(words: string, target: string): string {
  const text = words.trim();
  return /^https?:\/\/(www\.)?(arxiv\.org|doi\.org|dx\.doi\.org)\//i.test(target) &&
    text !== '' &&
    !text.includes(target)
    ? `${text} (${target})`
    : text;
}

function oneLine(html: string): string {
  return html
    .replace(/<[^<>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Spaces become plain ones; marks without a shape go, and so do control characters. */
function decodeEntity(entity: string): string {
  return decodeHTMLStrict(entity)
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '');
}
