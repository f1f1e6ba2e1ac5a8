import type { Verdict } from '../../src/research/analyst/analyst.ts';
import { exactCheck } from '../../src/research/evidence/exact.ts';
import { detectLanguage } from '../../src/research/text/language.ts';
import { splitSentences } from '../../src/research/text/sentences.ts';
import { terms } from '../../src/research/text/tokenize.ts';

/** Statements of a prompt of the second reader, each with the passages of its group. */
export function statementsOf(prompt: string) {
  const groups = prompt.matchAll(
    /<passages-(\w+)>\n([\s\S]*?)\n<\/passages-\1>\n<statements-\1>\n([\s\S]*?)\n<\/statements-\1>/g,
  );
  return [...groups].flatMap(([, , passages = '', statements = '']) =>
    [...statements.matchAll(/^(\d+)\. (.*)$/gm)].map(([, number, text = '']) => ({
      number: Number(number),
      text,
      passages,
    })),
  );
}

/** What a reader who compares words and figures says, as the answer of a model. */
export function verdictsOf(prompt: string, judge: (text: string, passages: string) => Verdict = rightVerdict) {
  const verdicts = statementsOf(prompt).map(({ number, text, passages }) => ({
    statement: number,
    ...judge(text, passages),
  }));
  return { verdicts };
}

/** Right about everything that words and figures tell. */
export function rightVerdict(text: string, passages: string): Verdict {
  const language = detectLanguage(text);
  const known = new Set(terms(passages, language));
  const own = terms(text, language);
  if (!own.some((term) => known.has(term))) return { verdict: 'absent', words: '', correction: '' };
  if (exactCheck(text, [passages]) && wordsHeard(text, passages))
    return { verdict: 'supported', words: '', correction: '' };
  const shared = (sentence: string) => terms(sentence).filter((term) => own.includes(term)).length;
  const [nearest = ''] = splitSentences(passages)
    .map((sentence) => sentence.text.trim())
    .sort((a, b) => shared(b) - shared(a));
  return { verdict: 'contradicted', words: nearest.slice(0, 100), correction: nearest };
}

/** Words that turn a statement round, and words for figures and units: who reads both sees one that the passages don't have. */
const turning =
  /\b(?:not|never|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|hundred|miles|weeks|below|above|open|close)\b|不|没/giu;

const numbers =
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );

function wordsHeard(text: string, passages: string): boolean {
  const held = passages.toLowerCase();
  const isHeld = (word: string): boolean => {
    const value = numbers.indexOf(word);
    return held.includes(word) || (value >= 0 && held.includes(String(value + 2)));
  };
  return (text.match(turning) ?? []).every((word) => isHeld(word.toLowerCase()));
}
