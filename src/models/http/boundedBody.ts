/** The text of a body as it arrives. */
export async function* textOf(response: Response): AsyncGenerator<string> {
  if (!response.body) {
    yield await response.text();
    return;
  }
  const decoder = new TextDecoder();
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
    yield decoder.decode(part, { stream: true });
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** The first `limit` UTF-16 units of a body; the rest is not read. Rejects as the body does. */
export async function readBounded(response: Response, limit: number): Promise<string> {
  let text = '';
  for await (const part of textOf(response)) {
    text += part;
    if (text.length >= limit) break;
  }
  return text.slice(0, limit);
}
