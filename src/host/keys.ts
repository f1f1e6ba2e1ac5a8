import * as vscode from 'vscode';
import type { KeyService } from '../protocol/ports.ts';
import { providerSetting, settingsPrefix } from './commandIds.ts';
import { inform } from './inform.ts';
import { localized } from './manifest.ts';
import type { ResearchWindow } from './researchWindow.ts';
import { type KeyProblem, readKey } from './secrets.ts';
import { originOf } from './settings.ts';
import { shownError } from './shownErrors.ts';

type KeyWindow = Pick<ResearchWindow, 'keys' | 'keyServices' | 'loadEngine' | 'options'>;

/**
 * Whether the editor certainly has a keychain. In a browser it depends on the server whether secrets outlive the page, and no API
 * says: `KeyRing.lost` sees it afterwards.
 */
const hasKeychain = vscode.env.uiKind === vscode.UIKind.Desktop;

/**
 * Asks for a service and its key, tests the key, and saves it for the one address that it is meant for.
 * @param wanted The service whose key is missing or was refused.
 */
export async function setKey(window: KeyWindow, wanted?: string): Promise<void> {
  const ring = window.keys;
  const service =
    window.keyServices.find((one) => one.service === wanted) ??
    (await pickService(window, vscode.l10n.t('Which key do you want to set?')));
  if (!service) return;
  const address = addressOf(service) ?? (await askAddress(service));
  const origin = originOf(address);
  if (address === undefined || origin === undefined) return;
  const { signIn } = service;
  // Accounts of the editor are for the public service: another host has accounts of its own, and needs a token.
  if (signIn && origin === originOf(service.address) && (await wantsSignIn(service))) {
    await vscode.authentication.getSession(signIn.provider, signIn.scopes, { createIfNone: true });
    await ring.useSignIn(service.service, origin);
    return inform(vscode.l10n.t('Your {0} account is used for searches on {1}.', label(service), origin));
  }
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Key for {0}', label(service)),
    prompt: hasKeychain
      ? vscode.l10n.t('It is saved in the secret storage of the editor and sent only to {0}.', origin)
      : vscode.l10n.t(
          'It is sent only to {0}. This editor runs in a browser: without a keychain on its server, the key is gone when the window reloads.',
          origin,
        ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readKey(text);
      // The box is empty at first; that is refused only when Enter is pressed.
      return 'problem' in read && text !== '' ? problemText(read.problem) : undefined;
    },
  });
  if (typed === undefined) return;
  const read = readKey(typed);
  if ('problem' in read) {
    void vscode.window.showErrorMessage(problemText(read.problem));
    return;
  }
  const tested = await tryKey(window, service, address, read.key);
  if (tested === 'refused') return;
  await ring.save(service.service, origin, read.key);
  inform(savedMessage(tested, origin));
}

function savedMessage(tested: 'accepted' | 'untested', origin: string): string {
  if (hasKeychain)
    return tested === 'accepted'
      ? vscode.l10n.t('The key works and is saved. It is sent only to {0}.', origin)
      : vscode.l10n.t('The key is saved. It is sent only to {0}.', origin);
  return tested === 'accepted'
    ? vscode.l10n.t('The key works. It is sent only to {0}, and may be gone when the window reloads.', origin)
    : vscode.l10n.t('The key is in use. It is sent only to {0}, and may be gone when the window reloads.', origin);
}

/** Reports the keys that the editor lost. Resolves with whether the user wants to enter one now. */
export async function reportLost({ keyServices }: KeyWindow, lost: readonly string[]): Promise<boolean> {
  const labels = keyServices.filter(({ service }) => lost.includes(service)).map(label);
  if (labels.length === 0) return false;
  const enter = vscode.l10n.t('Use API Key…');
  const message = vscode.l10n.t(
    'The editor did not keep the key for {0}: it has no keychain, or lost what was in it. Enter the key again.',
    labels.join(', '),
  );
  return (await vscode.window.showWarningMessage(message, enter)) === enter;
}

/** A refused key is saved only when the user insists: a gateway may refuse the list of models alone. */
async function tryKey(
  window: KeyWindow,
  service: KeyService,
  address: string,
  key: string,
): Promise<'accepted' | 'untested' | 'refused'> {
  const title = vscode.l10n.t('Testing the key for {0}…', label(service));
  try {
    const progress = { location: vscode.ProgressLocation.Notification, title };
    const test = async () => (await window.loadEngine()).testKey(window.options(), service.service, address, key);
    const works = await vscode.window.withProgress(progress, test);
    return works ? 'accepted' : 'untested';
  } catch (error) {
    const { reason, message } = shownError(error);
    if (reason !== 'auth') {
      void vscode.window.showWarningMessage(vscode.l10n.t('The key could not be tested: {0}', message));
      return 'untested';
    }
    const save = vscode.l10n.t('Save Anyway');
    const chosen = await vscode.window.showErrorMessage(message, save);
    return chosen === save ? 'untested' : 'refused';
  }
}

export async function clearKey(window: KeyWindow): Promise<void> {
  const saved = await Promise.all(window.keyServices.map(({ service }) => window.keys.savedFor(service)));
  if (saved.every((origin) => origin === undefined)) return inform(vscode.l10n.t('No key is saved.'));
  const service = await pickService(window, vscode.l10n.t('Which key do you want to clear?'), true);
  if (!service) return;
  await window.keys.clear(service.service);
  inform(vscode.l10n.t('The key for {0} is cleared.', label(service)));
}

async function pickService(
  { keys, keyServices }: KeyWindow,
  title: string,
  savedOnly = false,
): Promise<KeyService | undefined> {
  const items = await Promise.all(
    keyServices.map(async (service) => {
      const origin = await keys.savedFor(service.service);
      return {
        label: label(service),
        service,
        isSaved: origin !== undefined,
        ...(origin === undefined ? {} : { description: savedText(origin, originOf(addressOf(service))) }),
        detail: localized(service.hint),
      };
    }),
  );
  const offered = savedOnly ? items.filter(({ isSaved }) => isSaved) : items;
  return (await vscode.window.showQuickPick(offered, { title, ignoreFocusOut: true }))?.service;
}

function savedText(origin: string, address: string | undefined): string {
  return origin === address
    ? vscode.l10n.t('saved for {0}', origin)
    : vscode.l10n.t('saved for {0}, which is not the address in use', origin);
}

/** For a service without a public address: asks for one, and saves it as the setting. */
async function askAddress({ setting }: KeyService): Promise<string | undefined> {
  const address = await promptAddress();
  if (address !== undefined)
    await vscode.workspace
      .getConfiguration()
      .update(settingsPrefix + setting, address, vscode.ConfigurationTarget.Global);
  return address;
}

/** Asks for the address of a server that speaks the OpenAI API. */
export async function promptAddress(): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Server address'),
    prompt: vscode.l10n.t('The API’s address, up to but not including /chat/completions.'),
    placeHolder: 'http://localhost:8000/v1',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text !== '' && originOf(text) === undefined
        ? vscode.l10n.t('Enter an address that begins with http:// or https://.')
        : undefined,
  });
  if (typed === undefined || originOf(typed) === undefined) return undefined;
  return typed.trim().replace(/\/chat\/completions\/?$/, '');
}

async function wantsSignIn(service: KeyService): Promise<boolean> {
  const account = vscode.l10n.t('Use my {0} account in this editor', label(service));
  const token = vscode.l10n.t('Paste a token');
  const chosen = await vscode.window.showQuickPick([account, token], { title: label(service), ignoreFocusOut: true });
  if (chosen === undefined) throw new vscode.CancellationError();
  return chosen === account;
}

/** The address that the service's key goes to; undefined when none is set and it has no public one. */
export function addressOf({ setting, address, service, forAnyServer }: KeyService): string | undefined {
  const configuration = vscode.workspace.getConfiguration();
  // Machine scope: the user's own value is the only one that counts.
  const set = configuration.inspect<string>(settingsPrefix + setting)?.globalValue?.trim();
  // One address serves all providers: it belongs to the one that the settings name.
  const provider = configuration.inspect<string>(providerSetting)?.globalValue ?? 'auto';
  const isItsOwn =
    setting !== 'model.baseUrl' || provider === service || (provider === 'auto' && forAnyServer === true);
  return set && originOf(set) !== undefined && (isItsOwn || address === undefined) ? set : address;
}

function label(service: KeyService): string {
  return localized(service.label);
}

function problemText(problem: KeyProblem): string {
  if (problem === 'empty') return vscode.l10n.t('No key was entered, so none is saved. Paste the key and press Enter.');
  if (problem === 'whitespace')
    return vscode.l10n.t('A key contains no spaces and no line breaks. Copy the key alone.');
  return vscode.l10n.t('A key contains only plain letters, digits and signs. Copy the key again.');
}
