/** How a question is researched. `short`: one researcher and a report, for small factual questions. */
export const strategies = ['sections', 'iterative', 'supervisor', 'short'] as const;
export type Strategy = (typeof strategies)[number];

/** What a user may ask for; `auto` leaves the choice to the question. */
export const wantedStrategies = ['auto', 'sections', 'iterative', 'supervisor'] as const;
export type WantedStrategy = (typeof wantedStrategies)[number];
