// Pages of the panel for a test file: opened when asked for, looked at for complaints of the browser and closed after each test.
import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import type { EventBody } from '../../src/protocol/events.ts';
import type { HostMessage, PanelMessage } from '../../src/protocol/messages.ts';
import type { ReaderHostMessage, ReaderMessage } from '../../src/protocol/readerMessages.ts';
import { type PanelHarness, type PanelPage, type PanelPageOptions, startPanelHarness } from './panelHarness.ts';
import { events } from './panelStates.ts';

/** Opens a page of the panel with messages of the host. */
export type OpenPanel = (
  messages?: readonly (HostMessage | ReaderHostMessage)[],
  options?: PanelPageOptions,
) => Promise<PanelPage>;

export function usePanelPages(): OpenPanel {
  let harness: PanelHarness;
  const opened: PanelPage[] = [];
  before(async () => {
    harness = await startPanelHarness();
  });
  after(() => harness?.stop());
  afterEach(async () => {
    for (const page of opened.splice(0)) {
      assert.deepEqual(page.complaints, [], 'the browser complained');
      await page.close();
    }
  });
  return async (messages = [], options = {}) => {
    const page = await harness.open(options);
    opened.push(page);
    await page.say(...messages);
    return page;
  };
}

/** What the panel posted, of one type. */
export async function postedOf<T extends (PanelMessage | ReaderMessage)['type']>(
  page: PanelPage,
  type: T,
): Promise<Extract<PanelMessage | ReaderMessage, { type: T }>[]> {
  return (await page.posted()).filter((message) => message.type === type) as Extract<
    PanelMessage | ReaderMessage,
    { type: T }
  >[];
}

/** More events of the run that the states of `panelStates.ts` show; the first has the number `from`. */
export function more(bodies: readonly EventBody[], from: number): HostMessage {
  return { type: 'events', events: events(bodies, 'r1', from) };
}
