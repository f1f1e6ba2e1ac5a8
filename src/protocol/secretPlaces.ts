/**
 * Secrets that are known by their place alone: flags of commands, elements of XML, columns of tables, values on the line below their
 * label; and those that are known by nothing but their randomness. Called by `maskSecrets`, whose labels it shares.
 */

export interface Labels {
  /** A part of every label: what has none is skipped quickly. */
  readonly hint: RegExp;
  /** The whole of a text is a label, perhaps as the end of a longer name: `DB_PASSWORD`, `Secret access key`. */
  readonly whole: RegExp;
  readonly isSecret: (value: string, label: string) => boolean;
  /** A label and, behind a space alone, something that may be its value: "the VNC password 5x…", `set DB_PASS 5x…`. */
  readonly behind: RegExp;
}

const mark = '[secret]';

// ------------------------------------------------------------------------------------------------------------ randomness

/** Of this length, a string without spaces that looks random is a key more often than anything else (characters). */
const shortestRandom = 20;
const tokens = /[A-Za-z0-9][A-Za-z0-9+/_=~-]{18,2000}[A-Za-z0-9=]/g;
const pieces = /[A-Za-z0-9]{12,}/g;
/** Words of a name: `getUserById2` has get, User, By, Id, 2. In a random string they are two characters long on average. */
const nameWords = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const mostOfMixed = 2.8;
const mostOfOneCase = 4;
/** `glCopyTexImage1D`: words of three letters and more, and a number with at most a few letters behind them. */
const camelCase = /^[a-z]{0,8}(?:[A-Z][a-z]{2,12}){2,8}[A-Z]?\d{1,3}[A-Z]?[a-z]{0,3}$/;
/** What names a document: the path of an address, and the playlist of a video in its query. */
const inAddress = /(?:https?:\/\/|www\.)[^\s"'<>?]*$/i;
const playlist = /^list=PL[\w-]{16,32}$/;
/** Of SSH, as `authorized_keys` and `known_hosts` have it. */
const publicKey = /^AAAA(?:[BC]3NzaC1|E2VjZHNh)/;
/** Of a script or a style sheet, as pages and lock files have it. */
const integrity = /^sha(?:256|384|512)-[\w+/=]{43,88}$/;

/**
 * Whether a run of letters and digits is random rather than a name: its words are too short for one. Digests in hexadecimal are no
 * secrets.
 */
function isRandomRun(run: string): boolean {
  if (!/\d/.test(run) || /^(?:0x[\da-f]+u?l{0,2}|[\da-f]+)$/i.test(run) || camelCase.test(run)) return false;
  const words = run.match(nameWords)!.length;
  const isMixed = /[a-z]/.test(run) && /[A-Z]/.test(run);
  if (isMixed) return run.length / words <= (run.length < 32 ? mostOfMixed : mostOfMixed + 0.4);
  return run.length >= 24 && run.length / words <= mostOfOneCase;
}

/** Masks what looks like a key whatever precedes it, but for what names a document and digests. */
function maskRandom(text: string): string {
  return text.replace(tokens, (token, at: number) => {
    const runs = token.match(pieces) ?? [];
    if (!runs.some((run) => run.length >= shortestRandom - 6 && isRandomRun(run)) || token.length < shortestRandom)
      return token;
    const isKnown = playlist.test(token) || integrity.test(token) || publicKey.test(token);
    return isKnown || inAddress.test(text.slice(Math.max(0, at - 300), at)) ? token : mark;
  });
}

// ---------------------------------------------------------------------------------------------------------------- places

/** `curl -u name:…`, `sshpass -p …`, `mysql -p…`, `redis-cli -a …`, `openssl -k …`: [command, flag]. */
const commands: readonly (readonly [command: RegExp, flag: RegExp])[] = [
  [
    /\b(?:curl|wget|http|https|aria2c)\b/,
    /(\s(?:-u|--user|--proxy-user|-U|-a|--auth)[ =]?["']?[^\s:"']{1,100}:)([^\s"']{3,200})/g,
  ],
  [/\b(?:mysql|mariadb|mysqldump|mysqladmin|sqlcmd|bcp)\b/, /(\s(?:-p|-P[ ]?))(?!\d{1,5}\b|-)["']?([^\s"']{4,100})/g],
  [
    /\b(?:sshpass|docker|podman|helm|skopeo|nerdctl|oc|az|mosquitto_(?:pub|sub)|redis-cli|openssl|7z|zip|unzip|nuget|htpasswd|ldap\w+|smbclient|cargo|rclone|gpg|xfreerdp|isql)\b/,
    /(\s(?:-p|-a|-k|-w|-P|-pw|--pass|\/p:?)[ =]?)(?!\d{1,5}(?:\s|:|$)|-)["']?((?=[^\s"']{0,99}(?:\d|[!@#%^&*]|[a-z][A-Z]))[^\s"'/$]{6,200})/g,
  ],
];
const commandHint =
  /\b(?:curl|wget|http|my\w*|sql|bcp|sshpass|docker|podman|helm|redis|openssl|zip|nuget|htpasswd|ldap|mosquitto|rclone|skopeo|7z|az|oc|cargo|gpg|smb|xfreerdp|isql|mariadb)/;

const element = /(<([\w:.-]{1,80}(?:\s[^<>\n]{0,200})?)>)([^<>\n]{4,500})(?=<\/)/g;
const sqlPassword =
  /(\b(?:identified\s{1,3}(?:with\s{1,3}\S{1,40}\s{1,3})?by|password)\s{1,3}(?:hash\s{1,3})?)'([^'\n]{4,200})'/gi;
const powerShell = /(ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?)["']([^"'\n]{4,200})["']/gi;
/** `define('DB_PASSWORD', '…')`, `setenv("TOKEN", "…")`. */
const argument = /((["'])([\w.-]{2,80})\2\s{0,4},\s{0,4})(["'])([^"'\n]{6,300})\4/g;
/** `<th>Password</th><td>…`. */
const tableCell =
  /(<t[hd]\b[^<>]{0,200}>\s{0,20}([^<>]{2,60}?)\s{0,20}<\/t[hd]>\s{0,20}<td\b[^<>]{0,200}>\s{0,20}(?:<code>)?)([^<>\s]{4,300})/gi;
/** `{"key": "apikey", "value": "…"}`, `{"name":"Cookie","value":"…"}`. */
const pair =
  /("(?:key|name|id)"\s{0,8}:\s{0,8}"([^"\n]{2,80})"\s{0,8},(?:\s{0,8}"(?:type|enabled|description)"\s{0,8}:\s{0,8}[^,\n]{1,80},)?\s{0,8}"value"\s{0,8}:\s{0,8}")([^"\n]{4,4000})(?=")/g;
/** `<add key="AdminPassword" value="…"/>`. */
const attributes =
  /(\b(?:key|name|id)\s{0,4}=\s{0,4}["']([\w.: -]{2,80})["']\s{1,8}value\s{0,4}=\s{0,4}["'])([^"'\n]{4,4000})(?=["'])/g;
const pin =
  /(\bPIN(?:[ -]?codes?)?(?:[ \t]{1,3}[\p{L}]{1,20}){0,4}[ \t]{0,3}(?:[:=]|\bis\b|\blautet\b|\best\b)[ \t]{0,3})(\d{4,12})\b/giu;
/** A line of as many lower-case words as the phrase of a wallet has. */
const phrase =
  /^([^\p{L}\n]{0,10})((?:[a-z]{3,8}[ ,]{1,2}){11}(?:(?:[a-z]{3,8}[ ,]{1,2}){3,12})?[a-z]{3,8})([^\p{L}\n]{0,3})$/gmu;
const phraseLengths = new Set([12, 15, 18, 21, 24]);
/** Words of a sentence that the list of BIP 39, which phrases are made of, doesn't have. */
const sentence = /\b(?:the|and|for|with|from|are|its|not)\b/;

function maskInLine(line: string, labels: Labels): string {
  let clean = line;
  if (commandHint.test(clean))
    for (const [command, flag] of commands)
      if (command.test(clean)) clean = clean.replace(flag, (_, head: string) => head + mark);
  if (!labels.hint.test(clean)) return clean;
  const named = (whole: string, head: string, name: string, value: string): string =>
    labels.whole.test(name) && labels.isSecret(value, name) ? head + mark : whole;
  return clean
    .replace(element, (whole, head: string, name: string, value: string) =>
      name.split(/[\s="']+/, 20).some((part) => part !== '' && labels.whole.test(part)) &&
      !labels.whole.test(value.trim()) &&
      labels.isSecret(value.trim(), name)
        ? head + mark
        : whole,
    )
    .replace(argument, (whole, head: string, _q: string, name: string, quote: string, value: string) =>
      labels.whole.test(name) && looksRandom(value) ? head + quote + mark + quote : whole,
    )
    .replace(pair, named)
    .replace(tableCell, (whole, head: string, name: string, value: string) =>
      labels.whole.test(name) && looksRandom(value) ? head + mark : whole,
    )
    .replace(attributes, named)
    .replace(labels.behind, (whole, head: string, value: string) =>
      changes(value) >= 4 && ![hostAndPort, namedArgument, hexNumber].some((other) => other.test(value))
        ? head + mark
        : whole,
    );
}

/** Letters and digits or signs mixed: no word and no number. */
function looksRandom(value: string): boolean {
  return /\p{L}/u.test(value) && /[\d!@#$%^&*]/.test(value) && !/^[\w.-]+[.(/]/.test(value);
}

const hostAndPort = /^(?:[\d.]{7,15}|unix):\S*$/;
/** "pass expand_args=False", "pass withFileTypes: true". */
const namedArgument = /^[a-z]+(?:_[a-z]+|[A-Z][a-z]+)+(?::|=(?:[Tt]rue|[Ff]alse|[Nn]one|null)?)$/;
/** `#define DEPTH_PASS 0x0B96`. */
const hexNumber = /^0x[\da-f]{1,8}$/i;

/** How often the kind of character changes: twice in "base64url", four times in a short password. */
function changes(value: string): number {
  return (value.match(/\d+|[a-z]+|[A-Z]+|[^\w\s.]+/g) ?? []).length - 1;
}

// ----------------------------------------------------------------------------------------------------------------- lines

/** A label that ends its line: its value is on the next one. */
const openLabel =
  /^(\s*)(?:[-*{(,]\s{0,3})?(?:(?:const|let|var|final|static|private|public|export|String|string|set)\s{1,3}){0,4}["'`]?([\p{L}\w. -]{2,80}?)["'`]?\s{0,4}(?::\s{0,4}[|>][-+]?\d?|[:=]|=>|:=)\s{0,4}$/u;
const valueLine = /^(\s*(?:[-*]\s{1,3})?["'`]?)([^\s"'`]{6,4000})(["'`]?[,;\]})]{0,4}\s*)$/;
/** Of a name and its value on lines of their own: `- name: DB_PASSWORD`, `variable "db_password" {`. */
const nameLine =
  /^\s*(?:(?:-\s{1,3})?["']?(?:name|key)["']?\s{0,4}[:=]\s{0,4}["']?([\w. -]{2,80}?)["']?,?|variable\s{1,4}"([\w.-]{2,80})"\s{0,4}\{)\s*$/i;
const namedValue = /^(\s*["']?(?:value|default)["']?\s{0,4}[:=]\s{0,4}["']?)([^"'\n]{4,4000}?)(["']?,?\s*)$/i;
/** Lines from a name to its value at most: a type and a description are between them. */
const mostBetween = 6;
const headingLine = /^#{1,6}\s{1,4}([^#\s](?:[^#\n]{0,58}[^#\s])?)\s{0,8}#{0,6}\s{0,8}$/;
const codesHeading =
  /(?:recovery|backup|scratch|2fa|emergency)[-_ ]?(?:codes?|keys?)|wiederherstellungscodes?|恢复代码|バックアップコード/i;
const codeLine = /^(\s*(?:[-*\d.)]{1,4}\s{1,3})?`?)((?=[^\s]{0,39}\d)[A-Za-z\d][A-Za-z\d -]{5,39})(`?\s*)$/;
const mostCodes = 20;
const secretManifest = /^kind:\s{0,4}["']?(?:Secret|SealedSecret)["']?\s*$/m;
const manifestData = /^(?:data|stringData|encryptedData):\s*$/;
const manifestValue = /^(\s{1,8}["']?[\w.-]{1,253}["']?:\s{1,4})(\S.*)$/;
const delimiterRow = /^[\s|:-]{3,}$/;

/** Masks what the lines before say is a secret. Lines keep their number. */
function maskAcrossLines(lines: readonly string[], labels: Labels): string[] {
  const out = [...lines];
  const isManifest = lines.some((line) => line.startsWith('kind:')) && secretManifest.test(lines.join('\n'));
  let inData = false;
  let codes = 0;
  for (let at = 0; at < out.length; at += 1) {
    const line = out[at]!;
    if (line.length > 5_000) continue;
    if (isManifest) {
      if (/^\S/.test(line)) inData = manifestData.test(line);
      else if (inData) out[at] = line.replace(manifestValue, (_, head: string) => head + mark);
    }
    codes = codesHeading.test(line) ? mostCodes : codes - 1;
    if (codes > 0 && codes < mostCodes)
      out[at] = out[at]!.replace(codeLine, (_, head: string, _code: string, tail: string) => head + mark + tail);
    if (!labels.hint.test(line)) continue;
    const [, key, variable] = nameLine.exec(line) ?? [];
    const name = key ?? variable;
    if (name !== undefined && labels.whole.test(name)) maskNamed(out, at, name, labels);
    const [, heading] = headingLine.exec(line) ?? [];
    if (heading !== undefined && labels.whole.test(heading.replace(/[*_`]/g, ''))) maskUnder(out, at);
    const [, indent, label] = openLabel.exec(line) ?? [];
    if (label !== undefined && labels.whole.test(label)) maskBelow(out, at, indent!.length, label, labels);
    maskColumns(out, at, labels);
  }
  return out;
}

/** The value of a name, before the next one and the end of its block. */
function maskNamed(out: string[], at: number, name: string, labels: Labels): void {
  for (let below = at + 1; below < Math.min(out.length, at + 1 + mostBetween); below += 1) {
    if (/^\s*[}\]]/.test(out[below]!) || nameLine.test(out[below]!)) return;
    const [, head, value, tail] = namedValue.exec(out[below]!) ?? [];
    if (value === undefined) continue;
    if (labels.isSecret(value, name)) out[below] = head! + mark + tail!;
    return;
  }
}

/** No link, formula or name of a package. */
const passwordShape = /^[A-Za-z0-9][\w!#$%^&*+=-]{5,63}$/;

/** A line that is nothing but a value, under a heading that is a label. */
function maskUnder(out: string[], at: number): void {
  const below = out[at + 1]?.trim() === '' ? at + 2 : at + 1;
  const [, head, value, tail] = valueLine.exec(out[below] ?? '') ?? [];
  if (value !== undefined && passwordShape.test(value) && looksRandom(value)) out[below] = head! + mark + tail!;
}

/** The lines of a value that begins below its label. */
function maskBelow(out: string[], at: number, indent: number, label: string, labels: Labels): void {
  for (let below = at + 1; below < Math.min(out.length, at + 60); below += 1) {
    const [, head, value, tail] = valueLine.exec(out[below]!) ?? [];
    if (value === undefined || /^\s*/.exec(head!)![0].length < indent || !labels.isSecret(value, label)) return;
    out[below] = head! + mark + tail!;
    if (/^\s*/.exec(head!)![0].length === indent) return;
  }
}

/** The columns of a table whose heads are labels, up to an empty line: of Markdown, or of a file of values. */
function maskColumns(out: string[], at: number, labels: Labels): void {
  const head = out[at]!;
  const isMarkdown = head.includes('|') && delimiterRow.test(out[at + 1] ?? '') && out[at + 1]!.includes('-');
  const separator = isMarkdown ? '|' : at === 0 ? [',', ';', '\t'].find((sign) => head.includes(sign)) : undefined;
  if (separator === undefined) return;
  const columns = head
    .split(separator)
    .flatMap((cell, index) => (labels.whole.test(cell.replace(/["'*`]/g, '').trim()) ? [index] : []));
  if (columns.length === 0) return;
  for (let row = at + (isMarkdown ? 2 : 1); row < out.length && out[row]!.trim() !== ''; row += 1) {
    if (isMarkdown && !out[row]!.includes('|')) return;
    const cells = out[row]!.split(separator);
    for (const column of columns) {
      const value = (cells[column] ?? '').replace(/["'`]/g, '').trim();
      if (value.length >= 4 && looksRandom(value)) cells[column] = cells[column]!.replace(value, () => mark);
    }
    out[row] = cells.join(separator);
  }
}

/** Masks every secret that this file knows by its place. Lines keep their number; linear in the text. */
export function maskPlaces(text: string, labels: Labels): string {
  const lines = text
    .replace(sqlPassword, (_, head: string) => `${head}'${mark}'`)
    .replace(powerShell, (_, head: string) => `${head}"${mark}"`)
    .replace(pin, (_, head: string) => head + mark)
    .replace(phrase, (whole, head: string, words: string, tail: string) =>
      phraseLengths.has(words.trim().split(/[ ,]+/).length) && !sentence.test(words) ? head + mark + tail : whole,
    )
    .split('\n')
    .map((line) => maskInLine(line, labels));
  return maskRandom(maskAcrossLines(lines, labels).join('\n'));
}
