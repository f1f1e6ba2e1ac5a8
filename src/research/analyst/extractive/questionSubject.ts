import { hasVerbAfterNoun } from './englishVerbs.ts';
import { facetOfWord } from './facets.ts';

const maxSubjectWords = 9;

/** What a clause that asks begins with, after a conjunction or at the start of a text. */
export const askingWords =
  'how|what|when|why|which|where|who|should|do|does|is|are|wie|was|wann|warum|wieso|weshalb|wo|welche[rns]?|comment|pourquoi|quand|où|cómo|cuándo|dónde|por qué|como|quando|perché|как|когда|почему|зачем|где';
export const conjunctions = 'and|or|but|und|oder|aber|et|ou|mais|y|o|pero|e|и|или|а|но';
/** How Chinese, Japanese and Korean ask, anywhere in a clause. */
export const cjkAsking =
  /如何|怎么样?|怎麼樣?|怎样|怎樣|为什么|為什麼|为何|為何|どのように|どうやって|どうして|なぜ|어떻게|(?<!\p{L})왜(?!\p{L})/gu;
/** What a clause begins with that asks how, why, when or where: words of other languages than English, which is told by its verbs. */
const startOfClause =
  /^(?:wie|warum|wieso|weshalb|wann|wo|comment|pourquoi|quand|où|cómo|cuándo|dónde|por qué|perché|как|когда|почему|зачем|где)(?!\p{L})/iu;

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
export const requests = openings.slice(1, 5);

/** What follows the subject. Removed from the end. */
const closings: readonly RegExp[] = [
  /[\s?？!！.。…,，;；:：'"“”«»؟]+$/u,
  /(?<=\S)\s*[:：,–—-]\s+(?:an? )?(?:overview|introduction|summary|survey)$/iu,
  /\s+(?:in (?:more |great |full )?(?:detail|depth)|please|thanks|thank you|for me|to me|exactly|briefly|today|nowadays|right now|there are|are there|exist|available|work|works|mean|means|stand for|существуют|бывают|есть)$/iu,
  new RegExp(`[,;]?\\s+(?:${conjunctions}) (?:${askingWords})(?!\\p{L}).*$`, 'iu'),
  /\s*(?:的)?(?:是什么|是啥|什么意思|有哪些|有什么|是怎么工作的|是如何工作的|如何工作|怎么工作|的?原理是什么|怎么样|如何)(?:主要|常见|关键|不同|重要)?(?:的)?$/u,
  /\s*(?:とは(?:何(?:ですか|か)?)?|って何(?:ですか)?|は何(?:ですか|か)?|について(?:教えて(?:ください)?|説明して(?:ください)?)?|を(?:詳しく)?(?:教えて|説明して)(?:ください)?|(?:に)?はどのような(?:もの)?が?ありますか|がありますか|の仕組み|はどう(?:動作|機能)しますか)$/u,
  /\s*(?:(?:은|는|이|가|란|이란)?\s*(?:무엇인가요|무엇입니까|무엇이 있나요|뭐야|뭔가요|무엇인지)|에 대해(?:서)?(?: 자세히)?(?: 알려\s?줘| 설명해\s?줘| 알려주세요| 설명해주세요)?|(?:을|를)?\s*(?:자세히 )?(?:알려\s?줘|설명해\s?줘|알려주세요|설명해주세요)|(?:은|는|이|가)? 어떻게 작동하나요|(?:에는|에)? 어떤 것(?:이|들이) 있나요)$/u,
  /\s+(?:بالتفصيل|и как (?:он|она|оно|они) работа(?:ет|ют)|подробно|im detail|ausführlich|en détail|en detalle|gibt es)$/iu,
];

const aspectWords =
  'techniques?|methods?|methodologies|approaches|approach|algorithms?|strateg(?:y|ies)|ways|types?|kinds?|variants?|patterns?|architectures?|tools?|librar(?:y|ies)|frameworks?|packages?|implementations?|software|projects?|platforms?|databases?|models?|datasets?|benchmarks?|metrics?|results?|evaluations?|applications?|use cases?|uses|examples?|advantages?|benefits?|pros and cons|trade-?offs?|upsides?|downsides?|pitfalls?|strengths?|disadvantages?|drawbacks?|limitations?|limits?|challenges?|problems?|issues?|risks?|failure modes?|open (?:questions?|problems?)|mechanisms?|components?|steps?|stages?|principles?|concepts?|ideas?|causes?|effects?|trends?|developments?|advances?|progress|costs?|best practices?|options?|alternatives?|state of the art|features?|requirements?';
export const aspectThenSubject = new RegExp(
  `^((?:${aspectWords})(?: and (?:${aspectWords}))?)(?: (?:exist|are there|there are|are available|are used|are known|(?:can|should|could|do) (?:i|we|you|people|one) use|(?:i|we|you) (?:can|should|could) use))? (?:for|of|in|to|behind|with|on|around|used (?:for|in|to|by)|available for|that (?:are used )?(?:for|in)|against) (?:the |a |an )?(.+)$`,
  'iu',
);
/** "What are its limits", "what are the main pitfalls": a question that leaves to another what it is about. */
export const bareAspectQuestion = new RegExp(
  `^(what (?:is|are) )(?:the |its |their |some )?((?:main |major |key |typical |common )?(?:${aspectWords}))[\\s?.!]*$`,
  'iu',
);
/** Only words that ask something of what stands before them: "vector databases" are a subject. */
const subjectThenAspect =
  /^(.+?) (techniques|methods|approaches|strategies|tools|libraries|frameworks|benchmarks?|metrics|datasets|evaluation|applications|use cases|advantages|benefits|disadvantages|drawbacks|limitations|challenges|risks|failure modes|trends|advances|best practices)$/iu;
const cjkAspect =
  /^(.+?)(?:的|の|における|을 위한|를 위한|의)?\s*(?:有哪些|有什么|哪些)?(?:主要|常见|关键|主な|代表的な|주요)?(?:的|な)?\s*(技术|技術|方法|手法|算法|アルゴリズム|方案|策略|类型|種類|种类|类别|工具|ツール|框架|(?<!数据)库|应用|応用|场景|优缺点|优点|缺点|局限性?|挑战|課題|问题|指标|評価|评估|机制|机理|原理|进展|기술|기법|방법|알고리즘|종류|유형|도구|라이브러리|프레임워크|응용|한계|과제|문제|지표|평가|메커니즘)$/u;
const otherAspect =
  /^((?:[\p{L}-]+ ){0,2}(?:methoden|techniken|verfahren|ansätze|werkzeuge|grenzen|probleme|anwendungen|arten|techniques|méthodes|approches|outils|limites|problèmes|applications|types|técnicas|métodos|enfoques|herramientas|límites|limitaciones|problemas|aplicaciones|tipos|методы|подходы|техники|инструменты|ограничения|проблемы|применения|виды)) (?:für|bei|von|der|des|pour|de|du|d'|para|del|в|для|по|في)\s?(.+)$/iu;

const bareAspect =
  /^(методы|подходы|техники|инструменты|ограничения|проблемы|виды|تقنيات|طرق|أساليب|أدوات|تحديات|حدود|أنواع) (.+)$/iu;

interface FoundSubject {
  readonly subject: string;
  readonly aspect: string;
  readonly phrase: string;
  readonly isPhrase: boolean;
}

export function subjectOf(text: string): FoundSubject {
  const work =
    /^\W*how (?:do|does|did|is|are|was|were|can) (.+?) (?:work|works|function|operate|built|made|implemented|trained|used)\b/iu.exec(
      text,
    );
  if (work) return phrase(strip(work[1]!), '');
  const asked = openings.slice(0, 5).reduce((rest, opening) => rest.replace(opening, ''), text);
  if (/^\W*(?:how|why|when|where|should|is|are|does|do|can|will|has|have)\b/iu.test(asked)) {
    const rest = strip(
      asked.replace(
        /^\W*(?:(?:how|why|when|where)\b\s*)?(?:(?:should|is|are|does|do|did|can|could|would|will|has|have|to|much|many|well|often)\b\s*)*(?:(?:i|we|you|one|people|it|there)\b\s*)?/iu,
        '',
      ),
    );
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
  if (/^\W*what (?:is|are|was|were) the (?:[^\s,]+ ){1,4}(?:of|from|in|for|on|at|to|behind|between) /iu.test(asked))
    return true;
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
    !/[?!;:\n]|[.,] |\b(?:is|are|was|were|does|do|how|why|which|what|that|should|would|could|can|will|i|we|my|our|you)\b/iu.test(
      subject,
    );
  return { subject, aspect, phrase: joined, isPhrase };
}

export function strip(text: string): string {
  let subject = text;
  for (let before = ''; before !== subject;) {
    before = subject;
    for (const opening of openings) subject = subject.replace(opening, '');
    for (const closing of closings) subject = subject.replace(closing, '');
    subject = subject.trim().replace(/^[¿¡"'“”«»「『(]+/u, '');
  }
  return subject;
}
