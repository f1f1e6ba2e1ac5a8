import { kindOf } from '../../research/text/passages.ts';

/** Files that every project has and that say nothing about its subject. */
export const housekeeping =
  /(^|\/)(change ?log|history|release[-_ ]?notes|licen[cs]e|contributing|code[-_ ]of[-_ ]conduct|security|todo|authors|support)[^/]*$|(^|\/)(meetings?|minutes|archive|templates?|\.github)\//i;
const genericTitle =
  /^(?:notes?|readme|index|home|todo|overview|introduction|design|benchmarks?|draft|untitled|documentation|docs|table of contents|\d[\d\s./-]*)$/i;
const longest = 80;

/** The title of a Markdown document that may be a topic of the workspace; undefined for a title that says nothing. */
export function topicOf(path: string, text: string): string | undefined {
  if (kindOf(path) !== 'markdown' || housekeeping.test(path)) return undefined;
  const title = /^#[ \t]+(.+?)[ \t]*(?:#+[ \t]*)?$/m.exec(text.slice(0, 4_000))?.[1];
  const plain =
    title
      ?.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/<[^<>]*>|[*_`]+/g, '')
      .replace(/\s+/g, ' ')
      .trim() ?? '';
  return plain.length < 4 ||
    plain.length > longest ||
    genericTitle.test(plain) ||
    !/\p{L}{3}|\p{Script=Han}{2}/u.test(plain)
    ? undefined
    : plain;
}
