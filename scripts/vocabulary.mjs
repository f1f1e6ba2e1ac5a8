// Writes src/sources/words/en.br and names.br: node scripts/vocabulary.mjs
//
// Words that a model knows without the user's files: the English dictionary of cspell (from SCOWL), and its dictionaries of
// software, data science and Python terms, as stems. A word of the second list is the name of something public, so that
// writing it with a capital does not make it a name of the workspace. Proper names of the English dictionary (people, places,
// companies) are left out: they are what a workspace must not reveal.
import fs from 'node:fs';
import { brotliCompressSync, constants, gunzipSync } from 'node:zlib';
import { decodeTrie } from 'cspell-trie-lib';
import { stem } from '../src/research/text/stem.ts';
import { fold } from '../src/research/text/tokenize.ts';

const read = (name, file) => {
  const bytes = fs.readFileSync(new URL(`../node_modules/${name}/${file}`, import.meta.url));
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
};

const words = new Set();
const names = new Set();
for (const word of decodeTrie(read('@cspell/dict-en_us', 'en_US.trie.gz')).words()) {
  if (/^[a-z]{2,}$/.test(word)) words.add(stem(word));
  // Eponyms are terms: Bayesian, Darwinian, Marxism.
  else if (/^[A-Z][a-z]+(?:ian|ean|ism)s?$/.test(word)) names.add(stem(word.toLowerCase()));
}

const termLists = [
  ['@cspell/dict-software-terms', 'dict/softwareTerms.txt.gz'],
  ['@cspell/dict-software-terms', 'dict/coding-compound-terms.txt'],
  ['@cspell/dict-software-terms', 'dict/computing-acronyms.txt'],
  ['@cspell/dict-software-terms', 'dict/networkingTerms.txt'],
  ['@cspell/dict-software-terms', 'dict/software-tools.txt'],
  ['@cspell/dict-software-terms', 'dict/webServices.txt'],
  ['@cspell/dict-data-science', 'dict/data-science.txt'],
  ['@cspell/dict-data-science', 'dict/data-science-models.txt'],
  ['@cspell/dict-data-science', 'dict/data-science-tools.txt'],
  ['@cspell/dict-python', 'dict/python.txt'],
  ['@cspell/dict-python', 'dict/python-common.txt'],
  ['@cspell/dict-npm', 'dict/npm.txt'],
  ['@cspell/dict-filetypes', 'filetypes.txt.gz'],
  ['@cspell/dict-docker', 'dict/docker-words.txt.gz'],
  ['@cspell/dict-fullstack', 'dict/fullstack.txt'],
  ['@cspell/dict-golang', 'dict/go.txt'],
  ['@cspell/dict-k8s', 'dict/k8s.txt'],
  ['@cspell/dict-node', 'dict/node.txt'],
  ['@cspell/dict-rust', 'dict/crates.txt.gz'],
  ['@cspell/dict-rust', 'dict/rust.txt.gz'],
  ['@cspell/dict-typescript', 'dict/typescript.txt'],
];
/** Lists of a field's own terms; the others have packages and identifiers, which are called anything. */
const isOfTerms = (name) => /software-terms|data-science|python/.test(name);
for (const [name, file] of termLists) {
  for (const line of read(name, file).toString('utf8').split('\n')) {
    for (const word of line.replace(/#.*/, '').split(/[^A-Za-z0-9]+/)) {
      if (!/^[A-Za-z][A-Za-z0-9]+$/.test(word)) continue;
      const stemmed = stem(fold(word));
      // One that is called by an ordinary word does not make the word a public name.
      if (isOfTerms(name) || !words.has(stemmed)) names.add(stemmed);
    }
  }
}
/** Frequent in queries, and in none of the lists. */
const further = `
  acm adagrad adam aids ajax anova arima arxiv asr auroc bayes bert bertscore biorxiv bleu bm25 boltzmann chatgpt clip cnn cohere colbert covid cqrs
  crispr crossref csv dataframe diffusers dna doi dpo ebpf ehr elasticsearch ema eu euler faiss fda fourier gan gaussian gdpr gemini gnn gnss gpt
  grpo hallucination hiv hnsw huggingface ieee iso jax  kras laplace lda llama llava lora lstm maml markov mcmc mcp medrxiv mixtral mlops
  mmr moe monte-carlo mpc mqtt mri mrna mrr multimodal ndcg nerf neurips newton nlp nmr nvidia ocr ollama openai opentelemetry orm ozone pagerank
  pca pcr pgvector pinecone poisson ppo pubmed qdrant qlora quic qwen rag ragas ray reddit rlhf rna rnn roc roberta rouge rrf scibert scopus seo
  sgd shap siamese sota splade spss sqlite ssr stata stemi svm swarm tcp tfidf tls trl trpo tsne uav ucb uk umap un usa vae vit vllm wandb wcag
  wikidata wikipedia wilcoxon xgboost yolo zotero
`;
for (const word of further.trim().split(/\s+/)) names.add(stem(fold(word)));

// Stems, one a line. English words from SCOWL (Copyright 2000-2020 Kevin Atkinson) and the cspell dictionaries (MIT, Street
// Side Software).
for (const [list, set] of Object.entries({ en: words, names })) {
  const packed = brotliCompressSync([...set].sort().join('\n'), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  fs.writeFileSync(new URL(`../src/sources/words/${list}.br`, import.meta.url), packed);
  console.log(`${list}: ${set.size} words, ${Math.round(packed.length / 1000)} kB`);
}
