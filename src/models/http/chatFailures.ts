import { ResearchError } from '../../research/errors.ts';
import type { ChatRequest } from '../../research/ports.ts';
import { estimateRequest } from '../../research/text/estimateTokens.ts';
import { redact } from '../../research/text/redact.ts';
import { classifyFailure, classifyThrown, unreachable } from '../classifyError.ts';
import { statusInBody } from '../errorBody.ts';
import type { CallContext } from '../failure.ts';
import type { WireRecord } from './exchange.ts';

interface About {
  readonly host: string;
  readonly model: string;
  /** How to set a valid key. */
  readonly keyHint: string;
  /** The key as it is now: no message repeats it. */
  readonly key: () => string | undefined;
}

/** What can go wrong with a call to a model, in words for a person. */
export class ChatFailures {
  readonly #about: About;

  constructor(about: About) {
    this.#about = about;
  }

  /** @param begun The caller has seen text. */
  classify(thrown: unknown, record: WireRecord, request: ChatRequest, begun: boolean): ResearchError {
    if (ResearchError.is(thrown)) return thrown;
    const { host, model, key, keyHint } = this.#about;
    const context: CallContext = { host, model, key: key(), keyHint, promptTokens: estimateRequest(request) };
    if (record.failure) {
      const status =
        record.failure.inStream || record.failure.status === 200
          ? statusInBody(record.failure.body)
          : record.failure.status;
      return classifyFailure({ ...record.failure, status }, context);
    }
    if (record.finish === 'content_filter' && record.notACompletion) return this.filtered('');
    if (record.notACompletion === 'html') return classifyFailure({ status: 200, headers: {}, body: '<html>' }, context);
    if (record.notACompletion === 'endless') return this.badAnswer('its answer did not end');
    if (record.notACompletion === 'empty')
      return this.badAnswer(record.nothing ? 'its answer was empty' : 'its answer held no completion');
    return classifyThrown(thrown, context, begun || record.answered);
  }

  unreachable(): ResearchError {
    return unreachable(this.#about.host, 'it does not accept connections');
  }

  broken(message: string): ResearchError {
    return new ResearchError('streamBroken', message, { next: 'Try again.', origin: this.#about.host });
  }

  badAnswer(what: string): ResearchError {
    return new ResearchError('badAnswer', `${this.#about.host} answered, but ${what}.`, {
      next: 'Try again; if it keeps happening, check deepResearch.model.baseUrl and the model.',
      origin: this.#about.host,
    });
  }

  filtered(refusal: string): ResearchError {
    const said = refusal === '' ? '' : ` It said: "${redact(refusal, [this.#about.key()]).slice(0, 300)}"`;
    return new ResearchError('contentFilter', `"${this.#about.model}" refused to answer.${said}`, {
      quoted: said,
      next: 'Rephrase the question, or choose another model.',
      origin: this.#about.host,
    });
  }

  /** @param tokens How many were read. */
  promptCut(tokens: number): ResearchError {
    const { host, model } = this.#about;
    return new ResearchError(
      'contextLength',
      `${host} read only the last ${tokens} tokens of the prompt: the context window of "${model}" is set too small.`,
      {
        next: 'Raise the context length of the model server (for Ollama OLLAMA_CONTEXT_LENGTH), or lower limits.maxContextTokens.',
        origin: host,
      },
    );
  }

  keyRemoved(): ResearchError {
    const { host, keyHint } = this.#about;
    return new ResearchError('auth', `The key for ${host} was removed while it was in use.`, {
      next: `${keyHint} Then resume the run: its progress is saved.`,
      origin: host,
    });
  }
}
