import { detectLanguage } from '../../text/language.ts';
import { stopwords } from '../../text/stopwords.ts';
import { terms, tokenize } from '../../text/tokenize.ts';
import { cjkAsking } from './questionSubject.ts';

/** More of a question than this is never read: the rest is material, not a question. */
export const readLength = 2_000;

/** Words that ask and that name no subject, beyond the grammar of each language. */
const emptyWords = new Set(
  `help something anything everything nothing stuff thing things topic topics subject question questions research report study paper article information info data
   hi hello hey yo test testing thanks thank ok okay yes no good new best better great know tell ask start go now today today's really
   write say explain describe list compare comparison difference differences between versus vs detail details work works working used using use
   main major key important current latest different various
   帮助 你好 东西 问题 研究 报告 测试 资料 信息 一下 some someone cool interesting random idk dunno whatever lol ???`.split(
    /\s+/,
  ),
);

/** The words of a subject that are searched for, in their order. */
export function keywordsOf(subject: string): string {
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
    .replace(
      /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?=[a-z])|(?<=[a-z\d+#])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/giu,
      ' ',
    );
}

function isGrammar(word: string, language: string): boolean {
  const lower = word.toLowerCase();
  return stopwords.get('en')!.has(lower) || (stopwords.get(language)?.has(lower) ?? false);
}

/** Greetings and pleas of languages without a tokenised list above. */
const pleas =
  /你好|您好|帮帮?(?:助)?我|请帮忙|随便(?:什么|研究)?(?:一下)?|告诉我|测试一下|这个|那个|它|こんにちは|こんばんは|助けて(?:ください)?|お願いします|手伝って(?:ください)?|教えて(?:ください)?|テスト|それについて|これについて|안녕하세요|안녕|도와\s?주세요|도와\s?줘|알려\s?주세요|알려\s?줘|테스트|그것|이것|مرحبا|السلام عليكم|ساعدني|أخبرني عنه|привет|здравствуйте|помоги(?:те)?(?: мне)?|тест|hallo|hilfe|hilf mir|bonjour|salut|aidez?-moi|hola|ay[uú]da(?:me)?|ciao|aiutami|olá|ajuda/giu;

/** Words of a text that could name a subject of research. Empty for greetings, pleas, pronouns and keyboard rows. */
export function subjectWords(text: string): string[] {
  const beginning = text.slice(0, readLength).replace(pleas, ' ');
  const language = detectLanguage(beginning);
  return tokenize(beginning).filter(
    (word) =>
      terms(word).length > 0 &&
      !emptyWords.has(word) &&
      !isGrammar(word, language) &&
      !isTyped(word) &&
      !/^[\d.]+$/.test(word),
  );
}

const keyboardRows = [
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
  'poiuytrewq',
  'lkjhgfdsa',
  'mnbvcxz',
  '1234567890',
];

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
