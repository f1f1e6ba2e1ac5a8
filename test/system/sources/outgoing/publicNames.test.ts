import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, it } from 'node:test';
import { createPoliteClient } from '../../../../src/sources/http/politeClient.ts';
import { createPublicNames } from '../../../../src/sources/outgoing/publicNames.ts';
import { noFacts, silentLog } from '../../../support/sourceContext.ts';
import { virtualClock } from '../../../support/virtualClock.ts';

const never = new AbortController().signal;
const published: Readonly<Record<string, unknown>> = {
  '/v3/systems/npm/packages/%40scope%2Ftool': { packageKey: { system: 'NPM', name: '@scope/tool' } },
  '/v3/systems/go/packages/example.org%2Fmod': { packageKey: { system: 'GO', name: 'example.org/mod' } },
  '/v3/systems/pypi/packages/odd': { unexpected: true },
  '/repos/acme/open': { private: false, visibility: 'public' },
  '/repos/acme/internal': { private: false, visibility: 'internal' },
};
const asked: string[] = [];
const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  const body = published[url];
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? { message: 'Not Found' }));
});
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => server.close());

it('takes for public what its service shows to everybody, and asks about no name that the manifests do not have', async () => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createPoliteClient({ userAgent: 'test/0', clock: virtualClock(), random: () => 0 });
  const names = createPublicNames({
    facts: {
      ...noFacts,
      repos: ['acme/open', 'acme/internal', 'acme/secret'],
      arxivIds: ['2005.11401'],
      packages: ['@scope/tool', '@scope/own', 'example.org/mod', 'odd', 'artifact'],
      packageSystems: { '@scope/tool': 'npm', '@scope/own': 'npm', 'example.org/mod': 'go', odd: 'pypi' },
    },
    session: client.session({ name: 'names', label: 'Names', publicHosts: [] }),
    repositories: base,
    packages: base,
    log: silentLog,
  });
  const all = [
    ...['acme/open', 'acme/internal', 'acme/secret', '@scope/tool', '@scope/own', 'example.org/mod', 'odd'],
    ...['artifact', 'stranger', 'arXiv:2005.11401', '8841.07731', '10.1000/xyz123'],
  ];
  const open = [];
  for (const name of all) if (await names.isPublic(name, never)) open.push(name);
  assert.deepEqual(open, ['acme/open', '@scope/tool', 'example.org/mod', 'arXiv:2005.11401']);
  assert.equal(asked.length, 7);
  assert.ok(await names.isPublic('acme/open', never));
  assert.equal(asked.length, 7, 'an answer is remembered');
});
