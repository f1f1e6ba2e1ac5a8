/** The Markdown of a report with its citations as a reader sees them: `[3]` for `[[3]](#ref-3)`, in the references too. */
export function plainMarks(markdown: string): string {
  return markdown.replace(/\[(\[\d+\])\]\(#ref-\d+\)/g, '$1').replace(/<a id="ref-\d+"><\/a>/g, '');
}
