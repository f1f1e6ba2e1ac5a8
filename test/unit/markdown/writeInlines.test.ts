import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeInlines } from '../../../src/markdown/writeInlines.ts';
import { assertAllowed } from '../../support/hostileMarkdown.ts';

test('nothing in a text becomes a link, whether or not it is an address', () => {
  for (const text of [
    ...[
      'https://|',
      'https://',
      'http://a',
      '//a.b',
      'x://y',
      'www.a',
      'WWW3.x_y',
      'mailto:x',
      'a@b.c1',
      'a.b@c.museum',
    ],
    ...['ftp://[::1]', '////x.y', 'https:///x', 'xmpp:a@b.c', 'a://b@c.d//e'],
  ])
    for (const place of ['start', 'middle', 'cell'] as const)
      assertAllowed(writeInlines([{ type: 'text', text }], place));
});

test('a path, a rate and a mention are written as they are', () => {
  for (const text of ['a/b', 'and/or', 'pass@1', '@name', 'a // b', 'wwwx'])
    assert.equal(writeInlines([{ type: 'text', text }]), text);
});

test('a display formula that nothing closes is no formula', () => {
  const write = (text: string) => writeInlines([{ type: 'text', text }], 'start');
  assert.equal(write('$$x, and the rest'), '\\$\\$x, and the rest');
  assert.equal(write('$$x$$ is closed'), '$$x$$ is closed');
});
