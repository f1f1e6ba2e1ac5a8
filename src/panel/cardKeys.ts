/** Ctrl+Enter, or Cmd+Enter, anywhere in a card. */
export function onControlEnter(event: KeyboardEvent, action: () => void): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing || event.defaultPrevented) return;
  event.preventDefault();
  action();
}
