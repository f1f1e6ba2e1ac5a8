/** Verbs that are hardly ever anything else, in their base form. */
const plain = new Set(
  `characterise characterize highlight overload dilute uncover win partition overturn advance synergize unlock mirror bypass ground decouple reframe inspect accelerate accept access achieve acquire adapt add address adopt adjust affect aggregate aim align allow alleviate allocate amplify analyse analyze annotate appear apply arise arrange
   ask assemble assess assign assist associate assume attach attend attract augment avoid balance become begin belong bind boost bridge bring build calculate capture carry categorise categorize cause
   change choose cite claim classify collapse collect combine come compare compete complement complete compress comprise compute concatenate concentrate conclude condense condition conduct confirm
   connect consider consist constitute constrain construct consume contain continue contradict contribute control convert convey correct correlate correspond cover create decide decline decode decompose
   decrease deduce define degrade delegate delete deliver demand demonstrate denote depend deploy derive describe deserve detect deteriorate determine develop differ diminish discard discover discuss
   disregard distinguish distribute divide dominate double draw eliminate embed emerge emit employ enable encode encounter encourage enforce enhance enrich ensure enter equip establish estimate
   evaluate evolve examine exceed exclude execute exhibit exist expand expect explain exploit explore expose express extend extract facilitate fail fall fetch find fit fix focus follow forget form formulate
   forward function fuse gain gather generalise generalize generate get give go govern grade grow guide handle happen help hide hold host identify ignore illustrate implement imply improve incorporate
   incur indicate infer inherit inhibit inject insert inspire integrate interact interleave interpret introduce invalidate investigate involve iterate join justify keep know lack lay lead learn leave let leverage
   lie limit list load locate look lose maintain make manage maximise maximize mean meet merge minimise minimize mislead miss mitigate modify monitor motivate move multiply obtain occur offer omit operate
   optimise optimize organise organize outperform overcome overlap overlook paraphrase parse participate pass perform permit persist pick place plan play point pose possess postpone precompute predict
   prefer prepare present preserve prevent proceed process produce promote propagate propose protect prove provide prune pursue put quantise quantize raise reach react read realise realize reason receive
   recognise recognize recommend reconstruct record recover redefine reduce refer refine reflect refuse regard reject relate rely remain remember remind remove render repeat rephrase replace reply represent
   reproduce require resemble reside resolve respond restore restrict retain retrieve reveal reverse rewrite rotate say scan schedule see seek seem select send separate serve set share shift show
   shrink simplify simulate sit solve span specify speed spend spread stand start state stay stem stop stream strengthen struggle study substitute succeed suffer suggest suit summarise summarize surpass suppress survive
   sustain switch synthesise synthesize synchronise synchronize tackle take target teach tell tend terminate think tie tolerate touch trace track transfer transform translate traverse treat trigger
   truncate turn undergo understand unify update utilise utilize validate vary verify violate visit wait want warn weaken weigh work worsen write yield beat blur catch lend`.split(
    /\s+/,
  ),
);
/** Nouns and adjectives as often as verbs: they count in an inflected form, and not where a noun stands. */
const ambiguous = new Set(
  `answer approach attack block break buffer cache call chain change chunk claim cluster code cost count crawl cut damage date debug design detail document drop estimate experience factor feature filter
   force format group guess harm impact increase index influence input issue judge label lead level limit link list lower map mark mask match matter measure mention model name need note number offer
   order output own page pair pay place plan point prompt query question question range rank rate release report request rerank rescore result return risk route run sample save scale scope score search sense signal sort
   sound source split state step store structure subject suffer supply support surface test time tool top trade train transform trend trigger trust tune turn use value vote walk weight work`.split(
    /\s+/,
  ),
);
const auxiliary =
  /^(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|should|will|would|cannot|shall|isn't|aren't|doesn't|don't|can't|won't|wasn't|weren't|hasn't|haven't)$/;
const irregular =
  /^(?:began|became|brought|built|chose|came|drew|fell|felt|found|fit|gave|went|grew|held|hid|kept|knew|laid|led|learnt|left|lent|let|lay|lost|made|meant|met|put|read|rose|ran|said|saw|sought|sent|set|shown|showed|shrank|sat|spent|split|spread|stood|stuck|taught|took|told|thought|understood|wrote|won|caught|bought|dealt|shot|beat)$/;
const nounBefore =
  /^(?:the|a|an|of|in|with|for|by|on|to|at|from|and|or|no|this|that|its|their|our|your|lower|higher|better|more|fewer|less|low|high|new|best|good|each|every|all|some|many|several|other|such|same|real|\p{L}+(?:al|ive|ous|ful|ic|able|ible))$/u;

/** Does an English sentence hold a finite verb? Rough: a fragment may pass, few sentences are refused. */
export function hasEnglishVerb(sentence: string): boolean {
  const words =
    sentence
      .toLowerCase()
      .replace(/’/g, "'")
      .match(/[a-z']+/g) ?? [];
  return words.some((word, index) => {
    if (auxiliary.test(word)) return true;
    const before = words[index - 1] ?? 'the';
    if (irregular.test(word)) return !nounBefore.test(before);
    const base = baseOf(word);
    if (base === undefined) return false;
    const inflected = base !== word;
    // "cited answers": a participle before a noun is no verb.
    if (word.endsWith('ed') && nounBefore.test(before)) return false;
    if (plain.has(base)) return inflected || index > 0;
    return inflected && index < words.length - 1 && !nounBefore.test(before);
  });
}

const preposition = /^(?:for|of|in|on|at|to|by|with|from|as|about|against|over|under|between|into|than|through)$/;

/**
 * Is the noun phrase that follows "which" or "what" a clause: "databases support filtering", "team introduced it", "changed in", and not
 * "language models for code" or "methods based on graphs"?
 */
export function hasVerbAfterNoun(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replace(/’/g, "'")
      .match(/[\p{L}\p{N}'-]+/gu) ?? [];
  return words.slice(0, 12).some((word, index) => {
    const [before, next] = [words[index - 1], words[index + 1]];
    if (auxiliary.test(word)) return true;
    if (next === undefined) return false;
    const base = baseOf(word);
    // "What changed in …", "what causes …".
    if (before === undefined)
      return (
        base !== undefined &&
        base !== word &&
        (word.endsWith('ed') ? preposition.test(next) : plain.has(base) && !preposition.test(next))
      );
    if (nounBefore.test(before) || preposition.test(before)) return false;
    const isPlural = /[^su]s$/.test(before);
    if (base === word) return isPlural;
    if (irregular.test(word)) return !preposition.test(next);
    if (base === undefined) return false;
    return preposition.test(next)
      ? plain.has(base) && word.endsWith('s') && !isPlural
      : word.endsWith('ed') || !isPlural;
  });
}

/** The base form of a known verb: "encodes", "classified", "mapped" -> "encode", "classify", "map". */
function baseOf(word: string): string | undefined {
  const forms = [word];
  if (word.endsWith('ies') || word.endsWith('ied')) forms.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('es')) forms.push(word.slice(0, -2));
  if (word.endsWith('s')) forms.push(word.slice(0, -1));
  if (word.endsWith('ed')) {
    forms.push(word.slice(0, -1), word.slice(0, -2));
    if (word.at(-3) === word.at(-4)) forms.push(word.slice(0, -3));
  }
  return forms.find((form) => plain.has(form) || ambiguous.has(form));
}

/** Is the word, as it is searched by, hardly ever anything else than a verb? */
export function isVerb(term: string): boolean {
  const base = baseOf(term);
  return base !== undefined && plain.has(base);
}

/** Is the word the -ing form of a verb that is hardly ever anything else: "evaluating", "reducing", "splitting"? */
export function isGerund(word: string): boolean {
  const stem = /^([a-z]{2,})ing$/i.exec(word)?.[1]?.toLowerCase();
  return stem !== undefined && [stem, `${stem}e`, stem.slice(0, -1)].some((base) => plain.has(base));
}
