import type { PlanSection } from '../protocol/plan.ts';
import { ResearchError } from '../research/errors.ts';
import { literalMarkdown, readLiteral } from '../research/evidence/neutralize.ts';
import { depths, type EditedPlan, longest, knownStrategy, maxSections, strategies } from '../research/ports.ts';
import { parseJson } from '../research/text/json.ts';

/** A plan as a file: Markdown, with the question, the strategy and the focus points in its front matter. */
export interface PlanFile {
  /** "" when the file names none. */
  readonly question: string;
  readonly plan: EditedPlan;
}

/** In the front matter of a file whose words are escaped. One that a person wrote by hand is read as it is. */
const escapedLine = 'escaped: true';

/** A plan of 30 sections with everything in it is far smaller, in characters. */
const longestFile = 500_000;

/**
 * Values are JSON, which is YAML as well; each section is a heading, its description, and list items for what else is known. A model may
 * have written any of it: all of it is shown as text by whatever renders the file.
 */
export function writePlanFile({ question, plan }: PlanFile): string {
  const { title = '', sections, strategy, focus = [] } = plan;
  const front = [
    `question: ${JSON.stringify(question.split('\n').map(inline).join('\n'))}`,
    ...(strategy === undefined ? [] : [`strategy: ${strategy}`]),
    ...(focus.length === 0 ? [] : [`focus: ${JSON.stringify(focus.map(inline))}`]),
    escapedLine,
  ];
  const parts = sections.map((section) => {
    const description = section.description.split('\n').map((line) => literalMarkdown(line, 'start'));
    const items = [
      ...(section.queries ?? []).map((query) => `- query: ${inline(query)}`),
      ...(section.sources ? [`- sources: ${section.sources.map(inline).join(', ')}`] : []),
      ...(section.depth ? [`- depth: ${section.depth}`] : []),
    ];
    return [heading('##', section.title), description.join('\n'), items.join('\n')]
      .filter((part) => part.trim() !== '')
      .join('\n\n');
  });
  return `${['---', ...front, '---'].join('\n')}\n\n${[heading('#', title), ...parts].join('\n\n')}\n`;
}

const inline = (text: string): string => literalMarkdown(text, 'middle');

/** Marks at the end would not be part of it. */
function heading(mark: string, title: string): string {
  return `${mark} ${inline(title).replace(/(?<!\S)(?=#+$)/, '\\')}`;
}

/**
 * Reads what {@link writePlanFile} wrote, or a person by hand. Throws `badRequest`, with the line, for what can't be researched.
 * @param name Of the file, for messages.
 */
export function readPlanFile(text: string, name: string): PlanFile {
  const wrong = (why: string, line?: number): ResearchError =>
    new ResearchError(
      'badRequest',
      line === undefined ? `--plan ${name}: ${why}` : `--plan ${name}, line ${line}: ${why}`,
      { next: 'deep-research "…" --plan-only prints a plan to start from.' },
    );
  if (text.length > longestFile) throw wrong(`it has ${text.length} characters; the limit is ${longestFile}.`);
  if (text.includes('\0')) throw wrong('it is not a text.');
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);
  const plan: { title: string; strategy?: EditedPlan['strategy']; focus?: readonly string[] } = { title: '' };
  let question = '';
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : 0;
  if (end < 0) throw wrong('its front matter has no end.', 1);
  const read = lines.slice(0, end).includes(escapedLine) ? readLiteral : (words: string) => words;
  for (const [index, line] of lines.slice(0, end).entries()) {
    if (index === 0 || line.trim() === '') continue;
    const [, key = '', value = ''] = /^(\w+):(.*)$/.exec(line) ?? [];
    if (key === 'question') question = read(textOf(value));
    else if (key === 'strategy') {
      const strategy = knownStrategy(textOf(value));
      if (!strategy)
        throw wrong(`there is no strategy ${value.slice(0, 40)}; there is ${strategies.join(', ')}.`, index + 1);
      plan.strategy = strategy;
    } else if (key === 'focus') {
      const focus = listOf(value);
      if (!focus) throw wrong('focus must be a list of texts, like ["cost", "latency"].', index + 1);
      plan.focus = focus.map(read);
    } else if (line !== escapedLine) throw wrong('it is none of question, strategy and focus.', index + 1);
  }
  const sections: Section[] = [];
  for (const [index, line] of lines.entries()) {
    if (index <= end && end > 0) continue;
    const at = index + 1;
    const section = sections.at(-1);
    const titled = /^(#{1,2})(?:\s(.*))?$/.exec(line);
    const item = /^- (query|sources|depth):(.*)$/.exec(line);
    if (titled) {
      const title = read(titled[2] ?? '').trim();
      if (title.length > longest.title)
        throw wrong(`the title has ${title.length} characters; the limit is ${longest.title}.`, at);
      if (titled[1] === '#') plan.title = title;
      else if (title === '') throw wrong('the section has no title.', at);
      else sections.push({ id: `s${sections.length + 1}`, title, description: '', queries: [] });
      if (sections.length > maxSections) throw wrong(`a plan can have at most ${maxSections} sections.`, at);
    } else if (item && section) {
      const value = read(item[2] ?? '').trim();
      if (item[1] === 'query' && value !== '') section.queries.push(value);
      if (item[1] === 'sources')
        section.sources = value
          .split(',')
          .map((source) => source.trim())
          .filter(Boolean);
      if (item[1] === 'depth') {
        const depth = depths.find((known) => known === value);
        if (!depth) throw wrong(`the depth must be ${depths.join(', ')}.`, at);
        section.depth = depth;
      }
    } else if (section) section.description += `${read(line)}\n`;
  }
  if (sections.length === 0) throw wrong('it has no section (a line like "## Title").');
  for (const section of sections) {
    section.description = section.description.trim();
    if (section.description.length > longest.description)
      throw wrong(`the section "${section.title}" has a description of over ${longest.description} characters.`);
  }
  const { title, ...rest } = plan;
  return { question, plan: { ...rest, ...(title === '' ? {} : { title }), sections } };
}

type Section = { -readonly [K in keyof PlanSection]: PlanSection[K] } & { readonly queries: string[] };

/** A JSON text, or one without quotes. */
function textOf(value: string): string {
  const parsed = parseJson(value);
  return typeof parsed === 'string' ? parsed.trim() : value.trim();
}

function listOf(value: string): string[] | undefined {
  const parsed = parseJson(value);
  return Array.isArray(parsed) && parsed.every((one) => typeof one === 'string') ? parsed : undefined;
}
