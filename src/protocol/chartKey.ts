/** The letters and figures of a statement, however it is set; 2.5 is not 25, and -5 is not 5. */
export function chartKey(text: string): string {
  return (
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+|[-−–+.,](?=\p{N})/gu)
      ?.join('') ?? ''
  );
}

/** Whether a statement of a table may be drawn; see `tableChart`. */
export function isCharted(keys: Iterable<string>): (text: string) => boolean {
  const known = new Set(keys);
  return (text) => known.has(chartKey(text));
}
