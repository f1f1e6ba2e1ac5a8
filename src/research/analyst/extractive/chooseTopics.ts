import type { ToolCall } from '../../ports.ts';
import type { SuperviseInput, Turn } from '../analyst.ts';
import { planSections } from './planSections.ts';
import { readQuestion } from './question.ts';

const mostSides = 4;
const mostDirections = 3;

/**
 * The supervisor without a model: one topic a side for a comparison, one for a list, else the first directions of the
 * usual plan; then the end. Pure.
 */
export function chooseTopics(input: SuperviseInput, language: string): Turn {
  if (input.turns.length > 0)
    return { said: '', calls: [{ id: `end${input.round}`, name: 'ResearchComplete', args: {} }] };
  const question = input.brief || input.question;
  return {
    said: '',
    calls: topicsOf(question, language).map((topic, index): ToolCall => ({
      id: `topic${index + 1}`,
      name: 'ConductResearch',
      args: { ...topic },
    })),
  };
}

function topicsOf(question: string, language: string): { readonly title: string; readonly research_topic: string }[] {
  const read = readQuestion(question);
  if (read.type === 'comparison' && read.sides.length > 1)
    return read.sides.slice(0, mostSides).map((side) => ({ title: side, research_topic: `${side}. ${question}` }));
  if (read.type === 'list') return [{ title: read.phrase || read.subject || question, research_topic: question }];
  const analysis = {
    queryType: read.type,
    outputFormat: read.format,
    needsDiscovery: false,
    discoveryTarget: '',
    reasoning: '',
  };
  const wanted = { min: 3, max: mostDirections };
  const plan = planSections(
    { question, clarifiedQuestion: question, assumptions: [], analysis, focus: [], discovered: [], wanted },
    language,
    'quick',
  );
  return plan.sections
    .slice(0, mostDirections)
    .map(({ title, description }) => ({ title, research_topic: `${title}. ${description}` }));
}
