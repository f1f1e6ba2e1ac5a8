/** Reads what was thrown by its shape: the engine's error class lives in another bundle. */
export function describeError(error: unknown) {
  const given = (typeof error === 'object' && error !== null ? error : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string, otherwise: string) => (typeof given[name] === 'string' ? given[name] : otherwise);
  return { reason: text('reason', 'bug'), message: text('message', String(error)), next: text('next', '') };
}
