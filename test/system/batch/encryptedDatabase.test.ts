import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openDatabase } from '../../../src/batch/postgres/database.ts';
import { runInHost } from '../../support/commandLine.ts';
import { type Certificate, type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgresServer.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

const withoutOpenssl = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';

describe('a database that is reached through TLS', { skip: withoutPostgres || withoutOpenssl }, () => {
  let folder: TemporaryFolder;
  let server: PostgresServer;
  before(async () => {
    folder = await temporaryFolder();
    server = await startPostgres(selfSigned('own', 'localhost'));
    selfSigned('other', 'localhost');
  });
  after(async () => {
    await server?.stop();
    await folder?.remove();
  });

  const file = (name: string): string => path.join(folder.path, name);
  function selfSigned(name: string, host: string): Certificate {
    const [key, certificate] = [file(`${name}.key`), file(`${name}.crt`)];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
    return { key: fs.readFileSync(key, 'utf8'), certificate: fs.readFileSync(certificate, 'utf8') };
  }
  const address = (root: string, host = 'localhost'): string =>
    `${server.url.replace('localhost', host)}?sslmode=verify-full&sslrootcert=${encodeURIComponent(file(root))}`;

  it('is used with the authority that its address names, and every connection is encrypted', async () => {
    const database = await openDatabase(address('own.crt'));
    try {
      const connections = Array.from({ length: 4 }, () =>
        database.query<{ ssl: boolean }>('SELECT ssl, pg_sleep(0.1) FROM pg_stat_ssl WHERE pid = pg_backend_pid()'),
      );
      assert.deepEqual(
        (await Promise.all(connections)).flat().map(({ ssl }) => ssl),
        [true, true, true, true],
      );
    } finally {
      await database.close();
    }
    const { code, stdout } = await runInHost(['schedule', '--list', '--json', '--queue', address('own.crt')]);
    assert.deepEqual([code, stdout], [0, '[]\n']);
  });

  for (const [name, wrong, why] of [
    ['another authority', () => address('other.crt'), /self.signed certificate/],
    ['another host name', () => address('own.crt', '127.0.0.1'), /altnames|alt names/],
    ['an authority whose file is missing', () => address('none.crt'), /none\.crt/],
    ['no authority', () => `${server.url}?sslmode=verify-full`, /self.signed certificate/],
  ] as const)
    it(`is refused with ${name}, and what to check is said`, async () => {
      const { code, stderr } = await runInHost(['schedule', '--list', '--queue', wrong()]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, why);
      assert.match(stderr, /refuses|certificate/);
      assert.match(stderr, /sslmode and sslrootcert/);
    });
});
