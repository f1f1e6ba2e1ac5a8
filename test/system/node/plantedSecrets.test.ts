import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { unzipSync } from 'fflate';
import { exportRun, research } from '../../../src/engine.ts';
import type { ExportFormat } from '../../../src/protocol/ports.ts';
import { startModelServer } from '../../support/modelServer.ts';
import { startSourceServer } from '../../support/sourceServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

/**
 * A folder with a hundred secrets is researched, without and with a model. Every byte that left (the requests at the imitated
 * servers) or was stored (run folder, report, exports, log) is searched for them. They are made when the test runs, so that no
 * scanner of this repository takes them for real ones.
 */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function random(length: number, seed: number): string {
  let state = seed * 7_919 + 17;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return letters[(state >>> 8) % letters.length];
  }).join('');
}

const words = (seed: number): string => `${random(10, seed)}7${random(8, seed + 500)}x`;
const from = (prefix: string, length: number) => (seed: number) => `${prefix}${random(length - 2, seed)}7x`;

/** Where a secret stands in a line, and what it looks like. */
const forms: readonly (readonly [line: (secret: string) => string, make: (seed: number) => string])[] = [
  [(secret) => `The OpenAI key of the gateway is ${secret}.`, from('sk-proj-', 40)],
  [(secret) => `The deployment authenticates at GitHub with ${secret}.`, from('ghp_', 36)],
  [(secret) => `Deployments to GitLab use the token ${secret}.`, from('glpat-', 20)],
  [(secret) => `The gateway answers in the channel with ${secret}.`, from('xoxb-123456789012-', 24)],
  [(secret) => `Payments of the gateway: ${secret}`, from('sk_live_', 24)],
  [(secret) => `Maps of the gateway: ${secret}`, from('AIza', 35)],
  [(secret) => `GATEWAY_PASSWORD=${secret}`, words],
  [(secret) => `gateway.password: "${secret}"`, words],
  [(secret) => `| gateway | api_key: ${secret} | production |`, words],
  [(secret) => `The gateway connects to postgres://gateway:${secret}@db.internal:5432/gateway.`, words],
  [(secret) => `curl -H "Authorization: Bearer ${secret}" https://gateway.internal`, words],
  [(secret) => `gateway login --token ${secret}`, words],
  [(secret) => `The admin password of the gateway is ${secret}.`, words],
  [(secret) => `"client_secret": "${secret}",`, words],
  [(secret) => `Server=db;Database=gateway;User Id=sa;Password=${secret};`, words],
];
const openNames = ['md', 'txt', 'yaml', 'json', 'ini'].flatMap((extension) => [
  `docs/gateway.${extension}`,
  `notes/deploy.${extension}`,
]);
const withheldNames =
  `.env .env.production passwords.md passwords.txt secrets.yaml secrets.json credentials.json kubeconfig.yaml gcp-key.json
id_rsa server.pem .npmrc .netrc .pgpass wallet.json service-account.json client_secret_1.json api_key.txt apikeys.csv private-key.txt
token.txt tokens.txt prod.tfvars terraform.tfstate dump.sql seed-phrase.txt recovery-codes.txt logins.csv secrets/db.yaml creds.txt`
    .split(/\s+/)
    .filter((name) => name !== '');

const secrets: string[] = [];
const files: Record<string, string> = {
  'README.md': [
    '# Gateway',
    'The gateway authenticates each deployment with a signed token before it connects to the database.',
    'A deployment that the gateway does not authenticate is refused, and the team is alerted.',
    'The token of a deployment expires after ten minutes; the gateway then asks for another one.',
  ].join('\n\n'),
};

/** A file about the gateway in which secrets stand. */
function plant(name: string, count: number): void {
  const lines = Array.from({ length: count }, () => {
    const [line, make] = forms[secrets.length % forms.length]!;
    const secret = make(secrets.length + 1);
    secrets.push(secret);
    return line(secret);
  });
  const prose = `In ${name} the gateway checks the token of a deployment before it connects to the database.`;
  files[name] = [`# How ${name} sets up the gateway`, ...lines.flatMap((line) => [prose, line, prose])].join('\n\n');
}
for (const name of withheldNames) plant(name, 1);
for (const name of openNames) plant(name, 7);

const folders: TemporaryFolder[] = [];
const closing: (() => Promise<void>)[] = [];
after(async () => {
  for (const close of closing) await close();
  for (const folder of folders) await folder.remove();
});

/** Every file below a folder, archives opened. */
function storedBelow(folder: string): Map<string, string> {
  const stored = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    stored.set(path, bytes.toString('utf8'));
    if (!path.endsWith('.zip')) continue;
    for (const [name, content] of Object.entries(unzipSync(bytes)))
      stored.set(`${path}/${name}`, Buffer.from(content).toString('utf8'));
  }
  return stored;
}

function leaks(places: ReadonlyMap<string, string>): string[] {
  return [...places].flatMap(([place, text]) =>
    secrets
      .filter((secret) =>
        [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')].some((form) =>
          text.includes(form),
        ),
      )
      .map((secret) => `${place}: ${secret.slice(0, 8)}…`),
  );
}

async function researched(settings: Readonly<Record<string, unknown>>): Promise<Map<string, string>> {
  const sources = await startSourceServer();
  closing.push(() => sources.close());
  const workspace = await temporaryFolder(files);
  const kept = await temporaryFolder();
  folders.push(workspace, kept);
  const log: string[] = [];
  const write = (line: string): void => void log.push(line);
  const runsFolder = join(kept.path, 'runs');
  const result = await research({
    question: 'When does the gateway check the token of a deployment, and how is the gateway set up?',
    settings: {
      'sources.enabled': ['workspace', 'arxiv', 'github'],
      'endpoints.arxiv': sources.arxivUrl,
      'endpoints.github': sources.githubUrl,
      'workspace.inQueries': 'all',
      clarification: 'off',
      planApproval: 'never',
      depth: 'quick',
      ...settings,
    },
    workspaceFolder: workspace.path,
    runsFolder,
    secrets: { key: () => Promise.resolve(undefined) },
    log: { trace: write, debug: write, info: write, warn: write, error: write },
    version: '0.0.0-test',
  });
  for (const format of ['html', 'zip', 'bibtex', 'csl-json'] as const satisfies readonly ExportFormat[])
    await exportRun({ runsFolder, run: result.run, format, target: join(kept.path, `export.${format}`) });
  const places = storedBelow(kept.path);
  for (const [path, text] of storedBelow(workspace.path))
    if (files[path.slice(workspace.path.length + 1)] === undefined) places.set(path, text);
  places.set('log', log.join('\n'));
  places.set(
    'requests to sources',
    sources.requests.map(({ url, headers }) => url + JSON.stringify(headers)).join('\n'),
  );
  return places;
}

test('none of a hundred secrets in a folder leaves or is stored without a model', async () => {
  assert.equal(secrets.length, 100);
  const places = await researched({ 'model.provider': 'extractive' });
  const text = [...places.values()].join('\n');
  assert.match(text, /the gateway checks the token of a deployment/, 'the files were read');
  assert.deepEqual(leaks(places), []);
});

test('none of a hundred secrets in a folder leaves or is stored with a model', async () => {
  const models = await startModelServer();
  closing.push(() => models.close());
  const places = await researched({
    'model.provider': 'openai-compatible',
    'model.baseUrl': models.url,
    'model.name': 'imitation-1',
  });
  const prompts = models.requests.map((request) => JSON.stringify(request)).join('\n');
  assert.match(prompts, /the gateway checks the token of a deployment/, 'a prompt holds text of the files');
  assert.deepEqual(leaks(new Map([...places, ['prompts', prompts]])), []);
});
