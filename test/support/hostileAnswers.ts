import fc from 'fast-check';

/** Hostile answers of services, by seed: the same seed gives the same answers. */

export interface HostileAnswer {
  readonly about: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

const megabyte = 1_000_000;

/** Strings that break what reads them. */
const nastyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '\u202e\u2066evil',
    '__proto__',
    'constructor',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://evil.example/x',
    'https://github.com@evil.example/a/b',
    '../../../etc/passwd',
    '<img src=x onerror=alert(1)>',
    '![x](https://evil.example/x.png)',
    '<|im_start|>system',
    ']]>',
    '&lt;script&gt;',
    '%00%0d%0aSet-Cookie: a=b',
    '1e999',
  ),
  fc
    .constantFrom(' ', '\t', '(', '[', '<', '`', '\\', '{', '*', 'a ', '![', '<a ', '$', '&', '.')
    .chain((unit) => fc.integer({ min: 1, max: 200_000 }).map((times) => unit.repeat(Math.ceil(times / unit.length)))),
);

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 1, [], {}, [[[[]]]], [null], {
    a: { b: [] },
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Replaces one value anywhere in a JSON value, adds keys, or doubles a list. */
function mutated(value: unknown, path: readonly number[], by: unknown): unknown {
  const [step = 0, ...rest] = path;
  if (path.length === 0) return by;
  if (Array.isArray(value)) {
    if (value.length === 0) return by;
    return value.map((item, index): unknown => (index === step % value.length ? mutated(item, rest, by) : item));
  }
  if (typeof value !== 'object' || value === null) return by;
  const entries = Object.entries(value);
  if (entries.length === 0) return by;
  return Object.fromEntries(
    entries.map(([name, item], index) => [name, index === step % entries.length ? mutated(item, rest, by) : item]),
  );
}

const repository = {
  full_name: 'acme/widget',
  html_url: 'https://github.com/acme/widget',
  description: 'Widgets.',
  language: 'TypeScript',
  stargazers_count: 5,
  forks_count: 1,
  topics: ['widgets'],
  license: { spdx_id: 'MIT' },
  owner: { login: 'acme' },
  pushed_at: '2026-01-02T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  archived: false,
  fork: false,
};
const issue = {
  html_url: 'https://github.com/acme/widget/issues/1',
  number: 1,
  title: 'Broken',
  body: 'It is **broken**.',
  state: 'open',
  comments: 2,
  user: { login: 'someone' },
  labels: ['bug', { name: 'help' }],
  updated_at: '2026-01-02T00:00:00Z',
  created_at: '2026-01-02T00:00:00Z',
};
const jsonBodies: readonly unknown[] = [
  { total_count: 1, incomplete_results: false, items: [repository] },
  { total_count: 1, incomplete_results: false, items: [issue] },
  { content: Buffer.from('# Widget\n\nText.').toString('base64'), encoding: 'base64', html_url: repository.html_url },
  { message: 'Validation Failed', errors: [{ field: 'q', code: 'invalid' }] },
];

const path = fc.array(fc.nat(20), { minLength: 0, maxLength: 4 });
const status = fc.constantFrom(200, 200, 200, 200, 301, 304, 400, 401, 403, 404, 422, 429, 500, 503);
const headers = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'retry-after': '9'.repeat(400) },
      { 'retry-after': 'Thu, 01 Jan 99999 00:00:00 GMT' },
      { 'retry-after': '-5' },
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1e300' },
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '-1' },
      { 'x-ratelimit-remaining': 'NaN' },
      { date: 'never', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' },
      { location: 'http://127.0.0.1:1/' },
      { location: `https://${'a'.repeat(500)}.example/` },
      { etag: '"x"' },
      { 'content-length': '99999999999' },
    ),
  },
);

/** Few, but each of megabytes. */
const heavyJson: readonly (() => string)[] = [
  () => '['.repeat(megabyte),
  () => `{"items":${'['.repeat(500_000)}${']'.repeat(500_000)},"total_count":1}`,
  () => `{"total_count":1,"items":[${'null,'.repeat(megabyte)}null]}`,
  () => `{"total_count":1,"items":[${`${JSON.stringify(repository)},`.repeat(20_000)}${JSON.stringify(repository)}]}`,
  () => JSON.stringify({ total_count: 1, items: [{ ...issue, body: '<!--'.repeat(megabyte) }] }),
  () => JSON.stringify({ total_count: 1, items: [{ ...issue, body: ' '.repeat(4 * megabyte) }] }),
  () => JSON.stringify({ total_count: 1, items: Array(100).fill({ ...issue, body: '![a]('.repeat(15_000) }) }),
  () => JSON.stringify({ content: 'A'.repeat(8 * megabyte), encoding: 'base64' }),
  () => JSON.stringify({ content: Buffer.alloc(2 * megabyte, '# ').toString('base64'), encoding: 'base64' }),
  () => JSON.stringify({ message: 'x'.repeat(5 * megabyte), errors: Array(100_000).fill({ message: 'y' }) }),
  () => JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, n]))),
  () => ' '.repeat(5 * megabyte),
  () => '"'.padEnd(5 * megabyte, '\\"'),
];

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">';
const xmlEntry = (inner: string): string =>
  `<entry><id>http://arxiv.org/abs/2401.00001v1</id><title>T</title><summary>S</summary>${inner}</entry>`;
const feed = (inner: string, total = '1'): string => `${xmlHead}<totalResults>${total}</totalResults>${inner}</feed>`;
const heavyXml: readonly (() => string)[] = [
  () => feed('<entry/>'.repeat(megabyte)),
  () => feed('<entry></entry>'.repeat(600_000)),
  () => feed(xmlEntry('').repeat(80_000)),
  () => feed(xmlEntry('<author><name>A</name></author>'.repeat(200_000))),
  () => feed(xmlEntry(`<summary>${'&amp;'.repeat(megabyte)}</summary>`)),
  () => feed(xmlEntry(`<summary>${'\\emph{'.repeat(60_000)}</summary>`)),
  () => feed(xmlEntry(`<title>${'$x'.repeat(100_000)}</title>`)),
  () => feed(xmlEntry(`<comment>${' '.repeat(390_000)}</comment>`)),
  () => feed('<a>'.repeat(30_000) + '</a>'.repeat(30_000)),
  () => feed(xmlEntry('<a>'.repeat(50_000) + '</a>'.repeat(50_000))),
  () => feed('<!--'.repeat(megabyte)),
  () => feed(`<![CDATA[${'x'.repeat(5 * megabyte)}]]>`),
  () => feed(`<entry ${Array.from({ length: 30_000 }, (_, n) => `a${n}="1"`).join(' ')}></entry>`),
  () => `${xmlHead}${'<entry '.repeat(megabyte)}</feed>`,
  () => `${xmlHead}${'<'.repeat(3 * megabyte)}</feed>`,
  () => `<?xml version="1.0"?><!--${'x'.repeat(500)}--><!DOCTYPE f [${lol()}]>${feed(xmlEntry('&l9;'))}`,
  () => feed(`<!DOCTYPE f [${lol()}]>${xmlEntry('<title>&l9;</title>')}`),
  () => feed(xmlEntry('<title>&#x110000;&#xD800;&#99999999999;&#0;&#-1;&nope;</title>')),
  () => feed(xmlEntry('<__proto__><polluted>1</polluted></__proto__>')),
  () => feed(xmlEntry('<constructor><prototype>1</prototype></constructor>')),
  () => feed(xmlEntry(''), '99999999999999999999999'),
  () => feed(xmlEntry(''), '-5'),
  () => feed(xmlEntry(''), 'NaN'),
  () => `${' '.repeat(5 * megabyte)}${feed('')}`,
  () => feed('') + ' '.repeat(5 * megabyte),
];

function lol(): string {
  return Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n} "${n === 0 ? 'lol' : `&l${n - 1};`.repeat(10)}">`).join(
    '',
  );
}

const xmlPiece = fc.oneof(
  nastyText.map((text) => xmlEntry(`<title>${text}</title>`)),
  nastyText.map((text) => xmlEntry(`<summary>${text.replaceAll('<', '&lt;')}</summary>`)),
  nastyText.map((text) => `<entry><id>${text}</id></entry>`),
  nastyText.map((text) => xmlEntry(`<author><name>${text}</name></author><published>${text}</published>`)),
  nastyText.map((text) => xmlEntry(`<x:doi>${text}</x:doi><link href="${text}" title="pdf"/>`)),
  nastyText.map((text) => `<entry><id>http://arxiv.org/api/errors#x</id><summary>${text}</summary></entry>`),
  nastyText.map((text) => `<${text}>x</${text}>`),
  fc.constantFrom('<entry>', '</entry>', '</feed>', '<feed>', '<a:entry></a:entry>', '<?pi x?>', '<![CDATA[x]]>'),
);

/** Answers to a request of GitHub's API. */
export function hostileJson(seed: number, count: number): HostileAnswer[] {
  const one = fc
    .record({ body: fc.constantFrom(...jsonBodies), path, by: nastyValue, status, headers, cut: fc.nat(9) })
    .map(({ body, path: at, by, cut, ...rest }) => {
      const text = JSON.stringify(mutated(body, at, by));
      return { ...rest, about: `mutated at ${at.join('.')}`, body: cut === 0 ? text.slice(0, text.length / 2) : text };
    });
  return [
    ...heavyJson.map((make, index) => ({ about: `heavy ${index}`, status: 200, body: make() })),
    ...fc.sample(one, { seed, numRuns: count }),
  ];
}

/** Answers to a request of arXiv's API. */
export function hostileFeeds(seed: number, count: number): HostileAnswer[] {
  const one = fc
    .record({ pieces: fc.array(xmlPiece, { maxLength: 4 }), total: nastyText, status, headers, cut: fc.nat(9) })
    .map(({ pieces, total, cut, ...rest }) => {
      const text = feed(pieces.join(''), total.slice(0, 50).replaceAll('<', ''));
      return { ...rest, about: 'a feed of pieces', body: cut === 0 ? text.slice(0, text.length / 2) : text };
    });
  return [
    ...heavyXml.map((make, index) => ({ about: `heavy ${index}`, status: 200, body: make() })),
    ...fc.sample(one, { seed, numRuns: count }),
  ];
}

const chunk = { choices: [{ delta: { content: 'Hello.' }, finish_reason: null }] };
const last = { choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 2 } };
const call = {
  choices: [
    {
      delta: {
        tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'think', arguments: '{"a":1}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
};
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const heavyStreams: readonly (() => string)[] = [
  () => ' '.repeat(5 * megabyte),
  () => `data: ${'x'.repeat(5 * megabyte)}`,
  () => ': ping\n\n'.repeat(megabyte),
  () => event(chunk).repeat(50_000),
  () => event({ choices: [{ delta: { content: ' '.repeat(3 * megabyte) } }] }),
  () => Array.from({ length: 30_000 }, (_, n) => event(toolPiece(n, 'f', '{}'))).join(''),
  () => Array.from({ length: 30_000 }, () => event(toolPiece(0, 'f', '}'))).join(''),
  () => Array.from({ length: 30_000 }, () => event(toolPiece(undefined, 'f', '{"a":"'))).join(''),
  () => event({ choices: [{ delta: { tool_calls: Array(100_000).fill(call.choices[0]?.delta.tool_calls[0]) } }] }),
  () => `data: ${'['.repeat(megabyte)}\n\n`,
  () => `{"choices":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  () => `<html>${'<title>'.repeat(500_000)}`,
  () => event({ error: { message: 'model '.repeat(500_000) } }),
  () => event({ error: { message: '> 1'.repeat(500_000), code: 'context_length_exceeded' } }),
  () => event({ choices: [{ delta: { content: '<think>'.repeat(200_000) } }] }) + event(last),
  () => event({ choices: [{ delta: { content: '```'.repeat(300_000) } }] }) + event(last),
  () => event({ choices: [{ delta: { content: '<tool_call>'.repeat(100_000) } }] }) + event(last),
];

function toolPiece(index: number | undefined, name: string, args: string): unknown {
  return { choices: [{ delta: { tool_calls: [{ index, function: { name, arguments: args } }] } }] };
}

/** Answers of a model's server: streams, whole answers, lists of models and refusals. */
export function hostileCompletions(seed: number, count: number): HostileAnswer[] {
  const bodies: readonly unknown[] = [chunk, last, call, { choices: [{ message: { content: 'Hi' } }] }];
  const mutation = fc
    .record({ body: fc.constantFrom(...bodies), path, by: nastyValue })
    .map(({ body, path: at, by }) => mutated(body, at, by));
  const streamed = fc.array(mutation, { maxLength: 4 }).map((values) => values.map(event).join('') + event(last));
  const whole = mutation.map((value) => JSON.stringify(value));
  const listed = fc.array(nastyValue, { maxLength: 5 }).map((data) => JSON.stringify({ data }));
  const refused = nastyValue.map((message) => JSON.stringify({ error: { message, code: message } }));
  const one = fc
    .record({ body: fc.oneof(streamed, whole, listed, refused, nastyText), status, headers })
    .map((answer) => ({ ...answer, about: 'a completion' }));
  return [
    ...heavyStreams.map((make, index) => ({ about: `heavy ${index}`, status: 200, body: make() })),
    ...fc.sample(one, { seed, numRuns: count }),
  ];
}
