/** How much of a document is looked at: a report's front matter is far shorter. */
const headLength = 4_000;

/** True for the text of a report of ours: its front matter names the question, the strategy and the run. */
export function isReport(text: string): boolean {
  const head = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text.slice(0, headLength))?.[1];
  return head !== undefined && ['question', 'strategy', 'run'].every((key) => new RegExp(`^${key}:`, 'm').test(head));
}
