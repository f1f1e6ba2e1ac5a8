import { parseLooseObject } from '../../research/analyst/llm/looseJson.ts';
import type { ToolCall } from '../../research/ports.ts';
import { isRecord, parseJson } from '../../research/text/json.ts';
import { maxToolCalls, type ToolCallDelta } from './exchange.ts';

interface Growing {
  index: number | undefined;
  id: string;
  name: string;
  args: string;
}

let made = 0;
/** Of arguments that can't be read, the model is shown this much, in UTF-16 units. */
const maxMalformed = 20_000;
/** Arguments of one call, in UTF-16 units. What is longer can't be read. */
const maxArguments = 1_000_000;

/**
 * Puts the pieces of streamed tool calls together. Servers differ: later pieces repeat the id, leave it out or send it
 * empty; some count every call as index 0, or send no index at all. A different id begins a new call.
 */
export class ToolCallCollector {
  readonly #calls: Growing[] = [];

  add(pieces: readonly ToolCallDelta[]): void {
    for (const piece of pieces) {
      const call = this.#callOf(piece);
      if (call === undefined) continue;
      if (piece.id) call.id = piece.id;
      if (piece.name && call.name !== piece.name) call.name = (call.name + piece.name).slice(0, 200);
      if (call.args.length <= maxArguments) call.args += piece.args ?? '';
    }
  }

  #callOf(piece: ToolCallDelta): Growing | undefined {
    const same =
      piece.index === undefined ? this.#calls.at(-1) : this.#calls.findLast((call) => call.index === piece.index);
    if (same !== undefined && !beginsAnother(piece, same)) return same;
    if (this.#calls.length === maxToolCalls) return undefined;
    const call: Growing = { index: piece.index, id: '', name: '', args: '' };
    this.#calls.push(call);
    return call;
  }

  /** The calls, with arguments parsed and repaired. `truncated`: the answer ended at its token limit, so nothing may be completed. */
  finish(truncated: boolean): ToolCall[] {
    return this.#calls
      .filter((call) => call.name !== '')
      .map((call) => {
        const id = call.id === '' ? `call_${(made += 1)}` : call.id;
        const args = readArguments(call.args, truncated);
        return args === undefined
          ? { id, name: call.name, args: {}, malformed: call.args.slice(0, maxMalformed) }
          : { id, name: call.name, args };
      });
  }
}

function beginsAnother(piece: ToolCallDelta, call: Growing): boolean {
  if (piece.id && call.id !== '') return piece.id !== call.id;
  // A name after whole arguments: the call before is complete.
  return Boolean(piece.name) && call.name !== '' && (piece.index === undefined || isWhole(call.args));
}

function isWhole(args: string): boolean {
  // Each piece may ask: what is parsed again and again must be short.
  return args.length <= 20_000 && args.trimEnd().endsWith('}') && parseJson(args) !== undefined;
}

function readArguments(text: string, truncated: boolean): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  if (text.length > maxArguments) return undefined;
  const value = parseJson(text);
  if (isRecord(value)) return value;
  if (value === null) return {};
  return value === undefined && truncated ? undefined : parseLooseObject(text);
}
