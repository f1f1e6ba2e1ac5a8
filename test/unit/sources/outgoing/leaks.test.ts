import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import * as z from 'zod';
import type { ResearchTool } from '../../../../src/research/tools.ts';
import { ResearchError } from '../../../../src/research/errors.ts';
import { folderGuard } from '../../../support/folderGuard.ts';
import { root } from '../../../support/paths.ts';

interface Case {
  readonly workspace: string;
  readonly question: string;
  readonly query: string;
  /** Units that must not be sent, and units that must be. */
  readonly leaks: readonly string[];
  readonly keeps: readonly string[];
  /** Texts of public sources of the run. */
  readonly public?: readonly string[];
}
interface Labelled {
  readonly workspaces: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly cases: readonly Case[];
}

const search: ResearchTool = {
  name: 'search_everything',
  description: '',
  parameters: z.object({ query: z.string() }),
  source: 'everything',
  kind: 'search',
  run: () => Promise.resolve({ documents: [] }),
};
const never = new AbortController().signal;

/** What of each case's query is sent. */
async function measure(name: string) {
  const file = path.join(root, 'test/fixtures/outgoing', `${name}.json`);
  const { workspaces, cases } = JSON.parse(readFileSync(file, 'utf8')) as Labelled;
  let leaked = 0;
  let held = 0;
  let sent = 0;
  let lost = 0;
  const problems: string[] = [];
  for (const one of cases) {
    const guard = folderGuard(workspaces[one.workspace]!, one.question, one.public);
    const query = await guard.check(search, { query: one.query }, never).then(
      ({ args }) => String(args['query']),
      (error: unknown) => {
        assert.ok(ResearchError.is(error, 'badRequest'), String(error));
        return '';
      },
    );
    for (const word of one.leaks) {
      if (query.toLowerCase().includes(word.toLowerCase())) problems.push(`leaked ${word}: ${query}`);
      if (query.toLowerCase().includes(word.toLowerCase())) leaked += 1;
      else held += 1;
    }
    for (const word of one.keeps) {
      if (query.includes(word)) sent += 1;
      else {
        lost += 1;
        problems.push(`lost ${word}: ${one.query} -> ${query}`);
      }
    }
  }
  const recall = held / (held + leaked);
  /** Of what was held back, the share that had to be. */
  const precision = held / (held + lost);
  return { recall, precision, held, leaked, sent, lost, problems };
}

describe('words of the workspace in outgoing queries', () => {
  for (const [name, recall, kept] of [
    // Of `four_parameter_logistic`, an identifier of a folder, the words are held: nothing tells them from those of `data_lake_omega`.
    ['build', 0.95, 0.94],
    ['held', 0.9, 0.9],
  ] as const)
    it(`are held back in the ${name} half of the labelled set, and the words of the field are not`, async (test) => {
      const { problems, ...found } = await measure(name);
      test.diagnostic(JSON.stringify(found));
      if (process.env['SHOW'] === name) for (const problem of problems) console.log(problem);
      assert.ok(found.recall >= recall, `${found.recall}`);
      assert.ok(found.sent / (found.sent + found.lost) >= kept, JSON.stringify(found));
    });
});

describe('a name or number of the files in other spellings', () => {
  const files = {
    'ledger.md':
      '# Ledger\n\nZephyrQuill writes to it. Ms Hölzenbein signs 7731294, or 48,219.75; the host is braxenby. The account is DE89 3704 0044 0532 0130 00, the other NL91ABNA0417164300. ゼトリクソン社 โครงการฆฤตมณฑิร\nThe rate limit and the time series are set in rateLimit.\n',
    'copper-lantern/index.ts': 'export const rateLimit = heronGateStore;\n',
    'sql/data_lake_omega.sql': 'select four_parameter, kestrel_ridge_rollup from fits;\n',
  };
  const sent = async (query: string, question = 'How do queues work?'): Promise<string> =>
    folderGuard(files, question)
      .check(search, { query }, never)
      .then(
        ({ args }) => String(args['query']),
        () => '',
      );

  for (const spelling of [
    'zephyr quill',
    'Zephyr-Quill',
    'zephyr.quill',
    'ZEPHYR  QUILL',
    'data lake omega',
    'Data-Lake-Omega',
    'copper lantern',
    'kestrel ridge rollup',
    'heron gate store',
    'DE89 3704 0044 0532 0130 00',
    'DE89370400440532013000',
    'de89-3704-0044-0532-0130-00',
    'NL91 ABNA 0417 1643 00',
    'Hoelzenbein',
    '7 731 294',
    '773 1294',
    '7_731_294',
    '48 219,75',
    '"Brax" "enby"',
    '%42raxenby',
    'kestrel_ridge_rollups',
    '89370400440532013000',
    '七七三一二九四',
    '7️⃣7️⃣3️⃣1️⃣2️⃣9️⃣4️⃣',
    'ゼ\u3164ト\u3164リ\u3164ク\u3164ソ\u3164ン',
    '\u0000braxenby',
  ])
    it(`is held back: ${spelling}`, async () => {
      assert.equal(await sent(`${spelling} throughput tuning`), 'throughput tuning');
    });

  for (const spelling of ['no.ゼトリクソン', '@ゼトリクソン', 'ฆฤตมณฑิร', '@89370400440532013000'])
    it(`is held back behind a mark, and in a script without spaces: ${spelling}`, async () => {
      assert.doesNotMatch(await sent(`${spelling} throughput tuning`), /ゼトリ|มณฑิร|8937/);
    });

  for (const address of ['https://example.org/data_lake_omega', 'https://example.org/?q=zephyr-quill'])
    it(`is not carried out by an address: ${address}`, async () => {
      assert.equal(await sent(address), '');
    });

  it('is sent when the user asked it', async () => {
    assert.equal(await sent('zephyr quill tuning', 'What is Zephyr Quill?'), 'zephyr quill tuning');
  });

  it('is not seen in ordinary words beside each other', async () => {
    const query = 'rate limit of a four parameter logistic fit in 2019 2020 2021';
    assert.equal(await sent(query), query);
  });

  it('is not seen in words that the files write without a capital, nor in the acronym of a standard', async () => {
    const proxy = `package proxy\n\n// LoadBalancing chooses a host: the load of each, when balancing is on.\ntype LoadBalancing struct{ FlushInterval int }
// FlushInterval: a flush in each interval, with HTTP/2 and SOCKS5; HTTP/1.1, RFC7231 and OCSP.\n`;
    const query = 'load balancing and flush interval, HTTP/2 HTTP/1.1 SOCKS5 OCSP zstd';
    const { args } = await folderGuard({ 'proxy.go': proxy }, 'How do queues work?').check(search, { query }, never);
    assert.equal(args['query'], query);
  });

  it('is one of the files where it is that of a host, a project or a product, though each of its words is ordinary', async () => {
    const notes = `# Hosts\n\nSQL-PROD-03 and DB-PROD-7 hold project_atlas_merger and NightOwl. A merger of each project: the atlas, a night, an owl.\n`;
    const query = 'failover SQL-PROD-03 DB-PROD-7, project atlas merger, Night Owl';
    const { args } = await folderGuard({ 'notes.md': notes }, 'How do queues work?').check(search, { query }, never);
    assert.doesNotMatch(String(args['query']), /SQL-PROD|DB-PROD|merger|Owl/);
  });

  it('opens a page of words that the files write without a capital', async () => {
    const files = {
      'load-balancing.md': '# Notes\n\nHow load is shared: balancing it over hosts. LoadBalancing is off.\n',
    };
    const args = { url: 'https://docs.example.org/load-balancing/' };
    const read: ResearchTool = {
      ...search,
      name: 'read_page',
      kind: 'read',
      parameters: z.object({ url: z.string() }),
    };
    assert.deepEqual((await folderGuard(files, 'How do queues work?').check(read, args, never)).args, args);
  });
});

describe('what anybody calls something', () => {
  const files = {
    'notes.md': `# Notes

We use MathJax, elasticlunr and ZeroSSL, with certmagic behind h11. The PIN of the safe is 39861.
The PILOT 39861 begins in May. The brokers are kafka-brm-02 and pg-ldn-07. We remove the support for all old users. We move the ledger off the old mainframe.
The account is 四八二一三九七七. Haugstad leads it with Brandvik for Klarna; Quillfeather comes after NightOwl.\n`,
    'client.py':
      'CERT_PILOT_LEDGER, kafka_omega_topic = env # html/template\nclass EncryptedClientHello: pass\nclass NightOwl: pass\ndef charset_normalizer(cert, file, proxy, status): encrypted_client_hello()\n# X-Forwarded-For\nnight_harbor_plan(XForwardedFor)\n',
  };
  const sent = (query: string): Promise<string> =>
    folderGuard(files, 'How do queues work?')
      .check(search, { query }, never)
      .then(
        ({ args }) => String(args['query']),
        () => '',
      );

  for (const query of [
    'MathJax versus KaTeX',
    'elasticlunr index size',
    'ZeroSSL accounts with certmagic',
    'html/template escaping',
    'charset_normalizer performance',
    'X-Forwarded-For spoofing',
    'encrypted client hello deployment',
  ])
    it(`is sent though only the files have it: ${query}`, async () => assert.equal(await sent(query), query));

  for (const [query, secret] of [
    ['payments at Haugstad', /haugstad/i],
    ['payments at Brandvik', /brandvik/i],
    ['payments at Klarna', /klarna/i],
    ['roadmap of Quillfeather', /quillfeather/i],
    ['architecture of NightOwl', /nightowl/i],
    ['architecture of Night Owl', /owl/i],
    ['night harbor plan of projects', /harbor/],
    ['CERT_PILOT_LEDGER in clients', /LEDGER/],
    ['kafka omega topic in clients', /omega/],
    ['clients of PILOT 39861', /39861/],
    ['how to move the ledger off the mainframe', /ledger off/],
    ['kafka brm 02 controller election', /brm/],
    ['read replica pg_ldn_07', /ldn/],
    ['remove the support for all old users', /remove the support for all old users/],
    ['RFC 39861 of clients', /39861/],
    ['account 48213977 of banks', /48213977/],
    ['account 四八二一三九七七 of banks', /四八二一|48213977/],
  ] as const)
    it(`and stays here where it is a name, a number or a sentence of the files: ${query}`, async () =>
      assert.doesNotMatch(await sent(query), secret));
});
