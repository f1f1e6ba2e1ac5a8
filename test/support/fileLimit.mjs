// node --import ./test/support/fileLimit.mjs …: ends a test file that hangs when its tests have ended, with what it waits for.
// A limit of node's runner ends a test alone: for a file with a timer left it would wait without end.
const minutes = Number(process.env.DEEP_RESEARCH_FILE_MINUTES);
if (process.env.NODE_TEST_CONTEXT !== undefined && minutes > 0) {
  const end = () => {
    console.error(`Not done in ${minutes} minutes. Open: ${process.getActiveResourcesInfo().join(', ')}.`);
    process.exit(1);
  };
  setTimeout(end, minutes * 60_000).unref();
}
