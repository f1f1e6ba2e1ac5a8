import { maskSecrets } from '../research/text/redact.ts';

/**
 * Which files of a workspace hold secrets. A file is classified by its name, and where the name is not conclusive (`secrets.md` may
 * explain how to handle them), by its content.
 */

/** `withheld`: never read. `suspect`: withheld when a secret is found in its text. `open`: read, with secrets masked. */
export type Secrecy = 'withheld' | 'suspect' | 'open';

/** Key stores, certificates, state of infrastructure tools, histories, dumps: nothing else has these names. */
const withheldNames: readonly RegExp[] = [
  /^\.env(\.|$)|^env$|\.env(\.(local|dev|development|test|staging|prod|production|bak|backup|old))?$/,
  /\.(pem|key|pfx|p12|p8|kdbx?|keystore|jks|bks|ppk|pgp|gpg|asc|ovpn|tfstate|tfvars|keytab|mobileprovision|cer|crt|der|csr|agekey|wallet|rdp|pkcs12|har|kubeconfig|netrc|psafe3|1pux|1pif|opvault|enpass|kwallet)(\.(bak|backup|old|json|enc))?$/,
  /(^|[^a-z])id_(rsa|dsa|ecdsa|ed25519|xmss)/,
  /^[._]?(npmrc|netrc|pypirc|pgpass|git-credentials|dockercfg|dockerconfigjson|my\.cnf|htpasswd|htdigest|s3cfg|boto|rclone\.conf|wgetrc|curlrc|vault-token|yarnrc)(\..*)?$/,
  /^(authorized_keys|known_hosts|shadow|gshadow|master\.passwd|krb5\.conf|wg\d+\.conf|secring|pubring|trustdb)(\..*)?$/,
  /_history$|^(bash|zsh|psql|mysql|node_repl)_?history/,
  /^(.*[-_.])?(dump|db-?backup|pg_?dump|mysqldump)([-_.].*)?\.(sql|rdb|ldif|bson|archive)$/,
];

/** Words for what a person writes passwords down in, in any format. */
const passwordWords =
  /^(passwords?|passwd|passwort|passwörter|passwoerter|kennwort|kennwörter|kennwoerter|passphrases?|mnemonics?|htpasswd|密码|口令|パスワード|비밀번호|пароли|пароль|contraseñas?|contrasenas?|senhas?)$/;
/** Words for keys of all kinds: a data file that is named so is one, a text may be about them. */
const secretWords =
  /^(secrets?|credentials?|creds|apikeys?|kubeconfig|wallets?|keyring|keychain|logins?|serviceaccounts?|clientsecrets?)$/;
const secretPairs =
  /\b(api keys?|private keys?|access keys?|secret keys?|ssh keys?|signing keys?|encryption keys?|master keys?|service accounts?|client secrets?|seed phrases?|recovery (codes?|keys?|phrases?)|backup codes?|vault pass|auth tokens?|access tokens?|refresh tokens?|bearer tokens?|bot tokens?|2fa codes?|mot de passe|mots de passe|kube config|docker config)\b/;
/** Generic: a list of them without a format is one, structured data may be anything (design tokens, keys of a map). */
const genericWords = /^(tokens?|keys?|vaults?|auth|oauth|certs?|pins?|otp|totp)$/;

const prose = /^(pdf|md|mdx|markdown|rst|adoc|asciidoc|html?|tex|org|ipynb|qmd)$/;
const structured = /^(json|jsonc|json5|ya?ml|toml|xml|plist)$/;
const secretFolders = /^(secrets?|credentials?|creds|private[-_]?keys?|passwords?|keystores?)$/;

/** Endings of copies of a file, which have the same content. */
const copyEnds =
  /(?:~|(?: copy| - copy| kopie)?(?: ?\(\d{1,3}\))?(?:\.(?:bak|backup|old|orig|save|copy|swp|tmp|\d{1,3}))?)$/i;

/** @param path Relative to the workspace, with `/`. @param isCode The name is that of source code. */
export function secrecyOf(path: string, isCode: boolean): Secrecy {
  const { folders, name, extension, words } = partsOf(path);
  if (withheldNames.some((pattern) => pattern.test(name))) return 'withheld';
  if (isCode) return 'open';
  const isProse = prose.test(extension);
  if (words.some((word) => passwordWords.test(word))) return isProse && words.length > 2 ? 'suspect' : 'withheld';
  if (namesSecrets(words)) return isProse ? 'suspect' : 'withheld';
  if (words.some((word) => genericWords.test(word)))
    return isProse || structured.test(extension) ? 'suspect' : 'withheld';
  if (folders.some((folder) => secretFolders.test(folder))) return isProse ? 'suspect' : 'withheld';
  return 'open';
}

function partsOf(path: string) {
  const original = path.normalize('NFKC').replace(copyEnds, '');
  const folders = original.toLowerCase().split('/');
  const name = folders.pop()!;
  const dot = name.lastIndexOf('.');
  const extension = dot <= 0 ? '' : name.slice(dot + 1);
  const stem = original.slice(original.lastIndexOf('/') + 1);
  return { folders, name, extension, words: wordsOf(dot <= 0 ? stem : stem.slice(0, -extension.length - 1)) };
}

function namesSecrets(words: readonly string[]): boolean {
  return words.some((word) => passwordWords.test(word) || secretWords.test(word)) || secretPairs.test(words.join(' '));
}

/** `gcpKey-prod_2` -> gcp, key, prod. */
function wordsOf(stem: string): string[] {
  return stem
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Words of a line that is no sentence. */
const mostOfShort = 5;

/** Years, paths, hosts with a port, numbers that are set: `2023`, `/etc/app`, `localhost:8080/login`, `PORT=8080`. */
const ordinary = /^(?:(?:19|20)\d\d|\.{0,2}\/\S+|[\w.-]+:\d{2,5}(?:\/\S*)?|[A-Z][A-Z_]*=\d+)$/;

/** The lines that are no sentences without what no word is: `- bank: Tr0ub4dor&3`, `| mail | 773104 |`. */
function withoutUnspoken(text: string): string {
  const masked = (part: string): string =>
    ordinary.test(part)
      ? part
      : /^\d{4,12}$/.test(part) || (/^.{6,60}$/.test(part) && /\d/.test(part) && /\p{L}/u.test(part))
        ? '[secret]'
        : part;
  return text
    .split('\n')
    .map((line) => {
      const words = line.split(/[\s|]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
      return words.length > mostOfShort ? line : line.replace(/[^\s|"'`,;]+/g, masked);
    })
    .join('\n');
}

/** Share of a text's lines with a secret from which it is a list of secrets, and no text about them. */
const listShare = 0.1;
/** The same where nothing labels them. */
const mostUnlabelled = 0.5;

/** What may be read of a file that is not withheld by its name, its secrets masked; undefined for a list of secrets. */
export function withoutSecrets(path: string, text: string, isCode: boolean): string | undefined {
  const masked = maskSecrets(text, isCode);
  if (secrecyOf(path, isCode) === 'open') return masked;
  const keyless = masked.replace(/[A-Za-z\d][\w+/.=-]{15,}/g, (run) => (isKeyLike(run) ? '[secret]' : run));
  // Nothing labels a password that a person wrote behind the name of what it is for.
  const all = namesSecrets(partsOf(path).words) ? withoutUnspoken(keyless) : keyless;
  return isSecretList(path, text, keyless) || changedShare(text, all) >= mostUnlabelled ? undefined : all;
}

/** Share of its characters after which a key of mixed case changes between capitals, small letters and digits: 0.6, names 0.3. */
const keyChanges = 0.4;

/**
 * Letters and digits that change places as they do in keys, and not in `colorPrimary500`: in one run, in groups of one length, or so
 * often that no name has parts so short.
 */
function isKeyLike(run: string): boolean {
  const parts = run.split(/[^A-Za-z\d]+/).filter((part) => part !== '');
  const joined = parts.join('');
  const mixes = (text: string): boolean => (text.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0) >= 4;
  const [{ length } = ''] = parts;
  const isGrouped = length >= 4 && parts.slice(0, -1).every((part) => part.length === length);
  if (parts.some((part) => part.length >= 16 && mixes(part)) || (isGrouped && mixes(joined))) return true;
  const changes = joined.match(/[a-z](?![a-z])|[A-Z](?![A-Z])|\d(?!\d)/g)?.length ?? 0;
  return joined.length >= 12 && (changes - 1) / joined.length >= keyChanges;
}

function isSecretList(path: string, text: string, masked: string): boolean {
  if (masked === text) return false;
  if (structured.test(path.slice(path.lastIndexOf('.') + 1).toLowerCase())) return true;
  return changedShare(text, masked) >= listShare;
}

/** Share of a text's lines, those without words left out, that are others now. */
function changedShare(text: string, changed: string): number {
  const after = changed.split('\n');
  const before = text.split('\n');
  const lines = before.filter((line) => line.trim() !== '').length;
  return before.filter((line, index) => line !== after[index]).length / Math.max(1, lines);
}
