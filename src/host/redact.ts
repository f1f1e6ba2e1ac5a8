/**
 * What keys look like, by the prefixes that their makers document, and by what stands before them. The last resort behind
 * the rule that no code logs a key: an error text of a server or of a library may repeat what it was sent.
 */
const keyLike: readonly RegExp[] = [
  /\b(?:sk|pk|rk|tvly|gsk|xai|fw|nvapi)-[A-Za-z0-9_-]{8,}/g, // OpenAI, Anthropic, DashScope, Tavily, gateways
  /\b(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[\w-]{16,})/g,
  /\bhf_[A-Za-z0-9]{16,}/g,
  /\bAIza[\w-]{20,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+)?/g, // JSON Web Tokens
];
const afterLabel =
  /\b(authorization|api[-_ ]?key|x-api-key|access[-_ ]?token|token|secret|password)(["']?\s*[:=]\s*["']?)((?:bearer|basic|token)\s+)?([^\s"',;&]{6,})/gi;
const bearer = /\b(bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})/gi;
const inUrl = /(\bhttps?:\/\/)[^\s/@]+@/gi;

const mark = '[redacted]';

/** Takes everything that is, or looks like, a key out of a text. `known`: keys that were handed out, whatever they look like. */
export function redact(text: string, known: Iterable<string> = []): string {
  let clean = text;
  for (const key of known) if (key.length >= 4) clean = clean.replaceAll(key, mark);
  clean = clean.replace(bearer, `$1 ${mark}`);
  for (const pattern of keyLike) clean = clean.replace(pattern, mark);
  return clean
    .replace(afterLabel, (whole, label: string, sign: string, scheme: string | undefined, value: string) =>
      value.startsWith(mark) || /^(?:bearer|basic)$/i.test(value) ? whole : `${label}${sign}${scheme ?? ''}${mark}`,
    )
    .replace(inUrl, `$1${mark}@`);
}
