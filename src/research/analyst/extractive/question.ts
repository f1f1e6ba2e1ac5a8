import type { OutputFormat, QueryType } from '../analyst.ts';
import { detectLanguage } from '../../text/language.ts';
import { splitSentences } from '../../text/sentences.ts';
import { stopwords, type StopwordLanguage } from '../../text/stopwords.ts';
import { terms, tokenize } from '../../text/tokenize.ts';
import { hasVerbAfterNoun } from './englishVerbs.ts';
import { isGeneral } from './expandSubject.ts';
import { facetOfWord, type FacetId } from './facets.ts';

/** What can be read off a question without understanding it: its kind, its subject, what it asks of the subject. */
export interface ReadQuestion {
  readonly type: QueryType;
  readonly format: OutputFormat;
  /** The noun phrase that the question is about, for headings ("retrieval-augmented generation"); "" when none stands out. */
  readonly subject: string;
  /** Words to search for, in the question's order; empty when there is no subject at all. */
  readonly keywords: string;
  /** What is asked of the subject ("techniques"), in the question's words; "" when the subject stands alone. */
  readonly aspect: string;
  /** Aspect and subject as the question joins them ("techniques for retrieval-augmented generation"); "" when it does not. */
  readonly phrase: string;
  readonly facet: FacetId | undefined;
  /** "What is X?" and nothing more. */
  readonly asksForMeaning: boolean;
  /** The things that are compared, two to five; empty when the question compares nothing. */
  readonly sides: readonly string[];
  /**
   * What is asked, sentence by sentence, without the background that was told with it; at least one. All of the above is read
   * off the first, the kind and format off the whole.
   */
  readonly questions: readonly string[];
}

/** More of a question than this is never read: the rest is material, not a question. */
const readLength = 2_000;
const maxSubjectWords = 9;
/** Stands between a question and the answers that made it clear. */
export const clarificationMark = ' — ';

const comparison =
  /\bvs\.?(?![\p{L}\p{N}])|\bversus\b|(?<!\b(?:finite|central|time|temporal|potential) )\bdifferences?\b|\bdiffer(?:s|ent from)?\b|\bcompar(?:e|es|ed|ing|ison|isons)\b|\btrade-?offs? between\b|\b(?:dis)?advantages? of .{1,60} over\b|\bbenefits? of .{1,60} over\b|\bwhich (?:one )?is (?:better|faster|best)\b|\bshould (?:i|we|you|one) (?:use|choose|pick|take|prefer) .{1,60} or |^\W*(?:is|are|does|do|can) .{2,60} (?:faster|slower|better|worse|cheaper|safer|larger|smaller|harder|easier|more \p{L}+|less \p{L}+) than |对比|區別|区别|比較|比较|差异|差別|差别|哪个更|違い|どちら|차이|비교|الفرق|قارن|مقارنة|разниц|сравн|отличи[ея]|отлича|unterschied|vergleich|différence|compar(?:er|aison|atif)|diferencia|comparar|comparaci|diferença|differenz|confront/iu;
const deepDive =
  /\bin (?:more |great |full )?(?:detail|depth)\b|\bin-depth\b|\bdeep[- ]dive\b|\bdetailed\b|\bthorough(?:ly)?\b|\bcomprehensive(?:ly)?\b|深入|详细|詳細|詳しく|徹底|자세히|심층|상세|بالتفصيل|بعمق|подробно|детально|глубок|ausführlich|im detail|detailliert|en détail|approfondi|en detalle|a fondo|detallad|em detalhe|in dettaglio/iu;
const list =
  /^\W*(?:please\s+)?(?:list|enumerate|name)\b|\b(?:list|lists|catalogue|round-?up) of\b|^\W*which\b(?! (?:one )?is\b)|\bwhat (?:are|were) (?:the|some|all|popular|common|good|examples)\b|\bwhat (?:kinds?|types?|sorts?) of\b|\b(?:best|top \d+|top) (?:\p{L}+ ){0,3}(?:tools|libraries|frameworks|models|papers|methods|techniques)\b|有哪些|哪些|盘点|盤點|列出|列举|种类|種類|類型|一覧|どのような.*ありますか|どんな|종류|목록|어떤 .*있|أنواع|قائمة|ما هي (?:أهم |أبرز |أفضل )?(?:تقنيات|طرق|أساليب|أدوات|أنواع|مكتبات)|주요 .*무엇|(?:^|\s)какие(?:\s|$)|список|перечисл|^\W*welche[rns]?\b|\bliste\b|quel(?:le)?s sont|cuáles son|lista de|quais são|quali sono/iu;
const wantsTable = /\btable\b|\btabular\b|表格|표로|таблиц|tabelle|tableau|\btabla\b|جدول/iu;
const wantsList = /\bbullet(?:s| points)?\b|\bas a list\b|列表|箇条書き|목록으로/iu;

/** Reads a question in any language; total on any text, the same for the same text. */
export function readQuestion(question: string): ReadQuestion {
  const whole = question.slice(0, readLength).normalize('NFC').replace(/\s+/g, ' ').trim();
  // What clarification added stands behind a dash and asks something of the subject before it.
  const [asked = '', ...added] = whole.split(clarificationMark);
  const told = asked.replace(ownWork, ' ').trim();
  const questions = questionsOf(told);
  const text = questions[0]!;
  const type = typeOf(text, told);
  const sides = type === 'comparison' ? sidesOf(text) : [];
  const { subject, aspect, phrase: joined, isPhrase } = subjectOf(text);
  const shown = sides.length > 0 ? sides.join(' / ') : subject;
  const facet = facetOfWord(added.join(' ')) ?? facetOfWord(aspect) ?? facetOfWord(text);
  return {
    type,
    format: formatOf(told, type),
    subject: isPhrase || sides.length > 0 ? shown : '',
    keywords: keywordsOf(sides.length > 0 ? sides.join(' ') : subject),
    aspect,
    phrase: isPhrase ? joined : '',
    facet,
    asksForMeaning: type === 'general' && aspect === '' && isPhrase && meaning.test(text),
    sides,
    questions,
  };
}

const pronoun = /(?<![\p{L}\p{N}])(?:it|they|them)(?![\p{L}\p{N}'’])|它们?|それら?/iu;

/** The sentences of a text that ask, where some end in a question mark; else all of it. Later ones speak of "it": the first one's subject. */
function questionsOf(text: string): readonly [string, ...string[]] {
  const sentences = splitSentences(text).map((sentence) => sentence.text.trim());
  if (sentences.length < 2 || !sentences.some(isAsked)) return [text];
  const [first, ...others] = sentences.filter((sentence) => (isAsked(sentence) || requests.some((request) => request.test(sentence))) && subjectWords(sentence).length > 0);
  if (first === undefined) return [text];
  const { subject, isPhrase } = subjectOf(first);
  const named = others.map((other) => (isPhrase ? other.replace(pronoun, () => subject) : other));
  return [first, ...named.filter((other) => subjectWords(other).some((word) => terms(word).some((term) => !isGeneral(term))))];
}

function isAsked(sentence: string): boolean {
  return /[?？؟]["'”’»)）」』]{0,3}$/u.test(sentence);
}

const meaning = /^\W*(?:what(?:'s| is| are)|define|who is)\b|什么是|是什么|とは|무엇|ما هو|ما هي|что такое|was (?:ist|sind)|qu'est-ce|c'est quoi|qué (?:es|son)|o que (?:é|são)|cos'è/iu;

/** "In our project: …" says where the question comes from, not what it is about. */
const ownWork = /^\W*(?:(?:in|for|regarding|about)\s+)?(?:our|my|this)\s+(?:own\s+|current\s+)?(?:project|repo(?:sitory)?|code ?base|workspace|app(?:lication)?|package|library)\s*[:,–—-]\s*|\s+(?:in|for|of)\s+(?:our|my|this)\s+(?:own\s+|current\s+)?(?:project|repo(?:sitory)?|code ?base|workspace|app(?:lication)?|package|library)\b/giu;

function typeOf(text: string, told: string): QueryType {
  if (comparison.test(text) && !isListOfDifferences(text)) return 'comparison';
  if (deepDive.test(told)) return 'deep_dive';
  return list.test(text) ? 'list' : 'general';
}

/** "Which libraries compare strings" asks for libraries. */
function isListOfDifferences(text: string): boolean {
  return /^\W*(?:which|what) (?:\p{L}+ )?(?:tools|libraries|packages|frameworks|algorithms|methods|metrics) (?:that )?compare\b/iu.test(text);
}

function formatOf(text: string, type: QueryType): OutputFormat {
  if (wantsTable.test(text)) return 'table';
  if (wantsList.test(text)) return 'list';
  if (type === 'comparison') return 'table';
  return type === 'list' ? 'list' : 'prose';
}

// --------------------------------------------------------------------------------------------------------------- subject

/** What a clause that asks begins with, after a conjunction or at the start of a text. */
const asking = 'how|what|when|why|which|where|who|should|do|does|is|are|wie|was|wann|warum|wieso|weshalb|wo|welche[rns]?|comment|pourquoi|quand|où|cómo|cuándo|dónde|por qué|como|quando|perché|как|когда|почему|зачем|где';
const conjunctions = 'and|or|but|und|oder|aber|et|ou|mais|y|o|pero|e|и|или|а|но';
/** How Chinese, Japanese and Korean ask, anywhere in a clause. */
const cjkAsking = /如何|怎么样?|怎麼樣?|怎样|怎樣|为什么|為什麼|为何|為何|どのように|どうやって|どうして|なぜ|어떻게|(?<!\p{L})왜(?!\p{L})/gu;
/** The same where the question word stands in front and is not "what". */
const startOfClause = /^(?:wie|warum|wieso|weshalb|wann|wo|comment|pourquoi|quand|où|cómo|cuándo|dónde|por qué|perché|как|когда|почему|зачем|где)(?!\p{L})/iu;

/** What politeness and question words put before the subject, by language. Removed again and again from the front. */
const openings: readonly RegExp[] = [
  /^(?:hi|hello|hey|ok|okay|well|so|and|please|pls|kindly)[\s,!.]+/iu,
  /^(?:can|could|would|will) you (?:please )?(?:help me |tell me |give me |explain |describe |find |list |show me |do |make |write )?/iu,
  /^(?:i|we)(?:'d| would)? (?:want|need|like|wish|am trying|are trying) to (?:know|understand|learn|find out|research|see|read|get)(?: more)?(?: about| on)?\s*/iu,
  /^(?:tell|show|teach) me(?: everything| all| more| something)?(?: about| on)?\s*/iu,
  /^(?:help me (?:to )?(?:understand|with|find|learn)?|give me|find me|get me|find out|find|look up|look into|investigate|do (?:a |some )?research (?:on|about|into)|research(?: on| about| into)?(?=\s)|study|explore|explain(?: to me)?|describe|summari[sz]e|outline|discuss|list|enumerate|name|compare|review)\s+(?:about |on )?/iu,
  /^(?:an?|the) (?:short |brief |quick |detailed |in-depth |comprehensive |deep )*(?:overview|summary|survey|review|introduction|analysis|explanation|list|comparison|report|deep dive)(?: of| on| to| about| into)\s+/iu,
  /^in (?:more |great |full )?(?:detail|depth)[\s,:]+/iu,
  /^(?:자세히|설명해\s?줘|알려\s?줘)\s+/u,
  /^(?:overview|summary|survey|introduction|list|comparison)(?: of| on| to| about)\s+/iu,
  /^(?:what|who) (?:is|are|was|were|does|do|did)\s+/iu,
  /^what(?:'s|s)\s+/iu,
  /^(?:what|which) (?:kinds?|types?|sorts?) of\s+/iu,
  /^which(?: of the)?\s+/iu,
  /^(?:what|how) about\s+/iu,
  /^(?:(?:请|請)(?:问|問)?|帮我|幫我|我想(?:了解|知道)?|给我|介绍一下|介绍|解释一下|解释|说明|说说|谈谈|什么是|什麼是|何谓|盘点一下|盘点|列出|列举|对比|比较|深入(?:分析|研究|解析)?|详细(?:介绍|解释|说明|分析)?|分析(?:一下)?|研究(?:一下)?|调研(?:一下)?)[\s,，:：]*/u,
  /^(?:what|ما هي|ما هو|ما|ماذا|اشرح(?: لي)?|كيف (?:يعمل|تعمل)|قارن بين|الفرق بين|عرف)\s+/iu,
  /^(?:что такое|что значит|каковы|какие(?: есть| бывают| существуют)?|как(?:ой|ая|ое)|как работа(?:ет|ют)|расскажи(?:те)?(?: мне)? (?:о|об|про)|объясни(?:те)?|сравни(?:те)?|опиши(?:те)?|перечисли(?:те)?)\s+/iu,
  /^(?:was (?:ist|sind|bedeutet)|welche[rns]?(?: \p{L}+)? gibt es (?:für|bei)|welche[rns]?|wie funktionier(?:t|en)|erkläre?(?: mir)?|beschreibe?|vergleiche?|vergleich von|nenne)\s+/iu,
  /^(?:qu'est-ce qu(?:e |')|c'est quoi|quel(?:le)?s? (?:est|sont)|comment fonctionnent?|expliquez?(?:-moi)?|décris|décrivez|comparez?|présentez?)\s*/iu,
  /^(?:¿?\s*(?:qué (?:es|son)|cuáles son|cuál es|cómo funcionan?|explica(?:me)?|explique|describe|compara)|o que (?:é|são)|quais são|como funcionam?|che cos'è|cos'è|quali sono|come funzionano?|spiega)\s+/iu,
  /^(?:apa itu|bagaimana|wat (?:is|zijn)|welke|hoe werkt|co to jest|jak działa|vad är|vilka)\s+/iu,
  /^(?:the|a|an|some|all(?: the)?|main|major|key|most (?:important|common|popular|used|effective)|best|top(?: \d+)?|current|latest|newest|recent|different|various|common|popular|available|existing|important|typical|modern|good|leading|principal|primary|fundamental|essential)\s+/iu,
  /^(?:die|der|das|den|ein(?:e[rsnm]?)?|wichtigsten?|gängigen?|les?|la|l'|des|du|un|une|el|los|las|unos|unas|principales?|principaux|o|os|as|um|uma|il|lo|i|gli|le|основные|главные|самые)\s+/iu,
];

/** Openings of a sentence that asks without a question mark. */
const requests = openings.slice(1, 5);

/** What follows the subject. Removed from the end. */
const closings: readonly RegExp[] = [
  /[\s?？!！.。…,，;；:：'"“”«»؟]+$/u,
  /(?<=\S)\s*[:：,–—-]\s+(?:an? )?(?:overview|introduction|summary|survey)$/iu,
  /\s+(?:in (?:more |great |full )?(?:detail|depth)|please|thanks|thank you|for me|to me|exactly|briefly|today|nowadays|right now|there are|are there|exist|available|work|works|mean|means|stand for|существуют|бывают|есть)$/iu,
  new RegExp(`[,;]?\\s+(?:${conjunctions}) (?:${asking})(?!\\p{L}).*$`, 'iu'),
  /\s*(?:的)?(?:是什么|是啥|什么意思|有哪些|有什么|是怎么工作的|是如何工作的|如何工作|怎么工作|的?原理是什么|怎么样|如何)(?:主要|常见|关键|不同|重要)?(?:的)?$/u,
  /\s*(?:とは(?:何(?:ですか|か)?)?|って何(?:ですか)?|は何(?:ですか|か)?|について(?:教えて(?:ください)?|説明して(?:ください)?)?|を(?:詳しく)?(?:教えて|説明して)(?:ください)?|(?:に)?はどのような(?:もの)?が?ありますか|がありますか|の仕組み|はどう(?:動作|機能)しますか)$/u,
  /\s*(?:(?:은|는|이|가|란|이란)?\s*(?:무엇인가요|무엇입니까|무엇이 있나요|뭐야|뭔가요|무엇인지)|에 대해(?:서)?(?: 자세히)?(?: 알려\s?줘| 설명해\s?줘| 알려주세요| 설명해주세요)?|(?:을|를)?\s*(?:자세히 )?(?:알려\s?줘|설명해\s?줘|알려주세요|설명해주세요)|(?:은|는|이|가)? 어떻게 작동하나요|(?:에는|에)? 어떤 것(?:이|들이) 있나요)$/u,
  /\s+(?:بالتفصيل|и как (?:он|она|оно|они) работа(?:ет|ют)|подробно|im detail|ausführlich|en détail|en detalle|gibt es)$/iu,
];

const aspectWords =
  'techniques?|methods?|methodologies|approaches|approach|algorithms?|strateg(?:y|ies)|ways|types?|kinds?|variants?|patterns?|architectures?|tools?|librar(?:y|ies)|frameworks?|packages?|implementations?|software|projects?|platforms?|databases?|models?|datasets?|benchmarks?|metrics?|results?|evaluations?|applications?|use cases?|uses|examples?|advantages?|benefits?|pros and cons|trade-?offs?|upsides?|downsides?|pitfalls?|strengths?|disadvantages?|drawbacks?|limitations?|limits?|challenges?|problems?|issues?|risks?|failure modes?|open (?:questions?|problems?)|mechanisms?|components?|steps?|stages?|principles?|concepts?|ideas?|causes?|effects?|trends?|developments?|advances?|progress|costs?|best practices?|options?|alternatives?|state of the art|features?|requirements?';
const aspectThenSubject = new RegExp(
  `^((?:${aspectWords})(?: and (?:${aspectWords}))?)(?: (?:exist|are there|there are|are available|are used|are known|(?:can|should|could|do) (?:i|we|you|people|one) use|(?:i|we|you) (?:can|should|could) use))? (?:for|of|in|to|behind|with|on|around|used (?:for|in|to|by)|available for|that (?:are used )?(?:for|in)|against) (?:the |a |an )?(.+)$`,
  'iu',
);
/** Only words that ask something of what stands before them: "vector databases" are a subject. */
const subjectThenAspect =
  /^(.+?) (techniques|methods|approaches|strategies|tools|libraries|frameworks|benchmarks?|metrics|datasets|evaluation|applications|use cases|advantages|benefits|disadvantages|drawbacks|limitations|challenges|risks|failure modes|trends|advances|best practices)$/iu;
const cjkAspect =
  /^(.+?)(?:的|の|における|을 위한|를 위한|의)?\s*(?:有哪些|有什么|哪些)?(?:主要|常见|关键|主な|代表的な|주요)?(?:的|な)?\s*(技术|技術|方法|手法|算法|アルゴリズム|方案|策略|类型|種類|种类|类别|工具|ツール|框架|(?<!数据)库|应用|応用|场景|优缺点|优点|缺点|局限性?|挑战|課題|问题|指标|評価|评估|机制|机理|原理|进展|기술|기법|방법|알고리즘|종류|유형|도구|라이브러리|프레임워크|응용|한계|과제|문제|지표|평가|메커니즘)$/u;
const otherAspect =
  /^((?:[\p{L}-]+ ){0,2}(?:methoden|techniken|verfahren|ansätze|werkzeuge|grenzen|probleme|anwendungen|arten|techniques|méthodes|approches|outils|limites|problèmes|applications|types|técnicas|métodos|enfoques|herramientas|límites|limitaciones|problemas|aplicaciones|tipos|методы|подходы|техники|инструменты|ограничения|проблемы|применения|виды)) (?:für|bei|von|der|des|pour|de|du|d'|para|del|в|для|по|في)\s?(.+)$/iu;

const bareAspect = /^(методы|подходы|техники|инструменты|ограничения|проблемы|виды|تقنيات|طرق|أساليب|أدوات|تحديات|حدود|أنواع) (.+)$/iu;

interface FoundSubject {
  readonly subject: string;
  readonly aspect: string;
  readonly phrase: string;
  readonly isPhrase: boolean;
}

function subjectOf(text: string): FoundSubject {
  const work = /^\W*how (?:do|does|did|is|are|was|were|can) (.+?) (?:work|works|function|operate|built|made|implemented|trained|used)\b/iu.exec(text);
  if (work) return phrase(strip(work[1]!), '');
  const asked = openings.slice(0, 5).reduce((rest, opening) => rest.replace(opening, ''), text);
  if (/^\W*(?:how|why|when|where|should|is|are|does|do|can|will|has|have)\b/iu.test(asked)) {
    const rest = strip(asked.replace(/^\W*(?:(?:how|why|when|where)\b\s*)?(?:(?:should|is|are|does|do|did|can|could|would|will|has|have|to|much|many|well|often)\b\s*)*(?:(?:i|we|you|one|people|it|there)\b\s*)?/iu, ''));
    return { subject: rest, aspect: '', phrase: '', isPhrase: false };
  }
  const stripped = strip(text);
  for (const pattern of [aspectThenSubject, otherAspect, bareAspect]) {
    const found = pattern.exec(stripped);
    if (found) return phrase(strip(found[2]!), found[1]!, stripped);
  }
  // "Who introduced RAG", "which databases support filtering": no noun phrase.
  if (isClause(asked)) return { subject: stripped, aspect: '', phrase: '', isPhrase: false };
  const cjk = cjkAspect.exec(stripped);
  if (cjk) return phrase(strip(cjk[1]!), cjk[2]!);
  const after = subjectThenAspect.exec(stripped);
  if (after && facetOfWord(after[2]!) !== undefined) return phrase(strip(after[1]!), after[2]!, stripped);
  return phrase(stripped, '');
}

function isClause(asked: string): boolean {
  // "Who is Ada Lovelace?" asks what "Ada Lovelace" stands for.
  if (/^\W*who(?:se|m)?\s/iu.test(asked)) return !/^\W*[Ww]ho (?:is|are|was|were) (?:the )?\p{Lu}/u.test(asked);
  // "What are the action items from the meeting?", "What is the capital of France?" ask for them and not what they are.
  if (/^\W*what (?:is|are|was|were) the (?:[^\s,]+ ){1,4}(?:of|from|in|for|on|at|to|behind|between) /iu.test(asked)) return true;
  const noun = /^\W*(?:which|what) (?!is |are |was |were |(?:kinds?|types?|sorts?) of )(.+)$/iu.exec(asked)?.[1];
  return noun !== undefined && hasVerbAfterNoun(noun);
}

function phrase(subject: string, aspect: string, joined = ''): FoundSubject {
  const words = subject.split(' ');
  // A clause, a list of clauses or a whole paragraph makes no heading.
  const isPhrase =
    subject !== '' &&
    words.length <= maxSubjectWords &&
    subject.length <= 70 &&
    !startOfClause.test(subject) &&
    subject.search(cjkAsking) < 0 &&
    !/[?!;:\n]|[.,] |\b(?:is|are|was|were|does|do|how|why|which|what|that|should|would|could|can|will|i|we|my|our|you)\b/iu.test(subject);
  return { subject, aspect, phrase: joined, isPhrase };
}

function strip(text: string): string {
  let subject = text;
  for (let before = ''; before !== subject; ) {
    before = subject;
    for (const opening of openings) subject = subject.replace(opening, '');
    for (const closing of closings) subject = subject.replace(closing, '');
    subject = subject.trim().replace(/^[¿¡"'“”«»「『(]+/u, '');
  }
  return subject;
}

/** Words that ask and that name no subject, beyond the grammar of each language. */
const emptyWords = new Set(
  `help something anything everything nothing stuff thing things topic topics subject question questions research report study paper article information info data
   hi hello hey yo test testing thanks thank ok okay yes no good new best better great know tell ask start go now today today's really
   write say explain describe list compare comparison difference differences between versus vs detail details work works working used using use
   main major key important current latest different various
   帮助 你好 东西 问题 研究 报告 测试 资料 信息 一下 some someone cool interesting random idk dunno whatever lol ???`.split(/\s+/),
);

function keywordsOf(subject: string): string {
  const language = detectLanguage(subject);
  const kept = spaced(subject)
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}#+]+|[^\p{L}\p{N}#+]+$/gu, ''))
    .filter((word) => word !== '' && terms(word).length > 0 && !isGrammar(word, language));
  return [...new Set(kept)].slice(0, 12).join(' ').slice(0, 200);
}

/** Names in Latin letters inside a run of Chinese or Japanese are words of their own; how it asks is none. */
function spaced(text: string): string {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)) return text;
  return text
    .replace(cjkAsking, ' ')
    .replace(/(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[a-z])|(?<=[a-z\d+#])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/giu, ' ');
}

function isGrammar(word: string, language: string): boolean {
  const lower = word.toLowerCase();
  return stopwords.en.has(lower) || (stopwords[language as StopwordLanguage]?.has(lower) ?? false);
}

/** Greetings and pleas of languages without a tokenised list above. */
const pleas =
  /你好|您好|帮帮?(?:助)?我|请帮忙|随便(?:什么|研究)?(?:一下)?|告诉我|测试一下|这个|那个|它|こんにちは|こんばんは|助けて(?:ください)?|お願いします|手伝って(?:ください)?|教えて(?:ください)?|テスト|それについて|これについて|안녕하세요|안녕|도와\s?주세요|도와\s?줘|알려\s?주세요|알려\s?줘|테스트|그것|이것|مرحبا|السلام عليكم|ساعدني|أخبرني عنه|привет|здравствуйте|помоги(?:те)?(?: мне)?|тест|hallo|hilfe|hilf mir|bonjour|salut|aidez?-moi|hola|ay[uú]da(?:me)?|ciao|aiutami|olá|ajuda/giu;

/** Words of a text that could name a subject of research. Empty for greetings, pleas, pronouns and keyboard rows. */
export function subjectWords(text: string): string[] {
  const beginning = text.slice(0, readLength).replace(pleas, ' ');
  const language = detectLanguage(beginning);
  return tokenize(beginning).filter(
    (word) => terms(word).length > 0 && !emptyWords.has(word) && !isGrammar(word, language) && !isTyped(word) && !/^[\d.]+$/.test(word),
  );
}

const keyboardRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop', 'poiuytrewq', 'lkjhgfdsa', 'mnbvcxz', '1234567890'];

/** Fingers on the keyboard: "asdf", "qwertyui", "aaaa", "jkljkl", a row without a vowel. */
function isTyped(word: string): boolean {
  if (word.length >= 4 && keyboardRows.some((row) => row.includes(word))) return true;
  if (/^(\p{L})\1{2,}$/u.test(word) || /^([a-z]{2,4})\1{2,}$/.test(word)) return true;
  if (word.length >= 6 && word.length <= 16 && word.length % 2 === 0) {
    const half = word.slice(0, word.length / 2);
    if (half + half === word && keyboardRows.some((row) => row.includes(half))) return true;
  }
  return /^[bcdfghjklmnpqrstvwxz]{7,}$/.test(word);
}

// ----------------------------------------------------------------------------------------------------------------- sides

const sidePatterns: readonly RegExp[] = [
  /\b(?:differences?|comparison|differs?|choose|choosing|decide|trade-?offs?|distinction)\b.{0,40}?\bbetween (.+)$/iu,
  /\b(?:(?:dis)?advantages?|benefits?) of (.+?) over (.+)$/iu,
  /\bhow (?:do|does|is|are) (.+?) (?:differ|different|compare)(?: (?:from|to|with) (.+))?$/iu,
  /\b(?:compare|comparing|comparison of) (.+)$/iu,
  /\bwhich (?:one )?is (?:\p{L}+ ){0,3}(?:better|faster|best|cheaper)[^,:]{0,40}[,:]? (.+? or .+)$/iu,
  /\bshould (?:i|we|you|one) (?:use|choose|pick|take|prefer) (.+? or .+)$/iu,
  /^\W*(?:is|are|does|do|can) (.+?) (?:\p{L}+ )?(?:faster|slower|better|worse|cheaper|safer|larger|smaller|harder|easier|(?:more|less) \p{L}+) than (.+)$/iu,
  /(?:对比|比较|比較)(?:一下)?(?<=[对比较較一下])\s*(.+?(?:和|与|跟|及|、|與).+)$/u,
  /^(.+?(?:和|与|跟|及|與|、|还是|と).+?)(?:之间)?(?:的|の)?(?:主要|本质)?(?:区别|區別|对比|比较|比較|差异|差別|差别|違い|优缺点|哪个更).*$/u,
  /^(.+?(?:와|과|랑|하고) .+?)(?:의|을|를)?\s*(?:차이|비교).*$/u,
  /(?:разниц\p{L}* между|сравн\p{L}*|отличи\p{L}* между) (.+)$/iu,
  /чем (.+? отлича\p{L}+ от .+)$/iu,
  /(?:unterschied\p{L}* zwischen|vergleich\p{L}*(?: von| zwischen)?) (.+)$/iu,
  /(?:différences? entre|compar\p{L}*(?: entre)?) (.+)$/iu,
  /(?:diferencias? entre|compar\p{L}*(?: entre)?|diferenças? entre|differenz\p{L}* tra|confront\p{L}*(?: tra)?) (.+)$/iu,
  /(?:الفرق بين|قارن بين|مقارنة بين) (.+)$/u,
];
const sideSeparator =
  /\s*,\s*(?:and|or|und|et|y|и)?\s+|\s+(?:vs\.?|versus|and|or|with|to|against|und|oder|mit|et|ou|avec|y|o|con|e|и|или|от|с|with respect to)\s+|\s+отлича\p{L}+ от\s+|\s+و\s?|\s*(?:和|与|跟|及|與|、|还是)\s*|(?<=[\p{Script=Han}\p{Script=Katakana}A-Za-z0-9])と|(?<=\S)(?:와|과|랑|하고)\s+/iu;

/** Begins a clause that asks something more. */
const nextClause = new RegExp(`[,;]?\\s+(?:${conjunctions})\\s+(?=(?:${asking})\\s)`, 'iu');
/** What a side of its own cannot be: a question. */
const questionStart = new RegExp(`^(?:can|${asking})\\s`, 'iu');

/** The clause that holds the comparison tells the sides; a clause before it says what a pronoun in it stands for. */
function sidesOf(text: string): readonly string[] {
  const cleaned = text.replace(/[?？!！.。؟]+\s*$/u, '');
  const clauses = cleaned.split(nextClause);
  const at = clauses.findIndex((clause) => comparison.test(clause));
  const before = at > 0 ? subjectOf(clauses[at - 1]!) : undefined;
  const sides = at < 0 ? [] : sidesOfClause(clauses[at]!, before?.isPhrase ? before.subject : '');
  return sides.length > 1 || clauses.length === 1 ? sides : sidesOfClause(cleaned, '');
}

/** `antecedent` is what "it" stands for; "" when nothing tells. */
function sidesOfClause(clause: string, antecedent: string): readonly string[] {
  const tidySides = (parts: readonly (string | undefined)[]): string[] => distinctSides(parts.map((part, index) => tidySide(part ?? '', index === 0, index === parts.length - 1)), antecedent);
  const versus = clause.split(/\s+(?:vs\.?|versus)\s+/iu);
  if (versus.length > 1) return withHead(tidySides(versus));
  for (const pattern of sidePatterns) {
    const found = pattern.exec(clause);
    if (!found) continue;
    const parts = found.slice(1).filter((part) => part !== undefined).flatMap((part) => part.split(sideSeparator));
    const sides = withHead(tidySides(parts));
    if (sides.length > 1) return sides;
  }
  return [];
}

const adjective = /^(?:dense|sparse|naive|soft|hard|static|deep|shallow|sync|async|eager|lazy|open|closed|early|late|strong|weak|long|short|fast|slow|small|large|single|\p{L}+(?:al|ive|ous|ic|able|ible|less))$/u;

/** "dense and sparse retrieval" are dense retrieval and sparse retrieval. */
function withHead(sides: readonly string[]): readonly string[] {
  const [first = '', ...head] = sides.at(-1)?.split(' ') ?? [];
  const others = sides.slice(0, -1);
  return head.length > 0 && [first, ...others].every((word) => adjective.test(word)) ? [...others.map((word) => `${word} ${head.join(' ')}`), sides.at(-1)!] : sides;
}

function tidySide(part: string, isFirst: boolean, isLast: boolean): string {
  let side = strip(part);
  // "A vs B for C": what follows the last side is the setting, not the side.
  if (isLast) side = side.replace(/\s+(?:for|in|when|as|on|with regard to|in terms of|regarding|für|bei|pour|dans|para|en|для|в|في)\s.+$/iu, '');
  if (isFirst) {
    side = side.replace(/^.*\b(?:between|compare|comparing)\s+/iu, '');
    // "pros and cons of A vs B": what is asked of both.
    side = aspectThenSubject.exec(side)?.[2] ?? side;
  }
  return strip(side).replace(/(?:的|の|의)?(?:区别|對比|对比|比较|比較|差异|違い|차이|비교).*$/u, '').trim();
}

function distinctSides(tidied: readonly string[], antecedent: string): string[] {
  const named = tidied.map((side) => (/^(?:it|they|them|this|that)$/iu.test(side) ? antecedent : side));
  const sides = named.filter((side) => side !== '' && side.length <= 60 && !questionStart.test(side));
  const distinct = [...new Map(sides.map((side) => [side.toLowerCase(), side])).values()];
  return distinct.length > 1 ? distinct.slice(0, 5) : [];
}
