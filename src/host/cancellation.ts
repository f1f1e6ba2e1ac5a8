import * as vscode from 'vscode';

/** Aborted when the token is cancelled. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new vscode.CancellationError());
  if (token.isCancellationRequested) abort();
  else token.onCancellationRequested(abort);
  return controller.signal;
}

/** Gives work of the editor a token that is cancelled when the signal is aborted. Rejects with the signal's reason then. */
export async function withToken<T>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => PromiseLike<T>,
): Promise<T> {
  signal.throwIfAborted();
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const done = await work(source.token);
    signal.throwIfAborted();
    return done;
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Work behind a notification that cancels it: it rejects with a `CancellationError` then. */
export function cancellable<T>(title: string, work: (signal: AbortSignal) => PromiseLike<T>): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_, token) => {
    try {
      return await work(signalOf(token));
    } catch (error) {
      throw token.isCancellationRequested ? new vscode.CancellationError() : error;
    }
  });
}
