// LangChain's token counter fetches its tables from the network on first use. The engine counts by itself; LangChain
// falls back to an estimate when this rejects.
const unavailable = () => Promise.reject(new Error('Token tables are not fetched; the engine counts tokens itself.'));
export const getEncoding = unavailable;
export const encodingForModel = unavailable;
export const tiktoken_exports = { getEncoding, encodingForModel };
