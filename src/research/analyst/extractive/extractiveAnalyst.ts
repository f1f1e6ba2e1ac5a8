import type {
  ActInput,
  Analysis,
  Analyst,
  AssessInput,
  Assessment,
  BriefInput,
  DiscoverInput,
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
import { readQuery } from '../../text/query.ts';
import { assessQuestion } from './assessQuestion.ts';
import { chooseCalls } from './chooseCalls.ts';
import { discoverParts, isBroad } from './discoverParts.ts';
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

  async analyze({ clarifiedQuestion, workspace }: QuestionInput, scope: Scope): Promise<Analysis> {
    const query = readQuery(clarifiedQuestion, scope.language);
    return {
      queryType: query.wantsList ? 'list' : 'general',
      outputFormat: query.wantsList ? 'list' : 'prose',
      // What the sources hold gives the outline, not a catalogue of sides that any subject has.
      // A list of things is found outside as well.
      needsDiscovery: query.wantsList || (isBroad(query) && workspace !== undefined),
      discoveryTarget: clarifiedQuestion,
      reasoning: 'Read from the words of the question.',
    };
  }

  async discover(input: DiscoverInput, scope: Scope): Promise<Discovery> {
    return discoverParts(input, scope);
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
