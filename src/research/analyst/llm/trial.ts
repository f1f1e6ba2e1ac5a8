import * as z from 'zod';
import prompt from '../../../../prompts/trial.md';
import type { Trust } from '../../../protocol/ports.ts';
import { ResearchError } from '../../errors.ts';
import { sha256 } from '../../text/digest.ts';
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
    readonly field: string;
    readonly ask: string;
    readonly answer: string;
  }[];
}

/** Right answers of the ten from which a model leads, and from which it helps: measured in docs/development.md. */
export const ofTrial = 10;
const [leadsFrom, helpsFrom] = [8, 6];

export function trustOf(right: number): Trust {
  if (right >= leadsFrom) return 'leads';
  return right >= helpsFrom ? 'helps' : 'quotes';
}

/**
 * How many of the ten answers are right. Undefined when none of them could be read: a server that speaks to a program in another way
 * says nothing of its model. Rejects with what a call fails with.
 */
export async function tried(texts: readonly string[], scope: Scope): Promise<number | undefined> {
  const once: Scope = { ...scope, limits: { ...scope.limits, maxStructuredOutputRetries: 0 } };
  const right = await Promise.all(trialTasks(texts, scope.language).map((tasks) => rightIn(tasks, once)));
  const read = right.filter((one) => one !== undefined);
  return read.length === 0 ? undefined : read.reduce((sum, one) => sum + one, 0);
}

async function rightIn({ name, sentences, tasks }: TrialTasks, scope: Scope): Promise<number | undefined> {
  const numbered = sentences.map((sentence, index) => `${index + 1}. ${sentence}`).join('\n');
  const asked = tasks.map(({ field, ask }) => `${field}: ${ask}`).join('\n');
  const schema = z.object(Object.fromEntries(tasks.map(({ field }) => [field, text('', 2 * longestSentence)])));
  try {
    const given = await askStructured(scope, {
      ...{ label: name, step: 'trial', most: 0, schema },
      prompt: () => fillPrompt(prompt, { sentences: numbered, tasks: asked }),
    });
    if (tasks.every(({ field }) => (given[field] ?? '') === '')) return undefined;
    return tasks.filter(({ field, answer }) => isRight(given[field] ?? '', answer)).length;
  } catch (error) {
    if (ResearchError.is(error, 'badAnswer', 'contentFilter', 'contextLength')) return undefined;
    throw error;
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

/** Sentences that are shown, of the sources' and of the trial's own; none is longer, in UTF-16 units. */
const shown = 5;
const [shortest, longestSentence] = [40, 160];

/** Tasks of the sentences of some texts; of made-up ones where they have too few. The same for the same texts. Pure. */
export function trialTasks(texts: readonly string[], language: string): readonly [TrialTasks, TrialTasks] {
  const random = seeded(sha256(texts.join('\n').slice(0, 20_000)));
  const found = texts
    .flatMap((one) => splitSentences(one.slice(0, 20_000)))
    .map(({ text: sentence }) => oneLine(sentence).replace(/^(?:[-*+>]|\d+\.) /, ''));
  const fit = [...new Set(found)].filter(
    (one) => one.length >= shortest && one.length <= longestSentence && /^[^{}|<>\\`#*:]+[.!?。！？।۔؟]$/.test(one),
  );
  const chosen = distinct(shuffled(fit, random), language);
  const made = distinct(shuffled(madeUp(random), random), language);
  const own = chosen.length > shown + 1 ? chosen : made;
  const withFigure = own.findIndex(({ sentence }) => figureIn(sentence) !== undefined);
  const [unseen, ...rest] = own.toSpliced(withFigure, withFigure < 0 ? 0 : 1);
  const numbers = own[withFigure] ?? made.find(({ sentence }) => figureIn(sentence) !== undefined)!;
  return [choosing(rest.slice(0, shown), random), filling([numbers, ...rest.slice(0, 2)], unseen!, random)];
}

interface Chosen {
  readonly sentence: string;
  /** Words that no other sentence has. */
  readonly words: readonly string[];
}

function choosing(five: readonly Chosen[], random: () => number): TrialTasks {
  const order = shuffled([...five.keys()], random);
  const clue = (index: number): string => five[index]!.words.map((word) => `"${word}"`).join(', ');
  const which = order.slice(0, 4).map((index, at) => ({
    field: 'abcd'[at]!,
    ask: `Which sentence has the words ${clue(index)}? Its number, 1 to ${five.length}.`,
    answer: String(index + 1),
  }));
  const isFirst = random() < 0.5;
  const about = [isFirst, !isFirst].map((isA, at) => {
    const [index, other] = [order[at + 3]!, order[at]!];
    const [a, b] = isA ? [index, other] : [other, index];
    return {
      field: 'ef'[at]!,
      ask: `Is sentence ${index + 1} about A (${clue(a)}) or about B (${clue(b)})? A or B.`,
      answer: isA ? 'A' : 'B',
    };
  });
  return { name: 'choose', sentences: five.map(({ sentence }) => sentence), tasks: [...which, ...about] };
}

function filling(three: readonly Chosen[], unseen: Chosen, random: () => number): TrialTasks {
  const mixed = shuffled(three, random);
  const copied = mixed.reduce((one, other) => (other.sentence.length < one.sentence.length ? other : one));
  const numbered = mixed.indexOf(three[0]!) + 1;
  const wanted = (field: string, words: readonly string[], answer: string) => ({
    field,
    ask: `Wanted are sentences with the words ${words.map((word) => `"${word}"`).join(' and ')}. Are all of them above: "stop", or is one missing: "continue"?`,
    answer,
  });
  const [first, second] = [mixed[0]!.words[0]!, mixed[1]!.words[0]!];
  const ends = shuffled(
    [
      [first, second, 'stop'],
      [second, unseen.words[0]!, 'continue'],
    ] as const,
    random,
  );
  return {
    name: 'fill',
    sentences: mixed.map(({ sentence }) => sentence),
    tasks: [
      {
        field: 'number',
        ask: `The first number in sentence ${numbered}, in digits.`,
        answer: figureIn(three[0]!.sentence)!,
      },
      { field: 'copy', ask: `Sentence ${mixed.indexOf(copied) + 1}, word for word.`, answer: copied.sentence },
      ...ends.map(([one, other, answer], at) => wanted(['next', 'then'][at]!, [one, other], answer)),
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

/** Sentences of names that don't exist: no model can have learnt them. */
function madeUp(random: () => number): string[] {
  const syllables = ['ba', 'do', 'fe', 'ki', 'lu', 'mo', 'na', 'pi', 'ra', 'so', 'tu', 've'];
  const name = (): string => {
    const [first = '', ...rest] = shuffled(syllables, random).slice(0, 3).join('');
    return first.toUpperCase() + rest.join('');
  };
  const figure = (): number => 12 + Math.floor(random() * 900);
  return [
    `The harbour of ${name()} was closed for ${figure()} days after the storm.`,
    `A museum in ${name()} shows ${figure()} clocks of the watchmaker ${name()}.`,
    `Trains between ${name()} and ${name()} carry up to ${figure()} passengers.`,
    `The river ${name()} freezes in winter and floods the orchards in spring.`,
    `${name()} sells a blue paint that dries within ${figure()} minutes.`,
    `Engineers at ${name()} measured a pressure of ${figure()} bar in the boiler.`,
    `Bees of the island ${name()} visit ${figure()} kinds of thistle.`,
    `Dentists from ${name()} praise a toothbrush with ${figure()} bristles.`,
    `The novelist ${name()} wrote ${figure()} letters to her publisher.`,
  ];
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
