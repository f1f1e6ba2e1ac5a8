import { ResearchError } from '../../research/errors.ts';
import { redact } from '../../research/text/redact.ts';
import { classifyFailure } from '../classifyError.ts';

/** Reasons that VS Code and the providers of its models give as an error's code or name. */
const reasons = {
  NoPermissions: 'auth',
  NotFound: 'notFound',
  ChatQuotaExceeded: 'quota',
  ChatRateLimited: 'rateLimit',
} as const;

const chooseModel = 'Run "Deep Research: Select Model" to choose another model.';
const nexts = {
  auth: 'Start again and choose Allow when VS Code asks for access, or run "Deep Research: Select Model".',
  notFound: chooseModel,
  quota: `Check the plan of the models' provider, or ${chooseModel.charAt(0).toLowerCase()}${chooseModel.slice(1)}`,
  rateLimit: 'Wait a moment and start again, or lower limits.maxConcurrentResearchers.',
} as const;
const texts = {
  auth: 'VS Code does not let Deep Research use',
  notFound: 'VS Code no longer offers',
  quota: 'There is no quota left for',
  rateLimit: 'Too many requests at the moment for',
} as const;

/**
 * Gives what the editor rejects with as the error that the run decides by. A provider's own error arrives as a plain message: its
 * words are read like those of a model server.
 * @param begun Text of the answer has arrived.
 */
export function classifyEditorError(thrown: unknown, model: string, begun: boolean): ResearchError {
  if (ResearchError.is(thrown)) return thrown;
  const { code, name, message } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Record<
    string,
    unknown
  >;
  const text = typeof message === 'string' ? message : String(thrown);
  const known = [code, name].find((word): word is keyof typeof reasons => typeof word === 'string' && word in reasons);
  if (known !== undefined) {
    const reason = reasons[known];
    const said = text.trim() === '' ? '' : ` It said: "${redact(text, []).replace(/\s+/g, ' ').trim().slice(0, 300)}"`;
    return new ResearchError(reason, `${texts[reason]} "${model}".${said}`, {
      next: nexts[reason],
      quoted: said,
      origin: 'VS Code',
    });
  }
  // Copilot's filter of content answers "Blocked"; what else is blocked says so in words.
  const status = code === 'Blocked' && !/quota|rate/i.test(text) ? 451 : (statusIn(text) ?? 400);
  const failure = { status, headers: {}, body: text, inStream: begun };
  const error = classifyFailure(failure, { host: 'VS Code', model });
  const filtered = status === 451 && error.reason === 'badRequest';
  const broken = begun && error.reason === 'badRequest';
  if (!filtered && !broken) return error;
  return new ResearchError(filtered ? 'contentFilter' : 'streamBroken', error.message, {
    next: error.next,
    origin: 'VS Code',
  });
}

/** The HTTP status that a provider names in its message. */
function statusIn(text: string): number | undefined {
  const found = /\b(?:status|code|HTTP|error)\D{0,12}\b([45]\d\d)\b/i.exec(text) ?? /^\s*([45]\d\d)\b/.exec(text);
  return found ? Number(found[1]) : undefined;
}
