/**
 * What the policy knows of a language: closed classes of words by which it sees that a question names no subject, and the questions
 * that it asks then. Words are lower case, separated by white space; in scripts without spaces as a dictionary cuts them.
 */
export interface AskingWords {
  /** Demonstratives and pronouns: what they mean is said elsewhere. */
  readonly pointing: string;
  /** A word with one of them is no bare subject: it is asked something of. */
  readonly interrogatives: string;
  /** They ask for research and name nothing ("help", "research", "topic"). */
  readonly requests: string;
  // The questions, with `{…}` for what the English text names.
  readonly reference: string;
  readonly scope: string;
  /** What an identifier means that no source knows. */
  readonly term: string;
  readonly confirm: string;
  readonly readings: readonly [overview: string, latest: string, open: string];
  readonly correct: string;
}

/** By BCP 47 tag. */
export const asking: Readonly<Record<string, AskingWords>> = {
  en: {
    pointing: `this that these those it its they them their he she him her one ones other another there here such`,
    interrogatives: `what what's who whose why how when where which`,
    requests: `help helps research study investigate look learn information info report topic subject question stuff thing things anything interesting do`,
    reference: 'What does “{phrase}” refer to? Please name it.',
    scope: '“{subject}” is a wide field. What about it should be researched?',
    term: 'No source that was asked knows “{term}”. What is meant by it?',
    confirm: 'This will be researched: {subject}. Is that right?',
    readings: ['{subject}: an overview', '{subject}: the latest developments', '{subject}: open problems and disputes'],
    correct: 'Yes, start',
  },
  de: {
    pointing: `dies diese dieser dieses diesem diesen jene jener jenes jenem jenen das es sie er ihn ihm davon darüber damit dazu`,
    interrogatives: `was wer wen wem warum wieso weshalb wie wann wo wohin woher welche welcher welches`,
    requests: `hilf helfen hilfe recherche recherchieren recherchier suche such suchen finde informationen infos thema frage bericht sachen mal`,
    reference: 'Was ist mit „{phrase}“ gemeint? Bitte benennen.',
    scope: '„{subject}“ ist ein weites Feld. Was davon soll recherchiert werden?',
    term: 'Keine der befragten Quellen kennt „{term}“. Was ist damit gemeint?',
    confirm: 'Das wird recherchiert: {subject}. Ist das richtig?',
    readings: [
      '{subject}: ein Überblick',
      '{subject}: die neuesten Entwicklungen',
      '{subject}: offene Fragen und Streitpunkte',
    ],
    correct: 'Ja, starten',
  },
  fr: {
    pointing: `ce cet cette ces celui celle ceux celles ceci cela ça il elle ils elles l`,
    interrogatives: `que quoi qui pourquoi comment quand où quel quelle quels quelles combien qu`,
    requests: `aide aider aidez recherche rechercher cherche chercher informations infos sujet question rapport fais fait moi chose choses parle parler`,
    reference: 'À quoi renvoie « {phrase} » ? Merci de le nommer.',
    scope: '« {subject} » est un vaste domaine. Sur quoi porter la recherche ?',
    term: 'Aucune des sources interrogées ne connaît « {term} ». Que désigne-t-il ?',
    confirm: 'La recherche portera sur : {subject}. Est-ce exact ?',
    readings: [
      '{subject} : un aperçu',
      '{subject} : les derniers développements',
      '{subject} : questions ouvertes et débats',
    ],
    correct: 'Oui, commencer',
  },
  es: {
    pointing: `este esta esto estos estas ese esa eso esos esas aquel aquella aquello él ella ellos ellas lo`,
    interrogatives: `qué quién quiénes cómo cuándo dónde cuál cuáles cuánto por`,
    requests: `ayuda ayúdame cuéntame ayudar investiga investigar busca buscar información tema pregunta informe cosa cosas háblame`,
    reference: '¿A qué se refiere «{phrase}»? Por favor, indíquelo por su nombre.',
    scope: '«{subject}» es un campo muy amplio. ¿Qué parte debe investigarse?',
    term: 'Ninguna de las fuentes consultadas conoce «{term}». ¿Qué significa?',
    confirm: 'Se investigará: {subject}. ¿Es correcto?',
    readings: [
      '{subject}: una visión general',
      '{subject}: los últimos avances',
      '{subject}: problemas abiertos y debates',
    ],
    correct: 'Sí, empezar',
  },
  zh: {
    pointing: `这 那 这个 那个 这些 那些 这种 那种 这款 那款 这篇 那篇 这家 那家 这位 那位 这项 那项 这次 那次 这里 那里 它 它们 他 她 他们 此 该`,
    interrogatives: `什么 谁 哪 哪个 哪些 哪里 为什么 为何 怎么 怎样 怎么样 如何 多少 何时 何为`,
    requests: `帮 帮我 帮忙 研究 调研 调查 查 查找 找 搜索 看看 了解 介绍 告诉 告诉我 说说 讲讲 给 想 做 一下 一些 东西 问题 主题 资料 信息 家 篇 款 种 项 位 本 部 随便 事 点 些 能 去 来`,
    reference: '“{phrase}”指的是什么？请说出具体名称。',
    scope: '“{subject}”的范围很广。要研究其中的哪一方面？',
    term: '所查询的来源都没有“{term}”。它指的是什么？',
    confirm: '将要研究：{subject}。对吗？',
    readings: ['{subject}：概览', '{subject}：最新进展', '{subject}：尚未解决的问题与争议'],
    correct: '对，开始',
  },
  ja: {
    pointing: `この その あの これ それ あれ これら それら ここ そこ こちら そちら 彼 彼女`,
    interrogatives: `何 なに 誰 だれ いつ どこ なぜ どう どの どれ どんな いくら`,
    requests: `リサーチ 調査 調べ 調べて 調べる 手伝 って あり 助け 探し 探して 情報 質問 話題 もっと て 欲しい ほしい たい お願い`,
    reference: '「{phrase}」は何を指していますか。名前を教えてください。',
    scope: '「{subject}」は広い分野です。どの部分を調べますか。',
    term: '検索した情報源に「{term}」はありませんでした。何を指していますか。',
    confirm: '次の内容を調べます：{subject}。よろしいですか。',
    readings: ['{subject}：概要', '{subject}：最新の動向', '{subject}：未解決の課題と論点'],
    correct: 'はい、開始',
  },
  ko: {
    pointing: `이 그 저 이것 그것 저것 이거 그거 저거 이것들 그것들 그들 여기 거기 이런 그런 저런`,
    interrogatives: `무엇 뭐 뭐야 누가 누구 언제 어디 왜 어떻게 어떤 얼마`,
    requests: `도와줘 도와주세요 도움 연구 연구를 조사 조사를 조사해줘 조사해 알려줘 찾아줘 정보 주제 질문 좀`,
    reference: '“{phrase}”은(는) 무엇을 가리키나요? 이름을 알려 주세요.',
    scope: '“{subject}”은(는) 범위가 넓습니다. 어떤 부분을 조사할까요?',
    term: '조회한 출처 어디에도 “{term}”이(가) 없습니다. 무엇을 뜻하나요?',
    confirm: '다음을 조사합니다: {subject}. 맞나요?',
    readings: ['{subject}: 개요', '{subject}: 최신 동향', '{subject}: 미해결 과제와 논쟁'],
    correct: '네, 시작',
  },
  ru: {
    pointing: `этот эта это эти этого этой этом этому этим этих тот та то те того той тем тех он она оно они его её их им`,
    interrogatives: `что кто как почему зачем когда где куда какой какая какое какие сколько`,
    requests: `помоги помогите помощь исследование исследовать исследуй найди поиск расскажи информация тема вопрос отчёт`,
    reference: 'Что означает «{phrase}»? Пожалуйста, назовите.',
    scope: '«{subject}» — обширная область. Что именно исследовать?',
    term: 'Ни один из опрошенных источников не знает «{term}». Что это?',
    confirm: 'Будет исследовано: {subject}. Верно?',
    readings: ['{subject}: обзор', '{subject}: последние достижения', '{subject}: нерешённые вопросы и споры'],
    correct: 'Да, начать',
  },
  ar: {
    pointing: `هذا هذه ذلك تلك هؤلاء أولئك ذاك هو هي هم`,
    interrogatives: `ما ماذا متى أين لماذا كيف كم أي`,
    requests: `ساعدني مساعدة ابحث بحث البحث أخبرني معلومات موضوع سؤال تقرير شيء`,
    reference: 'إلى ماذا تشير «{phrase}»؟ يُرجى ذكر الاسم.',
    scope: '«{subject}» مجال واسع. أي جانب منه ينبغي البحث فيه؟',
    term: 'لا يعرف أي من المصادر المسؤولة «{term}». ما المقصود به؟',
    confirm: 'سيُبحث في: {subject}. هل هذا صحيح؟',
    readings: ['{subject}: نظرة عامة', '{subject}: أحدث التطورات', '{subject}: مسائل مفتوحة وخلافات'],
    correct: 'نعم، ابدأ',
  },
};
