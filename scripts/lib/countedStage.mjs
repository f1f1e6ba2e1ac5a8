/**
 * What a stage of the CI counted, by the last line that it printed, and what it says of tests that failed or are flaky. One
 * that ended before it could count is a failure too.
 *
 * @param {string} output
 * @param {number | null} code its exit code
 */
export function countedStage(output, code) {
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output)?.map(Number) ?? [0, 0, 1];
  const remarks = output.split('\n').filter((line) => /^(?:Failed|Flaky)\b.*: /.test(line));
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), remarks };
}
