import { ResearchError } from '../../research/errors.ts';
import { redact } from '../../research/text/redact.ts';
import { classifyFailure } from '../classifyError.ts';
import { isRecord, parseJson } from '../../research/text/json.ts';

const chooseModel = 'Run "Deep Research: Select Model" to choose another model.';

/** What VS Code and the providers of its models give as an error's code or name: its reason, what happened, what to do. */
const known = {
  NoPermissions: {
    reason: 'auth',
    what: (model: string) => `VS Code does not let Deep Research use "${model}".`,
    next: 'Start again and choose Allow when VS Code asks for access, or run "Deep Research: Select Model".',
  },
  NotFound: {
    reason: 'notFound',
    what: (model: string) => `VS Code no longer offers "${model}".`,
    next: chooseModel,
  },
  ChatQuotaExceeded: {
    reason: 'quota',
    what: (model: string) => `There is no quota left for "${model}".`,
    next: `Check the plan of the models' provider, or run "Deep Research: Select Model" to choose another model.`,
  },
  ChatRateLimited: {
    reason: 'rateLimit',
    what: (model: string) => `Too many requests at the moment for "${model}".`,
    next: 'Wait a moment and start again, or lower limits.maxConcurrentResearchers.',
  },
} as const;

/**
 * Gives what the editor rejects with as the error that the run decides by. A provider's own error arrives as a plain message: its
 * words are read like those of a model server.
 * @param begun Text of the answer has arrived.
 */
export function classifyEditorError(thrown: unknown, model: string, begun: boolean): ResearchError {
  if (ResearchError.is(thrown)) return thrown;
  const { code, name, message, cause } = fieldsOf(thrown);
  const inner = fieldsOf(cause);
  const text = [message, inner['message']].filter((part) => typeof part === 'string').join(' ') || String(thrown);
  const named = [code, name, inner['code'], inner['name']].find(
    (word): word is keyof typeof known => typeof word === 'string' && word in known,
  );
  const said = text.trim() === '' ? '' : ` It said: "${redact(text, []).replace(/\s+/g, ' ').trim().slice(0, 300)}"`;
  const about = { quoted: said, origin: 'VS Code' };
  if (named !== undefined) {
    const { reason, what, next } = known[named];
    return new ResearchError(reason, `${what(model)}${said}`, { next, ...about });
  }
  // Copilot's filter of content answers "Blocked"; what else is blocked says so in words.
  const isFiltered = code === 'Blocked' && !/quota|rate/i.test(text);
  const failure = { status: statusIn(text) ?? 0, headers: {}, body: bodyIn(text), inStream: begun };
  const isNetwork = !begun && networkWords.test(text);
  const error = isNetwork
    ? new ResearchError('network', `The provider of "${model}" can't be reached.${said}`, {
        next: 'Check the network, then try again.',
        ...about,
      })
    : classifyFailure(failure, { host: 'VS Code', model });
  if (!isFiltered && !error.hasReason('badAnswer', 'badRequest')) return error;
  return new ResearchError(
    isFiltered ? 'contentFilter' : 'streamBroken',
    `${isFiltered ? `The content filter refused the request to "${model}".` : `"${model}" failed.`}${said}`,
    {
      next: isFiltered ? 'Rephrase the question, or choose another model.' : `Try again. ${chooseModel}`,
      ...about,
    },
  );
}

function fieldsOf(thrown: unknown): Readonly<Record<string, unknown>> {
  return (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Record<string, unknown>;
}

const networkWords = /\bnet::ERR_|\bgetaddrinfo\b|\bECONN\w+|\bfetch failed\b/;

/** The server's answer in a provider's message; without one, the whole message. */
function bodyIn(text: string): string {
  const start = text.indexOf('{');
  const body = text.slice(Math.max(0, start), text.lastIndexOf('}') + 1);
  return isRecord(parseJson(body)) ? body : text;
}

/** The HTTP status that a provider names in its message. */
function statusIn(text: string): number | undefined {
  const found =
    /\b(?:status|code|HTTP|error|failed)\D{0,12}\b([45]\d\d)\b/i.exec(text) ?? /^\s*([45]\d\d)\b/.exec(text);
  return found ? Number(found[1]) : undefined;
}
