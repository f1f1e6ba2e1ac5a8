/**
 * Sentences that cite a passage: what a good writer makes of it, and what a bad one invents beside a real id. The first half was used to
 * choose the share of words that a sentence must have in common with its source, the second to check it.
 */
export interface CitedSentence {
  readonly half: 'first' | 'second';
  readonly passage: string;
  readonly paraphrases: readonly string[];
  readonly inventions: readonly string[];
}

export const citedSentences: readonly CitedSentence[] = [
  {
    half: 'first',
    passage:
      'A cross-encoder reads the query and one candidate passage together and predicts how relevant the passage is. Reading both texts at once lets a cross-encoder weigh word order, negation and context, which two separate vectors cannot express. Nogueira and Cho reranked BM25 candidates with BERT and improved the best MRR@10 on MS MARCO by 27 percent in relative terms.',
    paraphrases: [
      'Because it processes query and passage jointly, a cross-encoder can take negation and word order into account.',
      'Reordering BM25 results with BERT lifted MRR@10 on MS MARCO by 27 percent relative to the previous best.',
      'Joint encoding buys accuracy that independent vectors cannot offer.',
      'Early evidence came from Nogueira and Cho, whose BERT reranker beat everything published on MS MARCO.',
    ],
    inventions: [
      'Hospitals in Germany have banned the technique since last year.',
      'Many experts agree that this will be a game changer for modern businesses.',
      'The method was invented at a bank to detect fraud in payments.',
      'It is important to note that further research is always needed in this exciting field.',
    ],
  },
  {
    half: 'first',
    passage:
      'Small chunks make retrieval precise, because an embedding of a short passage is about one thing. Large chunks keep the context that an answer needs, but their embeddings blur several topics into one vector. Chunk size should be tuned on real questions, since the best value depends on the documents and on the embedding model.',
    paraphrases: [
      'There is no universal chunk size: it has to be tuned per corpus and per embedding model.',
      'Shorter chunks sharpen retrieval, while longer ones preserve the surrounding context at the price of blurred embeddings.',
      'The trade-off is precision against context.',
    ],
    inventions: [
      'Users reported that the interface feels faster on mobile devices.',
      'The company raised prices twice after its public offering.',
      'Chunky peanut butter outsells every smooth brand across the country.',
    ],
  },
  {
    half: 'first',
    passage:
      'Yellow traps are counted each Thursday. From five whiteflies a trap on, Encarsia formosa is released at three wasps a square metre. Spraying is the last resort, because it sets the wasps back by four weeks.',
    paraphrases: [
      'Biological control with Encarsia formosa starts once a trap holds five whiteflies.',
      'Chemical treatment is avoided, as it costs four weeks of wasp activity.',
      'Monitoring happens weekly by means of yellow traps.',
    ],
    inventions: [
      'The harvest was sold to a supermarket chain in Belgium.',
      'Robots now pick the fruit at night under infrared light.',
      'Local residents complained about the smell of fertiliser.',
    ],
  },
  {
    half: 'second',
    passage:
      'Hybrid search runs sparse and dense retrieval side by side and merges the two rankings. Reciprocal rank fusion gives each document the sum of 1 / (k + rank) over all rankings, usually with k = 60, and needs no calibration of the scores. Hybrid search helps most when questions mix natural language with product names or code.',
    paraphrases: [
      'Reciprocal rank fusion merges lists without having to calibrate their scores against each other.',
      'Combining lexical and vector search pays off most for questions that contain code or product names.',
      'A common choice is k = 60.',
      'Fusing ranks instead of scores sidesteps calibration altogether.',
    ],
    inventions: [
      'The patent for it expired after a long dispute between two universities.',
      'Children learn it in primary school by playing with wooden blocks.',
      'It is widely considered one of the most revolutionary innovations of our time.',
      'A fire destroyed most of the archive in the eighteenth century.',
    ],
  },
  {
    half: 'second',
    passage:
      'Der Sandfilter wird zurückgespült, sobald der Druckunterschied 0,6 bar erreicht. Regenwasser aus dem Becken wird mit Leitungswasser gemischt, wenn das Becken unter 40 Prozent fällt.',
    paraphrases: [
      'Ab einem Druckunterschied von 0,6 bar spült die Anlage den Sandfilter zurück.',
      'Leitungswasser kommt erst hinzu, wenn das Regenwasserbecken zu weniger als 40 Prozent gefüllt ist.',
      'Vorrang hat das Regenwasser aus dem Becken.',
    ],
    inventions: [
      'Viele Fachleute halten das Verfahren für bahnbrechend und unverzichtbar.',
      'Die Mitarbeiter feierten das Jubiläum mit einem großen Fest.',
      'Der Bürgermeister eröffnete die neue Autobahn persönlich.',
    ],
  },
  {
    half: 'second',
    passage:
      'Recall@k is the share of questions whose answering passage stands among the first k results. Mean reciprocal rank averages 1 / rank of the first relevant result and rewards systems that put it first. Retrieval should be measured apart from generation, because a fluent answer can hide a failed search.',
    paraphrases: [
      'Fluent prose can mask a retrieval failure, which is why the two stages are evaluated separately.',
      'Mean reciprocal rank favours systems whose first hit is relevant.',
      'Recall@k asks only whether the right passage made it into the top k.',
    ],
    inventions: [
      'Regulators fined three vendors for misleading advertising.',
      'The museum shows more than a dozen paintings from that period.',
      'As technology evolves, organisations must embrace change to stay competitive.',
    ],
  },
];
