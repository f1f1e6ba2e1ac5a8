/** How much of a document is looked at: a report's front matter is far shorter. */
const headLength = 4_000;

/** True for the text of a report of ours: its front matter names the question, the strategy and the run. */
export function isReport(text: string): boolean {
  const head = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text.slice(0, headLength))?.[1];
  return head !== undefined && ['question', 'strategy', 'run'].every((key) => new RegExp(`^${key}:`, 'm').test(head));
}

/** A file name for a report: its date and title without what a file system refuses. */
export function proposedName(text: string): string {
  const date = /^created: ["']?(\d{4}-\d{2}-\d{2})/m.exec(text)?.[1];
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'report';
  const words = title.replace(/[\p{Cc}<>:"/\\|?*.]+/gu, ' ').replace(/\s+/g, ' ').trim();
  return `${[date, [...words].slice(0, 80).join('').trim() || 'report'].filter(Boolean).join(' ')}.md`;
}
