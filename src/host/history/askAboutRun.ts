import path from 'node:path';
import * as vscode from 'vscode';
import { readHead } from '../../files/readVersions.ts';
import type { FollowUp } from '../../protocol/ports.ts';
import { type FollowUpChoice, type FollowUpKind, kindsWithoutModel, offeredKinds } from '../../protocol/followUp.ts';
import { unescaped } from '../../files/references.ts';
import { sidecarOf } from '../../files/sidecar.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import { l10n } from '../l10n.ts';
import { reportHeadLength } from '../reports/reportText.ts';
import { noticeLine } from './plainText.ts';
import { type RunEntry, titleOf } from '../../runs/runEntry.ts';

/** Tokens of a follow-up, as part of those of its run (test/system/followUp.test.ts and reportVersions.test.ts measure them). */
const shares: Readonly<Record<FollowUpKind, number>> = { answer: 0.15, research: 0.3, rewrite: 0.5, challenge: 0.3 };

/**
 * What is asked of a run's report, and what happens with it; undefined when the user leaves one of both open.
 * @param hasModel Whether there is a model: called where the kind is to be chosen.
 * @param asked What a keybinding passes: the question, and `how` what is done with it; `fill` is a question that the user may change.
 */
export async function followUpOf(
  runsFolder: string,
  run: RunEntry,
  hasModel: () => Promise<boolean>,
  asked: unknown,
  how: unknown,
): Promise<{ readonly question: string; readonly followUp: FollowUp } | undefined> {
  const { fill, ...wanted } = (how ?? (typeof asked === 'string' ? { as: 'answer' } : {})) as Omit<FollowUp, 'run'> & {
    readonly fill?: string;
  };
  const { section, without } = wanted;
  const left = without && vscode.l10n.t('Write it again without the sources {0}.', without.join(', '));
  const given = left ?? (typeof asked === 'string' ? asked : await askFor(run, section, fill));
  const question = given?.trim() || (given === undefined ? undefined : section);
  if (question === undefined) return undefined;
  // Named as undefined, the kind is the model's to decide.
  const isDecided = section !== undefined || 'as' in wanted;
  const pick = async (isLed: boolean) => pickKind(isLed ? await tokensOf(runsFolder, run.run) : 0, offeredKinds(isLed));
  const as = isDecided ? wanted.as : await pick(await hasModel());
  return as === undefined && !isDecided ? undefined : { question, followUp: { ...wanted, run: run.run, as } };
}

/**
 * What is asked of a report whose run is not on this machine: it is answered from the evidence beside its file, or researched further with
 * the report attached.
 */
export async function askOfFile(
  run: string,
  file: string,
  asked: unknown,
  how: unknown,
): Promise<{ readonly question: string; readonly choices: RunChoices } | undefined> {
  const entry: RunEntry = { run, created: '', state: 'finished', elsewhere: false, title: path.basename(file) };
  const { as: wanted, fill } = (how ?? {}) as Partial<FollowUp> & { readonly fill?: string };
  const question = (typeof asked === 'string' ? asked : await askFor(entry, undefined, fill))?.trim() ?? '';
  if (question === '') return undefined;
  const hasEvidence = (await sidecarOf(file, run)) !== undefined;
  const offered = hasEvidence ? kindsWithoutModel : kindsWithoutModel.filter((as) => as !== 'answer');
  const as = wanted !== undefined && offered.includes(wanted) ? wanted : await pickKind(0, offered);
  if (as === undefined) return undefined;
  const choices = as === 'answer' ? { followUp: { run: '', as, file } } : { attached: [{ path: file }] };
  return { question, choices };
}

function askFor(run: RunEntry, section: string | undefined, challenged?: string): Thenable<string | undefined> {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  return vscode.window.showInputBox({
    title:
      section === undefined
        ? vscode.l10n.t('Ask About “{0}”', noticeLine(titleOf(run)))
        : vscode.l10n.t('Research “{0}” Again', noticeLine(unescaped(section))),
    prompt:
      challenged !== undefined
        ? vscode.l10n.t('Searches what speaks against a sentence of the report, and corrects it')
        : section === undefined
          ? vscode.l10n.t('A question, or what the report should be like. You choose next what happens with it.')
          : vscode.l10n.t('What should be different? May be empty. The new text waits until you accept it.'),
    // A sentence that is selected is what is asked about.
    value:
      challenged ?? (section === undefined && selection ? (document?.getText(selection).slice(0, 1_000) ?? '') : ''),
    ignoreFocusOut: true,
  });
}

/** Of the run, as its report says; 0 where no model wrote it. */
export async function tokensOf(runsFolder: string, run: string): Promise<number> {
  const head = await readHead(path.join(runsFolder, run)).catch(() => '');
  return Number(/^tokens: (\d{1,12})$/m.exec(head.slice(0, reportHeadLength))?.[1] ?? 0);
}

/** What can become of a question about a report. `description`: what it costs. @param tokens Of the report's run. */
export function followUpChoices(tokens: number): readonly FollowUpChoice[] {
  const costOf = (as: FollowUpKind) =>
    tokens === 0
      ? ''
      : l10n.t('about {0, plural, one {# token} other {# tokens}}', Math.ceil((shares[as] * tokens) / 1_000) * 1_000);
  const item = (as: FollowUpKind, label: string, detail: string) => ({ as, label, detail, description: costOf(as) });
  return [
    item('answer', vscode.l10n.t('Answer'), vscode.l10n.t('From what its run has read; the report stays as it is')),
    item(
      'research',
      vscode.l10n.t('Research Further'),
      vscode.l10n.t('A new section, or a deeper one, with new searches'),
    ),
    item(
      'rewrite',
      vscode.l10n.t('Rewrite'),
      vscode.l10n.t('The same findings: shorter, for other readers, as a table, in another language'),
    ),
    item(
      'challenge',
      vscode.l10n.t('Challenge'),
      vscode.l10n.t('Searches what speaks against a sentence of the report, and corrects it'),
    ),
  ];
}

/** Lets the user choose what becomes of a question about a report. */
async function pickKind(tokens: number, offered: readonly FollowUpKind[]): Promise<FollowUpKind | undefined> {
  const title = vscode.l10n.t('What Happens with It?');
  const items = followUpChoices(tokens).filter(({ as }) => offered.includes(as));
  return (await vscode.window.showQuickPick(items, { title }))?.as;
}
