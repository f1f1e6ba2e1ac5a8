import { languages } from '../languages/languages.ts';

/** Answers of users who do not want to be asked, in languages that have no list of their own. */
const furtherPhrases = [
  'começar',
  'comece',
  'pular',
  'inizia',
  'comincia',
  'salta',
  'start maar',
  'overslaan',
  'pomiń',
  'zacznij',
  'başla',
  'atla',
];

/** Phrases and words of the skips are compared without case, punctuation and spaces at their ends. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]/g, "'")
    .replace(/[^\p{L}\p{N}\p{M}']+/gu, ' ')
    .trim();
}

const skipLists = languages.flatMap(({ asking }) => {
  if (asking === undefined) return [];
  const fillers = asking.fillers.split(/\s+/).map(bare);
  return [{ phrases: new Set(asking.skips.split('|').map((phrase) => core(bare(phrase), fillers))), fillers }];
});
const others = new Set(furtherPhrases.map(bare));
/** A longer answer says something. */
const longestSkip = 60;

/** True for an answer that means "just start", in any language: phrases of a list alone, whatever fillers stand in them. */
export function isJustStart(answer: string): boolean {
  if (answer.length > longestSkip) return false;
  const clauses = answer
    .split(/[,，。.;；!！、]/)
    .map(bare)
    .filter((clause) => clause !== '');
  return clauses.some(isSkip) && clauses.every((clause) => isSkip(clause) || isFiller(clause));
}

function isFiller(clause: string): boolean {
  return isYes(clause) || skipLists.some(({ fillers }) => clause.split(' ').every((word) => fillers.includes(word)));
}

function isSkip(text: string): boolean {
  return others.has(text) || skipLists.some(({ phrases, fillers }) => phrases.has(core(text, fillers)));
}

/** Without the words that may be added or left out; all of them where nothing else is there. */
function core(text: string, fillers: readonly string[]): string {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return spacelessCore(text, fillers);
  const words = text.split(' ');
  const rest = words.filter((word) => !fillers.includes(word));
  return rest.length === 0 ? text : rest.join(' ');
}

/** Fillers at the ends alone: inside of a word they are part of it. */
function spacelessCore(text: string, fillers: readonly string[]): string {
  let rest = text.replaceAll(' ', '');
  for (;;) {
    const first = fillers.find((filler) => filler !== '' && rest.startsWith(filler) && rest.length > filler.length);
    const last = fillers.find((filler) => filler !== '' && rest.endsWith(filler) && rest.length > filler.length);
    if (first === undefined && last === undefined) return rest;
    if (first !== undefined) rest = rest.slice(first.length);
    else rest = rest.slice(0, -last!.length);
  }
}

const yes = new Set(
  languages.flatMap(({ asking }) => asking?.yes.split(/\s+/).map((word) => word.replaceAll('_', ' ')) ?? []),
);

/** True for an answer that agrees and says nothing else, in any language. */
export function isYes(answer: string): boolean {
  return yes.has(bare(answer));
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
