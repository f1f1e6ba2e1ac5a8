import * as vscode from 'vscode';

/** What a turn of the chat ended with, for the next one: it is saved with the chat, as JSON. */
export interface Turn {
  /** Id of the run that it was about. */
  readonly run?: string;
  /** What the user is to say next. `start`: accept what the request of this turn costs; `kind`: what its question is to do. */
  readonly waits?:
    | { readonly for: 'start'; readonly model: string | null }
    | { readonly for: 'kind' }
    | { readonly for: 'answer'; readonly id: string }
    | { readonly for: 'plan'; readonly round: number }
    | { readonly for: 'entities' | 'review' };
  readonly followUps?: readonly vscode.ChatFollowup[];
}

/** A chat may have been saved by another version: what it can't be is left to the types. */
export function turnOf({ metadata }: vscode.ChatResult): Turn {
  return metadata ?? {};
}

/** What the user says by choosing a follow-up. */
export const words = {
  start: () => vscode.l10n.t('Start'),
  skip: () => vscode.l10n.t('Just start'),
  approve: () => vscode.l10n.t('Approve and start'),
  all: () => vscode.l10n.t('All of them'),
  more: () => vscode.l10n.t('Research more'),
  report: () => vscode.l10n.t('Write the report'),
  sources: () => vscode.l10n.t('List the cited sources'),
};
