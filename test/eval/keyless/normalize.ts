/** The form in which keys and quotes are compared: NFKC, lower case, no Markdown marks, one kind of quotation mark and dash, single spaces. */
export function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/!?\[([^\]\n]*)\]\[[^\]\n]*\]/g, '$1')
    .replace(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u00AD]/g, '')
    .replace(/[“”„‟«»″"]/g, '"')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[*_`\\|]/g, ' ')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-+][ \t]+)/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
