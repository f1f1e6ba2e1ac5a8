import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecrets } from '../../../src/protocol/redact.ts';

/** Built when the test runs, so that no scanner of this repository takes them for real ones. */
const random = (alphabet: string, length: number, seed: number): string => {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return alphabet[state % alphabet.length];
  }).join('');
};
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const word = (length: number, seed: number): string => random(letters, length - 2, seed) + '7x';
const hex = (length: number, seed: number): string => random('0123456789abcdef', length, seed);

/** A line of a file, its secret, and whether the file is source code. */
const secrets: readonly (readonly [line: string, secret: string, code?: boolean])[] = [
  ...(
    [
      ['OpenAI', `sk-proj-${word(40, 1)}`],
      ['Anthropic', `sk-ant-api03-${word(60, 2)}`],
      ['GitHub', `ghp_${word(36, 3)}`],
      ['GitHub app', `ghs_${word(36, 4)}`],
      ['GitHub fine-grained', `github_pat_${word(22, 5)}_${word(59, 6)}`],
      ['GitLab', `glpat-${word(20, 7)}`],
      ['Hugging Face', `hf_${word(34, 8)}`],
      ['Tavily', `tvly-${word(32, 9)}`],
      ['Slack bot', `xoxb-${hex(12, 10)}-${word(24, 11)}`],
      ['Slack hook', `https://hooks.slack.com/services/T${hex(8, 12)}/B${hex(8, 13)}/${word(24, 14)}`],
      ['AWS id', `AKIA${random('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16, 15)}`],
      ['Google', `AIza${word(35, 16)}`],
      ['Google client', `GOCSPX-${word(28, 17)}`],
      ['Stripe', `sk_live_${word(24, 18)}`],
      ['Stripe hook', `whsec_${word(32, 19)}`],
      ['SendGrid', `SG.${word(22, 20)}.${word(43, 21)}`],
      ['Twilio', `SK${hex(32, 22)}`],
      ['Mailgun', `key-${hex(32, 23)}`],
      ['Mailchimp', `${hex(32, 24)}-us14`],
      ['npm', `npm_${word(36, 25)}`],
      ['PyPI', `pypi-${word(80, 26)}`],
      ['Docker', `dckr_pat_${word(27, 27)}`],
      ['DigitalOcean', `dop_v1_${hex(64, 28)}`],
      ['Databricks', `dapi-${hex(32, 29)}`],
      ['Vault', `hvs.${word(90, 30)}`],
      ['JWT', `eyJ${word(20, 31)}.eyJ${word(40, 32)}.${word(43, 33)}`],
      ['Telegram', `123456789:AA${word(33, 34)}`],
      ['age', `AGE-SECRET-KEY-1${random('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58, 35)}`],
      ['Groq', `gsk_${word(52, 36)}`],
      ['Replicate', `r8_${word(37, 37)}`],
      ['Atlassian', `ATATT3${word(60, 38)}`],
      ['Grafana', `glsa_${word(32, 39)}`],
      ['bcrypt', `$2b$12$${random(letters, 53, 40)}`],
      ['sha512crypt', `$6$${word(8, 41)}$${random(letters, 86, 42)}`],
    ] as [string, string][]
  ).map(([name, secret]) => [`The ${name} one is ${secret}, don't share it.`, secret] as const),
  ['DB_PASSWORD=hunter2', 'hunter2'],
  ['DB_PASSWORD=swordfish', 'swordfish'],
  ['export API_TOKEN="Zx81-tape-7731"', 'Zx81-tape-7731'],
  ['password: correcthorse', 'correcthorse'],
  ['- **Password:** `Lf2wAu7sQ`', 'Lf2wAu7sQ'],
  ['*API key*: 8fK2mPq9Xw41', '8fK2mPq9Xw41'],
  ['密码是 Lf2wAu7sQ', 'Lf2wAu7sQ'],
  ['Password -> Lf2wAu7sQ', 'Lf2wAu7sQ'],
  ['  password: "Tr0ub4dor&3"', 'Tr0ub4dor&3'],
  ["passwd = 'letmein-please'", 'letmein-please'],
  ['"password": "winter2024",', 'winter2024'],
  ['"apiKey": "9f8e7d6c5b4a39281706"', '9f8e7d6c5b4a39281706'],
  ['api-key: 9f8e7d6c5b4a39281706', '9f8e7d6c5b4a39281706'],
  ['client_secret = "mQ8r-vT2p_Lk9"', 'mQ8r-vT2p_Lk9'],
  ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzz', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzz'],
  ['AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4==;EndpointSuffix=x', 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4=='],
  ['Server=db;Database=shop;User Id=sa;Password=Str0ng;', 'Str0ng'],
  ['DATABASE_URL=postgres://shop:s3cr3tpw@db.internal:5432/shop', 's3cr3tpw'],
  ['redis://:r3d1spass@cache:6379/0', 'r3d1spass'],
  ['mongodb+srv://admin:M0ng0Pw@cluster0.example.net', 'M0ng0Pw'],
  ['amqp://guest:gu3stpw@mq:5672/', 'gu3stpw'],
  ['git clone https://oauth2:f00b4rb4z@git.example.com/x.git', 'f00b4rb4z'],
  ['Authorization: Bearer 0a1b2c3d4e5f6g7h', '0a1b2c3d4e5f6g7h'],
  ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA=='],
  ['curl -H "X-Api-Key: 77aa88bb99cc00dd" https://x', '77aa88bb99cc00dd'],
  ['mysqldump --password=Dump3r! shop', 'Dump3r!'],
  ['tool login --token 5up3rT0ken99', '5up3rT0ken99'],
  ['The admin password is Kestrel-42.', 'Kestrel-42'],
  ['The admin password of the gateway is Kestrel42x.', 'Kestrel42x'],
  ['The token of the deployment in production is 0a1b2c3d4e5f6a7b8c9d', '0a1b2c3d4e5f6a7b8c9d'],
  ['Das Passwort: Möwe!2024', 'Möwe!2024'],
  ['Kennwort = Regenbogen7', 'Regenbogen7'],
  ['mot de passe : Soleil-2023', 'Soleil-2023'],
  ['密码：Qing2024!', 'Qing2024!'],
  ['口令: abc12345', 'abc12345'],
  ['パスワード: Sakura99', 'Sakura99'],
  ['비밀번호: Hangang77', 'Hangang77'],
  ['пароль: Moroz2024', 'Moroz2024'],
  ['mnemonic: legal winner thank year wave sausage worth useful legal winner thank yellow', 'sausage worth'],
  ['seed phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"', 'sausage worth'],
  ['const password = "pl4inInCode";', 'pl4inInCode', true],
  ["  apiKey: 'c0de-key-1234567890',", 'c0de-key-1234567890', true],
  ['SECRET_KEY = "django-insecure-k3y!x9@q"', 'django-insecure-k3y!x9@q', true],
  ['jdbc.password=Oracle19c', 'Oracle19c'],
  ['<add key="x" password="Xm1Passw0rd" />', 'Xm1Passw0rd'],
  ['spring.datasource.password: Sp1ngT1me', 'Sp1ngT1me'],
  ['token = "0123456789abcdef0123456789abcdef"', '0123456789abcdef0123456789abcdef'],
  ['ENCRYPTION_KEY=6d794b65793132333435363738393031', '6d794b65793132333435363738393031'],
  ['Cookie: session=8f14e45fceea167a5a36dedd4bea2543', '8f14e45fceea167a5a36dedd4bea2543'],
  ['userPassword: "Cam3lCase!"', 'Cam3lCase!'],
  ['- PASSWORD_PROD=Pr0dPw', 'Pr0dPw'],
  ['passphrase: correct horse battery staple zephyr', 'battery staple'],
  ['  "db_password": "correct horse battery staple"', 'battery staple'],
  ['passphrase = "correct horse battery staple"', 'battery staple', true],
  ['SECRETENV=zephyr-turbine-hunter2hunter2', 'hunter2hunter2'],
  ['export MY_TOKENPROD="abc-def-ghi-12345"', 'abc-def-ghi'],
  ['MYSECRET=zephyr-turbine-hunter2', 'zephyr-turbine'],
];

for (const [line, secret, code] of secrets) {
  test(`masked: ${line.slice(0, 60).replace(secret, '…')}`, () => {
    const masked = maskSecrets(`before\n${line}\nafter`, code);
    assert.ok(!masked.includes(secret), masked);
    assert.equal(masked.split('\n').length, 3);
  });
}

test('a private key is masked as a block, in one line of JSON too, and lines keep their number', () => {
  const body = Array.from({ length: 5 }, (_, index) => word(64, 50 + index));
  for (const kind of [
    'PRIVATE KEY',
    'RSA PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'EC PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ]) {
    const block = `# key\n-----BEGIN ${kind}-----\n${body.join('\n')}\n-----END ${kind}-----\nend`;
    const masked = maskSecrets(block);
    for (const line of body) assert.ok(!masked.includes(line));
    assert.equal(masked.split('\n').length, block.split('\n').length);
    assert.match(masked, /^# key\n\[secret\]\n+end$/);
    const json = JSON.stringify({ private_key: block });
    for (const line of body) assert.ok(!maskSecrets(json).includes(line));
    assert.ok(!maskSecrets(block.slice(0, 200)).includes(body[0]!), 'a block without its end');
  }
});

/** What people ask about, and what must stay readable. */
const ordinary: readonly (readonly [line: string, code?: boolean])[] = [
  ['- **Secrets**: Kubernetes'],
  ['mysql -u root -p shop < dump.sql'],
  ['密码是用户登录时输入的8到20位字符串。'],
  ['パスワードは暗号化してSHA256で保存する'],
  ['Go to Settings -> Secrets -> Actions'],
  ['密码是必需的。'],
  ['ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7x9Zk3mQ2 user@host'],
  ['max_tokens: 4096'],
  ['The token limit is 4096 tokens.'],
  ['| token | string | the access token |'],
  ['password: string;', true],
  ['const token = await getToken();', true],
  ['token: AccessToken,', true],
  ['password = os.environ["DB_PASSWORD"]', true],
  ['password: ${DB_PASSWORD}'],
  ['api_key: "{{ vault.key }}"'],
  ['Set the password: at least twelve characters are required.'],
  ['password: minimum twelve characters required'],
  ['Password: The one that was given at the door'],
  ['The passphrase: four plain words taken by chance'],
  ['const passwordHint = correct horse battery staple', true],
  ['SECRETARY: Brunhilde'],
  ['TOKENIZER=bert-base'],
  ['TOKENENDPOINT=https://login.example.org/oauth2/token'],
  ['SECRETSPATH=/run/secrets/db1/password'],
  ['password: required'],
  ['"minipass": "^7.1.3"'],
  ['`key_findings` are the statements that matter most'],
  ['The primary key: user_id'],
  ['https://example.com/path?x=1#section-2'],
  ['git@github.com:acme/project.git'],
  ['commit 3f2a9c1d5e6b7f8091a2b3c4d5e6f708192a3b4c'],
  ['ssh key: ~/.ssh/id_ed25519'],
  ['secret: <your secret>'],
  ['The secret is to start early.'],
  ['cache-key: build'],
  ['for (const [key, value] of entries) if (key.startsWith(prefix)) return;', true],
  ['Passwords are hashed with bcrypt, cost 12.'],
  ['Authorization: Bearer <token>'],
  ['rotate tokens every 90 days'],
  ['sk-learn and k-means'],
  ['password=null'],
  ['密码至少需要十二个字符'],
  ['const CancelToken = axios.CancelToken;'],
  ['  let accessToken = currentSession.accessTokenOfUser2'],
  ["'dsn' => 'mysql:host=localhost;dbname=demo',"],
  ["'password' => App::$config->db->password,"],
  ['[gateway-docs::app_password]: https://docs.example.com/mail/answer/185833'],
  ['  fastcgi_pass 127.0.0.1:9000;'],
  ['<label for="password">Passwort</label>'],
];

for (const [line, code] of ordinary)
  test(`kept: ${line.slice(0, 60)}`, () => assert.equal(maskSecrets(line, code), line));
