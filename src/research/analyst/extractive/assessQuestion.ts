import type { AskedQuestion, AssessInput, Assessment } from '../analyst.ts';
import type { WorkspaceFacts } from '../../tools.ts';
import { clarificationMark, readQuestion } from './question.ts';
import { facetsOf } from './sectionFacets.ts';
import { subjectWords } from './subjectWords.ts';
import { fill, textsOf, type Texts } from './texts.ts';

/** Fields too wide for one report: which side matters is asked once. Compared without case and articles. */
const wideFields = new Set(
  `ai|a.i.|artificial intelligence|machine learning|ml|deep learning|computer science|programming|software|technology|tech|science|physics|chemistry|biology|medicine|health|math|mathematics|history|economics|economy|finance|business|marketing|psychology|philosophy|education|politics|climate|energy|security|internet|data|data science|llm|llms|large language models|nlp|robotics|blockchain|crypto
人工智能|机器学习|深度学习|计算机|计算机科学|编程|软件|科技|科学|物理|化学|生物|医学|数学|历史|经济|金融|大模型|大语言模型|人工知能|機械学習|深層学習|医学|科学|物理学|経済|인공지능|머신러닝|딥러닝|과학|의학|경제|الذكاء الاصطناعي|تعلم الآلة|العلوم|الطب|искусственный интеллект|машинное обучение|ии|наука|физика|медицина|экономика|künstliche intelligenz|ki|maschinelles lernen|wissenschaft|medizin|intelligence artificielle|ia|apprentissage automatique|inteligencia artificial|aprendizaje automático|ciencia`.split(
    /[|\n]/,
  ),
);

/** Orders, sums, play: nothing that a source could answer. Only clear cases; doubt is researched. */
const noResearch: readonly RegExp[] = [
  /^[\s\d.,+\-*/×÷^%()=?]*\d[\s\d.,]*[+\-*/×÷^][\s\d.,+\-*/×÷^%()]*=?\s*\??$/u,
  /^(?:please |can you |could you )?(?:write|compose|make up|tell|sing|draw|paint|generate)(?: me| us)? (?:a|an|some|another|the)? ?(?:short |funny |little |love |birthday )*(?:poem|haiku|song|limerick|joke|jokes|story|fairy tale|picture|image|logo|rap|essay for me|cover letter|e-?mail)\b/iu,
  /^(?:please |can you |could you )?(?:translate|fix|debug|refactor|rename|delete|remove|run|execute|compile|deploy|commit|push|open|close|format) (?:this|that|it|my|the (?:file|code|test|tests|bug|build|program|script|function))\b/iu,
  /^(?:sudo |rm -|git (?:push|pull|commit|checkout)|npm (?:i|run|install)|cd |ls$|cat |echo |SELECT .+ FROM |DROP TABLE)/u,
  /^(?:请|帮我|给我)?(?:写|作|编)(?:一)?(?:首|个|篇)?(?:诗|歌|笑话|故事|情书|段子)/u,
  /(?:詩|歌|物語|ジョーク)を(?:書|作)(?:い|っ|く)/u,
  /(?:시|노래|농담|이야기)(?:를|을)? ?(?:하나 )?(?:써|지어|들려)/u,
  /^(?:اكتب|ألف)(?: لي)? (?:قصيدة|شعر|قصة|نكتة|أغنية)/u,
  /^(?:напиши|сочини|расскажи)(?:те)?(?: мне)? (?:стих|песн|сказк|анекдот|шутк)/iu,
  /^(?:schreib|dichte|erzähl)e?(?: mir)? (?:ein(?:en|e)?) (?:gedicht|lied|witz|geschichte)/iu,
  /^(?:écris|raconte)(?:-moi)? (?:un|une) (?:poème|chanson|blague|histoire)/iu,
  /^(?:escribe(?:me)?|escríbeme|cuéntame) (?:un|una) (?:poema|canción|chiste|cuento|historia)/iu,
];

/** Judges a question by rules alone: is there a subject, is it narrow enough, and is it research at all? Pure and total. */
export function assessQuestion(input: AssessInput, language: string): Assessment {
  const texts = textsOf(language);
  const answers = input.asked.flatMap(({ answer }) => (answer === null || answer.trim() === '' ? [] : [answer.trim()]));
  const hasTopic = subjectWords(input.question).length > 0;
  if (isNoResearch(input.question)) return refusal(texts.assess.cannotDo, input.question);
  if (!hasTopic) return assessWithoutTopic(input, answers, texts);
  const question = withAnswers(input.question, answers);
  if (answers.length === 0 && isWide(input.question) && !wasAsked(input.asked, 'scope'))
    return askScope(question, input.question, texts);
  return clear(question, texts);
}

function isNoResearch(question: string): boolean {
  const text = question.slice(0, 400).trim();
  return noResearch.some((pattern) => pattern.test(text));
}

function assessWithoutTopic(input: AssessInput, answers: readonly string[], texts: Texts): Assessment {
  const named = answers.find((answer) => subjectWords(answer).length > 0);
  if (named !== undefined) return isNoResearch(named) ? refusal(texts.assess.cannotDo, named) : clear(named, texts);
  const options = topicOptions(input.workspace, texts);
  if (!wasAsked(input.asked, 'topic')) {
    return {
      ...clear('', texts),
      needClarification: true,
      question: texts.assess.topic,
      options: options.map((label, index) => ({ label, recommended: index === 0 })),
      missingInfo: 'topic',
      verification: '',
      refinedQuery: input.question.trim(),
      topicClear: false,
      scopeInferable: false,
      goalClear: false,
      defaultGoal: '',
      focus: [],
      confidence: 0.1,
      reasoning: 'No word of the question names a subject.',
    };
  }
  // Asked and not answered. What the workspace is about is offered above; unasked, its words must not go out in queries.
  return refusal(texts.assess.noTopic, input.question);
}

function askScope(question: string, original: string, texts: Texts): Assessment {
  const subject = readQuestion(original).subject || original.trim();
  return {
    ...clear(question, texts),
    needClarification: true,
    question: fill(texts.assess.scope, { subject: subject.replace(/[*_`[\]<>|]/g, '') }),
    options: texts.assess.scopeOptions.map((label, index) => ({ label, recommended: index === 0 })),
    missingInfo: 'scope',
    verification: '',
    scopeInferable: false,
    confidence: 0.6,
    reasoning: 'The subject is a whole field.',
  };
}

function clear(question: string, texts: Texts): Assessment {
  const read = readQuestion(question);
  const goalClear =
    read.type !== 'general' ||
    read.aspect !== '' ||
    /[?？؟]\s*$/u.test(question) ||
    question.includes(clarificationMark);
  return {
    cannotDo: null,
    needClarification: false,
    question: '',
    options: [],
    missingInfo: '',
    verification: fill(texts.assess.understood, {
      subject: read.subject || `“${question.split(clarificationMark)[0]!.replace(/\s+/g, ' ').trim().slice(0, 160)}”`,
    }),
    refinedQuery: question,
    topicClear: true,
    scopeInferable: true,
    goalClear,
    defaultGoal: texts.assess.defaultGoal,
    unknownTerms: [],
    focus: facetsOf(read, 'standard').map((facet) => texts.facets[facet]),
    confidence: 0.95,
    reasoning: 'The question names a subject; its type and words give the sections.',
  };
}

function refusal(reason: string, question: string): Assessment {
  return {
    cannotDo: reason,
    needClarification: false,
    question: '',
    options: [],
    missingInfo: '',
    verification: '',
    refinedQuery: question.trim(),
    topicClear: false,
    scopeInferable: false,
    goalClear: false,
    defaultGoal: '',
    unknownTerms: [],
    focus: [],
    confidence: 0,
    reasoning: reason,
  };
}

function withAnswers(question: string, answers: readonly string[]): string {
  const said = question.trim();
  const fresh = answers.filter((answer) => !said.toLowerCase().includes(answer.toLowerCase()));
  return [said, ...fresh].join(clarificationMark);
}

function wasAsked(asked: readonly AskedQuestion[], missingInfo: string): boolean {
  return asked.some((question) => question.missingInfo === missingInfo);
}

function isWide(question: string): boolean {
  const { subject, aspect, sides } = readQuestion(question);
  return aspect === '' && sides.length === 0 && wideFields.has(subject.toLowerCase());
}

/** What the workspace is about, as far as its facts tell, then what answers well anywhere. */
function topicOptions(workspace: WorkspaceFacts | undefined, texts: Texts): string[] {
  const topics = (workspace?.topics ?? [])
    .filter((topic) => topic.length <= 80 && subjectWords(topic).length > 1)
    .slice(0, 3);
  return [...new Set([...topics, ...texts.assess.topicOptions])].slice(0, 4);
}
