import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DocumentKind } from '../protocol/messages.ts';
import type { Host } from './host.ts';
import type { PanelState } from './panelStore.ts';
import type { Texts } from './texts.ts';

/** What every part of the panel may use. */
export interface Panel {
  readonly texts: Texts;
  readonly host: Host;
  /** How kinds of documents are shown. */
  readonly kinds: readonly DocumentKind[];
  /** Id of the shown run; '' while none is. */
  readonly run: string;
  /** The outcome of the last remark to a section, or of its stop; a new object each time. */
  readonly steered: PanelState['steered'];
  /** Announces a text to screen readers, once. */
  readonly announce: (text: string) => void;
}

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('A part of the panel was rendered outside of it.');
  return panel;
}
