import * as vscode from 'vscode';
import { settingsPrefix } from './commandIds.ts';
import { githubScopes } from './githubAccount.ts';
import { type KeyProblem, type KeyRing, type KeyService, keyServices, readKey } from './secrets.ts';
import { originOf } from './settings.ts';

/** Where each service's key goes when no address is set. */
const standardAddress: Readonly<Record<KeyService, string | undefined>> = {
  openai: 'https://api.openai.com',
  'openai-compatible': undefined,
  github: 'https://api.github.com',
};

/** Asks for a service and its key, and keeps the key for the one address that it is meant for. */
export async function setKey(ring: KeyRing): Promise<void> {
  const service = await pickService(ring, vscode.l10n.t('Which key do you want to set?'));
  if (!service) return;
  const origin = addressOf(service) ?? (await askAddress());
  if (origin === undefined) return;
  if (service === 'github' && (await wantsSignIn(origin))) {
    await vscode.authentication.getSession('github', githubScopes, { createIfNone: true });
    await ring.useSignIn(service, origin);
    return say(vscode.l10n.t('Your GitHub account is used for searches on {0}.', origin));
  }
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Key for {0}', nameOf(service)),
    prompt: vscode.l10n.t('It is kept in the secret storage of the editor and sent only to {0}.', origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readKey(text);
      // An empty box is where everyone begins; it is refused when Enter is pressed.
      return 'problem' in read && text !== '' ? problemText(read.problem) : undefined;
    },
  });
  if (typed === undefined) return;
  const read = readKey(typed);
  if ('problem' in read) {
    void vscode.window.showErrorMessage(problemText(read.problem));
    return;
  }
  await ring.save(service, origin, read.key);
  say(vscode.l10n.t('The key is saved. It is sent only to {0}.', origin));
}

export async function clearKey(ring: KeyRing): Promise<void> {
  const saved = await Promise.all(
    keyServices.map(async (service) => ({ service, origin: await ring.savedFor(service) })),
  );
  if (saved.every(({ origin }) => origin === undefined)) return say(vscode.l10n.t('No key is saved.'));
  const service = await pickService(ring, vscode.l10n.t('Which key do you want to clear?'), true);
  if (!service) return;
  await ring.clear(service);
  say(vscode.l10n.t('The key for {0} is cleared.', nameOf(service)));
}

async function pickService(ring: KeyRing, title: string, savedOnly = false): Promise<KeyService | undefined> {
  const items = await Promise.all(
    keyServices.map(async (service) => {
      const origin = await ring.savedFor(service);
      const moved = origin !== undefined && origin !== addressOf(service);
      const saved =
        origin === undefined
          ? undefined
          : moved
            ? vscode.l10n.t('saved for {0}, which is not the address in use', origin)
            : vscode.l10n.t('saved for {0}', origin);
      return {
        label: nameOf(service),
        service,
        saved,
        ...(saved === undefined ? {} : { description: saved }),
        detail: detailOf(service),
      };
    }),
  );
  const offered = savedOnly ? items.filter(({ saved }) => saved !== undefined) : items;
  return (await vscode.window.showQuickPick(offered, { title, ignoreFocusOut: true }))?.service;
}

/** A compatible server has no address of its own: it is asked for once and kept as the setting. */
async function askAddress(): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Address of the server'),
    prompt: vscode.l10n.t('The API’s address, up to but without /chat/completions.'),
    placeHolder: 'http://localhost:8000/v1',
    ignoreFocusOut: true,
    validateInput: (text) =>
      text !== '' && originOf(text) === undefined
        ? vscode.l10n.t('Write an address that begins with http:// or https://.')
        : undefined,
  });
  const origin = originOf(typed);
  if (origin === undefined) return undefined;
  const address = typed!.trim().replace(/\/chat\/completions\/?$/, '');
  await vscode.workspace
    .getConfiguration()
    .update(`${settingsPrefix}model.baseUrl`, address, vscode.ConfigurationTarget.Global);
  return origin;
}

async function wantsSignIn(origin: string): Promise<boolean | undefined> {
  // An enterprise host has accounts of its own: only a token helps there.
  if (origin !== standardAddress.github) return false;
  const account = vscode.l10n.t('Use my GitHub account in this editor');
  const token = vscode.l10n.t('Paste a token');
  const chosen = await vscode.window.showQuickPick([account, token], {
    title: vscode.l10n.t('GitHub'),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) throw new vscode.CancellationError();
  return chosen === account;
}

function addressOf(service: KeyService): string | undefined {
  const key = service === 'github' ? 'endpoints.github' : 'model.baseUrl';
  // Machine scope: the user's own value is the only one that counts.
  const set = vscode.workspace.getConfiguration().inspect<string>(settingsPrefix + key)?.globalValue;
  return originOf(set, standardAddress[service]);
}

function nameOf(service: KeyService): string {
  if (service === 'openai') return 'OpenAI';
  if (service === 'github') return 'GitHub';
  return vscode.l10n.t('OpenAI-compatible server');
}

function detailOf(service: KeyService): string {
  if (service === 'openai') return vscode.l10n.t('For models of OpenAI.');
  if (service === 'github')
    return vscode.l10n.t('Raises GitHub’s limits for searches; a token without any permission is enough.');
  return vscode.l10n.t('For a server that speaks OpenAI’s API, such as vLLM, LM Studio or a gateway.');
}

function problemText(problem: KeyProblem): string {
  if (problem === 'empty') return vscode.l10n.t('No key was typed, so none is saved. Paste the key and press Enter.');
  if (problem === 'whitespace') return vscode.l10n.t('A key holds no spaces and no line breaks. Copy the key alone.');
  return vscode.l10n.t('A key holds only plain letters, digits and signs. Copy the key again.');
}

function say(message: string): void {
  void vscode.window.showInformationMessage(message);
}
