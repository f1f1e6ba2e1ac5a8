import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecrets } from '../../../src/protocol/redact.ts';

/** Random, and made when the test runs, so that no scanner of this repository takes them for real ones. */
function random(length: number, seed: number, alphabet: string): string {
  let state = seed * 7_919 + 17;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[Math.floor((state / 2_147_483_648) * alphabet.length)];
  }).join('');
}
const lower = 'abcdefghijklmnopqrstuvwxyz';
const mixed = `${lower}${lower.toUpperCase()}0123456789`;
let seed = 0;
const word = (length: number): string => `K7${random(length - 2, (seed += 1), mixed)}`;
const base64 = (text: string): string => btoa(text);

/** A file's text around its secret. */
const places: readonly (readonly [text: (secret: string) => string, secret?: string])[] = [
  [(v) => `curl -u bob:${v} https://x.example`],
  [(v) => `curl --user "bob:${v}" https://x.example`],
  [(v) => `mysql -u root -p${v} app`],
  [(v) => `sshpass -p '${v}' ssh a@b`],
  [(v) => `docker login -u bob -p ${v} registry.example`],
  [(v) => `redis-cli -a ${v} ping`],
  [(v) => `openssl enc -aes-256-cbc -k ${v}`],
  [(v) => `psk="${v}"`],
  [(v) => `PresharedKey = ${v}=`, word(42)],
  [(v) => `use dapi${v}`, random(32, 91, '0123456789abcdef')],
  [(v) => `Das Passwort lautet ${v}!.`],
  [(v) => `数据库密码：${v}`],
  [(v) => `账号 bob 密码 ${v}`],
  [(v) => `the VNC password ${v}`],
  [(v) => `enable secret 5 ${v}`],
  [(v) => `set -x DB_PASS ${v}`],
  [(v) => `| user | password |\n|---|---|\n| bob | ${v} |\n| eve | ${v} |`],
  [(v) => `user,password,mail\nbob,${v},b@x.example`],
  [(v) => `site;login;passwort\na.de;bob;${v}`],
  [(v) => `User name,Access key ID,Secret access key\nbob,x,${v}`, word(40)],
  [(v) => `<password>${v}</password>`],
  [(v) => `<entry key="db.password">${v}</entry>`],
  [(v) => `secret_key_base: ${v}`, random(128, 92, '0123456789abcdef')],
  [(v) => `define( 'AUTH_KEY', '${v}' );`],
  [(v) => `ENV["FASTLANE_PASSWORD"] = "${v}"`],
  [(v) => `let token: &str = "${v}";`],
  [(v) => `ConvertTo-SecureString "${v}" -AsPlainText -Force`],
  [(v) => `CREATE USER bob IDENTIFIED BY '${v}';`],
  [(v) => `ALTER ROLE bob WITH PASSWORD '${v}';`],
  [(v) => `## Password\n\n${v}\n`],
  [(v) => `<tr><th>Password</th> <td>${v}</td></tr>`],
  [(v) => `variable "db_password" {\n  type = string\n  default = "${v}"\n}`],
  [(v) => `set {\n  name = "db.password"\n  value = "${v}"\n}`],
  [(v) => `password: >-\n  ${v}\nnext: 1`],
  [(v) => `private_key: |\n  ${v}\n  ${v}\nnext: 1`],
  [(v) => `{"password":\n   "${v}"}`],
  [(v) => `const password =\n  "${v}";`],
  [(v) => `{"key":"apikey","value":"${v}","type":"string"}`],
  [(v) => `{"name": "Cookie", "value": "session=${v}"}`],
  [(v) => `env:\n  - name: API_SECRET\n    value: ${v}`],
  [(v) => `The door PIN is ${v}.`, '465745'],
  [(v) => `# Recovery codes\n\n1. ${v}\n2. ${v}`, '5966-0142-5629'],
  [(v) => `apiVersion: v1\nkind: Secret\ndata:\n  db-url: ${v}`, base64('plain words')],
  [(v) => `${v}\n`, 'witch collapse practice feed shame open despair creek road again ice least'],
  // Known by nothing but their randomness.
  [(v) => `echo ${v} | base64 -d`, base64('AWS_SECRET_ACCESS_KEY=2vKWS4O8lU5UidYvmnzX')],
  [(v) => `{"auths":{"r.example":{"auth":"${v}"}}}`, base64('bob:SxFdIrc7gE9ajhK2')],
  [(v) => `client-key-data: ${v}`, word(200)],
  [(v) => `AZURE_DEVOPS_EXT_PAT: ${v}`, `7${random(51, 93, `${lower}234567`)}`],
  [(v) => `the token of the vendor nobody knows is in ${v} here`, word(40)],
  [(v) => `output: ['x', '${v}']`, word(48)],
  // Close to what is kept.
  [(v) => `Authorization: Bearer ${v}`, 'kestrel-falcon-heron'],
  [(v) => `proxy_set_header Authorization Bearer ${v};`, 'kestrel-falcon-heron'],
  [(v) => `| Authorization | Bearer ${v} |`, 'kestrel-falcon-heron'],
  [(v) => `Authorization:      Bearer ${v}`, 'kestrel-falcon-heron'],
  [(v) => `basic-auth credentials buildBot:${v}`, 'KestrelHeron'],
  [(v) => `send it with Basic ${v}`, base64('bob:SxFdIrc7gE9ajhK2')],
  [(v) => `log in as bob, pass ${v}`],
  [(v) => `acme_test_${v}`, random(24, 94, lower)],
  [(v) => `pat${v}`, `${word(14)}.${random(64, 95, '0123456789abcdef')}`],
  [(v) => `pat-na1-${v}`, `${random(8, 96, '0123456789abcdef')}-1b2c-3d4e-5f60-${random(12, 97, '0123456789abcdef')}`],
  [(v) => `https://x.example/call?code=${v}`, word(40)],
  [(v) => `session_id: ${v}`, word(26)],
];

for (const [place, secret = word(14)] of places) {
  test(`masked: ${place('…').replaceAll('\n', ' ⏎ ').slice(0, 70)}`, () => {
    const text = `before\n\n${place(secret)}\n\nafter`;
    const at = place(secret).startsWith('user,') || /^(?:site|User name)/.test(place(secret)) ? text.slice(8) : text;
    const masked = maskSecrets(at);
    assert.ok(!masked.includes(secret.slice(0, Math.ceil(secret.length * 0.7))), masked);
    assert.equal(masked.split('\n').length, at.split('\n').length);
  });
}

for (const line of [
  'base64UrlEncodeUtf8StringWithPadding2',
  'XMLHttpRequestEventTargetV2Factory',
  'https://docs.example/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit',
  'commit 3f2a9c1d5e6b7f8091a2b3c4d5e6f708192a3b4c',
  '550e8400-e29b-41d4-a716-446655440000',
  'InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)',
  'C63H88CoN14O14P, ENSG00000141510, 10.1101/2020.03.22.002386',
  'Qwen2.5-VL-72B-Instruct-AWQ and Llama-3.1-8B-Instruct-Q4_K_M.gguf',
  'MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVV',
  '| Field | Password |\n|---|---|\n| length | at least twelve |',
  '<password>string</password>',
  'docker run -p 8080:80 image',
  'psql -h db -p 5432 app',
  'password sha256 and password OAuth2 are named so',
  'const fields =\n  "username";',
  'name: greeting\nvalue: hello world',
  'Digest algorithms. Basic authentication. Bearer credential.',
  'This covers basic single-option default type coercion.',
  'auto-detected for non-basic flag_value types, too flimsy to analyze the basic blocks...',
  'expansion on Windows, pass windows_expand_args=False when calling the CLI.',
  '// you can also pass withFileTypes: true to get Path objects',
  '$global:__zoxide_oldpwd = __zoxide_pwd',
  '#define GL_STENCIL_PASS_DEPTH_PASS 0x0B96',
  '// start catch_test_case_registry_impl.h',
  '#define glCopyTexImage1D glad_glCopyTexImage1D',
  'GLAPI PFNGLTEXCOORDP1UIVPROC glad_glTexCoordP1uiv;',
  'static const std::uint64_t s_inc = (0x13ed0cc53f939476ULL << 1ULL) | 1ULL;',
  'https://www.youtube.com/watch?v=4Rg1RriQZ9Q&list=PLMZ_9w2XRxiYb-ewSron6jd2fC1UHbDbJ&index=2',
  'integrity="sha384-BVYiiSIFeK1dGmJRAkycuHAHRg32OmUcww7on3RYdg4Va+PmSTsz/K68vbdEjh4u"',
  '// (minor and older changes stripped away, please see git history for details)',
  'hashes of pathspec-1.0.4-py3-none-any.whl and of regex-pattern-after-new-uts51-releases',
])
  test(`kept: ${line.slice(0, 60)}`, () => assert.equal(maskSecrets(line), line));
