import { isRecord } from '../../../protocol/json.ts';
import * as z from 'zod';
import prompt from '../../../../prompts/assess.md';
import { answeredQuestion } from '../../policy/answeredQuestion.ts';
import { textsIn } from '../../languages/texts.ts';
import { readSigns } from '../../policy/signs.ts';
import { readQuery } from '../../text/query.ts';
import { sharesWord } from '../../text/sharesWord.ts';
import { fold, termsOf, tokensOf } from '../../text/tokenize.ts';
import type { AskedQuestion, Assessment, AssessInput, Scope } from '../analyst.ts';
import { runValues, workspaceBlock } from './common.ts';
import { fenced, fencedOrNone, oneLine, questionText } from './fence.ts';
import { choice, entry, flag, group, list, score, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { condensed } from './passages.ts';
import { askStructured } from './structuredOutput.ts';

/** In tokens. */
const enoughMaterial = 10_000;
const longestLookup = 400;
/** Of a refined question, in characters. */
const mostQuestion = 8_000;
/** Share of the content words of the question and its answers that a refined question has to keep. */
const keptWords = 0.6;

const option = entry(
  'label',
  { label: text('Short, in the language of the question', 160), recommended: flag('The one that you would choose') },
  { label: ['text', 'option', 'title', 'value', 'name', 'description'], recommended: ['is_recommended'] },
);

const schema = z.object({
  assessment: group(
    {
      reasoning: text('What is clear and what is not, in one or two sentences'),
      topic_clear: flag('The topic is clear'),
      scope_inferable: flag('The scope is stated or can be inferred'),
      goal_clear: flag('The goal is stated'),
      default_goal: text('A reasonable goal where none is stated; empty when there is none'),
      unknown_terms: list(text('An abbreviation or name', 80), 'Terms whose meaning has to be looked up', 5),
      focus: list(text('A point', 200), 'Three to six points that the research should cover', 8),
      confidence: score(0, 1, 0.7, 'From 0 to 1'),
    },
    'How the question was assessed',
  ),
  need_clarification: flag('Whether a question has to be asked first'),
  question: text('The question to the person, short Markdown; empty when none is needed', 600),
  options: list(option, 'Two to five answers to choose from; empty when no question is needed', 8),
  recommended: text('Label of the option that you would choose', 160),
  missing_info: text('Stable key of what is missing: topic, scope, goal, time, term:NAME', 80),
  verification: text('One sentence that says what was understood, when nothing is missing'),
  refined_query: text('The full question, standing alone', mostQuestion),
  cannot_do_reason: text('One friendly sentence why it cannot be researched at all; empty when it can'),
  cannot_do: choice(['none', 'no_subject', 'harmful'], 'none', 'Why it cannot be researched at all; none when it can'),
});

type Answer = z.output<typeof schema>;

export async function assess(input: AssessInput, scope: Scope): Promise<Assessment> {
  let refused: Answer | undefined;
  const answer = await askStructured(scope, {
    label: 'assess',
    step: 'assess',
    most: enoughMaterial,
    schema: withDefaultConfidence,
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        question: questionText(input.question, tokens / 2),
        asked: askedBlock(input.asked),
        lookups: input.lookups
          .map(({ term, outcome, summary }) => {
            const shown = condensed(summary, term, Math.min(longestLookup, tokens / 4 / input.lookups.length));
            return fenced('lookup', shown || '(no text)', { term, outcome });
          })
          .join('\n'),
        workspace: workspaceBlock(input.workspace, tokens),
      }),
    complaint: (value) => {
      if (value.cannot_do === 'harmful') refused = value;
      return complaintOf(value);
    },
  });
  // A refusal counts when it was repeated.
  const given: Answer = answer === refused ? { ...answer, cannot_do: 'none' } : answer;
  return toAssessment(given, input, scope.language);
}

/** The confidence of a model that left it out: low when it wants to ask. */
const withDefaultConfidence = z.preprocess((value) => {
  if (!isRecord(value)) return value;
  const inner = isRecord(value['assessment']) ? value['assessment'] : {};
  const asks = value['need_clarification'] === true || value['need_clarification'] === 'true';
  const standard = { topic_clear: true, scope_inferable: true, goal_clear: !asks, confidence: asks ? 0.5 : 0.9 };
  const given = Object.fromEntries(Object.entries(inner).filter(([, field]) => field !== null && field !== undefined));
  return { ...value, assessment: { ...standard, ...given } };
}, schema);

function askedBlock(asked: readonly AskedQuestion[]): string {
  const lines = asked.map(
    (entry) =>
      `- About ${oneLine(entry.missingInfo) || 'something'}: ${oneLine(entry.question)}\n  Answer: ${answerOf(entry)}`,
  );
  return fencedOrNone('asked', lines.join('\n'));
}

function answerOf({ answer, recommended }: AskedQuestion): string {
  if (answer !== null) return oneLine(answer);
  return recommended === undefined
    ? '(skipped: take the most likely reading)'
    : `(skipped: take "${oneLine(recommended)}")`;
}

function complaintOf(answer: Answer): string | undefined {
  if (answer.cannot_do === 'harmful')
    return '`cannot_do` is "harmful". Answer "none", unless the research would help somebody to do serious harm: then repeat it, and let `cannot_do_reason` say in words of the question what would do harm.';
  if (answer.cannot_do !== 'none' || !answer.need_clarification) return undefined;
  if (answer.question === '') return '`need_clarification` is true, but `question` is empty.';
  const count = optionsOf(answer).length;
  return count < 2 || count > 5 ? '`options` must hold two to five different answers.' : undefined;
}

function toAssessment(answer: Answer, input: AssessInput, language: string): Assessment {
  const assessed = answer.assessment;
  const asks = answer.need_clarification && answer.question !== '';
  const whole = answeredQuestion(input.question, input.asked, language, input.templates);
  const refinedQuery = keepsWords(answer.refined_query, whole) ? answer.refined_query : whole;
  const unknownTerms = [...new Set(assessed.unknown_terms.filter((term) => term !== ''))].slice(0, 5);
  const own = readQuery(refinedQuery).words.map(({ word }) => word);
  const focus = [...new Set(assessed.focus.filter((point) => point !== ''))].slice(0, 8);
  return {
    cannotDo: refusalOf(answer, whole, language),
    needClarification: asks,
    question: asks ? answer.question : '',
    options: asks ? optionsOf(answer).slice(0, 5) : [],
    missingInfo: asks ? answer.missing_info || missingOf(assessed, unknownTerms) : '',
    verification: asks ? '' : answer.verification,
    refinedQuery,
    topicClear: assessed.topic_clear,
    scopeInferable: assessed.scope_inferable,
    goalClear: assessed.goal_clear,
    defaultGoal: assessed.default_goal,
    unknownTerms,
    // A model that sees no need to ask but names no points: those of the question itself.
    focus: asks || focus.length >= 2 ? focus : [...new Set([...focus, ...own])].slice(0, 4),
    confidence: assessed.confidence,
    reasoning: assessed.reasoning,
  };
}

function missingOf(assessed: Answer['assessment'], unknownTerms: readonly string[]): string {
  if (!assessed.topic_clear) return 'topic';
  if (!assessed.scope_inferable) return 'scope';
  return unknownTerms[0] === undefined ? 'goal' : `term:${unknownTerms[0]}`;
}

/** One recommended option, whichever way the model marked it; the first one when it marked none. */
function optionsOf(answer: Answer): { readonly label: string; readonly recommended: boolean }[] {
  const labelled = answer.options.map((one) => ({ ...one, label: clean(one.label) }));
  const options = labelled.filter(
    ({ label }, index) => label !== '' && labelled.findIndex((other) => other.label === label) === index,
  );
  const wanted = answer.recommended.toLowerCase();
  const byLabel = options.findIndex((entry) => entry.label.toLowerCase() === wanted);
  const byNumber = /^\d$/.test(wanted) ? Number(wanted) - 1 : -1;
  const marked =
    [byLabel, options.findIndex((entry) => entry.recommended), byNumber].find(
      (index) => index >= 0 && index < options.length,
    ) ?? 0;
  return options.map(({ label }, index) => ({ label, recommended: index === marked }));
}

/** A label without the letter or number that a model put before it. */
function clean(label: string): string {
  return label
    .replace(/\s+/g, ' ')
    .replace(/^(?:\(?[A-Ea-e1-5][.)]\)?|[-*])\s+/, '')
    .trim();
}

/**
 * A question whose words name something has a subject, whatever a model says. What it takes for harmful is not researched, if its reason
 * speaks of the question: a model that fills every field has none.
 */
function refusalOf(
  { cannot_do: kind, cannot_do_reason: reason }: Answer,
  whole: string,
  language: string,
): string | null {
  if (kind === 'none') return null;
  if (kind === 'no_subject' && readSigns(whole, language).hasContent) return null;
  if (kind === 'harmful' && !sharesWord(whole, [reason])) return null;
  return reason || textsIn(language, 'digest').assess.noTopic;
}

/** Whether a refined question is still the one that was asked: it has most of its content words. */
function keepsWords(refined: string, whole: string): boolean {
  const { words } = readQuery(whole);
  const text = fold(refined);
  const terms = new Set(tokensOf(refined.slice(0, mostQuestion)).flatMap((token) => termsOf(token)));
  const kept = words.filter((one) => text.includes(fold(one.word)) || one.terms.some((term) => terms.has(term)));
  return refined !== '' && kept.length >= words.length * keptWords;
}
