/**
 * Words of a language that the program reads text by, beside its function words (`text/stopwords.ts`). A language that is not
 * in the table works as well: its words are cut and matched like any others. Lower case, separated by white space, unless a field says otherwise.
 */
export interface Language {
  /** BCP 47, without a region. */
  readonly tag: string;
  /** Function words that the list of `text/stopwords.ts` lacks; all where it has none. In scripts without spaces as the tokeniser cuts. */
  readonly stopWords?: string;
  /** Words that ask, order and are polite ("tell", "please"), which no passage need hold, beside function words and {@link interrogatives}. */
  readonly askingWords?: string;
  /** Demonstratives and pronouns that are no articles: what they mean is said elsewhere. */
  readonly pointing?: string;
  /** A word with one of them is no bare subject: it is asked something of. */
  readonly interrogatives?: string;
  /** They ask for research and name nothing ("help", "research", "topic"). */
  readonly requests?: string;
  /** Letters that only some languages of the Latin script use; each one seen counts like a function word. */
  readonly letters?: RegExp;
  /** Headings under which a writer lists references: code writes the only ones. Alternatives of a regular expression. */
  readonly referenceHeadings?: string;
  /** The same for the conclusion. */
  readonly conclusionHeadings?: string;
  /** With what a sentence begins that is not understood without the one before. Alternatives of a regular expression. */
  readonly backReferences?: string;
}

/** English first, what the others fall back to; of two that fit a text equally the earlier one is taken. */
export const languages: readonly Language[] = [
  {
    tag: 'en',
    stopWords: `a also among done either else ever every get gets just let like many much near neither one per
      please rather since still thus toward towards upon via whether whose within without yet`,
    askingWords: `don doesn didn isn aren wasn couldn won wouldn shouldn main overview tell show explain describe
      list give find know want need mean means say says happen happens called often long far old kind sort anyone
      someone somebody something anything everything help hello hi thanks vs versus compare comparison difference
      differences`,
    pointing: `this that these those it its they them their he she him her one ones other another here such`,
    interrogatives: "what what's who whose why how when where which",
    requests: `help helps research study investigate look learn information info report topic subject question
      stuff thing things anything something interesting do`,
    referenceHeadings: 'references?|bibliography|sources|works cited|citations',
    conclusionHeadings: 'conclusions?(?: (?:and|&) (?:outlook|future.*))?|outlook',
    backReferences: [
      'it|its|they|their|these|those|this|that|such|he|she|his|her|both|neither|here|there|then|thus|hence|therefore',
      'however|moreover|furthermore|instead|otherwise|but|yet|for (?:example|instance)|as a result',
      'the (?:latter|former|same|others?|value|number|figure|gain|increase|decrease|drop|difference|effect)',
      '(?:in|at|on|for|with|under|by|of|from|after|before|during|among|across) (?:this|these|that|those|it|them|such|both)',
      'in (?:contrast|addition)',
    ].join('|'),
  },
  {
    tag: 'de',
    stopWords: `bitte dass gibt ja mehr sowie seit beim ans wozu wodurch worin worauf woran schon etwa wäre seid
      unsere unserem unseren unserer warum wer wurde wurden`,
    askingWords: `sag sage zeig zeige erkläre beschreibe nenne liste gib wessen womit wofür wovon viele lange oft
      bedeutet heißt heisst passiert geschieht gab müssen sollen darf dürfen jemand vergleich vergleiche unterschied
      unterschiede`,
    pointing: `dies diese dieser dieses diesem diesen jene jener jenes jenem jenen es sie er ihn ihm davon
      darüber damit dazu`,
    interrogatives: 'was wer wen wem warum wieso weshalb wie wann wo wohin woher welche welcher welches',
    requests: `hilf helfen hilfe recherche recherchieren recherchier suche such suchen finde informationen infos
      thema frage bericht sachen mal`,
    letters: /[äöüß]/gu,
    referenceHeadings: 'quellen(?:verzeichnis)?|literatur(?:verzeichnis)?',
    conclusionHeadings: 'fazit.*|schluss.*',
    backReferences: [
      'er|sie|es|ihre?|dies(?:e[rsmn]?)?|jene[rsmn]?|solche[rsmn]?|beide[rsn]?|letztere[rsn]?|erstere[rsn]?',
      'da(?:durch|mit|bei|für|her|nach|gegen|runter)|hier(?:bei|durch|mit)?|deshalb|deswegen|darum|somit',
      'jedoch|allerdings|außerdem|zudem|aber|doch|dort',
      '(?:in|bei|mit|nach|für|unter|auf|von|aus|an|zu) (?:dies|jen|solch)e[rsmn]|im (?:vergleich|gegensatz)',
      'zum beispiel',
    ].join('|'),
  },
  {
    tag: 'fr',
    stopWords: `à afin ainsi alors après au aucun aussi autre aux avant avec avoir c ce cela ces cet cette ceux
      chaque comme comment d dans de des donc dont du elle elles en encore entre est et être eu eux fait il ils j je l
      la le les leur leurs lui mais me même mes moins mon n ne nos notre nous on ont ou où par pas pendant peu peut
      plus pour pourquoi qu quand que quel quelle quelles quels qui s sa sans se ses si son sont sous sur ta te tes
      toi ton cette celui celle ceci jusque lors lorsque puisque chez entre sera serait sont était étaient ont avait
      peuvent doit doivent faut ils tous tout toute toutes très tu un une vers vos votre vous`,
    askingWords: `s'il plaît dis montre explique décris donne est-ce quelqu'un quelque chose faire signifie arrive
      compare comparer différence différences y`,
    pointing: 'ce cet cette ces celui celle ceux celles ceci cela ça il elle ils elles',
    interrogatives: 'que quoi qui pourquoi comment quand où quel quelle quels quelles combien qu',
    requests: `aide aider aidez recherche rechercher cherche chercher informations infos sujet question rapport
      fais fait moi chose choses parle parler`,
    letters: /[àâçèêëîïœùû]/gu,
    referenceHeadings: 'références|bibliographie',
    conclusionHeadings: 'conclusion et .*',
    backReferences: [
      "ils?|elles?|ces?|cet|cette|cela|ceci|ceux|celles?|celui|leurs?|c['’]est|ainsi|donc|cependant",
      'toutefois|de plus|en outre|par (?:ailleurs|exemple)',
      '(?:dans|avec|pour|sous|sur|de|à) (?:ce|cet|cette|ces|cela)|les deux',
    ].join('|'),
  },
  {
    tag: 'es',
    stopWords: `al algo algunos ante antes así aunque bajo bien cada como cómo con contra cual cuál cuáles cuando
      cuándo de del desde donde dónde dos el él ella ellas ellos en entre era es esa ese eso esta está están este esto
      estos fue ha han hasta hay la las le les lo los más me mi muy nada ni no nos o otra otro para pero poco por
      porque puede pueden cuántos cuántas cuánto cuánta cuáles nuestro nuestra nuestros hacia durante mientras había
      estaba sea deben debe qué que quien quién se según ser si sí sin sobre son su sus también tan tanto te tiene
      tienen todo todos tu un una unas uno unos y ya yo`,
    askingWords: `favor dime muestra explica describe lista da significa pasa sucede alguien comparar compara
      diferencia diferencias`,
    pointing: 'este esta esto estos estas ese esa eso esos esas aquel aquella aquello él ella ellos ellas',
    interrogatives: 'qué quién quiénes cómo cuándo dónde cuál cuáles cuánto por',
    requests: `ayuda ayúdame cuéntame ayudar investiga investigar busca buscar información tema pregunta informe
      cosa cosas háblame`,
    letters: /[ñ¿¡]/gu,
    referenceHeadings: 'referencias|bibliografía|fuentes',
    conclusionHeadings: 'conclusión.*',
    backReferences: [
      'est[aeo]s?|es[aeo]s?|ell[ao]s?|él|su|sus|amb[ao]s|dich[ao]s?|tal(?:es)?|así|sin embargo|además',
      'por (?:eso|ello|ejemplo|tanto)|(?:en|con|de|para|bajo) (?:est|es|dich)[aeo]s?',
    ].join('|'),
  },
  {
    tag: 'pt',
    stopWords: 'é porque quais ser sobre têm umas uns',
    askingWords: 'diga mostra explica onde quanto quanta quantos quantas significa diferença compara',
    letters: /[ãõ]/gu,
    backReferences: [
      'el[ea]s?|isto|isso|[nd]?(?:est|ess)[ea]s?|seus?|suas?|amb[oa]s|tal|tais|assim|portanto|porém|contudo',
      'além disso|por (?:isso|exemplo)',
    ].join('|'),
  },
  {
    tag: 'it',
    stopWords: `a ad agli al alla alle allo anche c che chi ci come con contro cosa cui da dal dalla dalle dei del
      dell della delle dello di dove e è ed era fra gli ha hanno i il in io la le lei li lo loro ma mi mio ne nei nel
      nella nelle no noi non nostro o per perché più può quale quali quando quanto quella quello questa queste questi
      questo se sei si sia sono su sua sue sui sul sulla suo tra tu tutti tutto un una uno`,
    askingWords: "dimmi mostra spiega quanta quanti quante significa c'è differenza confronta",
    backReferences: [
      'ess[oaie]|quest[oaie]|quell[oaie]|ciò|tal[ei]|suo|sua|loro|entramb[ie]|così|quindi|pertanto|tuttavia',
      'inoltre|(?:in|con|di|per|su) (?:quest[oaie]|tal[ei])|per esempio',
    ].join('|'),
  },
  {
    tag: 'nl',
    stopWords: 'den waar waarom wanneer we wel welke wij',
    askingWords: 'vertel toon leg hoeveel welk betekent verschil vergelijk tussen',
    backReferences: [
      'hij|zij|ze|dit|deze|die|zulke|beide|hier(?:door|mee|bij)|daar(?:door|mee|bij|om)|dus|echter',
      'bovendien|(?:in|met|bij|voor|onder) (?:dit|deze|die)|bijvoorbeeld',
    ].join('|'),
  },
  {
    tag: 'pl',
    stopWords: `a aby albo ale bardzo by być czy dla do gdy gdzie go i ich ile im jak jaka jakie jako jego jej
      jest już kiedy kto która które który lub ma mnie może na nad nie niż o od oraz po pod przez przy są się ta tak
      także tego tej ten to tu tylko w we wiele więc z za ze że`,
    askingWords: 'proszę powiedz pokaż wyjaśnij co dlaczego jaki czym różnica porównaj między',
    letters: /[ąćęłńśźż]/gu,
    backReferences:
      'on[aoie]?|to|ten|ta|te|ci|tak(?:i|a|ie)|oba|obie|jednak|ponadto|dlatego|w t(?:ym|ej|ych)|na przykład',
  },
  {
    tag: 'ru',
    stopWords: 'весь её ещё какие каких ко которая которые который либо наш однако оно очень также эта это',
    askingWords: 'пожалуйста скажи покажи объясни опиши откуда значит происходит сравни разница отличие',
    pointing: `этот эта это эти этого этой этом этому этим этих тот та то те того той тем тех он она оно они его
      её их им`,
    interrogatives: 'что кто как почему зачем когда где куда какой какая какое какие сколько',
    requests: `помоги помогите помощь исследование исследовать исследуй найди поиск расскажи информация тема
      вопрос отчёт`,
    referenceHeadings: 'источники|литература|список литературы',
    conclusionHeadings: 'выводы.*|заключение.*',
    backReferences: [
      'он[аои]?|е(?:го|ё|е)|их|эт(?:о|от|а|и|ого|ой|их)|так(?:ой|ая|ие)|оба|обе|там|тогда|поэтому|однако',
      'кроме того|при этом|в эт(?:ом|ой|их)|таким образом|например',
    ].join('|'),
  },
  {
    tag: 'tr',
    stopWords: 'hangileri mi nedir nelerdir yok',
    askingWords: 'lütfen söyle göster açıkla zaman kaç fark karşılaştır arasında',
    letters: /[ğış]/gu,
    backReferences: 'bu|bunlar|bunun|onlar|böyle|ancak|ayrıca|örneğin',
  },
  {
    tag: 'sv',
    stopWords: 'bara finns genom mer ska',
    askingWords: 'snälla säg visa förklara många betyder skillnad jämför',
    letters: /å/gu,
    backReferences: 'de|det|dessa|denna|detta|båda|därför|därmed|dock|dessutom|i (?:denna|detta|dessa)|till exempel',
  },
  {
    tag: 'vi',
    stopWords: `bị bởi các cái cho có của cũng đã đang để được gì hay không khi là làm lại mà một này nào như
      nhưng những ở ra rằng rất sao sẽ tại thế thì trong trên từ và vào về với`,
    askingWords: 'ai đâu bao nhiêu mấy sánh khác',
    letters: /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/gu,
  },
  {
    tag: 'id',
    stopWords: 'secara untuk',
    askingWords: 'dimana beda bandingkan',
  },
  {
    tag: 'ar',
    stopWords: 'أيضا لماذا ليس يا',
    askingWords: 'الفرق قارن',
    pointing: 'هذا هذه ذلك تلك هؤلاء أولئك ذاك هو هي هم',
    interrogatives: 'ما ماذا متى أين لماذا كيف كم أي',
    requests: 'ساعدني مساعدة ابحث بحث البحث أخبرني معلومات موضوع سؤال تقرير شيء',
    referenceHeadings: 'المراجع|المصادر',
    conclusionHeadings: 'الخلاصة.*|الخاتمة.*',
  },
  {
    tag: 'zh',
    stopWords: `的 了 和 是 在 有 与 及 或 也 都 而 为 被 把 对 从 到 以 于 其 之 这 那 个 吗 呢 吧 啊 什么 么是 哪些 有哪 些主 如何 怎么 怎样 为什 请问 一个 这个 那个
      我们 他们 它们 可以`,
    askingWords:
      '请 谁的 哪儿 何 多少钱 多久 多长 几 几个 会 能 要 应该 我 你 它 比较 区别 之间 什么时候 时候 时间 是否 得 多 长',
    pointing:
      '这 那 这个 那个 这些 那些 这种 那种 这款 那款 这篇 那篇 这家 那家 这位 那位 这项 那项 这次 那次 这里 那里 它 它们 他 她 他们 此 该',
    interrogatives: '什么 谁 哪 哪个 哪些 哪里 为什么 为何 怎么 怎样 怎么样 如何 多少 何时 何为',
    requests: `帮 帮我 帮忙 研究 调研 调查 查 查找 找 搜索 看看 了解 介绍 告诉 告诉我 说说 讲讲 给 想 做 一下 一些 东西 问题 主题 资料 信息 家 篇 款 种 项 位 本 部 随便 事 点
      些 能 去 来`,
    referenceHeadings: '参考文献|参考资料|引用|来源',
    conclusionHeadings: '结论.*|结语.*|总结与展望',
    backReferences: '它|他们|其|该|此|这|那|上述|两者|二者|后者|前者|因此|但|然而|例如|结果',
  },
  {
    tag: 'ja',
    stopWords: `の に は を が と で も へ や から まで です ます した する して ない ある いる この その あの どの 何で とは なに どう こと もの ため よう について つい いて`,
    askingWords: 'いくつ か ください 教え 教えて 違い 比較 ですか',
    pointing: 'この その あの これ それ あれ これら それら ここ そこ こちら そちら 彼 彼女',
    interrogatives: '何 なに 誰 だれ いつ どこ なぜ どう どの どれ どんな いくら',
    requests:
      'リサーチ 調査 調べ 調べて 調べる 手伝 って あり 助け 探し 探して 情報 質問 話題 もっと て 欲しい ほしい たい お願い',
    referenceHeadings: '参考文献|資料',
    conclusionHeadings: '結論.*|まとめ.*',
    backReferences:
      'これ|それ|この|その|こう|そう|本手法|同|両者|後者|前者|しかし|また|さらに|そのため|したがって|一方|例えば',
  },
  {
    tag: 'ko',
    stopWords:
      '은 는 이 가 을 를 의 에 와 과 도 로 으로 에서 에게 하는 하다 이다 입니 니다 있는 있다 무엇 엇인 인가 가요 어떤 어떻 떻게 그리 리고 또는',
    askingWords: '몇 입니까 인가요 하나요 있나요 알려 주세요 차이 비교',
    pointing: '이 그 저 이것 그것 저것 이거 그거 저거 이것들 그것들 그들 여기 거기 이런 그런 저런',
    interrogatives: '무엇 뭐 뭐야 누가 누구 언제 어디 왜 어떻게 어떤 얼마',
    requests: '도와줘 도와주세요 도움 연구 연구를 조사 조사를 조사해줘 조사해 알려줘 찾아줘 정보 주제 질문 좀',
    referenceHeadings: '출처|참고\\s?문헌',
    conclusionHeadings: '결론.*',
    backReferences: '이는|이것|그것|이러한|그러한|이|그|해당|또한|그러나|따라서|하지만|예를 들어',
  },
];

const byTag = new Map(languages.map((language) => [language.tag, language]));

/** The language of a BCP 47 tag; undefined when nothing is known of it. */
export function findLanguage(tag: string): Language | undefined {
  return byTag.get(baseTag(tag));
}

/** The words of a field. */
export function listed(words: string | undefined): string[] {
  return words?.split(/\s+/) ?? [];
}

/** A BCP 47 tag without script and region. */
export function baseTag(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? '';
}
