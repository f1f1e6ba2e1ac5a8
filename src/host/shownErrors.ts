import * as vscode from 'vscode';
import type { ResearchEvent } from '../protocol/events.ts';
import type { Setup } from '../protocol/messages.ts';
import type { RunView } from '../protocol/runView.ts';
import { shownWarning } from '../protocol/shownWarning.ts';
import { describeError } from '../runs/describeError.ts';

let localize = (text: string): string => text;
const { bundle } = vscode.l10n;
// English needs none.
if (bundle)
  void import('../protocol/errorLocalizer.ts').then(({ errorLocalizer }) => {
    localize = errorLocalizer(bundle);
  });

/** What the engine says of an error or of a run, in the user's language. */
export const errorText = (text: string): string => localize(text);

/** Localises what the program says in an event, an error or a part of a view; what a page or a model says fits none of its texts. */
function shown<T extends object>(said: T): T {
  const { message, english } = said as { readonly message?: unknown; readonly english?: string };
  const texts = Object.entries(said).map(([name, value]: [string, unknown]) =>
    typeof value === 'string' && /^(?:next|why|error)$/.test(name) ? [name, localize(value)] : [name, value],
  );
  return {
    ...(Object.fromEntries(texts) as T),
    ...(typeof message === 'string' && { message: shownWarning({ message, english }, localize) }),
  };
}

export const shownError = (error: unknown) => shown(describeError(error));
export const shownEvent = (event: ResearchEvent): ResearchEvent =>
  bundle && /^(?:run|page|section)\//.test(event.type) ? shown(event) : event;
export const shownView = (view: RunView): RunView =>
  bundle
    ? {
        ...view,
        end: view.end && shown(view.end),
        strategyWhy: localize(view.strategyWhy),
        warnings: view.warnings.map(shown),
        sections: view.sections.map(shown),
        pages: view.pages.map(shown),
      }
    : view;
export const shownSetup = (setup: Setup): Setup =>
  setup.problem ? { ...setup, problem: shown(setup.problem) } : setup;
