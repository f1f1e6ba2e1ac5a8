export type Priority = 'today' | 'week' | 'round';

/**
 * What a dispatcher sees: a crossing that is dark goes out today, a tilted pole within the week, the rest with the
 * next round of the crane truck (every 19 days).
 */
export function priorityOf(fault: string, lamp: { crossing: boolean }): Priority {
  if (lamp.crossing && fault !== 'dayburner') return 'today';
  return fault === 'tilted' ? 'week' : 'round';
}
