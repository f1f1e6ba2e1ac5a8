// zod's reader of JSON schemas (15 kB), which nothing here calls.
export function fromJSONSchema() {
  throw new Error('zod reads no JSON schema in this bundle.');
}
