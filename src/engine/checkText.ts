import type { TextCheck, TextOptions } from '../protocol/ports.ts';
import { untilAborted } from '../research/calls/waiting.ts';
import { ResearchError } from '../research/errors.ts';
import { checkText, sentencesToCheck } from '../research/runner/checkText.ts';
import { costOf, priceOf } from '../research/settings/prices.ts';
import { wantedControls } from '../research/verification/controls.ts';
import { assemble } from './assemble.ts';
import { attachedOf } from './documents.ts';
import { bindingSettings, modelsOf, type RunOptions, settingsOf } from './runOptions.ts';

/** Tokens of a call beside what it reads, of a statement with its passages, and of the answer about it; minutes that each takes. */
const usual = { fixed: 1_100, read: 220, answer: 45, minutes: 0.05 };

/** See `ResearchEngine.prepareText`. */
export async function prepareText(given: RunOptions & TextOptions): Promise<TextCheck> {
  const { sentences, left } = sentencesToCheck(given.text);
  if (sentences.length === 0)
    throw new ResearchError('badRequest', 'There is no sentence to check in this text.', {
      next: 'Give one or more whole sentences that state something.',
    });
  // Whoever asks for a check wants one.
  const { verification, ...own } = settingsOf(given);
  const settings = { ...own, verification: verification === 'off' ? 'standard' : verification };
  const options = { ...given, overrides: { ...given.overrides, verification: settings.verification } };
  const created = await modelsOf(options, settings);
  const model = created.kind === 'llm' ? (await created.models('check')).model : null;
  const price = created.kind === 'llm' ? priceOf(model!, settings.prices, created.prices) : undefined;
  const readings = model === null ? 0 : settings.verification === 'thorough' ? 3 : 1;
  const entries = sentences.length + wantedControls;
  const tokens = { in: readings * (usual.fixed + entries * usual.read), out: readings * entries * usual.answer };
  return {
    ...{ sentences: sentences.length, left, model },
    estimate: {
      ...{ calls: readings, tokens: tokens.in + tokens.out, minutes: sentences.length * usual.minutes },
      cost: price === undefined ? null : costOf({ ...tokens, cached: 0 }, price),
    },
    async check(signal) {
      const { parts, controller, close } = await assemble(options, signal);
      const stop = (): void => controller.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      try {
        const attached = await attachedOf({ ...options, signal }, bindingSettings(parts.settings, model !== null));
        return await untilAborted(checkText({ ...parts, ...attached }, { ...options, sentences }, controller), signal);
      } finally {
        signal.removeEventListener('abort', stop);
        controller.abort(new ResearchError('abort', 'The check has ended.'));
        await close();
      }
    },
  };
}
