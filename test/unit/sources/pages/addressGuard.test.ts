import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ResearchError } from '../../../../src/research/errors.ts';
import {
  AllowedHosts,
  checkAddress,
  checkResolved,
  isPublicAddress,
} from '../../../../src/sources/pages/addressGuard.ts';
import { type HostileAddress, heldOutAddresses, hostileAddresses, publicAddresses } from './hostileAddresses.ts';

const nothing = new AllowedHosts([]);

function check({ url, resolves }: HostileAddress, allowed = nothing): void {
  const address = new URL(url);
  checkAddress(address, allowed);
  if (resolves) checkResolved(address, resolves, allowed);
}

/** Of the list, those that the guard lets through. An address that is none at all is refused by the parser. */
function passing(list: readonly HostileAddress[]): string[] {
  return list
    .filter((address) => {
      if (!URL.canParse(address.url)) return false;
      try {
        check(address);
        return true;
      } catch (error) {
        assert.ok(ResearchError.is(error, 'badRequest'));
        return false;
      }
    })
    .map(({ url }) => url);
}

describe('the guard of page addresses', () => {
  it('refuses every hostile address and look-up', () => {
    assert.ok(hostileAddresses.length + heldOutAddresses.length >= 60);
    assert.deepEqual(passing(hostileAddresses), []);
  });

  it('refuses those that were not looked at while it was built', () => {
    assert.deepEqual(passing(heldOutAddresses), []);
  });

  it('lets public pages through', () => {
    for (const address of publicAddresses) check(address);
  });

  it('opens what the user allows, by host and port', () => {
    const allowed = new AllowedHosts(['wiki.corp:8080', '127.0.0.1:9999', '[::1]:80']);
    check({ url: 'http://wiki.corp:8080/page', resolves: ['10.0.0.1'] }, allowed);
    check({ url: 'http://127.0.0.1:9999/' }, allowed);
    check({ url: 'http://[::1]/' }, allowed);
    for (const url of ['http://wiki.corp/', 'http://127.0.0.1:9998/', 'https://[::1]/', 'http://u:p@127.0.0.1:9999/'])
      assert.throws(
        () => check({ url }, allowed),
        (error) => ResearchError.is(error, 'badRequest'),
      );
  });

  it('takes nothing but an address for one', () => {
    for (const text of ['', 'example.com', '1', '127.0.0.1/8', '::1%1', '999.1.1.1'])
      assert.equal(isPublicAddress(text), false, text);
  });
});
