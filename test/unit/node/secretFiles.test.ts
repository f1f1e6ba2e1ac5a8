import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { secrecyOf } from '../../../src/node/secretFiles.ts';
import { openWorkspace } from '../../../src/node/workspace.ts';
import { isCode, showsFile } from '../../../src/node/workspaceRules.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const never = new AbortController().signal;
const folders: TemporaryFolder[] = [];
after(() => Promise.all(folders.map((folder) => folder.remove())));

const withheld =
  `.env .env.local .env.production .envrc prod.env staging.env app.env.local server.pem tls.key key.pem id_rsa id_rsa.pub id_ed25519
id_ecdsa.bak cert.pfx client.p12 AuthKey_X1.p8 store.kdbx release.keystore debug.jks putty.ppk private.asc secret.gpg vpn.ovpn
terraform.tfstate terraform.tfstate.backup prod.tfvars krb5.keytab app.mobileprovision server.crt ca.cer tls.csr master.agekey .npmrc .netrc
_netrc .pypirc .pgpass .git-credentials .dockercfg .htpasswd htpasswd .s3cfg .boto rclone.conf authorized_keys known_hosts shadow
wg0.conf bash_history .zsh_history psql_history dump.sql prod-dump.sql db-backup.sql pg_dump_2024.sql users.dump.rdb passwords.md
passwords.txt passwords.csv my-passwords.md Passwords.xlsx.txt passwd passwd.txt password.json wifi-password.txt Passwörter.md kennwort.txt
密码.md contraseñas.txt secrets.yaml secrets.json secrets.toml my-secrets.txt k8s-secret.yaml app_secrets.ini credentials credentials.json
passwords.pdf my-passwords.pdf credentials-old.txt aws_credentials CREDENTIALS.JSON creds.txt db-creds.yml kubeconfig kubeconfig.yaml kubeconfig-prod.yml wallet.dat wallet.json
eth-wallet.txt keychain.txt logins.csv logins.json client_secret_1.json clientSecret.json service-account.json serviceAccountKey.json
gcp-service-account-prod.json api_key.txt apikeys.csv api-keys.yaml apiKey.json private-key.txt privateKey.json access_keys.csv
aws-access-keys.csv ssh-key.txt signing-key.txt seed-phrase.txt recovery-codes.txt github-recovery-codes.txt backup-codes.txt mnemonic.txt
access-token.json refresh_token.txt bot-token.txt tokens.txt token keys.csv secrets/db.yaml credentials/prod.json config/secrets/app.toml
1password-export.csv.1pux bitwarden-passwords.csv env.bak my_id_ecdsa.old keystore.pkcs12 admin.kubeconfig heroku.netrc session.har
secrets.yaml.old creds.json~ id_rsa.1 ＩＤ_ＲＳＡ service-account.json.tmp`
    .split(/\s+/)
    .filter((name) => name !== '');

const shown =
  `env.h env.ts environment.md secrets.ts secrets.py secret_manager.go credentials.rb password.ts passwordReset.tsx tokenizer.py token.rs tokens.ts
keys.go keyboard.md keynote.md monkey.txt turkey.csv secretary.md authentication.md author.md authors.txt passing.md compass.md
passage.txt encryption.md keyframes.css tokenization.md wallpaper.md historical.md history.md log.txt dumpling.md backup-strategy.md
restore-from-backup.md docs/secrets/index.md docs/secrets.md docs/tokens.md design-tokens.json keys.json docs/api-keys.md login.md
how-to-reset-a-password.md auth.md oauth.md schema.sql migrations/001_users.sql certificate-renewal.md pins.md vault.md notes.old CHANGELOG.1 fluid_rsa.md
key-value-store.pdf attention-is-all-you-need-tokens.pdf`
    .split(/\s+/)
    .filter((name) => name !== '');

describe('a file whose name says that it holds secrets', () => {
  it(`is not even listed: ${withheld.length} names`, () => {
    assert.ok(withheld.length >= 100);
    assert.deepEqual(
      withheld.filter((name) => showsFile(name, true)),
      [],
    );
  });

  it(`is distinguished from ${shown.length} names that only sound like it`, () => {
    assert.deepEqual(
      shown.filter((name) => !showsFile(name, true)),
      [],
    );
  });
});

describe('a file whose name leaves it open', () => {
  const key = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
  const texts = {
    'docs/secrets.md': `# Secrets\n\n${'Mount them as files.\n'.repeat(30)}\nAn example: ${key}\n`,
    'gcp-key.json': JSON.stringify({ private_key: '-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----' }),
    'my-secrets.md': `# Mine\nStripe: ${key}\ndb password: hunter22\n`,
    'design-tokens.json': '{"color":{"accent":"#ff8800"}}',
    'token.json': `{"token":"${key}"}`,
    // Nothing labels these.
    'tokens.yaml': 'production: 9f86d081884c7d659a2feaa0c55ad015\n',
    'apikeys.md': '# Keys\n\nproduction 9f86d081884c7d659a2feaa0c55ad015\n',
    'auth.json': '{"kiln":"9f86d081884c7d659a2feaa0c55ad015"}',
    'notes/keys.md': `# Keys\n\n${'Words about them.\n'.repeat(40)}\n- XDN3Q-YB7K2-9PLM4-H1ZZQ\n- vi_61-fdOgW4wjO6h-hbdu8SyPp\n- RHo6dBFJOiIKGZSg\n- rh36E/NM9DYBEr7zvEnf==\n\nSee docs/api-v2/x86_64-linux.md and colorBackgroundPrimaryHover-2.\n`,
    'credentials.md':
      '# Mine\n\n- github: hunter22velvet\n- bank: Tr0ub4dor&3\n\n| door | pin |\n| --- | --- |\n| front | 773104 |\n',
    'docs/credentials-rotation.md': `# Rotation\n\n${'Rotate the credentials of each service every 90 days, and never twice.\n'.repeat(30)}\n- old: hunter22velvet\n`,
    'docs/login.md':
      '# Login\n\nexport PORT=8080\n\ncurl localhost:8080/login\n\n- 2023: first version\n- /etc/app/login.conf\n- see the notes on it\n',
    'tokens.json': '{"colorPrimary500Hover":{"radius2x":"12px"},"spacing100":"colorPrimary500Hover"}',
  };

  it('is withheld when it is a list of secrets, and read with its secrets masked when it is about them', async () => {
    const folder = await temporaryFolder(texts);
    folders.push(folder);
    const port = openWorkspace(folder.path, { exclude: [], reportFolder: 'research' });
    for (const path of [
      'gcp-key.json',
      'my-secrets.md',
      'token.json',
      'tokens.yaml',
      'apikeys.md',
      'auth.json',
      'credentials.md',
    ]) {
      assert.equal(secrecyOf(path, isCode(path)), 'suspect', path);
      await assert.rejects(port.read(path, never), /holds secrets/, path);
    }
    const read = await port.read('docs/secrets.md', never);
    assert.match(read, /An example: \[secret\]/);
    assert.match(await port.read('docs/credentials-rotation.md', never), /every 90 days, and[^]*- old: \[secret\]\n$/);
    const masked = await port.read('notes/keys.md', never);
    assert.equal(masked.match(/^- \[secret\]=*$/gm)?.length, 4, masked.slice(-300));
    assert.match(masked, /See docs\/api-v2\/x86_64-linux\.md and colorBackgroundPrimaryHover-2\./);
    for (const path of ['design-tokens.json', 'tokens.json', 'docs/login.md'] as const)
      assert.equal(await port.read(path, never), texts[path]);
  });
});
