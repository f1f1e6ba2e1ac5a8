/** Names that are English in every language, and what the texts of other tests' data hold. */
const names =
  /\b(?:Deep Research|VS Code|Hacker News|Hugging Face|Semantic Scholar|LM Studio|Claude Code|GitHub Copilot)\b/g;

/** Runs of two English words and more in a text in another language: addresses, options, keys and names are none. */
export function englishIn(text: string, known: readonly string[] = []): string[] {
  const rest = known.reduce((left, one) => left.replaceAll(one, ' · '), text).replaceAll(names, ' · ');
  return rest.match(/(?<![\w./-])[A-Za-z][a-z’']+(?:,? [a-z’']{2,})+/g) ?? [];
}
