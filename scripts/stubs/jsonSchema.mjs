// A validator of JSON Schema (23 kB) for LangChain's own tools and parsers, of which none is used: ours are checked with zod, those of MCP
// servers with ajv.
const missing = () => {
  throw new Error('LangChain has no validator of JSON Schema in this bundle: use a zod schema.');
};

export { missing as validate, missing as Validator, missing as dereference, missing as deepCompareStrict };
