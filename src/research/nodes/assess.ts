import { Command } from '@langchain/langgraph';
import type { AskedQuestion, Assessment, Scope } from '../analyst/analyst.ts';
import { ResearchError } from '../errors.ts';
import { textsIn } from '../languages/texts.ts';
import type { RunTexts } from '../languages/texts.ts';
import { fillText } from '../../protocol/fillText.ts';
import { beginEarly, beginsEarly } from '../plan/speculativePlan.ts';
import { rareAndUnfound } from '../plan/rareWords.ts';
import { answeredQuestion } from '../policy/answeredQuestion.ts';
import { type Asking, clarifyingQuestion } from '../policy/clarifyingQuestion.ts';
import { isRefocused } from '../policy/beginEarly.ts';
import { type FocusTemplate, fittingTemplates } from '../policy/focusTemplates.ts';
import { readSigns, type Signs } from '../policy/signs.ts';
import { decideSufficiency, unknownTermsLeft } from '../policy/sufficiency.ts';
import type { Decision } from '../stateSchema.ts';
import { stepScope, type RunContext } from '../run/runContext.ts';
import type { Route } from '../routes.ts';
import type { ResearchStateType } from '../state.ts';

/** Points that a plan is made of at most. */
const mostFocus = 8;

/** Assesses the question with every answer and lookup so far, and decides whether to look up, ask or start. */
export function assessNode(run: RunContext) {
  return async (state: ResearchStateType): Promise<Route<'assess'>> => {
    run.emit({ type: 'run/phase', phase: 'assess' });
    const { asked, lookups, language } = state;
    const round = `${asked.length}-${lookups.length}`;
    const scope = stepScope(run, state, 'assess', `assess/${round}`);
    const templates = run.settings.focusTemplates;
    const names = templates.map(({ name }) => name);
    const hasFolder = run.tools.some(({ traits, kind }) => traits?.isLocal && kind === 'search');
    const question = answeredQuestion(state.originalQuery, asked, language, names);
    const signs = readSigns(question, language, { workspace: run.workspace, hasFolder });
    const early = beginsEarly(run, state) ? beginEarly(run, state) : undefined;
    const judged = await run.analyst
      .assess(
        {
          ...{ question: state.originalQuery, asked, lookups, hasFolder, templates: names },
          ...(run.workspace ? { workspace: run.workspace } : {}),
        },
        early ? answering(scope, early.answering) : scope,
      )
      .catch((error: unknown) => {
        early?.drop();
        throw error;
      });
    const used = usedTemplates(templates, question, asked);
    const unfound = early && judged.cannotDo === null ? await rareAndUnfound(run, state) : [];
    const unknownTerms = [...new Set([...judged.unknownTerms, ...unfound])];
    const assessment = withFocus({ ...judged, unknownTerms }, used);
    const { clarification } = run.settings;
    const { decision, missing } = decideSufficiency({
      assessment,
      hasContent: signs.hasContent,
      asked,
      lookups,
      clarification,
    });
    const starts = decision === 'CONFIRM_PLAN' || decision === 'START_RESEARCH';
    const clarifiedQuery = assessment.refinedQuery.trim() || question;
    if (starts && !isRefocused(state.originalQuery, clarifiedQuery)) early?.goOn();
    else early?.drop();
    if (decision === 'CANNOT_DO') throw cannotDo(assessment, language);
    if (starts && assessment.verification.trim() !== '') scope.thought(assessment.verification.trim());
    const offered = names.filter((name) => !used.some((template) => template.name === name));
    const asking = missing && { missing, signs, question, facts: run.workspace, offered };
    return new Command({
      update: {
        assessment: asking ? withQuestion(assessment, asked, asking) : assessment,
        decision,
        needsTopic: !signs.hasContent,
        // The user's own points: sections of their own, where no model weighs them.
        ...(starts && used.length > 0 ? { focus: [...assessment.focus] } : {}),
        clarifiedQuery,
        assumptions: starts ? assumptionsOf(run.texts, { assessment, asked, lookups, signs, used }) : [],
      },
      goto: nextOf(decision),
    });
  };
}

/** The scope, with a callback for the beginning of its model's answer. */
function answering(scope: Scope, onAnswer: () => void): Scope {
  return {
    ...scope,
    model: (label, role, request, onText) =>
      scope.model(label, role, request, (text) => {
        onAnswer();
        onText?.(text);
      }),
  };
}

function nextOf(decision: Exclude<Decision, 'CANNOT_DO'>): 'verifyTopic' | 'askUser' | 'analyze' {
  if (decision === 'VERIFY_TOPIC') return 'verifyTopic';
  return decision === 'NEED_CLARIFICATION' ? 'askUser' : 'analyze';
}

function cannotDo({ cannotDo: reason }: Assessment, language: string): ResearchError {
  const { noTopic, topic } = textsIn(language, 'digest').assess;
  return new ResearchError('cannotDo', reason ?? noTopic, { next: topic });
}

/** The analyst's own question where it wrote one that was not asked before; else the one that code writes. */
function withQuestion(assessment: Assessment, asked: readonly AskedQuestion[], asking: Asking): Assessment {
  const { question, options } = assessment;
  const isWritten = question.trim() !== '' && options.length >= 2 && options.length <= 5;
  const isNew = asked.every((one) => one.question.trim() !== question.trim());
  if (isWritten && isNew && asking.missing !== 'confirm') return { ...assessment, missingInfo: asking.missing };
  return { ...assessment, ...clarifyingQuestion(asking) };
}

/** Templates that fit the question's words, and one that was chosen as an answer. */
function usedTemplates(
  templates: readonly FocusTemplate[],
  question: string,
  asked: readonly AskedQuestion[],
): readonly FocusTemplate[] {
  const chosen = templates.filter(({ name }) => asked.some(({ answer }) => answer === name));
  return [...new Set([...chosen, ...fittingTemplates(templates, question)])];
}

function withFocus(assessment: Assessment, used: readonly FocusTemplate[]): Assessment {
  if (used.length === 0) return assessment;
  const focus = [...new Set([...used.flatMap((template) => template.focus), ...assessment.focus])];
  return { ...assessment, focus: focus.slice(0, mostFocus) };
}

/** What the run assumes because the user did not say it, in the report's language. */
function assumptionsOf(
  { assumptions: texts }: RunTexts,
  known: Pick<ResearchStateType, 'asked' | 'lookups'> & {
    readonly assessment: Assessment;
    readonly signs: Signs;
    readonly used: readonly FocusTemplate[];
  },
): string[] {
  const { assessment, asked, lookups, signs, used } = known;
  const assumptions: string[] = [];
  const { phrase = '', meaning = '' } = signs.resolved ?? {};
  if (meaning !== '') assumptions.push(fillText(texts.meaning, { phrase, meaning }));
  for (const { name, focus } of used) assumptions.push(fillText(texts.template, { name, points: focus.join('; ') }));
  const goal = assessment.defaultGoal.trim();
  if (!assessment.goalClear && goal !== '') assumptions.push(fillText(texts.goal, { goal }));
  for (const { answer, question, recommended } of asked)
    if (answer === null)
      assumptions.push(
        recommended === undefined
          ? fillText(texts.skipped, { question: firstLine(question) })
          : fillText(texts.taken, { question: firstLine(question), answer: recommended }),
      );
  const isVague = !assessment.topicClear || signs.subject === 'broad';
  if (isVague && asked.every(({ answer }) => answer !== null)) assumptions.push(texts.topic);
  const left = new Set(unknownTermsLeft({ assessment, lookups }));
  for (const { term, outcome } of lookups)
    if (outcome === 'impossible' || (outcome === 'notFound' && left.has(term)))
      assumptions.push(fillText(texts[outcome], { term }));
  return assumptions;
}

function firstLine(text: string): string {
  const line = text
    .trim()
    .split('\n')[0]!
    .replace(/[*_`#]/g, '');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
