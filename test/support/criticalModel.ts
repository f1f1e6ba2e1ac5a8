import { sectionsOf } from './modelAnswers.ts';
import type { Script } from './modelServer.ts';

/** A model with an opinion: its first review sends a section back, its critic has points about two parts, then about one. */
export function criticalModel(): Script {
  let reviews = 0;
  let critiques = 0;
  return ({ step, prompt }) => {
    const [first] = sectionsOf(prompt);
    if (step === 'review' && first !== undefined && (reviews += 1) === 1) {
      const gaps = [{ section: first.id, gap: 'Figures of a benchmark are missing.' }];
      const verdict = { is_sufficient: false, overall_score: 5, sections_to_retry: [first.id], reasoning: 'Thin.' };
      return { json: { ...verdict, gaps, section_coverage: [], contradictions: [] } };
    }
    if (step === 'critique' && first !== undefined) {
      critiques += 1;
      const parts = critiques === 1 ? [first.id, 'frame'] : [first.id];
      const points = parts.map((part) => ({ part, kind: 'unclear', point: 'Say what follows from it.', quote: '' }));
      return { json: { reasoning: 'Unclear.', points } };
    }
    return undefined;
  };
}
