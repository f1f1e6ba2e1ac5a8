import { createParser, type EventSourceMessage } from 'eventsource-parser';

/**
 * The events of a `text/event-stream`, from text that is cut anywhere. The last event is given even without the blank line that
 * should end it: some servers leave that out.
 */
export async function* serverSentEvents(texts: AsyncIterable<string>): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  for await (const text of texts) {
    parser.feed(text);
    yield* events.splice(0);
  }
  parser.feed('\n\n');
  yield* events.splice(0);
}
