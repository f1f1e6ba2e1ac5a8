import * as vscode from 'vscode';
import type { EngineOptions, ModelChoice, OfferedModels, ResearchEngine } from '../../protocol/ports.ts';
import { settingsPrefix } from '../commandIds.ts';
import { describeError } from '../sessions/runSession.ts';

interface ModelItem extends vscode.QuickPickItem {
  readonly choice?: ModelChoice;
}

type Engine = Pick<ResearchEngine, 'offerModels' | 'testModel'>;

/** In the extension's global state: by provider, the addresses that choices of other models replaced in the settings. */
const addressesKey = 'deepResearch.modelAddresses';
type Addresses = Readonly<Record<string, string>>;

/**
 * Lists the models that are there, sets the chosen one in the user's settings, and tests it with one word. Models at an address
 * that an earlier choice replaced are listed too.
 */
export async function selectModel(
  loadEngine: () => Promise<Engine>,
  options: () => EngineOptions,
  state: vscode.Memento,
): Promise<void> {
  const engine = await loadEngine();
  const items = engine.offerModels(options(), state.get<Addresses>(addressesKey)).then(itemsOf);
  const picked = await vscode.window.showQuickPick<ModelItem>(items, {
    title: vscode.l10n.t('Select Model'),
    placeHolder: vscode.l10n.t('Models that are available now'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (!picked) return;
  if (!picked.choice) {
    await vscode.commands.executeCommand('deepResearch.setKey');
    return;
  }
  await saveChoice(picked.choice, state);
  await test(engine, options(), picked.choice);
}

function itemsOf(offered: readonly OfferedModels[]): ModelItem[] {
  const groups = offered.flatMap(({ provider, label, baseUrl, models, problem }): ModelItem[] => [
    { label: baseUrl === '' ? label : `${label} (${baseUrl})`, kind: vscode.QuickPickItemKind.Separator },
    ...(problem === undefined ? [] : [{ label: `$(warning) ${label}`, detail: problem }]),
    ...models.map(({ id, label: name = id, contextTokens, isLoaded }) => ({
      label: name,
      description: [
        name === id ? '' : id,
        contextTokens === undefined
          ? ''
          : vscode.l10n.t('{0} tokens', contextTokens.toLocaleString(vscode.env.language)),
        isLoaded ? vscode.l10n.t('loaded') : '',
      ]
        .filter((part) => part !== '')
        .join(' · '),
      choice: { provider, model: id, baseUrl },
    })),
  ]);
  return [
    ...groups,
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(key) ${vscode.l10n.t('Use API Key…')}`,
      detail: vscode.l10n.t('Adds the models of another provider.'),
    },
  ];
}

/** The three belong together: the user's settings name the provider, its address and the model. */
async function saveChoice({ provider, model, baseUrl }: ModelChoice, state: vscode.Memento): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const set = (key: string) => configuration.inspect<string>(settingsPrefix + key)?.globalValue;
  const address = set('model.baseUrl');
  if (address !== undefined && address !== baseUrl)
    await state.update(addressesKey, {
      ...state.get<Addresses>(addressesKey),
      [set('model.provider') ?? 'auto']: address,
    });
  const values = { 'model.provider': provider, 'model.name': model, 'model.baseUrl': baseUrl };
  for (const [key, value] of Object.entries(values))
    await configuration.update(
      settingsPrefix + key,
      value === '' ? undefined : value,
      vscode.ConfigurationTarget.Global,
    );
}

async function test(engine: Engine, options: EngineOptions, choice: ModelChoice): Promise<void> {
  const title = vscode.l10n.t('Testing {0}…', choice.model);
  const abort = new AbortController();
  try {
    const ms = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_progress, token) => {
        token.onCancellationRequested(() => abort.abort());
        return engine.testModel(options, choice, abort.signal);
      },
    );
    const seconds = (ms / 1_000).toLocaleString(vscode.env.language, { maximumFractionDigits: 1 });
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} answered in {1} s. It is used from now on.', choice.model, seconds),
    );
  } catch (error) {
    if (abort.signal.aborted) return;
    const { message, next } = describeError(error);
    const again = vscode.l10n.t('Select Another Model');
    const chosen = await vscode.window.showErrorMessage(`${message} ${next}`.trim(), again);
    if (chosen === again) await vscode.commands.executeCommand('deepResearch.selectModel');
  }
}
