// A parser of XML (19 kB) for LangChain's parser of XML answers, which is not used: feeds are read with fast-xml-parser.
export const sax = {
  parser() {
    throw new Error('LangChain has no parser of XML in this bundle: ask for JSON.');
  },
};
