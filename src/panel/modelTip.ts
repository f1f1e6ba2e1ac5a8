import type { Setup } from '../protocol/messages.ts';
import { plain } from './plain.ts';
import type { Texts } from '../protocol/texts.ts';

/** Which models a run would ask; undefined without one. */
export function modelTip({ model, provider, modelFor = {} }: Setup, texts: Texts): string | undefined {
  if (model === null) return undefined;
  const roles = (['research', 'compression', 'report', 'check'] as const).flatMap((role) => {
    const name = modelFor[role];
    return name === undefined ? [] : [texts.of(`setup.tip.${role}`, plain(name))];
  });
  return [texts.of('setup.tip', plain(model), provider), ...roles].join('\n');
}
