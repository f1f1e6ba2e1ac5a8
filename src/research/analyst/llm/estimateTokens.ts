/**
 * About how many tokens a text has, counted without a tokeniser: four characters a token for Latin script, fewer for other
 * alphabets, one a character for Chinese, Japanese and Korean (o200k and the vocabularies of Qwen and DeepSeek lie within about a
 * quarter of this for prose and code). Linear, and never 0 for a text that is not empty.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) quarters += 1;
    else if (unit < 0x2000) quarters += 2;
    else if (unit >= 0xd800 && unit <= 0xdfff) quarters += 4;
    else if (unit >= 0x2e80 && unit <= 0xffef) quarters += 4;
    else quarters += 3;
  }
  return Math.ceil(quarters / 4);
}

/** The beginning of a text that has at most so many tokens, cut at a line or word when one is near. */
export function cutToTokens(text: string, tokens: number): string {
  if (tokens <= 0) return '';
  // No text has more tokens than units.
  if (text.length <= tokens || estimateTokens(text) <= tokens) return text;
  let low = 0;
  let high = Math.min(text.length, tokens * 4);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  const hard = text.slice(0, low);
  const space = Math.max(hard.lastIndexOf('\n'), hard.lastIndexOf(' '));
  const cut = space > low * 0.8 ? hard.slice(0, space) : hard;
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
