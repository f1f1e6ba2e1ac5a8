import type {
  ActInput,
  Analysis,
  Analyst,
  AssessInput,
  Assessment,
  BriefInput,
  Discovery,
  Distilled,
  DistilInput,
  Plan,
  PlanInput,
  QuestionInput,
  ReportInput,
  Scope,
  SectionBorder,
  SuperviseInput,
  Turn,
} from '../analyst.ts';
import { assessQuestion } from './assessQuestion.ts';
import { chooseCalls } from './chooseCalls.ts';
import { distilSection } from './distilSection.ts';
import { planSections, titleOf } from './planSections.ts';
import { writeDigest } from './writeDigest.ts';

/**
 * Thinks without a model: retrieval ranks passages by the question, and the report quotes the best of them word for word,
 * answer first. Only headings and the fixed lines of a template are its own. Every step is a pure function of its input and of
 * the scope's language and sources.
 */
export class ExtractiveAnalyst implements Analyst {
  readonly kind = 'extractive';

  async assess(input: AssessInput, scope: Scope): Promise<Assessment> {
    return assessQuestion(input, scope.language);
  }

  /** What kind a question is of, and what it has parts of, can't be had without a model. */
  async analyze({ clarifiedQuestion }: QuestionInput): Promise<Analysis> {
    return {
      queryType: 'general',
      outputFormat: 'prose',
      needsDiscovery: false,
      discoveryTarget: clarifiedQuestion,
      reasoning: '',
    };
  }

  async discover(): Promise<Discovery> {
    return { entities: [], summary: '', coverage: '' };
  }

  async plan(input: PlanInput, scope: Scope): Promise<Plan> {
    return planSections(input, scope.language);
  }

  async act(input: ActInput, scope: Scope): Promise<Turn> {
    return chooseCalls(input, scope);
  }

  async distil(input: DistilInput, scope: Scope): Promise<Distilled> {
    return distilSection(input, scope.language, scope.reading);
  }

  /** Sections differ by their queries already; words for a border can't be had without a model. */
  async coordinate(): Promise<readonly SectionBorder[]> {
    return [];
  }

  async brief(input: BriefInput): Promise<string> {
    return input.clarifiedQuestion;
  }

  /** The question itself; then the end. */
  async supervise({ turns, round, brief, question }: SuperviseInput): Promise<Turn> {
    if (turns.length > 0) return { said: '', calls: [{ id: `end${round}`, name: 'ResearchComplete', args: {} }] };
    const asked = brief || question;
    const args = { title: titleOf(asked), research_topic: asked };
    return { said: '', calls: [{ id: 'topic1', name: 'ConductResearch', args }] };
  }

  async *writeReport(input: ReportInput, scope: Scope): AsyncGenerator<string, void, void> {
    yield* writeDigest(input, scope.language);
  }
}
