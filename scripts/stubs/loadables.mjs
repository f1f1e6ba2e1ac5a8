// Every class of LangChain (150 kB with its test doubles), for objects of them in a checkpoint. Ours hold plain values.
export const import_map_exports = {};
