import type {
  ActInput,
  Analysis,
  Analyst,
  AssessInput,
  Assessment,
  BriefInput,
  CoordinateInput,
  CritiqueInput,
  DiscoverInput,
  Discovery,
  Distilled,
  DistilInput,
  Frame,
  FrameInput,
  Plan,
  PlanInput,
  QuestionInput,
  Reflection,
  ReflectInput,
  ReportInput,
  ReportPoint,
  Review,
  ReviewInput,
  Scope,
  SectionBorder,
  SectionInput,
  SuperviseInput,
  Turn,
  Verdict,
  VerifyInput,
} from '../analyst.ts';
import { act } from './act.ts';
import { analyze } from './analyze.ts';
import { assess } from './assess.ts';
import { brief } from './brief.ts';
import { coordinate } from './coordinate.ts';
import { critique } from './critique.ts';
import { discover } from './discover.ts';
import { distil } from './distil.ts';
import { frame } from './frame.ts';
import { plan } from './plan.ts';
import { reflect } from './reflect.ts';
import { writeReport } from './report.ts';
import { review } from './review.ts';
import { supervise } from './supervise.ts';
import { verify } from './verify.ts';
import { writeSection } from './writeSection.ts';

/** The analyst that thinks with a chat model: one file and one prompt for each step. It calls nothing but `scope.model`. */
export class LlmAnalyst implements Analyst {
  readonly kind = 'llm';

  assess(input: AssessInput, scope: Scope): Promise<Assessment> {
    return assess(input, scope);
  }

  analyze(input: QuestionInput, scope: Scope): Promise<Analysis> {
    return analyze(input, scope);
  }

  discover(input: DiscoverInput, scope: Scope): Promise<Discovery> {
    return discover(input, scope);
  }

  plan(input: PlanInput, scope: Scope): Promise<Plan> {
    return plan(input, scope);
  }

  act(input: ActInput, scope: Scope): Promise<Turn> {
    return act(input, scope);
  }

  distil(input: DistilInput, scope: Scope): Promise<Distilled> {
    return distil(input, scope);
  }

  review(input: ReviewInput, scope: Scope): Promise<Review> {
    return review(input, scope);
  }

  coordinate(input: CoordinateInput, scope: Scope): Promise<readonly SectionBorder[]> {
    return coordinate(input, scope);
  }

  reflect(input: ReflectInput, scope: Scope): Promise<Reflection> {
    return reflect(input, scope);
  }

  brief(input: BriefInput, scope: Scope): Promise<string> {
    return brief(input, scope);
  }

  supervise(input: SuperviseInput, scope: Scope): Promise<Turn> {
    return supervise(input, scope);
  }

  writeReport(input: ReportInput, scope: Scope): AsyncIterable<string> {
    return writeReport(input, scope);
  }

  writeSection(input: SectionInput, scope: Scope, onText?: (text: string) => void): Promise<string> {
    return writeSection(input, scope, onText);
  }

  frame(input: FrameInput, scope: Scope): Promise<Frame> {
    return frame(input, scope);
  }

  critique(input: CritiqueInput, scope: Scope): Promise<readonly ReportPoint[]> {
    return critique(input, scope);
  }

  verify(input: VerifyInput, scope: Scope): Promise<ReadonlyMap<number, Verdict>> {
    return verify(input, scope);
  }
}
