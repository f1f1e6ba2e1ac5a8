import type { CheckOptions, StatementCheck } from '../protocol/ports.ts';
import { verify } from '../research/analyst/llm/verify.ts';
import type { Scope } from '../research/analyst/analyst.ts';
import { ResearchError } from '../research/errors.ts';
import { nearestGround } from '../research/evidence/grounds.ts';
import type { ChatPort } from '../research/ports.ts';
import { costOf, priceOf } from '../research/settings/prices.ts';
import { detectLanguage } from '../research/text/language.ts';
import { prepareCheck } from '../research/verification/checkStatement.ts';
import { modelsOf, settingsOf } from './runOptions.ts';

const timeoutMs = 3 * 60_000;

/**
 * Gets ready to judge one statement against its sources, and says what that costs. Undefined without a model. Rejects with `config` where
 * nothing of the sources may be sent to one.
 */
export async function prepareStatement(options: CheckOptions): Promise<StatementCheck | undefined> {
  const settings = settingsOf(options);
  const created = await modelsOf(options, settings);
  if (created.kind !== 'llm') return undefined;
  const mayRead = settings['workspace.forModel'] === 'content';
  const passages = options.sources
    .filter(({ isFile }) => mayRead || !isFile)
    .flatMap((source) => [...source.passages, ...nearestIn(source.text, options.text)]);
  if (passages.length === 0)
    throw new ResearchError('config', 'The sources of this statement are files, and no file may be sent to a model.', {
      next: 'Set deepResearch.workspace.forModel to content.',
    });
  const others = options.others.filter(({ isFile }) => mayRead || !isFile).map((one) => one.passages);
  const { input, tokens, verdictOf } = prepareCheck(options.text, [...new Set(passages)], others);
  const port = await created.models('check');
  const price = priceOf(port.model, settings.prices, created.prices);
  return {
    model: port.model,
    tokens: tokens.in + tokens.out,
    cost: price === undefined ? null : costOf({ ...tokens, cached: 0 }, price),
    async read(signal) {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const found = verdictOf(await verify(input, scopeOn(port, options.text, ended)));
      return found && { ...found, verdict: found.verdict === 'disputed' ? 'partly' : found.verdict };
    },
  };
}

function nearestIn(text: string | undefined, statement: string): string[] {
  const nameless = { id: '', kind: '', identity: '', title: '', authors: [], facts: [], retrievedAt: '' };
  const ground = text === undefined ? undefined : nearestGround({ ...nameless, alreadyCited: false, text }, statement);
  return ground?.passages.map((passage) => passage.text) ?? [];
}

/** A step on its own, which is no part of a run. */
function scopeOn(port: ChatPort, text: string, signal: AbortSignal): Scope {
  return {
    ...{ path: 'check', phase: 'report', language: detectLanguage(text), signal, fence: '' },
    today: new Date().toISOString().slice(0, 10),
    limits: { maxStructuredOutputRetries: 1, compressionTargetTokens: 0, maxTokens: {}, depth: 'standard' },
    model: (_label, _role, request) => port.complete(request, {}, signal),
    noteUse: () => undefined,
    forget: () => Promise.resolve(),
    contextTokens: () => Promise.resolve(port.contextTokens),
    source: () => undefined,
    thought: () => undefined,
    warn: () => undefined,
  };
}
