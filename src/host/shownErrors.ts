import * as vscode from 'vscode';
import type { ResearchEvent } from '../protocol/events.ts';
import type { Setup } from '../protocol/messages.ts';
import type { RunView } from '../protocol/runView.ts';
import { describeError } from '../runs/describeError.ts';

let localize = (text: string): string => text;
const { bundle } = vscode.l10n;
// English needs none.
if (bundle)
  void import('../protocol/errorLocalizer.ts').then(({ errorLocalizer }) => {
    localize = errorLocalizer(bundle);
  });

/** What the engine says of an error, in the user's language. */
export const errorText = (text: string): string => localize(text);

const shown = <T extends { readonly message: string; readonly next?: string }>(said: T): T => ({
  ...said,
  message: localize(said.message),
  ...(said.next && { next: localize(said.next) }),
});

export const shownError = (error: unknown) => shown(describeError(error));
export const shownEvent = (event: ResearchEvent): ResearchEvent => ('next' in event ? shown(event) : event);
export const shownView = (view: RunView): RunView => (view.end ? { ...view, end: shown(view.end) } : view);
export const shownSetup = (setup: Setup): Setup =>
  setup.problem ? { ...setup, problem: shown(setup.problem) } : setup;
