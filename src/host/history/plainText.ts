/** What would break a line, turn its direction or hide in it: control, bidi, tag and invisible characters. */
const unseen =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu;

/** A text that a model or a page may have written, as one line for a label, at most `most` characters long. */
export function oneLine(text: string, most = 120): string {
  const line = text
    .slice(0, most * 4)
    .replace(unseen, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : line;
}

/** The same for a notification, where `[text](command:…)` would be a link. */
export function noticeLine(text: string, most = 80): string {
  return oneLine(text, most).replaceAll('](', '] (');
}

/** The same for a list of choices, where `$(name)` would be an icon. */
export function choiceLine(text: string, most = 160): string {
  return oneLine(text, most).replaceAll('$(', '\\$(');
}

/** A line as Markdown that shows just this text: no mark-up, no link. (`appendText` would glue its words together.) */
export function markdownLine(line: string): string {
  return line.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
