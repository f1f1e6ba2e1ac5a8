import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { ResearchError } from '../research/errors.ts';
import type {
  AllowTools,
  Asked,
  Dialogue,
  ProposedEntities,
  ProposedPlan,
  ReviewDecision,
  ReviewToDecide,
  TakenAnswer,
  WantedEntity,
} from '../research/ports.ts';
import { needsAnswer } from '../research/runner/dialogue.ts';
import { oneLine } from '../research/text/hidden.ts';
import { l10n } from './l10n.ts';
import { terminalLine } from './terminalLine.ts';
import { isConsent, isRefusal, readReviewAnswer, reviewAnswers, reviewVerdict } from './terminalAnswers.ts';

interface Terminal {
  readonly input: NodeJS.ReadableStream;
  /** Where questions are shown: never the stream of the report. */
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

export interface DialogueOptions extends Terminal {
  readonly yes: boolean;
  /** Answers given beforehand, in the order of the questions. */
  readonly answers: readonly string[];
  /** The first of them is to a question that was shown before. */
  readonly wasAsked?: boolean;
  readonly interactive: boolean;
}

/** Answers a run's questions from prepared answers, then from `--yes`, or by asking on the terminal. */
export function terminalDialogue(options: DialogueOptions): Required<Dialogue> {
  const answers = [...options.answers];
  /** Under `--yes`, an answer that this question can't have stays for a later one. */
  const take = (isMeant: (text: string) => boolean = () => true): string | undefined => {
    const at = options.yes ? answers.findIndex(isMeant) : 0;
    return at < 0 ? undefined : answers.splice(at, 1)[0];
  };
  const isShown = (): boolean => options.wasAsked === true && answers.length === options.answers.length;
  /** A number alone is an option of a clarifying question, which may not have been asked. */
  const isOption = (text: string): boolean => !isShown() && /^\s*\d+\s*$/.test(text);
  const show = (lines: readonly string[]): void => void options.output.write(`${lines.map(terminalLine).join('\n')}\n`);
  return {
    async answer(asked) {
      const wasShown = isShown();
      const prepared = take();
      const chosen =
        wasShown || !/^\s*\d{1,2}\s*$/.test(prepared ?? '') ? undefined : asked.options[Number(prepared) - 1];
      if (chosen) return { taken: chosen.label };
      if (prepared !== undefined) return prepared;
      if (options.yes) return recommended(asked);
      if (!options.interactive) throw needsAnswer(asked.question, allowedAnswers(asked));
      show(questionLines(asked));
      const hasOptions = asked.options.length > 0;
      const free = l10n.t('Your answer, or Enter to just start:');
      return ask(options, hasOptions ? l10n.t('Number, your own words, or Enter to just start:') : free);
    },
    async approveEntities(found) {
      const isMeant = (text: string) => isRefusal(text.trim()) || chosenEntities(found, text) !== undefined;
      const prepared = take((text) => !isOption(text) && isMeant(text));
      if (prepared === undefined && options.yes) return all(found);
      if (prepared !== undefined || !options.interactive) return preparedEntities(prepared, found);
      show(foundLines(found));
      for (;;) {
        const prompt = l10n.t('Enter to plan these, numbers to leave out (2, 5), or + and a name to add:');
        const wanted = chosenEntities(found, await ask(options, prompt));
        if (wanted !== undefined) return wanted;
      }
    },
    async approve(plan) {
      const prepared = take((text) => !isOption(text));
      if (prepared === undefined && options.yes) return plan;
      if (prepared === undefined && !options.interactive)
        throw needsAnswer(
          l10n.t('The plan needs approval.'),
          l10n.t('Allowed answers: yes, no, or what another plan should do differently.'),
        );
      if (prepared === undefined) show(planLines(plan));
      const prompt = l10n.t('Enter to research this plan, "cancel", or what another plan should do differently:');
      const text = (prepared ?? (await ask(options, prompt))).trim();
      if (text === '' || isConsent(text)) return plan;
      if (isRefusal(text)) throw declined(l10n.t('The plan was not approved, so nothing was researched.'));
      return { remark: text };
    },
    async decideReview(review) {
      const prepared = take((text) => !isOption(text) && readReviewAnswer(text, review) !== undefined);
      if (prepared === undefined && options.yes) return 'continue';
      if (prepared !== undefined || !options.interactive) return preparedDecision(prepared, review);
      show(['', reviewVerdict(review)]);
      for (;;) {
        show([reviewAnswers(review)]);
        const usual = review.retry.length === 0 ? 'no' : 'yes';
        const prompt = l10n.t('Your answer, or Enter for {0}:', usual);
        const decision = readReviewAnswer((await ask(options, prompt)) || usual, review);
        if (decision !== undefined) return decision;
      }
    },
  };
}

function preparedEntities(prepared: string | undefined, found: ProposedEntities): WantedEntity[] {
  const wanted = prepared === undefined ? undefined : chosenEntities(found, prepared);
  if (wanted !== undefined) return wanted;
  const names = found.entities.map(({ name }, index) => `${index + 1}. ${name}`).join('; ');
  throw needsAnswer(
    l10n.t('The list of what was found needs approval: {0}.', names),
    l10n.t('Allowed answers: yes, no, or numbers to leave out and names to add, like "2, 5 + Name".'),
  );
}

/** Throws `needsAnswer`, with what is allowed, for no answer and for one that means nothing. */
function preparedDecision(prepared: string | undefined, review: ReviewToDecide): ReviewDecision {
  const decision = prepared === undefined ? undefined : readReviewAnswer(prepared, review);
  if (decision !== undefined) return decision;
  const problem = prepared === undefined ? '' : `${l10n.t('"{0}" is not an answer to the review.', prepared)} `;
  throw needsAnswer(`${problem}${reviewVerdict(review)}`, reviewAnswers(review));
}

/** Asks which tools of an MCP server may be used; `save` is given what the user decides. */
export function askTools(
  options: Terminal,
  save: (server: string, tools: readonly string[]) => Promise<void>,
): AllowTools {
  return async ({ server, tools, haveChanged }) => {
    if (server === undefined) return undefined;
    const asked = tools.filter(({ isOn }) => !isOn);
    const head = haveChanged
      ? l10n.t('Tools of the MCP server {0} that describe themselves otherwise than before:', server)
      : l10n.t("Tools of the MCP server {0} that don't declare to change nothing:", server);
    const lines = asked.map(({ name, description }, index) => `  ${index + 1}. ${oneLine(`${name}: ${description}`)}`);
    options.output.write(`${['', head, ...lines].join('\n')}\n`);
    for (;;) {
      const prompt = l10n.t('Numbers of those that a model may call (1, 3), or Enter for none:');
      const answer = await ask(options, prompt);
      if (!/^[\d\s,]*$/.test(answer)) continue;
      const numbers = new Set((answer.match(/\d{1,3}/g) ?? []).map(Number));
      const on = tools.filter((tool) => tool.isOn || numbers.has(asked.indexOf(tool) + 1)).map(({ name }) => name);
      await save(server, on);
      return on;
    }
  };
}

/** Asks for the research question itself. */
export function askQuestion(options: Terminal): Promise<string> {
  return ask(options, l10n.t('What would you like to research?'));
}

function recommended({ question, options, topicMissing }: Asked): TakenAnswer | null {
  const taken = options.find((option) => option.recommended)?.label;
  if (!topicMissing) return taken === undefined ? null : { taken };
  throw new ResearchError(
    'badRequest',
    l10n.t("The question does not say what it is about, and --yes can't know: {0}", question),
    { next: l10n.t('Name the topic in the question, or give it with --answer.') },
  );
}

function allowedAnswers({ options }: Asked): string | undefined {
  if (options.length === 0) return undefined;
  const labels = options.map(({ label }, index) => `${index + 1}. ${label}`);
  return l10n.t('Allowed answers: {0}; or your own words.', oneLine(labels.join('; ')));
}

function declined(message: string): ResearchError {
  return new ResearchError('abort', message, { next: l10n.t('Start again with a more specific question.') });
}

function all({ entities }: ProposedEntities): WantedEntity[] {
  return entities.map(({ name }) => ({ name, from: [name] }));
}

/** `2, 5 + Name`: without the second and the fifth, and with one more. Undefined for an answer that means nothing. */
export function chosenEntities(found: ProposedEntities, answer: string): WantedEntity[] | undefined {
  if (!/^[\d\s,]*(?:\+|$)/.test(answer)) {
    if (isRefusal(answer.trim())) throw declined(l10n.t('The list was not approved, so nothing was researched.'));
    return isConsent(answer) ? all(found) : undefined;
  }
  const [numbers = '', ...names] = answer.split('+');
  const out = new Set((numbers.match(/\d{1,3}/g) ?? []).map(Number));
  const added = names.map((name) => name.trim()).filter((name) => name !== '');
  return [...all(found).filter((_, index) => !out.has(index + 1)), ...added.map((name) => ({ name, from: [] }))];
}

export function foundLines({ entities, coverage }: ProposedEntities): string[] {
  const found = entities.map(({ name, brief }, index) => `  ${index + 1}. ${name}${brief === '' ? '' : `: ${brief}`}`);
  return ['', l10n.t('Found:'), ...found, ...(coverage === '' ? [] : [l10n.t('May be missing: {0}', coverage)])];
}

function questionLines({ question, options }: Asked): string[] {
  const mark = (isRecommended: boolean): string => (isRecommended ? ` (${l10n.t('recommended')})` : '');
  return ['', question, ...options.map(({ label, recommended: is }, index) => `  ${index + 1}. ${label}${mark(is)}`)];
}

export function planLines({
  title,
  sections,
  estimate,
}: Pick<ProposedPlan, 'title' | 'estimate'> & {
  readonly sections: readonly Omit<ProposedPlan['sections'][number], 'queries'>[];
}): string[] {
  const { calls, tokens, minutes, cost } = estimate;
  const about = [
    ...(calls === 0
      ? []
      : [
          l10n.t('{0, plural, one {# model call} other {# model calls}}', calls),
          l10n.t('{0, plural, one {# token} other {# tokens}}', tokens),
        ]),
    l10n.t('{0, plural, one {# minute} other {# minutes}}', minutes),
    ...(cost === null ? [] : [`${cost.toFixed(2)} USD`]),
  ];
  return [
    ...['', title],
    ...sections.flatMap((section, index) => [
      `  ${index + 1}. ${section.title}`,
      ...(section.description === '' ? [] : [`     ${section.description.replace(/\s+/g, ' ').slice(0, 200)}`]),
    ]),
    l10n.t('About {0}.', about.join(', ')),
  ];
}

async function ask({ input, output, signal }: Terminal, prompt: string): Promise<string> {
  const lines = createInterface({ input, output });
  // On a terminal, readline handles all keys, Ctrl+C included; it is still a signal.
  lines.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'));
  try {
    return await lines.question(`${prompt} `, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    lines.close();
  }
}
