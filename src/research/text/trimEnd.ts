/** Takes characters off a text's ends, in time that is linear in the text, which patterns that end in `+$` are not. */

export function trimBoth(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start]!)) start += 1;
  return trimEnd(text.slice(start), characters);
}

export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
