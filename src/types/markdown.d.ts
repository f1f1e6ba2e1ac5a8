// Prompts are Markdown files that esbuild inlines as text; under plain Node test/support/register.mjs does the same.
declare module '*.md' {
  const text: string;
  export default text;
}
