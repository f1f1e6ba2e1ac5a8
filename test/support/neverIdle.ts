/**
 * Options of a server of tests that closes no idle connection by itself. One that does so just as its client, delayed on a busy
 * machine, sends the next request resets that request.
 */
export const neverIdle = { keepAliveTimeout: 0 } as const;
