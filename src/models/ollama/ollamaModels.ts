import { isRecord } from '../../research/text/json.ts';
import type { Capabilities } from '../capabilities.ts';
import type { AskServer, HttpApi } from '../http/httpModels.ts';
import { ollamaChatApi } from './ollamaChatApi.ts';

/** Asked for when the model is not in memory yet: enough for a section's material, 2 GB of memory for an 8B model. In tokens. */
const wantedContext = 16_384;
/** A model that was loaded with at least this is left as it is: another size loads it again. */
const enoughContext = 8_192;

export const ollamaApi: HttpApi = {
  dialect: () => ollamaChatApi,
  list: { path: '/api/tags', headers: ollamaChatApi.headers },
  learn,
};

/** What `/api/show` says of the model, and `/api/ps` of how it is loaded. */
async function learn(model: string, ask: AskServer): Promise<Partial<Capabilities>> {
  const [shown, running] = await Promise.all([ask('api/show', { model }), ask('api/ps').catch(() => undefined)]);
  if (!isRecord(shown)) return {};
  const info = isRecord(shown['model_info']) ? shown['model_info'] : {};
  const most = Object.entries(info).find(
    ([key, value]) => key.endsWith('.context_length') && typeof value === 'number',
  );
  const can = Array.isArray(shown['capabilities']) ? shown['capabilities'] : undefined;
  const loaded = loadedContext(running, model);
  return {
    contextTokens:
      loaded !== undefined && loaded >= enoughContext ? loaded : Math.min(wantedContext, Number(most?.[1] ?? Infinity)),
    // Older versions don't list what a model can do: it is found out by asking.
    ...(can && { tools: can.includes('tools') }),
    ...(can?.includes('thinking') && { thinkingField: 'thinking', thinks: true }),
  };
}

function loadedContext(running: unknown, model: string): number | undefined {
  const models: unknown[] = isRecord(running) && Array.isArray(running['models']) ? running['models'] : [];
  const found = models.filter(isRecord).find(({ name }) => name === model || name === `${model}:latest`);
  const tokens = found?.['context_length'];
  return typeof tokens === 'number' && tokens > 0 ? tokens : undefined;
}
