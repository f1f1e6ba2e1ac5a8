import assert from 'node:assert/strict';
import { test } from 'node:test';
import { panelHtml } from '../../../src/host/panel/panelHtml.ts';

const page = panelHtml({
  cspSource: 'https://*.vscode-cdn.net',
  script: 'https://host/dist/panel.js',
  styles: ['https://host/dist/codicons/codicon.css', 'https://host/dist/panel.css'],
  nonce: 'abc123',
  language: 'en"><script>',
  title: '<Deep> & "Research"',
});
const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '';

test('the page forbids everything that it does not need', () => {
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'nonce-abc123'(;|$)/);
  assert.doesNotMatch(policy, /unsafe|data:|blob:|img-src|connect-src|frame-src|\shttp:/);
});

test('the page holds one script, by its nonce, and no inline code', () => {
  assert.deepEqual(page.match(/<script[^>]*>/g), [
    '<script type="module" nonce="abc123" src="https://host/dist/panel.js">',
  ]);
  assert.match(page, /><\/script>/);
  assert.doesNotMatch(page, /\son\w+=|style=/);
});

test('what is put into the page is escaped', () => {
  assert.match(page, /<title>&lt;Deep&gt; &amp; &quot;Research&quot;<\/title>/);
  assert.match(page, /<html lang="en&quot;&gt;&lt;script&gt;">/);
});
