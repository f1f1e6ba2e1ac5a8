import * as vscode from 'vscode';
import { fillText } from '../protocol/fillText.ts';

/** As `vscode.l10n`, for texts with plurals ({@link fillText}). */
export const l10n = {
  t: (text: string, ...values: readonly (string | number)[]): string =>
    fillText(vscode.l10n.t(text), values, vscode.env.language),
};
