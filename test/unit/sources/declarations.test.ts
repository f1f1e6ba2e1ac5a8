import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { localizedTexts } from '../../../scripts/l10n.ts';
import { sourceDefinitions } from '../../../src/sources/registry.ts';
import { endpointOf, type ServiceContext, servicesOf } from '../../../src/sources/source.ts';
import { readAllSettings } from '../../../src/catalogue.ts';
import { root } from '../../support/paths.ts';

/** Files that know an identifier or a word of a service, and not the source that asks it. */
const allowed: Readonly<Record<string, string>> = {
  'src/node/workspaceRules.ts': 'the folder .github is a convention of repositories',
  'src/protocol/redact.ts': 'prefixes of tokens that are masked, whoever asked with them',
  'src/research/calls/toolResult.ts': 'identifiers of documents: DOI, arXiv id, repository',
  'src/research/ports.ts': 'identifiers of documents, and those that a workspace cites',
  'src/host/models/selectModel.ts': 'the name of a provider of models',
  'src/research/evidence/identity.ts': 'identifiers of works: DOI, arXiv id, repository',
  'src/research/evidence/addressIdentity.ts': 'addresses of works at the services that have several for each',
  'src/research/evidence/namedIn.ts': 'identifiers of works, as questions name them',
  'src/research/evidence/paperIdentity.ts': 'identifiers of papers: DOI, arXiv id',
  'src/research/export/cslItems.ts': 'archives and publishers, as bibliographies name them',
  'src/research/export/bibtex.ts': 'archives, as bibliographies name them',
  'src/research/analyst/llm/common.ts': 'identifiers that a workspace cites, for the planner',
  'src/research/policy/questionKinds.ts': 'words of questions',
  'src/research/settings/declarations.ts': 'an example of a domain',
  'src/sources/searchWords.ts': 'words of questions',
  'src/sources/workspaceFacts.ts': 'finds identifiers that the files of a folder cite',
  'src/sources/outgoing/outgoingGuard.ts': 'identifiers of works that a folder names',
  'src/sources/outgoing/createOutgoing.ts': 'the service that knows whether a repository is public',
  'src/sources/workspace/passages.ts': 'fields of BibTeX',
  'src/sources/workspace/bibtex.ts': 'fields of BibTeX',
  'src/sources/github/cleanReadme.ts': 'addresses of papers, which a README keeps',
  'src/sources/workspace/topics.ts': 'the folder .github is a convention of repositories',
  'src/sources/huggingface/huggingfaceDocuments.ts':
    'papers are identified by their arXiv id, models name those that describe them',
  'src/host/reports/textFragment.ts': 'the forms of one paper, of which the one that was read opens',
  'src/sources/registry.ts': 'the list',
  'src/sources/web/webKinds.ts': 'sites that hold papers, and code',
};
/** Rules of style for kinds of text, which are being rewritten; records of papers, which name each other's ids. */
const allowedFolders = ['src/research/analyst/extractive/', 'src/sources/scholarly/'];
/** Words of everyday code, not only names of sources. */
const ownConcepts = ['workspace', 'web', 'blogs'];

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

describe('sources', () => {
  it('are named by their own folder and the registry alone', () => {
    const files = fs
      .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file.split(path.sep).join('/')}`)
      .filter((file) => /\.tsx?$/.test(file));
    assert.ok(files.length > 100);
    const names = sourceDefinitions.flatMap((definition) => [
      { source: definition.name, words: [definition.name, definition.label] },
      ...(definition.services ?? []).map(({ name, label }) => ({ source: definition.name, words: [name, label] })),
    ]);
    const naming = files.flatMap((file) => {
      const code = withoutComments(fs.readFileSync(path.join(root, file), 'utf8'));
      const named = names.filter(
        ({ source, words }) =>
          !ownConcepts.includes(words[0]!) &&
          !file.startsWith(`src/sources/${source}/`) &&
          words.some((word) => new RegExp(`(?<![a-z])${word}(?![a-z])`, 'i').test(code)),
      );
      return named.map(({ words }) => `${file} names ${words[0]}`);
    });
    assert.deepEqual(
      naming.filter(
        (line) => !allowedFolders.some((folder) => line.startsWith(folder)) && !((line.split(' ')[0] ?? '') in allowed),
      ),
      [],
    );
  });

  for (const definition of sourceDefinitions) {
    const { name, label, icon, description, goodFor, endpoint, pageHosts } = definition;

    it(`${name} is declared in full`, () => {
      assert.match(name, /^[a-z][a-z0-9]*$/);
      assert.ok(label !== '' && /\.$/.test(description) && goodFor.length > 0);
      const codicons = fs.readFileSync(path.join(root, 'node_modules/@vscode/codicons/dist/codicon.css'), 'utf8');
      assert.match(codicons, new RegExp(`\\.codicon-${icon}:before`));
      for (const host of pageHosts) assert.match(host, /^[a-z0-9.-]+$/);
      const texts = localizedTexts();
      assert.ok(texts.includes(definition.documentLabel ?? label));
      assert.ok(texts.includes(label));
      if (definition.secret) assert.ok(endpoint !== undefined);
      const { settings } = readAllSettings({});
      for (const service of servicesOf(definition)) {
        assert.match(service.name, /^[a-z][a-z0-9]*$/);
        assert.equal(endpointOf(service, settings), service.endpoint.default ?? '');
        if (service.endpoint.default) assert.equal(new URL(service.endpoint.default).protocol, 'https:');
        for (const variable of service.secret?.environment ?? []) assert.match(variable, /^[A-Z][A-Z0-9_]+$/);
      }
    });

    it(`${name} can be searched, and its tools belong to it`, async () => {
      const service: ServiceContext = {
        endpoint: servicesOf(definition)[0]?.endpoint.default ?? '',
        session: { get: () => Promise.reject(new Error('Nothing is sent here.')) },
        key: () => Promise.resolve('key'),
      };
      const page = { get: () => Promise.reject(new Error('Nothing is fetched here.')) };
      const tools = await definition.createTools({
        ...service,
        service: () => service,
        pages: { ...page, named: page },
        settings: readAllSettings({}).settings,
        webSearch: [],
        workspace: {
          name: 'empty',
          files: () => Promise.resolve([]),
          read: () => Promise.resolve(''),
          blocks: async function* () {},
          gitRemotes: () => Promise.resolve([]),
        },
        facts: undefined,
        log: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
      });
      assert.ok(tools.some(({ kind }) => kind === 'search'));
      for (const tool of tools) {
        assert.equal(tool.source, name);
        const { properties = {} } = z.toJSONSchema(tool.parameters);
        assert.equal(tool.kind === 'search', 'query' in properties);
        assert.ok(tool.description.length > 20);
      }
    });
  }
});
