import { ResearchError } from '../research/errors.ts';
import { trimEnd } from '../research/text/trimEnd.ts';
import { redact } from '../research/text/redact.ts';
import { readErrorBody } from './errorBody.ts';
import type { CallContext, Failure } from './failure.ts';
import { retryAfterMs, sizesIn } from './errorFigures.ts';
import { reasonOf } from './errorRules.ts';
import { clip, wording } from './errorWording.ts';

/** Gives the failure of a model call as the error that the run decides by. Total: any status and any body has a reason. */
export function classifyFailure(failure: Failure, context: CallContext): ResearchError {
  const body = readErrorBody(failure.body);
  const reason = reasonOf({ failure, body, context });
  const wait = reason === 'rateLimit' || failure.status >= 500 ? retryAfterMs(failure.headers, body.text) : undefined;
  const said = body.message === '' ? '' : ` It said: "${clip(redact(body.message, [context.key]))}"`;
  const { message, next } = wording(reason, failure, context, body);
  const sizes = reason === 'contextLength' ? sizesIn(failure.body) : {};
  return new ResearchError(reason, `${message}${said}`, {
    next,
    ...sizes,
    quoted: said,
    origin: context.host,
    ...(failure.status > 0 && { status: failure.status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

/** Gives a thrown value (no connection, a cut socket, a library's own error) as the error that the run decides by. */
export function classifyThrown(thrown: unknown, context: CallContext, begun: boolean): ResearchError {
  if (ResearchError.is(thrown)) return thrown;
  const chain = causes(thrown);
  const codes = chain
    .map((error) => (error as { code?: unknown }).code)
    .filter((code): code is string => typeof code === 'string');
  const detail = trimEnd(clip(redact(codes[0] ?? chain[0]?.message ?? String(thrown), [context.key])), '.');
  if (begun) {
    return new ResearchError(
      'streamBroken',
      `The connection to ${context.host} broke while "${context.model}" was answering (${detail}).`,
      { next: 'Try again.', origin: context.host },
    );
  }
  const network = codes.some((code) =>
    /^(?:E[A-Z]+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|ERR_TLS_\w+|ERR_SSL_\w+)$/.test(
      code,
    ),
  );
  const message = chain.map((error) => `${error.name} ${error.message}`).join(' ');
  if (network || /fetch failed|connection error|terminated|socket|network/i.test(message)) {
    const what = /ENOTFOUND|EAI_AGAIN/.test(detail)
      ? 'the host name is unknown'
      : /ECONNREFUSED/.test(detail)
        ? 'the connection was refused'
        : detail;
    return unreachable(context.host, what);
  }
  return new ResearchError('bug', `The call to "${context.model}" failed: ${detail}`, {
    next: 'Run "Deep Research: View Log" and report this.',
    origin: context.host,
    cause: thrown,
  });
}

export function unreachable(host: string, why: string): ResearchError {
  return new ResearchError('network', `${host} can't be reached: ${why}.`, {
    next: 'Check the network and deepResearch.model.baseUrl, and that the server is running.',
    origin: host,
  });
}

function causes(thrown: unknown): Error[] {
  const chain: Error[] = [];
  for (let error = thrown; error instanceof Error && chain.length < 8; error = error.cause) {
    chain.push(error);
    if (error instanceof AggregateError)
      for (const one of error.errors.filter((inner): inner is Error => inner instanceof Error).slice(0, 4))
        chain.push(one);
  }
  // The deepest cause is the most specific.
  return chain.reverse();
}
