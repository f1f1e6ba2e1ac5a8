/** Answers of users who do not want to be asked, in several languages. */
const phrases = new Set(
  [
    'just start',
    'start',
    'go',
    'skip',
    'go ahead',
    'just go',
    'start research',
    'just do it',
    'continue',
    'proceed',
    'whatever',
    'no preference',
    '直接开始',
    '直接开始研究',
    '开始',
    '开始研究',
    '开始吧',
    '跳过',
    '随便',
    '直接開始',
    '開始',
    '跳過',
    'そのまま開始',
    '開始して',
    'スキップ',
    '始めて',
    '바로 시작',
    '시작',
    '건너뛰기',
    '그냥 시작',
    'ابدأ',
    'ابدأ مباشرة',
    'تخطي',
    'начать',
    'начни',
    'просто начни',
    'пропустить',
    'einfach starten',
    'starten',
    'leg los',
    'überspringen',
    'commencer',
    'commence',
    'passer',
    'empezar',
    'empieza',
    'saltar',
    'começar',
    'pular',
    'inizia',
    'salta',
  ].map(bare),
);

/** True for an answer that means "just start". */
export function isJustStart(answer: string): boolean {
  return phrases.has(bare(answer));
}

function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * What an answer to a question with options means: an option's number or label becomes its label, "just start" becomes null,
 * anything else stays as it is.
 */
export function readAnswer(text: string, options: readonly { readonly label: string }[]): string | null {
  const trimmed = text.trim();
  if (trimmed === '' || isJustStart(trimmed)) return null;
  const number = /^\d{1,2}$/.test(trimmed) ? Number(trimmed) : undefined;
  if (number !== undefined && options[number - 1]) return options[number - 1]!.label;
  return options.find((option) => option.label.toLowerCase() === trimmed.toLowerCase())?.label ?? trimmed;
}
