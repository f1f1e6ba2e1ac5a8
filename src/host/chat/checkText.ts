import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckedSentence, TextCheck } from '../../protocol/ports.ts';
import { Texts } from '../../protocol/texts.ts';
import type { RunChoices } from '../../runs/runChoices.ts';
import { l10n } from '../l10n.ts';
import { markdownLine, oneLine } from '../history/plainText.ts';
import { sourceTarget } from '../reports/sourceTarget.ts';
import { restrictedText } from '../restrictedMode.ts';
import { attachedTo, isOnlyReferences, questionOf } from './attachedReferences.ts';
import type { ChatHost } from './chatHost.ts';
import { type ChatOutput, labelOf, placeOf } from './chatOutput.ts';
import type { Turn } from './chatTurn.ts';
import { proposeStart, showProblem } from './spending.ts';
import { errorText } from '../shownErrors.ts';

type Request = Pick<vscode.ChatRequest, 'prompt' | 'references'>;

/** Shows what checking a text costs and sends, and waits for the user to accept it; without a model it is checked at once. */
export async function proposeCheck(
  host: ChatHost,
  request: Request,
  choices: RunChoices,
  out: ChatOutput,
): Promise<Turn> {
  const setup = await host.setupFor(choices);
  if (showProblem(setup, out)) return {};
  const prepared = await prepare(host, request, choices);
  if (prepared === undefined) {
    const isRefused = request.references.length > 0 && !vscode.workspace.isTrusted;
    out.markdown(isRefused ? restrictedText() : l10n.t('Write the text to check, or attach a selection or a file.'));
    return {};
  }
  const { sentences, left, model, estimate } = prepared;
  const count = l10n.t('{0, plural, one {# sentence} other {# sentences}} to check.', sentences);
  const cut = left === 0 ? '' : ` ${l10n.t('{0, plural, one {# more is} other {# more are}} left out.', left)}`;
  out.markdown(`${count}${cut}\n\n`);
  if (model === null) return show(host, prepared, out);
  return proposeStart(host, { ...setup, estimate }, request.references.length > 0, out);
}

/** Checks what was proposed. */
export async function checkProposed(
  host: ChatHost,
  request: Request,
  choices: RunChoices,
  out: ChatOutput,
): Promise<Turn> {
  const prepared = await prepare(host, request, choices);
  return prepared === undefined ? {} : show(host, prepared, out);
}

/** The words of the request, else the first of what is attached: the others are searched too. Undefined: there is neither. */
async function prepare(
  host: ChatHost,
  { prompt, references }: Request,
  choices: RunChoices,
): Promise<TextCheck | undefined> {
  const { attached } = await attachedTo(references);
  const typed = isOnlyReferences(prompt, references) ? '' : questionOf(prompt, references);
  if (typed !== '') return host.prepareText(choices, { text: typed, isTyped: true, attached });
  const [first, ...others] = attached;
  if (first === undefined) return undefined;
  const text = first.excerpt?.text ?? (await vscode.workspace.openTextDocument(first.path)).getText();
  const folder = host.options().workspaceFolder;
  const below = folder === undefined ? '' : path.relative(folder, first.path).split(path.sep).join('/');
  return host.prepareText(choices, { text, isTyped: false, ownFile: below, attached: others });
}

async function show(host: ChatHost, prepared: TextCheck, out: ChatOutput): Promise<Turn> {
  out.progress(l10n.t('Searching for each sentence'));
  const { sentences, warnings, tokens } = await prepared.check(out.signal());
  // What a chat says is read by its models.
  const showsFiles = (await host.setupFor({})).workspaceForModel === 'content';
  const { workspaceFolder } = host.options();
  for (const sentence of sentences) {
    out.markdown(`${verdictLine(sentence, prepared.model !== null)}\n\n`);
    for (const { text, source } of sentence.passages) {
      const isShown = showsFiles || source.file === undefined;
      out.markdown(`> ${markdownLine(oneLine(isShown ? text : source.title, 500))} `);
      const target = sourceTarget(source, workspaceFolder);
      const place = placeOf(target);
      if (place) {
        out.anchor(place, target.kind === 'file' ? `${labelOf(target)}:${target.firstLine}` : labelOf(target));
        out.reference(place);
      }
      out.markdown('\n\n');
    }
  }
  for (const warning of warnings) out.markdown(`- ${markdownLine(oneLine(errorText(warning), 300))}\n`);
  const texts = new Texts(await host.texts(), vscode.env.language);
  const supported = sentences.filter(({ verdict }) => verdict === 'supported').length;
  if (prepared.model === null) out.markdown(l10n.t('Without a model these are the nearest passages; none is judged.'));
  else {
    const verified = l10n.t('Verified: {0} of {1}.', supported, sentences.length);
    out.markdown(`${verified} ${l10n.t('{0} tokens.', texts.compact(tokens))}`);
  }
  return {};
}

function verdictLine({ text, verdict, passages, correction }: CheckedSentence, hasModel: boolean): string {
  const found = passages.length > 0;
  const said = {
    supported: l10n.t('Supported'),
    partly: l10n.t('Supported in part'),
    disputed: l10n.t('Sources disagree'),
    contradicted: l10n.t('Contradicted'),
    absent: found ? l10n.t('Not said by the sources') : l10n.t('Nothing found'),
    inferred: l10n.t('Not said by the sources'),
    unverified: hasModel ? l10n.t('Not verified') : found ? l10n.t('Nearest passages') : l10n.t('Nothing found'),
  }[verdict];
  const instead = correction === '' ? '' : ` ${l10n.t('They support: “{0}”', markdownLine(oneLine(correction, 600)))}`;
  return `**${said}**: ${markdownLine(oneLine(text, 600))}${instead}`;
}
