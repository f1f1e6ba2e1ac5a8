import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readCsv } from '../../src/batch/csv.ts';
import { referencesOf } from '../../src/files/references.ts';
import { evidenceOfSidecar } from '../../src/files/sidecarText.ts';
import { settingsByLevel } from '../../src/host/settings.ts';
import { PassageIndex } from '../../src/research/text/passageIndex.ts';
import { cutPassages, type Passage } from '../../src/research/text/passages.ts';
import { readQuery } from '../../src/research/text/query.ts';
import { selectPassages } from '../../src/research/text/selectPassages.ts';
import { createCatalogue, readAllSettings } from '../../src/catalogue.ts';
import { stripHidden } from '../../src/markdown/hidden.ts';
import { readDocument } from '../../src/markdown/readDocument.ts';
import { HttpChat } from '../../src/models/http/httpChat.ts';
import { Turns } from '../../src/models/http/localServer.ts';
import { serverSentEvents } from '../../src/models/http/serverSentEvents.ts';
import { completions } from '../../src/models/openai/completions.ts';
import { CapabilityMemory } from '../../src/models/capabilities.ts';
import { FirstContact } from '../../src/models/firstContact.ts';
import { afterThinking } from '../../src/models/thinking.ts';
import { notebookText } from '../../src/node/notebookText.ts';
import { readPlanFile } from '../../src/node/planFile.ts';
import { readStopped } from '../../src/node/readingWatch.ts';
import { remotesOf } from '../../src/node/gitFolder.ts';
import { parseEvent } from '../../src/protocol/events.ts';
import { maskSecrets, redact } from '../../src/protocol/redact.ts';
import { runLockSchema, runRecordSchema } from '../../src/protocol/runRecord.ts';
import { defuse } from '../../src/research/analyst/llm/fence.ts';
import { looseValues } from '../../src/research/analyst/llm/looseJson.ts';
import { toolCallsInText } from '../../src/research/analyst/llm/toolCallsInText.ts';
import { ResearchError } from '../../src/research/errors.ts';
import { CitationWriter } from '../../src/research/evidence/citations.ts';
import { holdsQuote, normalizeForQuote } from '../../src/research/evidence/quotes.ts';
import { EvidenceRegistry } from '../../src/research/evidence/registry.ts';
import { readReport } from '../../src/research/export/frontMatter.ts';
import { readStoredSources } from '../../src/research/export/storedSources.ts';
import { CheckpointLog, isCheckpointLine } from '../../src/research/persistence/checkpointLog.ts';
import { Journal } from '../../src/research/persistence/journal.ts';
import { detectLanguage } from '../../src/research/text/language.ts';
import { withoutModelMarks } from '../../src/research/analyst/llm/modelMarks.ts';
import { splitSentences } from '../../src/research/text/sentences.ts';
import { parseArxivFeed } from '../../src/sources/arxiv/arxivFeed.ts';
import { findArxivIds, parseArxivId } from '../../src/sources/arxiv/arxivId.ts';
import { buildArxivQuery } from '../../src/sources/arxiv/arxivQuery.ts';
import { latexText } from '../../src/sources/arxiv/latexText.ts';
import { assertAllowed } from '../support/hostileMarkdown.ts';
import { cleanReadme } from '../../src/sources/github/cleanReadme.ts';
import { buildGithubQuery } from '../../src/sources/github/githubQuery.ts';
import { findGithubRepos, parseGithubRepo } from '../../src/sources/github/githubRepo.ts';
import { authorsOf, bibtexFields } from '../../src/sources/workspace/bibtex.ts';
import { readInputSchema } from '../../src/sources/mcp/inputSchema.ts';
import { documentsOf } from '../../src/sources/mcp/outsideDocuments.ts';
import { readFeed } from '../../src/sources/readers/feedReader.ts';
import { readHtml } from '../../src/sources/readers/htmlReader.ts';
import { folderGuard } from '../support/folderGuard.ts';
import { scriptedTool } from '../support/scriptedParts.ts';
import { packagesOf } from '../../src/sources/workspace/manifests.ts';
import { moreTargets } from './moreTargets.ts';

/** A function that reads text from outside, and what must hold for every text. */
export interface Target {
  readonly name: string;
  /** Tokens of its format, from which texts are put together. */
  readonly tokens: readonly string[];
  /** Throws when something doesn't hold. May reject with a `ResearchError` that is no bug. */
  run(text: string): unknown;
  /** It reads no text longer than this, in UTF-16 units. Default: 1 MB. */
  readonly longest?: number;
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const never = new AbortController().signal;
const key = ['velvet', 'Harbour', '4471', 'plum'].join('');
const markdown = [
  ...['# ', '\n\n', '\n- ', '\n1. ', '\n> ', '```', '~~~', '`', '**', '_', '[', ']', '](', '![', '<', '</', '>', '|'],
  ...[
    '<!--',
    '-->',
    '<img src=x>',
    'https://',
    'www.',
    'evil.example',
    '[^1]',
    '[1]: ',
    '\\',
    '&amp;',
    '&#x202e;',
    '$$',
  ],
  ...['\n---\n', '    ', '\t', '. ', '! ', '? ', 'word ', 'Ünï ', '检索', '\u200d', '\ufe0f', '\u202e', '<|im_start|>'],
];
const json = [...'{}[]:,"\\', 'true', 'null', '1e9', '-', '"a":', '\n', '```json\n', '```', "'", '//', '\\u0000', ' '];
const registry = new EvidenceRegistry();
const paper = registry.add(
  {
    kind: 'arxiv',
    title: 'A paper',
    authors: ['Ada Lovelace'],
    date: '2020-05-22',
    url: 'https://arxiv.org/abs/2005.11401',
    text: 'Dense retrieval improves exact match from 34.5 to 44.5 points, as 42% of 9 teams say.',
  },
  '2026-01-02T00:00:00Z',
).source;
const evidence = {
  get: (id: string) => registry.get(id),
  byUrl: (url: string) => registry.byUrl(url),
  candidates: registry.all(),
};
const manifestNames = [
  'package.json',
  'pyproject.toml',
  'requirements.txt',
  'Cargo.toml',
  'go.mod',
  'Gemfile',
  'pom.xml',
];
const settingKeys = Object.keys(createCatalogue().settings);

async function completion(body: string): Promise<void> {
  const send: typeof fetch = () => Promise.resolve(new Response(body));
  const chat = new HttpChat({
    ...{ dialect: () => completions, think: false, turns: new Turns(90_000) },
    ...{ provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9/v1', key, keyHint: '', fetch: send },
    memory: new CapabilityMemory(() => ({})),
    contact: new FirstContact(send),
    log: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  });
  await chat.complete({ messages: [{ role: 'user', content: 'Hello.' }] }, {}, never);
}

/** A JSON value in place of the text's, so that the schemas see more than broken JSON. */
function valuesOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split(/\n+/, 50_000).map((line): unknown => line);
  }
}

async function* pieces(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

/** As the process that reads does: what is nested too deeply is refused. */
function unnested(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

export const targets: readonly Target[] = [
  {
    name: 'web page',
    tokens: [
      ...[
        '<p>',
        '</p>',
        '<div>',
        '</div>',
        '<table>',
        '<tr>',
        '<td>',
        '<ul>',
        '<li>',
        '<pre>',
        '<a href="',
        '">',
        '<br/>',
      ],
      ...[
        '<template>',
        '<svg>',
        '<math>',
        '<style>',
        '<script>',
        '</script>',
        '<!--',
        '-->',
        '<![CDATA[',
        '&#x202e;',
        '&',
      ],
      ...[
        '<meta name="citation_author" content="',
        '<title>',
        '<article>',
        ' hidden',
        ' style="display:none"',
        '\0',
        'Words, of a page. ',
      ],
    ],
    run: (text) => unnested(() => readHtml(`<html><body>${text}`, 'https://example.com/a')),
    // Each takes as long as a browser's parser.
    longest: 50_000,
  },
  {
    name: 'web feed',
    tokens: [
      ...[
        '<item>',
        '</item>',
        '<title>',
        '</title>',
        '<link>',
        '<link href="',
        '"/>',
        '<content:encoded>',
        '<![CDATA[',
        ']]>',
      ],
      ...[
        '<entry>',
        '</entry>',
        '<!DOCTYPE x [',
        '<!ENTITY a "b">',
        '&a;',
        '<pubDate>',
        'javascript:x',
        'https://a.b/c',
        '{"items":[',
      ],
    ],
    run(text) {
      for (const given of [
        `<?xml version="1.0"?><rss version="2.0"><channel>${text}`,
        `{"version":"https://jsonfeed.org/version/1.1",${text}`,
      ])
        unnested(() => readFeed(given, 'https://example.com/feed'));
    },
    longest: 100_000,
  },
  {
    name: 'notebook',
    tokens: [
      ...json,
      '"cells":[',
      '"cell_type":"code"',
      '"source":[',
      '"outputs":[',
      '"text/plain":',
      '"nbformat":4',
      '```',
      '~~~~',
    ],
    run: (text) => [notebookText(text), notebookText(`{"nbformat":4,"cells":[${text}]}`)],
  },
  {
    name: "an MCP server's schema and answer",
    tokens: [
      ...json,
      ...[
        '"type":"object"',
        '"properties":{',
        '"$ref":"#/$defs/a"',
        '"$defs":{',
        '"anyOf":[',
        '"enum":[',
        '"required":["query"]',
      ],
      ...['"query":{"type":"string"}', '"pattern":"(a+)+$"', '"__proto__":{', '"minimum":1e999', '"items":'],
    ],
    run(text) {
      for (const value of valuesOf(text)) {
        const { parameters } = readInputSchema(value);
        parameters.safeParse({ query: 'x' });
      }
      documentsOf({ texts: [text], links: [{ title: text, url: text }] }, 'call');
    },
    longest: 100_000,
  },
  {
    name: 'server-sent events',
    tokens: ['data:', 'event: x', 'id: \0', 'retry: 9', '\n', '\r', '\r\n', '\ufeff', ':', ' ', '{}'],
    async run(text) {
      let length = 0;
      const cut = text.length >> 1;
      for await (const { data } of serverSentEvents(pieces([text.slice(0, cut), text.slice(cut)])))
        length += data.length;
      check(length <= text.length, 'more data than text');
    },
  },
  {
    name: 'CSV',
    tokens: ['"', '""', ',', ';', '\t', '\n', '\r\n', 'a', ' ', '\ufeff'],
    run(text) {
      let cells = 0;
      for (const separator of [',', '\t']) for (const row of readCsv(text, separator)) cells += row.cells?.length ?? 0;
      check(cells <= 2 * text.length + 2, 'more cells than characters');
    },
  },
  {
    name: 'plan file',
    tokens: [...markdown, ...json, '---\n', 'question: ', 'sections:\n', '- title: ', 'v: 1\n', '## ', 'strategy: '],
    run: (text) => [readPlanFile(text, 'plan.md'), readPlanFile(`---\nquestion: x\n---\n${text}`, 'plan.md')],
    longest: 100_000,
  },
  {
    name: 'evidence beside a report',
    tokens: [
      ...markdown,
      '## ',
      '> ',
      '[[1]](#ref-1)',
      '<a id="ref-1"></a>[1]',
      '- **',
      ': supported',
      '(S3f9a1)',
      '### 1. ',
    ],
    run: (text) => [evidenceOfSidecar(text), referencesOf(text)],
    longest: 300_000,
  },
  {
    name: 'outgoing words',
    tokens: [
      'zquark',
      'vault',
      'Zephyr',
      'Quill',
      '夜隼',
      'ゼトリクソン',
      '한들',
      '48',
      ',',
      '-',
      '_',
      ' ',
      '的',
      '%7A',
      '\\u007a',
      '\u200b',
      '"',
      '://',
    ],
    async run(text) {
      const notes = 'zquarkvault and ZephyrQuill of 夜隼, ゼトリクソン, 48213977.';
      for (const inQueries of ['public', 'nothing'] as const) {
        const guard = folderGuard({ 'a.md': notes }, 'Which queue?', [], { inQueries });
        const { args } = await guard.check(
          scriptedTool(() => ({ documents: [] })),
          { query: text },
          never,
        );
        const sent = String(args['query']);
        check(
          !/(?<![\p{L}\p{N}])(?:zquarkvault|48213977)(?![\p{L}\p{N}])/iu.test(sent),
          `sends ${JSON.stringify(sent.slice(0, 200))}`,
        );
      }
    },
    longest: 5_000,
  },
  {
    name: 'arXiv feed',
    tokens: [
      ...[
        '<feed>',
        '</feed>',
        '<entry>',
        '</entry>',
        '<entry/>',
        '<id>http://arxiv.org/abs/2401.00001v1</id>',
        '<title>',
      ],
      ...[
        '</title>',
        '<summary>',
        '</summary>',
        '<author><name>',
        '</name></author>',
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
      ],
      ...[
        '<!DOCTYPE x [',
        '<!ENTITY a "b">',
        '&a;',
        '&amp;',
        '&#x110000;',
        '<a b="',
        '"/>',
        '<?xml version="1.0"?>',
        '<x:',
      ],
    ],
    run: (text) => parseArxivFeed(`<?xml version="1.0"?><feed xmlns="x">${text}</feed>`, never),
  },
  {
    name: 'LaTeX of abstracts',
    tokens: [
      '\\emph{',
      '}',
      '$',
      '\\href{',
      '{',
      '``',
      "''",
      '~',
      '\\"',
      '\\alpha',
      '\\\\',
      '\\textbf',
      ' ',
      '--',
      'x',
      '$x^2$',
    ],
    run: latexText,
    longest: 50_000,
  },
  {
    name: 'arXiv ids and queries',
    tokens: [
      'arxiv.org/abs/',
      '2401.00001',
      'v1',
      'arXiv:',
      'hep-th/9901001',
      '"',
      '(',
      ')',
      ' AND ',
      'ti:',
      'eprint = {',
      '/',
    ],
    run(text) {
      findArxivIds(text);
      parseArxivId(text);
      return buildArxivQuery(text.slice(0, 10_000), 'en');
    },
  },
  {
    name: 'GitHub READMEs',
    tokens: [
      ...markdown,
      '<h1>',
      '</h1>',
      '<a href="https://arxiv.org/abs/1">',
      '<svg>',
      '</svg>',
      '<li>',
      '<details>',
      '[![',
      ')](',
    ],
    run(text) {
      const clean = cleanReadme(text);
      check(clean.length <= text.length + 200_000, 'grows');
    },
  },
  {
    name: 'GitHub names and queries',
    tokens: [
      'github.com/',
      'acme',
      '/',
      'widget',
      '.git',
      'git@',
      ':',
      'https://',
      'topic:',
      '"',
      'language:',
      '..',
      '?',
      '#',
    ],
    run(text) {
      findGithubRepos(text);
      const repo = parseGithubRepo(text);
      check(repo === undefined || /^[\w-]{1,40}\/[\w.-]{1,100}$/.test(repo), `reads ${repo}`);
      return buildGithubQuery(text.slice(0, 10_000), {
        kind: 'repositories',
        language: 'en',
        qualifiers: [],
      });
    },
  },
  {
    name: 'BibTeX',
    tokens: [
      '@article{',
      'key,',
      'title = {',
      'author = "',
      '}',
      '{',
      '"',
      ' and ',
      ',',
      '=',
      '#',
      '@string{',
      '@comment',
      '\\"{o}',
      '\n',
    ],
    run: (text) => authorsOf(bibtexFields(text) ?? {}),
  },
  {
    name: 'manifests',
    tokens: [
      ...json,
      '[dependencies]',
      'name = "',
      '==1.0',
      'require (',
      ')',
      '<dependency>',
      '<artifactId>',
      'gem "',
      '~> 1',
      ';',
      '#',
    ],
    run: (text) => manifestNames.map((name) => packagesOf(name, text)),
    longest: 300_000,
  },
  {
    name: 'git remotes',
    tokens: ['[remote "', '"]', '\n\turl = ', 'git@github.com:', 'acme/widget', '.git', ';', '#', '\\', 'insteadOf = '],
    run: remotesOf,
  },
  {
    name: 'front matter',
    tokens: [
      '---\n',
      'title: ',
      '"',
      "'",
      '&a ',
      '*a',
      '!!js/function ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      '|\n',
      '>\n',
      ': ',
      '<<: *a',
      '\n',
    ],
    run: (text) => readReport(`---\n${text}`),
  },
  {
    name: "a model's JSON",
    tokens: [...json, '<tool_call>', '</tool_call>', '{"name":"think","arguments":{}}', '"tool_calls":['],
    run(text) {
      looseValues(text);
      const calls = toolCallsInText(text, [{ name: 'think', parameters: { properties: { reflection: {} } } }]);
      check(calls.length <= 128, `${calls.length} calls`);
    },
  },
  {
    name: "a model's stream",
    tokens: [
      ...[
        'data: ',
        '\n\n',
        '\n',
        'event: error\n',
        ': ping\n\n',
        '[DONE]',
        '{"choices":[{"delta":',
        '{"content":"x"}',
        '}]}',
      ],
      ...[
        '"tool_calls":[{"index":0,"function":{"name":"f","arguments":"',
        '"}}]',
        '<think>',
        '</think>',
        'null',
        '{}',
        ',',
      ],
    ],
    run: completion,
  },
  {
    name: 'thinking',
    tokens: ['<think>', '</think>', '<thinking>', '`', ' ', 'a'],
    run: afterThinking,
  },
  {
    name: 'citations',
    tokens: [...markdown, `[${paper.id}]`, `[${paper.id}, S3f9a1]`, '34.5', '44.5 points', '42%', '[S', ', '],
    run(text) {
      const writer = new CitationWriter(evidence, '');
      const written = writer.push(text) + writer.finish();
      // The reference parsers that check the result are slower than what they check.
      if (written.length <= 20_000) assertAllowed(written, (href) => href.startsWith('https://arxiv.org/'));
    },
  },
  { name: 'report reader', tokens: markdown, run: readDocument },
  {
    name: 'sentences',
    tokens: ['. ', '! ', 'e.g. ', '3.5', '。', '"', ')', '\n', 'Dr. ', 'word', '…', 'a', ' '],
    run(text) {
      const sentences = splitSentences(text);
      check(sentences.length <= text.length, 'more sentences than characters');
    },
  },
  {
    name: 'quotes',
    tokens: [...markdown, 'Dense retrieval improves', ' exact match', ' 34.5'],
    run: (text) => [
      holdsQuote(text.slice(0, 2_000), normalizeForQuote(text)),
      holdsQuote('Dense retrieval improves exact match', text),
    ],
  },
  {
    name: 'what a model sees',
    tokens: [
      '<|',
      '|>',
      '<s>',
      '</s>',
      '[INST]',
      '[/INST]',
      '<<SYS>>',
      '\u200b',
      '\u{e0041}',
      '\u{1f468}\u200d',
      '<end_of_turn>',
      '<',
      '|',
    ],
    run(text) {
      const clean = withoutModelMarks(text);
      check(!/<\|\w+\|>|\[\/?INST\]|<end_of_turn>/.test(clean), `a mark in ${JSON.stringify(clean.slice(0, 80))}`);
      check(withoutModelMarks(clean) === clean, 'not settled after one pass');
      return defuse(stripHidden(text));
    },
  },
  {
    name: 'languages',
    tokens: ['the ', 'der ', 'le ', '检', 'の', 'и ', 'e ', ' ', '\n'],
    run: detectLanguage,
  },
  {
    name: 'secrets',
    tokens: [
      key,
      'password=',
      'token: ',
      'Bearer ',
      '-----BEGIN PRIVATE KEY-----',
      '-----END ',
      '://a:b@',
      'sk-',
      'eyJ',
      '.',
      '"',
      '\n',
      '$',
    ],
    run(text) {
      check(!redact(text, [key]).includes(key), 'the key is left');
      check(maskSecrets(text).split('\n').length === text.split('\n').length, 'lines are lost');
    },
  },
  {
    name: 'settings',
    tokens: [
      ...json,
      ...settingKeys.map((name) => `"deepResearch.${name}":`),
      '"..",',
      '"/etc",',
      '99999999,',
      'false,',
      '"auto",',
    ],
    run(text) {
      const [value] = valuesOf(`{${text.replace(/,+\s*$/, '')}}`);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const own = readAllSettings({}).settings;
      for (const [mine, folder] of [
        [value, {}],
        [{}, value],
        [value, value],
      ]) {
        const { settings } = readAllSettings({ ...mine }, undefined, { ...folder });
        check(Object.keys(settings).join() === Object.keys(own).join(), 'another set of settings');
      }
    },
    longest: 100_000,
  },
  {
    name: 'settings of an editor',
    tokens: [
      ...json,
      '"deepResearch":{',
      '"model":{',
      '"baseUrl":',
      '"__proto__":',
      '"constructor":',
      '"endpoints":[',
      '".":',
    ],
    run(text) {
      const [value] = valuesOf(text);
      const declared = Object.fromEntries(settingKeys.map((key) => [`deepResearch.${key}`, {}]));
      for (const trusted of [true, false]) {
        const inspect = () => ({ workspaceValue: value });
        const { user, folder } = settingsByLevel({ declared, trusted, inspect, all: () => value });
        check(trusted || Object.keys(folder).length === 0, 'a folder counts that is not trusted');
        const { settings } = readAllSettings(user);
        check(settings['model.baseUrl'] === '', 'an address of the folder counts');
        readAllSettings(user, undefined, folder);
      }
    },
    longest: 100_000,
  },
  {
    name: 'retrieval',
    tokens: [
      ...markdown,
      ...['retrieval ', 'tokens ', '2024-05-01', '12. Mai', 'getUserById', 'key: value\n', 'a,b\n1,2\n', '| a | b |\n'],
      ...['def f(x):\n', '// note\n', '@article{a,\n', 'x1.2.3', 'naïve ', '東京', 'ß', 'ﬁ', '\u0130'],
    ],
    run(text) {
      const query = readQuery(text.slice(0, 300), 'en');
      const index = new PassageIndex();
      const cut = new Map<string, readonly Passage[]>();
      for (const path of ['a.md', 'b.txt', 'c.ts', 'd.yaml', 'e.csv', 'f.bib', 'v2/a.md']) {
        const passages = cutPassages(path, text);
        const lines = text.split('\n').length;
        check(
          passages.every(({ firstLine, lastLine }) => firstLine >= 1 && firstLine <= lastLine && lastLine <= lines),
          `lines of ${path}`,
        );
        cut.set(path, passages);
        index.add(path, '1', passages);
      }
      index.settle();
      const { hits } = index.search(query, 20);
      const candidates = hits.map((hit) => ({ ...hit, siblings: cut.get(hit.path)! }));
      check(
        candidates.every(({ siblings, number }) => siblings[number] !== undefined),
        'a passage that is none',
      );
      selectPassages(query, candidates, 8);
      const stored = Buffer.concat(index.save() ?? []);
      const loaded = PassageIndex.load(stored);
      check(loaded.search(query, 20).hits.length === hits.length, 'another index after it was stored');
    },
    longest: 150_000,
  },
  {
    name: 'a stored index',
    tokens: [
      '\u0000',
      '\u0001',
      '\u0010',
      '{"segments":[',
      '["a","1",1,1,1]',
      '],"terms":"a\nb"}',
      '\u00ff\u00ff',
      'x',
    ],
    run(text) {
      const bytes = Buffer.from(text, 'latin1');
      for (const given of [bytes, Buffer.concat([Buffer.from(Uint32Array.of(bytes.length).buffer), bytes])])
        try {
          PassageIndex.load(given).search(readQuery('a b', 'en'), 5);
        } catch (error) {
          // What can't be read is built again; nothing else may happen.
          check(error instanceof Error, 'not an error');
        }
    },
    longest: 300_000,
  },
  {
    name: 'what stopped a run',
    tokens: ['\n{"kind":"file","name":"', 'a.md', 'long/'.repeat(70), '"}\n', '\\u0000', 'null', '\n'],
    async run(text) {
      const folder = await mkdtemp(join(tmpdir(), 'deep-research-fuzz-'));
      await writeFile(join(folder, 'stopped.ndjson'), text);
      const inputs = await readStopped(join(folder, 'stopped.ndjson'));
      check(
        inputs.every(({ name }) => name.length <= 300),
        'a long name',
      );
      await rm(folder, { recursive: true });
    },
    longest: 100_000,
  },
  {
    name: 'files of a run folder',
    tokens: [
      ...json,
      ...[
        '"v":1',
        '"kind":"tool"',
        '"kind":"model"',
        '"type":"checkpoint"',
        '"type":"part"',
        '"type":"delete"',
        '"key":"k"',
      ],
      ...[
        '"digest":"d"',
        '"at":"2026"',
        '"value":{"documents":[]}',
        '"thread":"t"',
        '"seq":1',
        '"version":1',
        '"sources":[',
      ],
      ...['"type":"run/started"', '"run":"r"', '"__proto__":', '"id":"S3f9a1"', '"settings":{', '"status":"finished"'],
    ],
    async run(text) {
      const lines = text.split('\n').filter((line) => line !== '');
      new Journal(() => Promise.resolve(), lines).last('k');
      lines.forEach(isCheckpointLine);
      await new CheckpointLog(() => Promise.resolve(), lines).getTuple({ configurable: { thread_id: 't' } });
      for (const value of valuesOf(text)) {
        parseEvent(value);
        runRecordSchema.safeParse(value);
        runLockSchema.safeParse(value);
      }
      return readStoredSources(text);
    },
  },
  ...moreTargets,
];

/** What made texts slow before, each repeated to a length. */
export const fillers: readonly string[] = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\u00a0',
    '.',
    'a',
    '1',
    ',',
    '-',
    '_',
    '*',
    '#',
    '>',
    '|',
    '`',
    '~',
    '[',
    ']',
    '(',
    '<',
    '&',
  ],
  ...[
    'a ',
    'a.',
    '. ',
    '1.',
    '[S3f9a1]',
    '[S3f9a1, ',
    '](',
    '![',
    '<a ',
    '<!--',
    '```\n',
    '\n- ',
    '\n# ',
    '**a',
    '{"a":',
    '[[',
  ],
  ...['a@', 'https://', 'www.a.', '\\', '"', "'", '检', '\u200d', '<|', '$x', '@a{', 'key=', 'x: y\n', '</', '\ud800'],
];

/** A text of a target's tokens, other characters and long repetitions. */
export function textFor(target: Target): fc.Arbitrary<string> {
  const token = fc.constantFrom(...target.tokens);
  const piece = fc.oneof(
    { weight: 8, arbitrary: token },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    { weight: 1, arbitrary: fc.tuple(token, fc.nat(2_000)).map(([unit, times]) => unit.repeat(times).slice(0, 8_000)) },
  );
  return fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
}

/** Runs a target; what is wrong is thrown, and a clear refusal is none. */
export async function attack(target: Target, text: string): Promise<void> {
  try {
    await target.run(text);
  } catch (error) {
    if (!ResearchError.is(error) || error.reason === 'bug') throw error;
  }
}
