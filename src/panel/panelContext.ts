import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DocumentKind, PanelMessage } from '../protocol/messages.ts';
import type { Host } from './host.ts';
import type { PanelState, Sent } from './panelStore.ts';

/** What every part of the panel may use. */
export interface Panel extends Pick<PanelState, 'texts' | 'thread' | 'evidence' | 'steered' | 'sent'> {
  readonly host: Host;
  /** How kinds of documents are shown. */
  readonly kinds: readonly DocumentKind[];
  /** Id of the shown run; '' while none is. */
  readonly run: string;
  /** A follow-up would have a model. */
  readonly hasModel: boolean;
  /** Announces a text to screen readers, once. */
  readonly announce: (text: string) => void;
  /** The user has decided, and the run has not moved on yet: the card can't be changed any more. */
  readonly locked: boolean;
  /** Posts what the user asked for, unless it is pending already. */
  readonly send: (what: Sent, message: PanelMessage) => void;
  /** Puts a question into the box, in place of the shown run. */
  readonly compose: (question: string) => void;
  /** Researches the question of the shown run again, as a new run. */
  readonly rerun: () => void;
}

export const PanelContext = createContext<Panel | null>(null);

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (!panel) throw new Error('A part of the panel was rendered outside of it.');
  return panel;
}
