/** An `@` with the letters behind it, up to the caret: the user is naming a document. */
export interface Mention {
  /** Offset of the `@`. */
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

/** Undefined where the caret does not follow an `@` that begins a word: an address is no mention. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const query = /(?:^|[\s(（，。、])@([^\s@]{0,80})$/u.exec(text.slice(Math.max(0, caret - 100), caret))?.[1];
  return query === undefined ? undefined : { start: caret - query.length - 1, end: caret, query };
}

/** The text with the document's name in place of the mention, and where the caret goes. */
export function withName(text: string, { start, end }: Mention, name: string): { text: string; caret: number } {
  const space = /^\s/.test(text.slice(end)) ? '' : ' ';
  return { text: `${text.slice(0, start)}${name}${space}${text.slice(end)}`, caret: start + name.length + 1 };
}

/** Addresses of files in what was dropped; empty for anything else. */
export function droppedAddresses(transfer: Pick<DataTransfer, 'getData'>): string[] {
  const listed = ['application/vnd.code.uri-list', 'text/uri-list'].map((type) => transfer.getData(type));
  return (listed.find((text) => text !== '') ?? '')
    .split(/\r?\n/)
    .filter((line) => /^(?:file|vscode-remote):/.test(line))
    .slice(0, 100);
}
