import * as vscode from 'vscode';
import type { MissingForModels, ModelChoice, OfferedModels, Trust } from '../../protocol/ports.ts';
import { cancellable } from '../cancellation.ts';
import { commandIds, settingsPrefix } from '../commandIds.ts';
import { inform } from '../inform.ts';
import { l10n } from '../l10n.ts';
import type { ResearchWindow } from '../researchWindow.ts';
import { errorText, shownError } from '../shownErrors.ts';

interface ModelItem extends vscode.QuickPickItem {
  readonly choice?: ModelChoice;
  /** Where a row leads that is no model. */
  readonly way?: Way;
}

type Way = MissingForModels | { readonly kind: 'address' } | { readonly kind: 'anyKey' };

type ModelWindow = Pick<ResearchWindow, 'loadEngine' | 'options' | 'context'>;

/** In the extension's global state: by provider, addresses beside that of the settings: those that choices replaced, and the last entered. */
const addressesKey = 'deepResearch.modelAddresses';
type Addresses = Readonly<Record<string, string>>;

/**
 * Lists the models that are there, sets the chosen one in the user's settings, and tests it with one word. Models at an address
 * that an earlier choice replaced are listed too.
 */
export async function selectModel(window: ModelWindow): Promise<void> {
  const state = window.context.globalState;
  const engine = await window.loadEngine();
  const items = engine.offerModels(window.options(), state.get<Addresses>(addressesKey)).then(itemsOf);
  const picked = await vscode.window.showQuickPick<ModelItem>(items, {
    title: vscode.l10n.t('Select Model'),
    placeHolder: vscode.l10n.t('Models that are available now'),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (!picked) return;
  if (picked.choice) {
    await saveChoice(picked.choice, state);
    return test(window, picked.choice);
  }
  if (picked.way?.kind === 'address') {
    if (await rememberAddress(state)) await selectModel(window);
  } else if (picked.way) await open(picked.way);
}

/** Models at an address that the user enters are listed from then on, as at one without a provider; the settings change when one of them is chosen. */
async function rememberAddress(state: vscode.Memento): Promise<boolean> {
  const { promptAddress } = await import('../keys.ts');
  const address = await promptAddress();
  if (address === undefined) return false;
  await state.update(addressesKey, { ...state.get<Addresses>(addressesKey), auto: address });
  return true;
}

async function open(way: Exclude<Way, { readonly kind: 'address' }>): Promise<void> {
  if (way.kind === 'anyKey') return vscode.commands.executeCommand(commandIds.setKey);
  if (way.kind === 'key') return vscode.commands.executeCommand(commandIds.setKey, way.service);
  // VS Code's own sign-in to Copilot. Editors that are built from its sources may lack it.
  const setup = 'workbench.action.chat.triggerSetup';
  if (way.kind === 'signIn' && (await vscode.commands.getCommands(true)).includes(setup))
    return vscode.commands.executeCommand(setup);
  const page = way.kind === 'signIn' ? 'https://code.visualstudio.com/docs/copilot/setup' : way.page;
  await vscode.env.openExternal(vscode.Uri.parse(page));
}

function itemsOf(offered: readonly OfferedModels[]): ModelItem[] {
  const here = offered.filter(({ missing }) => missing === undefined);
  const groups = here.flatMap(({ provider, label, baseUrl, models, problem }): ModelItem[] => [
    { label: baseUrl === '' ? label : `${label} (${baseUrl})`, kind: vscode.QuickPickItemKind.Separator },
    ...(problem === undefined ? [] : [{ label: `$(warning) ${label}`, detail: errorText(problem) }]),
    ...models.map(({ id, label: name = id, contextTokens, isLoaded, trust }) => ({
      label: name,
      description: [
        name === id ? '' : id,
        contextTokens === undefined ? '' : l10n.t('{0, plural, one {# token} other {# tokens}}', contextTokens),
        isLoaded ? vscode.l10n.t('loaded') : '',
        shownTrust(trust),
      ]
        .filter((part) => part !== '')
        .join(' · '),
      choice: { provider, model: id, baseUrl },
    })),
  ]);
  const key: ModelItem = {
    label: `$(key) ${vscode.l10n.t('Use API Key…')}`,
    detail: vscode.l10n.t('Adds the models of OpenAI, Anthropic and others.'),
    way: { kind: 'anyKey' },
  };
  const hasModel = here.some(({ models }) => models.length > 0);
  const ways = hasModel ? vscode.l10n.t('More models') : vscode.l10n.t('No model found');
  const address: ModelItem = {
    label: `$(server) ${vscode.l10n.t('Server Address…')}`,
    detail: vscode.l10n.t('A server that speaks the OpenAI API: vLLM, llama.cpp, a gateway.'),
    way: { kind: 'address' },
  };
  return [
    ...groups,
    { label: ways, kind: vscode.QuickPickItemKind.Separator },
    // First what needs no account, and what is paid for already.
    ...offered
      .flatMap(({ label, missing }) => (missing ? [{ label, missing }] : []))
      .toSorted((a, b) => order.indexOf(a.missing.kind) - order.indexOf(b.missing.kind))
      .map(({ label, missing }) => missingItem(label, missing)),
    ...[address, key],
  ];
}

const order: readonly MissingForModels['kind'][] = ['signIn', 'server', 'key'];

/** What a provider needs before its models are listed here. The row leads to the step. */
function missingItem(label: string, missing: MissingForModels): ModelItem {
  switch (missing.kind) {
    case 'key':
      return { label: `$(key) ${label}`, detail: vscode.l10n.t('No key is set. Enter one.'), way: missing };
    case 'server': {
      const detail = vscode.l10n.t(
        'No server answers at {0}. Start it, or install it, and run this command again.',
        missing.address,
      );
      return { label: `$(vm) ${missing.name}`, detail, way: missing };
    }
    case 'signIn': {
      const detail = vscode.l10n.t('This editor offers no model. Sign in; its models are listed here then.');
      return { label: '$(github) GitHub Copilot', detail, way: missing };
    }
  }
}

/** What the trial of a model in a run showed. */
function shownTrust(trust: Trust | 'late' | 'untried' = 'untried'): string {
  return {
    untried: vscode.l10n.t('not tried yet'),
    leads: vscode.l10n.t('leads the research'),
    helps: vscode.l10n.t('too small: only writes'),
    quotes: vscode.l10n.t('too small: quotes only'),
    late: vscode.l10n.t('too slow: quotes only'),
  }[trust];
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

async function test(window: ModelWindow, choice: ModelChoice): Promise<void> {
  const engine = await window.loadEngine();
  const title = vscode.l10n.t('Testing {0}…', choice.model);
  try {
    const ms = await cancellable(title, (signal) => engine.testModel(window.options(), choice, signal));
    const seconds = (ms / 1_000).toLocaleString(vscode.env.language, { maximumFractionDigits: 1 });
    inform(vscode.l10n.t('{0} answered in {1} s. It is used from now on.', choice.model, seconds));
  } catch (error) {
    if (error instanceof vscode.CancellationError) return;
    const { message, next } = shownError(error);
    const again = vscode.l10n.t('Select Another Model');
    const chosen = await vscode.window.showErrorMessage(`${message} ${next}`.trim(), again);
    if (chosen === again) await vscode.commands.executeCommand(commandIds.selectModel);
  }
}
