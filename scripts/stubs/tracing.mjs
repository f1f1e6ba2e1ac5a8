// LANGSMITH_TRACING and its three siblings in the user's shell would send every prompt to a tracing service.
export const isTracingEnabled = () => false;
