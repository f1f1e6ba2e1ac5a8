import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyEditorError } from '../../../src/models/vscode/classifyEditorError.ts';

const ofEditor = (code: string, message: string) => Object.assign(new Error(message), { code });

/** As VS Code and the providers of its models reject: with a code of the editor, or with a message that quotes a server. */
const rejections: readonly (readonly [string, Error])[] = [
  ['auth', ofEditor('NoPermissions', 'Access denied')],
  ['contentFilter', ofEditor('Blocked', 'Response got filtered.')],
  ['rateLimit', ofEditor('ChatRateLimited', 'Sorry, you have been rate-limited. Please wait a moment.')],
  ['quota', ofEditor('ChatQuotaExceeded', "You've reached your monthly chat messages quota.")],
  ['notFound', ofEditor('NotFound', "Language model 'gpt-9' not found.")],
  ...(
    [
      [
        'contextLength',
        'Request Failed: 400 {"error":{"message":"prompt token count of 140000 exceeds the limit of 128000","code":"model_max_prompt_tokens_exceeded"}}',
      ],
      ['contextLength', 'Message exceeds token limit.'],
      ['contextLength', 'Request Failed: 413 Request Entity Too Large'],
      [
        'notFound',
        'Request Failed: 400 {"error":{"message":"The requested model is not supported.","code":"model_not_supported","param":"model"}}',
      ],
      ['rateLimit', 'Request Failed: 429 too many requests'],
      ['network', 'net::ERR_INTERNET_DISCONNECTED'],
      ['network', 'Server error: 500'],
      ['network', 'Request Failed: 502 Bad Gateway'],
      ['network', 'getaddrinfo ENOTFOUND api.example.com'],
      ['auth', 'Request Failed: 401 unauthorized: token expired'],
      ['quota', 'Request Failed: 402 You have exceeded your premium request allowance.'],
      ['contentFilter', 'Sorry, the response was filtered by the Responsible AI Service.'],
      ['streamBroken', 'Sorry, no response was returned.'],
      ['streamBroken', 'Response contained no choices.'],
      ['streamBroken', 'No lowest priority node found (path: gNe)'],
      ['streamBroken', 'Unexpected token { in JSON: {"half": '],
    ] as const
  ).map(([reason, message]) => [reason, new Error(message)] as const),
];

test('what a model of the editor rejects with has its reason, by its code or its words', () => {
  const wrong = rejections.flatMap(([reason, thrown]) => {
    const error = classifyEditorError(thrown, 'm', false);
    assert.notEqual(error.next, '');
    return error.reason === reason ? [] : [`${thrown.message}: ${error.reason} instead of ${reason}`];
  });
  assert.deepEqual(wrong, []);
});
