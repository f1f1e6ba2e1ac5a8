/** What would break a line, reverse it or hide in it: control, bidi, tag and invisible characters. */
const invisible =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu;

/** A text that a model or a page may have written, as one line for a label, at most `max` characters long. */
export function oneLine(text: string, max = 120): string {
  const line = text
    .slice(0, max * 4)
    .replace(invisible, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/** The same for a notification, where `[text](command:…)` would be a link. */
export function noticeLine(text: string, max = 80): string {
  return oneLine(text, max).replaceAll('](', '] (');
}

/** The same for a list of choices, where `$(name)` would be an icon. */
export function choiceLine(text: string, max = 160): string {
  return oneLine(text, max).replaceAll('$(', '\\$(');
}

/** A line as Markdown that shows just this text: no markup, no link. (`appendText` would glue its words together.) */
export function markdownLine(line: string): string {
  return line.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
