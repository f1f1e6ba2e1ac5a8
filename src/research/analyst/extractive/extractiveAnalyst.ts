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
  Reflection,
  ReflectInput,
  ReportInput,
  Review,
  ReviewInput,
  Scope,
  SectionBorder,
  SuperviseInput,
  Turn,
} from '../analyst.ts';
import { assessQuestion } from './assessQuestion.ts';
import { chooseCalls } from './chooseCalls.ts';
import { distilSection } from './distilSection.ts';
import { planSections } from './planSections.ts';
import { readQuestion } from './question.ts';
import { reflectOnSections } from './reflectOnSections.ts';
import { reviewSections } from './reviewSections.ts';
import { chooseTopics } from './chooseTopics.ts';
import { writeDigest } from './writeDigest.ts';

/**
 * Thinks by rules: no model, no key, no network of its own. It plans from the question's type and words, calls the same tools,
 * ranks sentences and writes a digest of verbatim quotes. It never invents a word. Every step is a pure function of its
 * input and of the scope's language, depth and sources.
 */
export class ExtractiveAnalyst implements Analyst {
  readonly kind = 'extractive';

  async assess(input: AssessInput, scope: Scope): Promise<Assessment> {
    return assessQuestion(input, scope.language);
  }

  async analyze({ question, clarifiedQuestion }: QuestionInput): Promise<Analysis> {
    const [asked, clarified] = [readQuestion(question), readQuestion(clarifiedQuestion)];
    // An answer that only names the topic ("BM25 and DPR") does not change what was asked of it ("compare them").
    const read = clarified.type === 'general' ? asked : clarified;
    return {
      queryType: read.type,
      outputFormat: read.format,
      // Entities can't be told from other words without a model.
      needsDiscovery: false,
      discoveryTarget: '',
      reasoning: 'Read from the words of the question.',
    };
  }

  async discover(): Promise<Discovery> {
    return { entities: [], summary: '', coverage: '' };
  }

  async plan(input: PlanInput, scope: Scope): Promise<Plan> {
    return planSections(input, scope.language, scope.limits.depth);
  }

  async act(input: ActInput, scope: Scope): Promise<Turn> {
    return chooseCalls(input, (id) => scope.source(id), scope.limits.depth);
  }

  async distil(input: DistilInput, scope: Scope): Promise<Distilled> {
    return distilSection(input, scope.language, scope.limits.depth);
  }

  async review(input: ReviewInput): Promise<Review> {
    return reviewSections(input);
  }

  /** Sections differ by their queries already; words for a border can't be had without a model. */
  async coordinate(): Promise<readonly SectionBorder[]> {
    return [];
  }

  async reflect(input: ReflectInput): Promise<Reflection> {
    return reflectOnSections(input);
  }

  async brief(input: BriefInput): Promise<string> {
    return input.clarifiedQuestion;
  }

  async supervise(input: SuperviseInput, scope: Scope): Promise<Turn> {
    return chooseTopics(input, scope.language);
  }

  async *writeReport(input: ReportInput, scope: Scope): AsyncGenerator<string, void, void> {
    yield* writeDigest(input, scope.language, scope.limits.depth);
  }
}
