// Stands in the bundle for the langsmith package, which LangChain imports for tracing (a quarter of a megabyte, and a
// network client that an environment variable of the user's shell would switch on). Tracing is off, so of all this
// LangChain only constructs a RunTree as a carrier for its async context.

export class Client {}

export class RunTree {
  constructor(config = {}) {
    Object.assign(this, config);
  }
}

export const isRunTree = () => false;
export const isTraceableFunction = () => false;
export const getCurrentRunTree = () => undefined;

/** The order key that LangChain's own (local) tracers sort runs by: start time, then the run's id. */
export function convertToDottedOrderFormat(epoch, runId, executionOrder = 1) {
  const microseconds = executionOrder.toFixed(0).slice(0, 3).padStart(3, '0');
  const microsecondPrecisionDatestring = `${new Date(epoch).toISOString().slice(0, -1)}${microseconds}Z`;
  return {
    dottedOrder: microsecondPrecisionDatestring.replace(/[-:.]/g, '') + runId,
    microsecondPrecisionDatestring,
  };
}
