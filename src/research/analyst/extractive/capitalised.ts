/** A phrase as a heading begins: with a capital. */
export function capitalised(text: string): string {
  // "pgvector", "nDCG" and "arXiv" keep their letters; plain words get a capital.
  return /^\p{Ll}[\p{Ll}'’-]*(?![\p{L}\p{N}.])/u.test(text) ? text.charAt(0).toLocaleUpperCase('en') + text.slice(1) : text;
}
