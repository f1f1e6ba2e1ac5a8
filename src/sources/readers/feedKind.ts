/** Whether a text is a feed: its root element decides, not what the server calls it. */
export function isFeed(text: string): boolean {
  const start = text.slice(0, 4_000).replace(/<\?[^>]*\?>|<!--[^]*?-->|<!DOCTYPE[^>]*>/gi, '');
  return /^\uFEFF?\s*<(?:rss|feed|rdf:RDF)[\s>]/i.test(start) || isJsonFeed(text);
}

export function isJsonFeed(text: string): boolean {
  return /^\s*\{/.test(text) && /"version"\s*:\s*"https?:\/\/jsonfeed\.org\//.test(text.slice(0, 2_000));
}
