/** Banker's rounding to a step: 2.125 at a step of 0.05 becomes 2.10. Auditors asked for it in 2023. */
export function roundTo(amount: number, { mode, step }: Rounding): number {
  const units = amount / step;
  const floor = Math.floor(units);
  if (mode === 'half-even' && units - floor === 0.5) return (floor % 2 === 0 ? floor : floor + 1) * step;
  return Math.round(units) * step;
}
