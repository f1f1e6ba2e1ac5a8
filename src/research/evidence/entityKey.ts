/** The same key for "LangGraph.js", "Lang Graph" and "langgraph (LangChain)". */
export function entityKey(name: string): string {
  const bare = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\([^()]{0,200}\)/g, '')
    .replace(/\.(?:js|ts|py|ai|io|com|org)\b/g, '');
  return bare.replace(/[^\p{L}\p{N}+#]/gu, '') || name;
}
