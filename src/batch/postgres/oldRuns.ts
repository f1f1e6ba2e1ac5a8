import { scheduledJobs } from './database.ts';
import { savedPrefix } from './runRows.ts';
import type { Queries } from './schema.ts';

/** Runs that are removed at a time: each question that ends adds one. */
const mostAtOnce = 20;

/**
 * Removes the oldest of a batch's runs that have ended, beyond as many as it saves, but for their reports. One whose report is refreshed
 * on a schedule stays.
 */
export async function removeOldRuns({ query }: Queries, batch: string): Promise<void> {
  await query(
    `WITH old AS (
      SELECT q.run FROM research_question q
      WHERE q.batch = $1 AND q.run IS NOT NULL AND q.status IN ('reported', 'failed', 'cancelled')
      AND NOT EXISTS (SELECT 1 FROM schedule s WHERE s.name = $2 AND s.key IN (q.batch, q.run))
      ORDER BY q.changed DESC
      OFFSET greatest(1, (SELECT keep FROM research_batch WHERE name = $1)) LIMIT $3),
    lines AS (DELETE FROM research_line l USING old WHERE l.run = old.run)
    DELETE FROM research_file f USING old WHERE f.run = old.run AND NOT starts_with(f.name, $4)`,
    [batch, scheduledJobs, mostAtOnce, savedPrefix],
  );
}
