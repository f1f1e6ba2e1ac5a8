/** Lamps are drawn as circles; above 15,000 in view they are clustered on the server. */
export const clusterAbove = 15_000;

/**
 * Colour of a lamp: grey silent, blue off, yellow by level, red faulty. Red wins over everything.
 */
export function colourOf({ fault, silent, level }: LampState): string {
  if (fault) return '#d1242f';
  if (silent) return '#8c959f';
  return level === 0 ? '#54aeff' : yellow(level);
}
