import { type Labels, maskPlaces } from './secretPlaces.ts';

/**
 * Secrets in text: taken out of messages for people and logs (`redact`), and masked in the user's own files before anything
 * reads them (`maskSecrets`). Formats are those that the makers document; gitleaks' rule set names most of them.
 *
 * Every pattern is anchored at a literal prefix and bounded, so that a text costs time in proportion to its length.
 */

/** Keys that their makers gave a prefix or a shape of their own. */
const keyShapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|fw|nvapi|pplx|sntrys|lsv2|lin_api|figd|r8|dapi|dop_v1|doo_v1|hvs|hvb|shpat|shpss|shpca|shppa|NRAK|rdme|EZAK|PMAK|glsa|glc|sl|dp\.(?:pt|st|ct|sa|scim|audit)|HRKU|SSWS|fm[12]|fo1)[-_. ](?=[\w-]{0,255}\d)[\w-]{8,256}/g,
  /\b(?:tvly-[\w-]{8,256}|key-[0-9a-f]{32}\b)/g, // Tavily, Mailgun
  /\b(?:sk|rk|pk|whsec)_(?:live_|test_|prod_)?\w{10,256}/g, // Stripe, Clerk
  /\b(?:gh[pousr]_\w{16,256}|github_pat_\w{16,256}|gl(?:pat|dt|rt|soat|cbt|ptt|ft|imt|agent)-[\w.-]{16,256})/g,
  /\b(?:hf|npm|ntn|secret|ATATT3|ATCTT3|pscale_tkn|pscale_pw|dckr_pat|dckr_oat|vercel|nfp|sbp|sk_clerk)_[\w.=-]{16,512}/g,
  /\b(?:ATATT3|ATCTT3|ATBB)[\w=-]{20,512}/g, // Atlassian
  /\bpypi-[\w-]{30,512}/g,
  /\bAIza[\w-]{20,100}/g, // Google
  /\b(?:ya29|1\/\/0)[.\w-]{20,512}/g,
  /\bGOCSPX-[\w-]{20,100}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{12,20}\b/g, // AWS
  /\bxox[abeoprs]-[\w-]{8,256}|\bxapp-[\w-]{8,256}|\bxwfp-[\w-]{8,256}/g, // Slack
  /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[\w/+-]{10,200}/g,
  /https:\/\/(?:\w{1,20}\.)?discord(?:app)?\.com\/api\/webhooks\/[\w/-]{10,200}/g,
  /\bSG\.[\w-]{10,100}\.[\w-]{10,100}/g, // SendGrid
  /\beyJ[\w-]{8,4096}\.[\w-]{8,8192}(?:\.[\w-]{0,4096})?/g, // JSON Web Tokens
  /\b(?:dapi|[a-z]{2,12}_(?:[a-z]\d?_)?)[0-9a-f]{32,128}\b/g, // Databricks, RubyGems, Sentry
  /\b[a-z]{2,12}_(?:live|test|prod)_(?![a-z]{1,40}(?:_[a-z]{1,40}){1,20}\b)\w{16,128}/g,
  /\b(?:LTAI|AKID)\w{12,40}/g, // Alibaba, Tencent
  /\b(?:AKCp[0-9]|cio|oy2|fm2_)(?=[\w.-]{0,80}\d)[\w.-]{28,300}/g, // Artifactory, crates.io, NuGet, Fly
  /\bpat(?![a-z]{3,12}[-.])(?=[\w.-]{0,80}\d)[\w.-]{28,300}/g, // Airtable, HubSpot; not "pathspec-1.0"
  /\bAGE-SECRET-KEY-1[A-Z0-9]{30,100}/g,
  /\bEAA[A-Z][A-Za-z0-9]{30,300}/g, // Meta
  /\b\d{8,10}:AA[\w-]{32,40}/g, // Telegram
  /\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6,7}\.[\w-]{27,40}/g, // Discord
  /\b(?:SK|AC)[0-9a-f]{32}\b/g, // Twilio
  /\b[0-9a-f]{32}-us\d{1,2}\b/g, // Mailchimp
  /\bsq0(?:atp|csp|idp)-[\w-]{20,60}/g, // Square
  /\$(?:2[abxy]?|1|5|6|y|apr1|argon2(?:id|i|d)?|scrypt|pbkdf2[\w-]{0,12})\$[\w./+=,$-]{20,300}/g, // password hashes
  /\{S?SHA(?:256|512)?\}[\w+/=]{20,200}/g,
];

const beginOfBlock = /-----BEGIN ([A-Z0-9 ]{0,40}(?:PRIVATE KEY|MESSAGE|SECRET)(?: BLOCK)?)-----/g;
/** What follows the beginning of a block whose end is missing: the rest of a word, then lines of Base64 and headers. */
const cutBlock =
  /^[^\s`]*(?:\r?\n[ \t"'#*|>+]{0,40}(?:[\w+/=-]{12,2000}|[\w-]{2,40}: [^\n]{0,200})?[ \t"'\\nr+,;]{0,40}(?=\r?\n|$))*/;
const puttyKey = /^(Private-(?:Lines|MAC|Hash):).*(?:\r?\n[A-Za-z0-9+/=]{1,80}(?=\r?$))*/gm;

/** `scheme://user:password@host`: the password, and for http the user too, which may be a token. */
const credentialsInUrl = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)([^\s/@:"'`<>]{0,200}):([^\s/"'`<>]{1,500})@/gi;
/** For messages: of any scheme, and with marks that have to be escaped in an address and often are not. */
const userInUrl = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/"]{1,2000}@/gi;
const bearer = /\b(bearer|basic|digest|negotiate)(\s{1,4})([A-Za-z0-9._~+/=-]{8,4096})/gi;
/** "basic single-option", "basic blocks...": a scheme's name in a sentence, without the sign that precedes it in a header. */
const joinedWords = /^[A-Z]?[a-z]+(?:[-_/.][A-Z]?[a-z]+)*\.*$/;
const headerSign = /(?:[:="'`|]|authorization)[ \t]*$/i;

const label =
  'psk|pass(?:word|wd|phrase|code)s?|pwd|pass|secrets?|(?:auth|access|refresh|session|bearer|bot|deploy|id|csrf|api|personal[-_ ]?access)[-_ ]?token|token|(?:api|app|access|secret|private|signing|encryption|master|pre[-_ ]?shared|account|storage|shared|auth|service|license|subscription|consumer|client|webhook|deploy|ssh|aes|hmac|jwt|salt|rsa)[-_ ]?(?:access[-_ ]?)?keys?(?:[-_ ]?id)?|client[-_ ]?secret|credentials?|authorization|(?:set-)?cookie|connection[-_ ]?string|dsn|mnemonic|seed[-_ ]?phrase|recovery[-_ ]?(?:phrase|codes?)|passwort|kennwort|mot[-_ ]de[-_ ]passe|contrase(?:ñ|n)a|senha|пароль|密码|口令|密钥|パスワード|비밀번호';
/** `DB_PASSWORD=…`, `"apiKey": "…"`, `client-secret: …`, `**Password:** …`, `--token …`; the value runs to its quote or to white space. */
const labelled = new RegExp(
  `((?:^|[^\\p{L}\\p{N}]|[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])["'\`*_]{0,3}(?:[\\w.-]{0,60}[_.-]|--?)?([a-z]{0,30}?)(${label})(?:[_.-]?(?:base|value|plain|prod(?:uction)?|dev|test|staging|live|default|current|old|new|\\d{1,3})){0,2}["'\`*_]{0,3}\\]?(?:[ \\t]{0,4}:[ \\t]{0,4}[&\\w<>.']{1,30}(?=[ \\t]{0,4}=[ \\t]{0,4}["'\`]))?[ \\t]{0,20}(?:[:=]|:=|=>|[ \\t]->|：|\\bis\\b|[是为為は](?=[\\x20-\\x7e]))[*_]{0,3}[ \\t]{0,20}|\\s--(?:${label})[ \\t=]{1,4})(?:"([^"\\n]{4,500})"|'([^'\\n]{4,500})'|\`([^\`\\n]{4,500})\`|([^\\s"'\`,;<>(){}[\\]|]{4,500}))`,
  'giu',
);
/** `passphrase: correct horse battery staple`: words alone, behind a label at the beginning of the line. */
const wordsBehind = new RegExp(
  `^([^\\p{L}\\p{N}]{0,40}(?:[\\w.-]{0,60}[_.-])?(?:${label})["'\`]?[ \\t]{0,20}[:=][ \\t]{0,20})([a-z]{3,12}(?:[ ][a-z]{3,12}){3,11})(?=[ \\t]{0,20}$)`,
  'iu',
);
/** `SECRETENV=…`: a label as the beginning of a word in capitals. */
const upperLabel =
  /(\b(?:[A-Z\d]{1,30}_){0,6}(?:SECRET|TOKEN|PASSWORD|PASSPHRASE|CREDENTIAL|APIKEY)[A-Z]{2,20}(?:_[A-Z\d]{1,30}){0,6}[ \t]{0,4}[:=][ \t]{0,4}["'`]?)([^\s"'`,;<>(){}[\]|]{12,500})/g;
/** "The admin password of the gateway is …": what follows the verb, and the label with up to six words before it. */
const said = /([ \t](?:is|was|ist|lautet|est|es)[ \t]{1,3})([^\s"'`,;<>(){}[\]|]{6,200})/gi;
const labelBefore = new RegExp(`(?:^|[^\\p{L}\\p{N}])(${label})(?:[ \\t]{1,3}[\\p{L}\\p{N}_-]{1,30}){0,6}$`, 'iu');
/** A label and nothing but the rest of its name: `DB_PASSWORD`, `Secret access key`, `clientSecret`. */
const wholeLabel = new RegExp(`^[\\w .:-]{0,60}?(?:${label})(?:[_.-]?(?:base|value|data|id|\\d{1,3}))?$`, 'iu');
const labels: Labels = {
  get hint() {
    return labelHint;
  },
  whole: wholeLabel,
  behind: new RegExp(
    `((?:^|[^\\p{L}\\p{N}]|[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])(?:[\\w.-]{0,40}[_.-])?(?:${label})(?:[ \\t]{1,3}\\d)?[ \\t]{1,3})([^\\s"'\`,;<>(){}[\\]|]{6,100})`,
    'giu',
  ),
  isSecret: (value, name) => !isReference(value) && isSecretValue(value, passwordLabel.test(name), true),
};
/** A part of every label: only lines that hold one are searched for {@link labelled}, which takes ten times as long. */
const labelHint =
  /psk|pass|pwd|secret|token|key|credential|authorization|cookie|connection|dsn|mnemonic|seed|recovery|kennwort|contrase|senha|пароль|密码|口令|密钥|パスワード|비밀번호/iu;
/** A phrase of words that opens a wallet. */
const wordPhrase =
  /((?:mnemonic|seed[-_ ]?(?:phrase|words)|recovery[-_ ]?phrase)["'`]?[ \t]{0,4}[:=][ \t]{0,4})(["'`]?(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/gi;
const azureParts = /\b(AccountKey|SharedAccessKey|SharedSecretValue|Password|Pwd|sig)=([^;\s"'&]{4,500})/g;

const passwordLabel =
  /pass|pwd|psk|secret|credential|mnemonic|phrase|kennwort|contrase|senha|пароль|密码|口令|パスワード|비밀번호/i;

/** What stands for a secret in the user's files. */
export const secretMark = '[secret]';

/** What can be in a value's place without being one: types, placeholders, references, other words of prose. */
const plainValue =
  /^(?:string|number|boolean|bool|int|integer|float|bytes|str|object|any|unknown|void|never|array|list|map|text|true|false|null|nil|none|undefined|yes|no|on|off|required|optional|default|auto|empty|missing|invalid|expired|not|the|a|an|is|are|was|this|that|your|their|our|my|new|in|of|to|for|and|or|with|from|same|set|unset|password|secret|token|tokens|key|value|secretkeyref|valuefrom|placeholder|todo|n\/a)\b/i;
const reference =
  /^(?:\$|%[\w]|<|\{\{|@|&|\*|\.{2,}|x{4,}$|•|…|process\.|os\.|env[.([]|import|new |await |this\.|self\.|config\.|settings\.|options\.|ctx\.|req\.|var\.|local\.|data\.|module\.|secrets\.|vault:|ref[+:]|op:\/\/|arn:aws:(?:secretsmanager|ssm)|~\/|\.{0,2}\/(?:[\w.-]+\/)+[\w.-]*$|\[(?:secret|redacted|key)|[a-z]\w{0,60}::|https?:\/\/[^\s@?]*$)/i;

/**
 * Masks keys, tokens, passwords, private-key blocks and credentials in addresses. Lines keep their number, so that places in the
 * file stay right, and everything else stays as it is.
 *
 * @param code The text is source code, where an unquoted value is an expression and no secret.
 */
export function maskSecrets(text: string, code = false): string {
  let clean = maskKeyBlocks(text);
  if (clean.includes('Private-Lines:'))
    clean = clean.replace(
      puttyKey,
      (block, head: string) => `${head} ${secretMark}${'\n'.repeat(block.split('\n').length - 1)}`,
    );
  for (const shape of keyShapes) clean = clean.replace(shape, secretMark);
  clean = clean.replace(credentialsInUrl, (whole, scheme: string, user: string, password: string) =>
    isReference(password) || (plainValue.test(password) && !/\d/.test(password)) || password === 'pass'
      ? whole
      : `${scheme}${/^https?:/i.test(scheme) ? secretMark : user}:${secretMark}@`,
  );
  clean = clean.replace(bearer, (whole, scheme: string, gap: string, value: string, at: number, text: string) =>
    /\d|[._~+/=-]./.test(value) && !(joinedWords.test(value) && !headerSign.test(text.slice(Math.max(0, at - 40), at)))
      ? `${scheme}${gap}${secretMark}`
      : whole,
  );
  clean = clean.replace(said, (whole, verb: string, value: string, offset: number, text: string) => {
    const end = /[.!?]$/.exec(value)?.[0] ?? '';
    const plain = value.slice(0, value.length - end.length);
    if (!isRandom(plain)) return whole;
    const [, word] = labelBefore.exec(text.slice(Math.max(0, offset - 200), offset)) ?? [];
    return word === undefined || (plain.length < 16 && !passwordLabel.test(word)) ? whole : verb + secretMark + end;
  });
  clean = clean.replace(wordPhrase, (_, head: string) => head + secretMark);
  clean = clean.replace(azureParts, (_, head: string) => `${head}=${secretMark}`);
  const lines = clean
    .split('\n')
    .map((line) => (labelHint.test(line) ? maskLabelled(`\n${maskWords(line, code)}\n`, code).slice(1, -1) : line));
  return maskPlaces(lines.join('\n'), labels);
}

/** Masks blocks of private keys. One that is only mentioned ("begins with `-----BEGIN PRIVATE KEY-----`") ends there. */
function maskKeyBlocks(text: string): string {
  let clean = '';
  let from = 0;
  for (const { 0: begin, 1: kind, index } of text.matchAll(beginOfBlock)) {
    const start = index + begin.length;
    const next = text.indexOf('-----BEGIN ', start);
    const rest = text.slice(start, next < 0 ? text.length : next);
    const end = `-----END ${kind}-----`;
    const at = rest.indexOf(end);
    const block = at < 0 ? cutBlock.exec(rest)![0] : rest.slice(0, at + end.length);
    clean += text.slice(from, index) + secretMark + '\n'.repeat(block.split('\n').length - 1);
    from = start + block.length;
  }
  return clean + text.slice(from);
}

/** Source code, in a document too: a value without quotes is an expression (`const token = session.accessToken`). */
const declaration =
  /^\s{0,80}(?:(?:export\s{1,4})?(?:const|let|var|final|val)\s|\$[\w:]{1,80}\s{0,4}=\s{0,4}_{0,2}(?:[a-z]{2,20}_){1,9}[a-z]{2,20};?\s*$)/;

/** Masks what a label tells of several words, and a label that is the beginning of a word in capitals. */
function maskWords(line: string, code: boolean): string {
  const clean = line.replace(upperLabel, (whole, head: string, value: string) =>
    isRandom(value) ? head + secretMark : whole,
  );
  return code
    ? clean
    : clean.replace(wordsBehind, (whole, head: string, value: string) =>
        isSecretValue(value, passwordLabel.test(head), true) ? head + secretMark : whole,
      );
}

/** Masks the values of labels in one line, which is given with the line breaks around it. */
function maskLabelled(line: string, code: boolean): string {
  return line.replace(
    labelled,
    (
      whole: string,
      head: string,
      before: string | undefined,
      word: string | undefined,
      double?: string,
      single?: string,
      back?: string,
      bare?: string,
      ...rest
    ) => {
      const quote = double !== undefined ? '"' : single !== undefined ? "'" : back !== undefined ? '`' : '';
      const value = double ?? single ?? back ?? bare ?? '';
      if (isReference(value) || (quote === '' && (code || declaration.test(line)))) return whole;
      if (before && !endsInLabel(before, word ?? '')) return whole;
      if (addressLabel.test(word ?? '') && !holdsCredentials.test(value)) return whole;
      const [offset, all] = rest.slice(-2) as [number, string];
      if (inProse.test(head) && !(isRandom(value) && isAscii.test(value))) return whole;
      const alone = quote !== '' || endsLine(all, offset + whole.length);
      return isSecretValue(value, passwordLabel.test(head), alone) ? head + quote + secretMark + quote : whole;
    },
  );
}

/** No word of another meaning ends in these. */
const wordOfItsOwn = /^(?:passwor[dt]|passwd|passphrase|passcode|pwd|kennwort)s?$/i;
/** Before "pass" they make a label of it: "dbpass", not "minipass". */
const account = /(?:db|sql|usr|user|admin|root|mail|imap|smtp|ftp|ssh|login|auth|bind|http|proxy|store|ldap|svn|git)$/i;

/** `userPassword`, `wgDBpassword` and `dbpassword` end in a label, `minipass` doesn't. */
function endsInLabel(before: string, word: string): boolean {
  if (/^[A-Z]/.test(word) || /[A-Z]{2}$/.test(before) || wordOfItsOwn.test(word)) return true;
  return word === 'pass' && account.test(before);
}

/** What these name is an address, whose credentials may be elsewhere. */
const addressLabel = /^(?:dsn|connection)/i;
const holdsCredentials = /@|:\/\/[^/]*\?|(?:pass(?:word)?|pwd|key|secret|token|sig\w*)\s?=/i;

const isAscii = /^[\x21-\x7e]+$/;
/** A label that a text emphasises, or says the value of: there a word may follow that is no value. */
const inProse = /\*[^*]*$|(?:[是为為は]|->)[ \t]*$/;

/** Only a comment or punctuation follows. */
function endsLine(text: string, at: number): boolean {
  return /^[ \t]{0,20}(?:[,;#|\\)}\]]|\/\/|-->|\r?\n|$)/.test(text.slice(at, at + 24));
}

/** In prose a value is recognised by letters and digits side by side. */
function isRandom(value: string): boolean {
  return /\d/.test(value) && /\p{L}/u.test(value) && !isReference(value) && !/^https?:/i.test(value);
}

/** After a word for password nearly everything is a secret; after one for token or key, what looks random. */
function isSecretValue(value: string, password: boolean, alone: boolean): boolean {
  const digits = /\d/.test(value);
  const letters = /\p{L}/u.test(value);
  const marks = /[^\p{L}\p{N}\s._-]/u.test(value);
  if (plainValue.test(value) && !digits) return false;
  if (/\s/.test(value)) {
    const words = value.split(/\s+/);
    const isPhrase = words.length >= 4 && words.every((word) => /^[a-z]{3,12}$/.test(word) && !plainValue.test(word));
    return password && ((digits && marks && words.length <= 8) || isPhrase);
  }
  if (password) return (digits && (letters || alone)) || marks || alone;
  if (!letters) return digits && value.length >= 16;
  return (
    (digits && value.length >= 8) ||
    (value.length >= 16 && /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(value)) ||
    value.length >= 32
  );
}

/**
 * Takes everything that is, or looks like, a key out of a message for people or logs.
 * @param known Keys that were handed out, whatever they look like; placeholders of under four characters are none.
 */
export function redact(text: string, known: Iterable<string | undefined> = []): string {
  let clean = text;
  for (const key of known) {
    if (key === undefined || key.length < 4) continue;
    for (const form of formsOf(key)) clean = clean.replaceAll(form, redactedMark);
    clean = withoutParts(clean, key);
  }
  for (const shape of [...shortShapes, ...keyShapes]) clean = clean.replace(shape, redactedMark);
  return clean
    .replace(bearer, `$1$2${redactedMark}`)
    .replace(afterLabel, (whole, name: string, sign: string, scheme: string | undefined, value: string) =>
      value.startsWith(redactedMark) || /^(?:bearer|basic)$/i.test(value)
        ? whole
        : `${name}${sign}${scheme ?? ''}${redactedMark}`,
    )
    .replace(userInUrl, `$1${redactedMark}@`);
}

const redactedMark = '[redacted]';

/** A key as texts carry it: as it is, in an address, in JSON, and in Base64 (of Basic, behind a name of any length). */
function formsOf(key: string): string[] {
  const inAddress = encodeURIComponent(key);
  const inJson = JSON.stringify(key).slice(1, -1);
  return [key, inAddress, encodeURIComponent(inAddress), inJson, ...(key.length < leastInBase64 ? [] : inBase64(key))];
}

/** Below this the Base64 of a key is a few letters, which other words contain too. */
const leastInBase64 = 8;

/** The letters that depend on the key alone, at each of the three places where it can begin in a group. */
function inBase64(key: string): string[] {
  const bytes = [...new TextEncoder().encode(key)].map((byte) => String.fromCharCode(byte)).join('');
  return [0, 1, 2].flatMap((shift) => {
    const whole = btoa(' '.repeat(shift) + bytes);
    const own = whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Of a key of 16 letters and more: a beginning or an end of this share of it is a secret too. */
const partShare = 0.4;

/** Texts are cut, and servers show parts of a key: what is left of it goes as far as it agrees with the key. */
function withoutParts(text: string, key: string): string {
  if (key.length < 16) return text;
  const length = Math.max(8, Math.ceil(key.length * partShare));
  const [head, tail] = [key.slice(0, length), key.slice(-length)];
  let clean = '';
  let from = 0;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    let end = at + length;
    while (end < text.length && end - at < key.length && text[end] === key[end - at]) end += 1;
    clean += text.slice(from, at) + redactedMark;
    from = end;
  }
  return (clean + text.slice(from)).replaceAll(tail, redactedMark);
}

/** In a message nothing is lost by taking out more than a file could spare. */
const shortShapes: readonly RegExp[] = [
  /\b(?:sk|pk|rk|tvly|gsk|xai|fw|nvapi|key)-[\w-]{6,256}/g,
  /\b(?:hf|gh[pousr]|github_pat|glpat)[_-]\w{8,256}/g,
];
const afterLabel =
  /\b(authorization|api[-_ ]?key|x-api-key|access[-_ ]?token|token|secret|password)(["']?\s{0,4}[:=]\s{0,4}["']?)((?:bearer|basic|token)\s{1,4})?([^\s"',;&]{6,4096})/gi;

function isReference(value: string): boolean {
  return reference.test(value) || value.includes('${') || value.includes('{{') || /^[*.\-_x•#]+$/i.test(value);
}
