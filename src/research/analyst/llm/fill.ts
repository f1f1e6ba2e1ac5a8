import type { ChatMessage } from '../../ports.ts';
import { knowOwnText } from './promptEcho.ts';

/** The messages of a prompt file: what stays the same in a run, what the step is about, and what changes from turn to turn. */
export interface FilledPrompt {
  readonly system: string;
  readonly user: string;
  /** Follows a conversation, so that everything before it stays the same; "" in a prompt without one. */
  readonly turn: string;
}

/** Without the turn. */
export function messagesOf({ system, user }: Pick<FilledPrompt, 'system' | 'user'>): ChatMessage[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
}

const separator = /^<!-- (?:user|turn) -->\n/m;
/** A placeholder alone on its line goes with its line when its value is empty. */
const placeholder = /^\{\{([a-z_]+)\}\}\n|\{\{([a-z_]+)\}\}/gm;

/**
 * Fills a prompt file. Values are put in once and never looked at again, so that nothing in them is taken for a placeholder
 * or for the line between the messages. A placeholder without a value and a value without a placeholder are bugs and throw.
 */
export function fillPrompt(template: string, values: Readonly<Record<string, string>>): FilledPrompt {
  const parts = template.replaceAll('\r\n', '\n').split(separator);
  if (parts.length < 2 || parts.length > 3)
    throw new Error('A prompt has a system and a user part, and at most one for the turn.');
  knowOwnText(template);
  const used = new Set<string>();
  const fill = (part: string): string =>
    part.replace(placeholder, (_, line: string | undefined, inline: string | undefined) => {
      const name = line ?? inline ?? '';
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) throw new Error(`The prompt's placeholder {{${name}}} has no value.`);
      used.add(name);
      return line !== undefined ? (value === '' ? '' : `${value}\n`) : value;
    });
  const filled = { system: fill(parts[0]!).trim(), user: fill(parts[1]!).trim(), turn: fill(parts[2] ?? '').trim() };
  const unused = Object.keys(values).filter((name) => !used.has(name));
  if (unused.length > 0) throw new Error(`The prompt has no placeholder {{${unused.join('}}, {{')}}}.`);
  return filled;
}
