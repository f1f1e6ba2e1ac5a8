/** Shapes of keys that must never be shown, whoever they belong to. */
const keyShapes = [
  /\b(?:sk|pk|rk|tvly|gsk|xai|fw|nvapi|key)-[\w-]{6,}/g,
  /\b(?:hf|ghp|gho|ghu|ghs|ghr|github_pat|glpat)[_-]\w{8,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bBearer\s+[^\s"',;]+/gi,
  /\beyJ[\w-]{10,}\.[\w-]+\.[\w-]*/g,
] as const;

/** Takes keys out of a text for people: the given values wherever they stand, and whatever has the shape of a key. */
export function redact(text: string, secrets: readonly (string | undefined)[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    // Placeholder keys such as "x" or "none" are no secrets; taking them out would only garble the text.
    if (secret === undefined || secret.length < 6) continue;
    clean = clean.replaceAll(secret, '[key]').replaceAll(encodeURIComponent(secret), '[key]');
  }
  for (const shape of keyShapes) clean = clean.replace(shape, '[key]');
  return clean;
}
