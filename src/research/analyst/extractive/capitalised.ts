/** A phrase as a heading begins: with a capital. */
export function capitalised(text: string): string {
  // Names such as "nDCG", "arXiv" and "llama.cpp" keep their letters.
  return /^\p{Ll}[\p{Ll}'’-]*(?![\p{L}\p{N}.])/u.test(text)
    ? text.charAt(0).toLocaleUpperCase('en') + text.slice(1)
    : text;
}
