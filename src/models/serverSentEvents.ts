/** One event of a `text/event-stream`. Comments and events without data are skipped. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads a stream of server-sent events as text arrives, cut anywhere. Line ends may be `\n`, `\r\n` or `\r`. An event that
 * the stream's end cuts off is still given when it has data: some servers leave out the last blank line.
 */
export class SseReader {
  /** The pieces of a line that is not complete yet. Joined only when its end comes, since a line may be very long. */
  #pieces: string[] = [];
  #event = '';
  #data: string[] = [];
  #first = true;

  push(text: string): ServerSentEvent[] {
    if (text === '') return [];
    const fresh = this.#first ? text.replace(/^\uFEFF/, '') : text;
    this.#first = false;
    const heldReturn = this.#pieces.at(-1)?.endsWith('\r') ?? false;
    this.#pieces.push(fresh);
    if (!heldReturn && !/[\r\n]/.test(fresh)) return [];
    const buffer = this.#pieces.join('');
    const events: ServerSentEvent[] = [];
    let start = 0;
    const lineEnd = /\r\n|\n|\r/g;
    for (let match = lineEnd.exec(buffer); match; match = lineEnd.exec(buffer)) {
      // A carriage return at the very end may be half of a line end.
      if (match[0] === '\r' && match.index === buffer.length - 1) break;
      this.#line(buffer.slice(start, match.index), events);
      start = match.index + match[0].length;
    }
    this.#pieces = start === buffer.length ? [] : [buffer.slice(start)];
    return events;
  }

  end(): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    const rest = this.#pieces.join('').replace(/\r$/, '');
    this.#pieces = [];
    if (rest !== '') this.#line(rest, events);
    this.#line('', events);
    return events;
  }

  #line(line: string, events: ServerSentEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') });
      this.#event = '';
      this.#data = [];
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
  }
}
