import * as z from 'zod';
import prompt from '../../../../prompts/trial.md';
import type { Tried } from '../../../protocol/ports.ts';
import { ResearchError } from '../../errors.ts';
import type { ChatAnswer } from '../../ports.ts';
import { sha256 } from '../../text/digest.ts';
import { detectLanguage } from '../../text/language.ts';
import { splitSentences } from '../../text/sentences.ts';
import { isStopword } from '../../text/stopwords.ts';
import type { Scope } from '../analyst.ts';
import { lettersOf } from './common.ts';
import { oneLine } from './fence.ts';
import { text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { askStructured } from './structuredOutput.ts';

/**
 * A trial of a model before it leads: small tasks in the forms that a run needs, made of the sources' own sentences, whose answers code
 * knows. Which sentence says something, what it is about, an object filled from it, whether to continue or to stop.
 */
export interface TrialTasks {
  readonly name: 'choose' | 'fill';
  readonly sentences: readonly string[];
  readonly tasks: readonly {
    readonly form: Form;
    readonly field: string;
    readonly ask: string;
    readonly answer: string;
    /** Of an answer, in UTF-16 units. */
    readonly longest: number;
  }[];
}

const forms = ['which', 'about', 'fill', 'next'] as const;
type Form = (typeof forms)[number];

/** Right answers of the ten from which a model leads, and from which it helps: measured in docs/development.md. */
const [leadsFrom, helpsFrom, ofTrial] = [8, 6, 10];

/** @param right The forms of the tasks that were answered right. One that can't do one of them at all does not lead. */
function outcomeOf(right: readonly Form[]): Tried {
  const leads = right.length >= leadsFrom && forms.every((form) => right.includes(form));
  const trust = leads ? 'leads' : right.length >= helpsFrom ? 'helps' : 'quotes';
  return { trust, right: right.length, of: ofTrial };
}

/**
 * Has a model do its tasks; in an answer that can't be read none is right. Undefined when one of the two calls was not answered: it
 * was refused, or reasoning used its length up. Rejects with what a call fails with.
 * @param seed Other tasks for each run.
 */
export async function tried(texts: readonly string[], scope: Scope, seed: string): Promise<Tried | undefined> {
  const once: Scope = { ...scope, limits: { ...scope.limits, maxStructuredOutputRetries: 0 } };
  const [chosen, filled] = await Promise.all(
    trialTasks(texts, scope.language, seed).map((tasks) => rightIn(tasks, once)),
  );
  return chosen && filled && outcomeOf([...chosen, ...filled]);
}

async function rightIn({ name, sentences, tasks }: TrialTasks, scope: Scope): Promise<readonly Form[] | undefined> {
  const numbered = sentences.map((sentence, index) => `${index + 1}. ${sentence}`).join('\n');
  const asked = tasks.map(({ field, ask }) => `${field}: ${ask}`).join('\n');
  const schema = z.object(Object.fromEntries(tasks.map(({ field, longest }) => [field, text('', longest)])));
  let answer: ChatAnswer | undefined;
  const heard: Scope = { ...scope, model: async (...call) => (answer = await scope.model(...call)) };
  try {
    const given = await askStructured(heard, {
      ...{ label: name, step: 'trial', most: 0, schema },
      prompt: () => fillPrompt(prompt, { sentences: numbered, tasks: asked }),
    });
    return tasks.flatMap(({ form, field, answer: wanted }) => (isRight(given[field] ?? '', wanted) ? [form] : []));
  } catch (error) {
    if (ResearchError.is(error, 'contentFilter', 'contextLength')) return undefined;
    // A port's own bad answer is that of a server which is no model's.
    if (!ResearchError.is(error, 'badAnswer') || answer === undefined) throw error;
    return answer.finish === 'length' && answer.text.trim() === '' ? undefined : [];
  }
}

/** With words of the model's own around it ("Sentence 3", "A: …"), or without its punctuation. */
function isRight(given: string, answer: string): boolean {
  const [said, wanted] = [lettersOf(given), lettersOf(answer)];
  if (wanted.length > 8) return said.includes(wanted);
  return (
    said === wanted ||
    given
      .match(/[\p{L}\p{N}.]+/gu)
      ?.filter((word) => /^(?:\d+|[A-B]|continue|stop)$/.test(word))
      .join() === answer
  );
}

/** Sentences that are shown, and their lengths in UTF-16 units: a short one in Chinese says as much as a longer one in English. */
const shown = 5;
const [shortest, longestSentence] = [16, 100];
/** Room for a number, a letter or a word, with a few words around it. */
const shortAnswer = 24;

/**
 * Tasks of sentences in the question's language, or of records without a language where the texts have too few. The same for the same
 * texts and seed. Pure.
 */
export function trialTasks(
  texts: readonly string[],
  language: string,
  seed: string,
): readonly [TrialTasks, TrialTasks] {
  const random = seeded(sha256(seed));
  const found = texts
    .filter((one) => detectLanguage(one) === language)
    .flatMap((one) => splitSentences(one.slice(0, 20_000)))
    .map(({ text: sentence }) => oneLine(sentence).replace(/^(?:[-*+>]|\d+\.) /, ''));
  const fit = [...new Set(found)].filter(
    (one) => one.length >= shortest && one.length <= longestSentence && /^[^{}|<>\\`#*:"[\]]+[.!?。！？।۔؟]$/.test(one),
  );
  const chosen = distinct(shuffled(fit, random), language);
  const made = distinct(records(random), language);
  const own = chosen.length > shown + 1 ? chosen : made;
  const withFigure = own.findIndex(({ sentence }) => figureIn(sentence) !== undefined);
  const [unseen, ...rest] = own.toSpliced(withFigure, withFigure < 0 ? 0 : 1);
  const numbers = own[withFigure] ?? made[0]!;
  return [choosing(rest.slice(0, shown), random), filling([numbers, ...rest.slice(0, 2)], unseen!, random)];
}

interface Chosen {
  readonly sentence: string;
  /** Words that no other sentence has. */
  readonly words: readonly string[];
}

function choosing(five: readonly Chosen[], random: () => number): TrialTasks {
  const order = shuffled([...five.keys()], random);
  const words = (index: number, most: number): string =>
    five[index]!.words.slice(0, most)
      .map((word) => `"${word}"`)
      .join(', ');
  const which = order.slice(0, 4).map((index, at) => ({
    form: 'which' as const,
    field: 'abcd'[at]!,
    ask: `Which sentence, 1 to ${five.length}, has ${words(index, 2)}?`,
    answer: String(index + 1),
    longest: shortAnswer,
  }));
  const isFirst = random() < 0.5;
  const about = [isFirst, !isFirst].map((isA, at) => {
    const [index, other] = [order[at + 3]!, order[at]!];
    const [a, b] = isA ? [index, other] : [other, index];
    return {
      form: 'about' as const,
      field: 'ef'[at]!,
      ask: `Is sentence ${index + 1} about ${words(a, 1)} (A) or ${words(b, 1)} (B)?`,
      answer: isA ? 'A' : 'B',
      longest: shortAnswer,
    };
  });
  return { name: 'choose', sentences: five.map(({ sentence }) => sentence), tasks: [...which, ...about] };
}

function filling(three: readonly Chosen[], unseen: Chosen, random: () => number): TrialTasks {
  const mixed = shuffled(three, random);
  const copied = mixed.reduce((one, other) => (other.sentence.length < one.sentence.length ? other : one));
  const numbered = mixed.indexOf(three[0]!) + 1;
  const [first, second] = [mixed[0]!.words[0]!, mixed[1]!.words[0]!];
  const ends = shuffled(
    [
      [first, second, 'stop'],
      [second, unseen.words[0]!, 'continue'],
    ] as const,
    random,
  ).map(([one, other, answer], at) => ({
    form: 'next' as const,
    field: ['next', 'then'][at]!,
    ask: `"stop" if the sentences have both "${one}" and "${other}", else "continue".`,
    answer,
    longest: shortAnswer,
  }));
  return {
    name: 'fill',
    sentences: mixed.map(({ sentence }) => sentence),
    tasks: [
      {
        form: 'fill',
        field: 'number',
        ask: `The first number in sentence ${numbered}, in digits.`,
        answer: figureIn(three[0]!.sentence)!,
        longest: shortAnswer,
      },
      {
        form: 'fill',
        field: 'copy',
        ask: `Sentence ${mixed.indexOf(copied) + 1}, word for word.`,
        answer: copied.sentence,
        longest: 2 * longestSentence,
      },
      ...ends,
    ],
  };
}

const figureIn = (sentence: string): string | undefined => /(?<![\p{L}\p{N}.,])\d+(?:[.,]\d+)*/u.exec(sentence)?.[0];

/** Sentences that have at least two words of their own, with two or three of them. */
function distinct(sentences: readonly string[], language: string): Chosen[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const wordsOf = (sentence: string): string[] =>
    [...segmenter.segment(sentence)].flatMap(({ segment, isWordLike }) => {
      const isContent = isWordLike && /^\p{L}{2,}$/u.test(segment) && !isStopword(segment.toLowerCase(), language);
      return isContent && (segment.length > 3 || segment.charCodeAt(0) > 0x2e7f) ? [segment] : [];
    });
  const chosen: Chosen[] = [];
  for (const sentence of sentences) {
    if (chosen.length > shown + 1) break;
    const others = chosen.map((one) => one.sentence.toLowerCase());
    const words = [...new Set(wordsOf(sentence))].filter(
      (word) => !others.some((other) => other.includes(word.toLowerCase())),
    );
    const isOwn = chosen.every((one) =>
      one.words.every((word) => !sentence.toLowerCase().includes(word.toLowerCase())),
    );
    if (words.length >= 2 && isOwn) chosen.push({ sentence, words: words.slice(0, 3).reverse() });
  }
  return chosen;
}

/** Lists of names that don't exist, each with a number: no model can have learnt them, and they are of no language. */
function records(random: () => number): string[] {
  const syllables = ['ba', 'do', 'fe', 'ki', 'lu', 'mo', 'na', 'pi', 'ra', 'so', 'tu', 've'];
  const name = (): string => {
    const [first = '', ...rest] = shuffled(syllables, random).slice(0, 3).join('');
    return first.toUpperCase() + rest.join('');
  };
  return Array.from(
    { length: 3 * shown },
    () => `${name()}, ${name()}, ${12 + Math.floor(random() * 900)}, ${name()}.`,
  );
}

/** mulberry32, seeded by the beginning of a digest in hex. */
function seeded(hex: string): () => number {
  let state = Number.parseInt(hex.slice(0, 8), 16);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
