/**
 * Turns a call that reports its text piece by piece into a generator of the pieces, whose return value is the call's. It
 * throws what the call rejects with, after all pieces that came before. Left early, it stops listening; the call continues until
 * it ends or is aborted, and its failure is ignored then.
 */
export async function* pieces<T>(call: (onText: (text: string) => void) => Promise<T>): AsyncGenerator<string, T> {
  const waiting: string[] = [];
  let wake = (): void => undefined;
  let ended = false;
  const result = call((text) => {
    waiting.push(text);
    wake();
  }).finally(() => {
    ended = true;
    wake();
  });
  result.catch(() => undefined);
  for (;;) {
    while (waiting.length > 0) yield waiting.splice(0).join('');
    if (ended) return await result;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (waiting.length > 0 || ended) resolve();
    });
  }
}
