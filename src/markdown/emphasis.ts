import { append, type Parsed, type Styled } from './tree.ts';

/** What one sentence leaves to the next of its block. */
export interface InlineState {
  /** `**` was opened and not closed: its closing in a later sentence is not a literal asterisk. */
  strongIsOpen: boolean;
}

/** A text beyond this nesting of emphasis is shown as it was typed. */
const deepest = 8;

/** A node, or a run of marks that may open or close emphasis. */
export type Token =
  | { readonly type: 'node'; readonly node: Parsed }
  | {
      readonly type: 'run';
      readonly mark: string;
      readonly length: number;
      readonly opens: boolean;
      readonly closes: boolean;
    };

interface Frame {
  readonly mark: string;
  readonly size: number;
  readonly children: Parsed[];
  /** It was at a position where only an opening marker can be. */
  readonly isBare: boolean;
}

/** Pairs emphasis markers. One without a partner is text; half of a `**` pair that a sentence boundary splits is dropped. */
export function fold(tokens: readonly Token[], state: InlineState): Parsed[] {
  const frames: Frame[] = [{ mark: '', size: 0, children: [], isBare: false }];
  let leavesOpen = false;
  const unfold = (): void => {
    const frame = frames.pop()!;
    const isCut = frame.size === 2 && frame.mark !== '~' && frame.isBare;
    if (isCut) leavesOpen = true;
    const parent = frames.at(-1)!.children;
    append<Parsed>(parent, { type: 'text', text: isCut ? '' : frame.mark.repeat(frame.size) });
    for (const child of frame.children) append<Parsed>(parent, child);
  };
  for (const token of tokens) {
    if (token.type === 'node') {
      append<Parsed>(frames.at(-1)!.children, token.node);
      continue;
    }
    let { length } = token;
    while (length > 0 && token.closes) {
      const size = length;
      const at = frames.findLastIndex(
        (frame) => frame.mark === token.mark && frame.size <= size && frame.children.length > 0,
      );
      if (at < 1) break;
      while (frames.length > at + 1) unfold();
      const { size: closed, children } = frames.pop()!;
      const type: Styled['type'] = token.mark === '~' ? 'deleted' : closed === 2 ? 'strong' : 'emphasis';
      frames.at(-1)!.children.push({ type, children });
      length -= closed;
    }
    if (length === 0) continue;
    if (token.opens && frames.length + 1 < deepest) {
      const isBare = !token.closes;
      if (length >= 2) frames.push({ mark: token.mark, size: 2, children: [], isBare });
      if (length !== 2) frames.push({ mark: token.mark, size: 1, children: [], isBare });
    } else if (token.closes && !token.opens && length === 2 && token.mark !== '~' && state.strongIsOpen)
      state.strongIsOpen = false;
    else append<Parsed>(frames.at(-1)!.children, { type: 'text', text: token.mark.repeat(length) });
  }
  while (frames.length > 1) unfold();
  if (leavesOpen) state.strongIsOpen = true;
  return frames[0]!.children;
}
