import { isRecord } from '../../../protocol/json.ts';
import * as z from 'zod';
import prompt from '../../../../prompts/plan.md';
import { ResearchError } from '../../errors.ts';
import { maxSections } from '../../../protocol/planBounds.ts';
import type { Plan, PlanInput, PlannedSection, Scope } from '../analyst.ts';
import {
  assumptionsBlock,
  bestBullets,
  bullets,
  depthLine,
  questionValues,
  runValues,
  workspaceBlock,
} from './common.ts';
import { cutToTokens } from '../../text/estimateTokens.ts';
import { fencedOrNone, fencedSource } from './fence.ts';
import { entry, list, text } from './fields.ts';
import { fillPrompt } from './fill.ts';
import { parseLooseObject } from './looseJson.ts';
import { bestSources, selectPassages } from './passages.ts';
import { isPromptTitle } from './promptEcho.ts';
import { sharesWord } from '../../text/sharesWord.ts';
import { askStructured } from './structuredOutput.ts';

/** In tokens. */
const enoughMaterial = 16_000;
/** Of what a few searches have found, and of what a list is made from. */
const foundTokens = { usual: 1_500, list: 3_000 } as const;
const words: Readonly<Record<number, string>> = { 3: 'Three', 5: 'five', 7: 'seven' };

const section = entry(
  'title',
  {
    title: text('Short and concrete', 160),
    queries: list(text('A few technical terms', 160), 'Two or three search queries', 5),
  },
  { title: ['name', 'heading'], queries: ['search_queries'] },
);

/** What research needs comes first, and what people read of a plan after it. */
const schema = z.preprocess(
  withDescriptions,
  z.object({
    sections: list(section, 'Three to seven independent sections', maxSections).refine(
      (sections) => sections.some((entry) => entry.title !== ''),
      'needs at least one section with a title',
    ),
    title: text('Title of the report', 200),
    objective: text('What the reader will know afterwards', 600),
    scope: text('What is in and what is left out', 600),
    descriptions: list(text('What the section has to find out', 600), 'One for each section, in order', maxSections),
  }),
);

type Answer = z.output<typeof schema>;
type Entry = Answer['sections'][number] & { readonly description: string };

/** Some models describe each section where they name it. */
function withDescriptions(value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value['sections'])) return value;
  const within = value['sections'].map((entry) => (isRecord(entry) ? (entry['description'] ?? '') : ''));
  return { descriptions: within, ...value };
}

export async function plan(input: PlanInput, scope: Scope): Promise<Plan> {
  const previous = (input.previous?.sections ?? []).map(({ title, description }) =>
    description === '' ? title : `${title}: ${description.slice(0, 300)}`,
  );
  const asked = [input.question, input.clarifiedQuestion, ...input.focus, ...(input.remarks ?? [])].join('\n');
  const answer = await askStructured(scope, {
    label: 'plan',
    step: 'plan',
    most: enoughMaterial,
    schema,
    onText: input.onSection && announced(input, asked),
    prompt: (tokens) =>
      fillPrompt(prompt, {
        ...runValues(scope),
        ...questionValues(input, tokens),
        kind: kindOf(input),
        wanted: wantedText(input),
        depth: depthLine(scope, {
          quick: 'A quick answer is wanted: three narrow sections.',
          deep: 'A deep study is wanted: five to seven sections that go into detail.',
        }),
        focus: fencedOrNone('focus', bullets(input.focus)),
        assumptions: assumptionsBlock(input.assumptions, input.learnt),
        discovered: fencedOrNone(
          'discovered',
          bestBullets(
            input.discovered.map(({ name, category, priority, brief, added }) =>
              added ? `${name} (added by the person)` : `${name} (${category}, ${priority}): ${brief.slice(0, 300)}`,
            ),
            input.clarifiedQuestion,
            tokens / 3,
          ),
        ),
        discovery: fencedOrNone('discovery', discoveryText(input)),
        leftout: fencedOrNone('leftout', bullets(input.leftOut ?? [])),
        previous: fencedOrNone('previous', bullets(previous)),
        remarks: fencedOrNone('remarks', cutToTokens(bullets(input.remarks ?? []), tokens / 4)),
        workspace: workspaceBlock(input.workspace, tokens),
        found: foundBlock(input, tokens),
      }),
    complaint: (value) => complaintOf(value, input, asked),
  });
  const made = planOf(answer, input, asked);
  if (made.sections.length === 0)
    throw new ResearchError('badAnswer', `The model's plan has no section of its own.`, { next: '' });
  return made;
}

function complaintOf(answer: Answer, { wanted: { min, max } }: PlanInput, asked: string): string | undefined {
  const count = sectionsOf(answer, asked).length;
  return count < min || count > max
    ? `It has ${count} sections that can be researched; ${min} to ${max} are wanted.`
    : undefined;
}

function planOf(answer: Answer, { clarifiedQuestion }: PlanInput, asked: string): Plan {
  const sections = sectionsOf(answer, asked).slice(0, maxSections);
  const title = firstLine(answer.title);
  const isAbout = sharesWord(title, [asked, ...sections.map((one) => one.title)]) && !isPromptTitle(title, asked);
  return {
    title: isAbout ? title : firstLine(clarifiedQuestion),
    objective: answer.objective,
    scope: answer.scope,
    sections: sections.map(plannedSection),
  };
}

function plannedSection({ title, description, queries }: Entry, index: number): PlannedSection {
  return { id: `s${index + 1}`, title, description, queries: queries.length > 0 ? queries.slice(0, 5) : [title] };
}

/** Announces the sections of a plan that is still being written, each as it closes, and all of them once the next field has. */
function announced(input: PlanInput, asked: string): (text: string) => void {
  let written = '';
  let known = 0;
  let isOutlined = false;
  return (piece) => {
    written += piece;
    if (piece.includes('}')) {
      const begun = schema.safeParse(parseLooseObject(`${written}]}`)).data?.sections ?? [];
      const whole = sectionsOf({ sections: begun, descriptions: [] }, asked).filter(
        ({ title }) => !framing.test(title),
      );
      for (const entry of whole.slice(known)) {
        if (entry.queries.length === 0) break;
        input.onSection?.(plannedSection(entry, known));
        known += 1;
      }
    }
    const end = piece.includes(',') && !isOutlined ? written.lastIndexOf(',') : -1;
    const outline = end < 0 ? undefined : outlineIn(`${written.slice(0, end)}}`);
    if (outline === undefined || complaintOf(outline, input, asked) !== undefined) return;
    isOutlined = true;
    input.onOutline?.(planOf(outline, input, asked));
  };
}

/** The fields of a plan up to its title, when they are whole. */
function outlineIn(text: string): Answer | undefined {
  try {
    const { data } = schema.safeParse(JSON.parse(text));
    return data?.title === '' ? undefined : data;
  } catch {
    return undefined;
  }
}

/** Titles and beginnings of what was found with the question's own words. */
function foundBlock({ found = [], clarifiedQuestion, analysis }: PlanInput, tokens: number): string {
  const share = Math.min(foundTokens[analysis.needsDiscovery ? 'list' : 'usual'], tokens / 4);
  const shown = bestSources(found, clarifiedQuestion, Math.floor(share / 60));
  return shown
    .map((source) =>
      fencedSource(source, selectPassages(source, clarifiedQuestion, Math.floor(share / shown.length) - 40)),
    )
    .join('\n\n');
}

function wantedText({ wanted: { min, max }, remarks = [] }: PlanInput): string {
  const usual = `${words[min] ?? min} to ${words[max] ?? max}`;
  return remarks.length === 0
    ? usual
    : `As many as the person asks for, ${min} to ${max}; three to seven when nothing is said of it:`;
}

function discoveryText({ discovery }: PlanInput): string {
  const { summary = '', coverage = '' } = discovery ?? {};
  return [summary, coverage && `What the search may have missed: ${coverage}`].filter((text) => text !== '').join('\n');
}

function kindOf(input: PlanInput): string {
  if (input.analysis.queryType === 'general' && input.analysis.outputFormat === 'prose') return '';
  const kinds = {
    list: 'a list',
    comparison: 'a comparison',
    deep_dive: 'a thorough explanation',
    general: 'a general answer',
  };
  const forms = { table: 'a table where attributes are compared', list: 'lists', prose: 'prose' };
  return `Wanted is ${kinds[input.analysis.queryType]}, in the form of ${forms[input.analysis.outputFormat]}.`;
}

const framing =
  /^(?:introduction|overview and introduction|background|conclusions?|summary|references|bibliography|outlook|conclusion and outlook|einleitung|fazit|引言|前言|导论|结论|总结|参考文献|はじめに|結論|서론|결론)$/i;

/**
 * Sections with a title of their own, each once, without the framing ones as long as enough others are there.
 * @param asked What the user wrote.
 */
function sectionsOf(answer: Pick<Answer, 'sections' | 'descriptions'>, asked: string): Entry[] {
  const titled = answer.sections
    .map((entry, index) => ({
      ...entry,
      description: answer.descriptions[index] ?? '',
      title: firstLine(entry.title.replace(/^(?:section\s+)?\d+(?:\.\d+)*[.):：]\s*/i, '')),
    }))
    .filter(
      (entry, index, all) =>
        entry.title !== '' &&
        !isPromptTitle(entry.title, asked) &&
        all.findIndex((other) => other.title.toLowerCase() === entry.title.toLowerCase()) === index,
    );
  const content = titled.filter((entry) => !framing.test(entry.title));
  return content.length > 0 ? content : titled;
}

function firstLine(text: string): string {
  const line = text
    .trim()
    .split('\n')[0]!
    .replace(/^#+\s*/, '')
    .replace(/[*_`]{1,2}/g, '')
    .trim();
  return line.length > 140 ? `${line.slice(0, 139)}…` : line;
}
