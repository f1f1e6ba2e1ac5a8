/**
 * Characters that reorder or hide text: bidi controls, zero-width ones but the joiners, tag characters, control
 * characters. The engine removes them already; the panel does not rely on it.
 */
const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028\u2029\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

/** An untrusted text as it may be shown: visible characters and line feeds only. */
export function plain(text: string): string {
  return text.replace(hidden, '');
}
