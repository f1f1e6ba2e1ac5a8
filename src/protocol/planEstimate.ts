import type { PlanEstimate } from './events.ts';

/** The estimate of a plan after sections were added or removed; the same when it does not say what one section takes. */
export function estimateAfter(estimate: PlanEstimate, sectionsBefore: number, sectionsNow: number): PlanEstimate {
  const { perSection } = estimate;
  const more = sectionsNow - sectionsBefore;
  if (perSection === undefined || more === 0) return estimate;
  const minutes = Math.max(0.1, Math.round((estimate.minutes + more * perSection.minutes) * 10) / 10);
  return {
    ...estimate,
    calls: Math.max(0, estimate.calls + more * perSection.calls),
    tokens: Math.max(0, estimate.tokens + more * perSection.tokens),
    minutes,
    cost:
      estimate.cost === null || perSection.cost === null ? null : Math.max(0, estimate.cost + more * perSection.cost),
  };
}
