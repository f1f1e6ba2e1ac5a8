import { detectLanguage } from '../text/language.ts';
import { wordsOf } from './signs.ts';

/** A longer answer says something. */
const longestSkip = 60;

/** Words that say to begin or to leave a question out. */
const starts = new Set(
  `start starting begin go ahead proceed continue skip immediately
  starte starten anfangen beginne beginnen loslegen weiter überspringen commence commencer démarre démarrer passer
  empieza empezar comienza adelante saltar começar comece pular inizia comincia salta begin overslaan zacznij pomiń başla atla
  开始 開始 直接 跳过 跳過 继续 始め 始めて スタート 스킵 시작 시작해 바로 건너뛰기 начни начать начинай пропусти пропустить ابدأ تخط`.split(
    /\s+/,
  ),
);

/** Words that agree, alone. */
const yes = /^(?:y|yes|ok|okay|approve|approved|1|true|ja|oui|sí|si|да|是|好|好的|可以|はい|네|نعم)$/iu;

/** True for an answer that means "just start": words to begin alone, beside words of grammar. */
export function isJustStart(answer: string): boolean {
  if (answer.length > longestSkip) return false;
  const text = answer.normalize('NFKC').toLowerCase();
  const words = wordsOf(text, detectLanguage(text));
  const isStart = words.map((word) => starts.has(word.text));
  return (
    isStart.includes(true) &&
    words.every(
      ({ kind, text }, at) =>
        isStart[at] || kind === 'grammar' || kind === 'asking' || kind === 'pointing' || isYes(text),
    )
  );
}

/** True for an answer that agrees and says nothing else. */
export function isYes(answer: string): boolean {
  return yes.test(answer.trim());
}

/**
 * What an answer to a question with options means: an option's number or label becomes its label, "just start" becomes null,
 * anything else stays as it is.
 */
export function readAnswer(text: string, options: readonly { readonly label: string }[]): string | null {
  const trimmed = text.trim();
  const option = options.find(({ label }) => label.toLowerCase() === trimmed.toLowerCase());
  if (option !== undefined) return option.label;
  if (trimmed === '' || isJustStart(trimmed)) return null;
  const number = /^\d{1,2}$/.test(trimmed) ? Number(trimmed) : undefined;
  return (number === undefined ? undefined : options[number - 1]?.label) ?? trimmed;
}
