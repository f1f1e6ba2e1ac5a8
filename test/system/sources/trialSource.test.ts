import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { generated } from '../../../scripts/generate.ts';
import { createCatalogue, readAllSettings } from '../../../src/catalogue.ts';
import { describeSetup, research } from '../../../src/engine.ts';
import { providerDefinitions } from '../../../src/models/registry.ts';
import { environmentSecrets } from '../../../src/node/environmentSecrets.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import { optionalText } from '../../../src/research/settings/setting.ts';
import { contextOf, enabledSources } from '../../../src/sources/createTools.ts';
import type { SourceDefinition } from '../../../src/sources/source.ts';
import { silentLog } from '../../support/sourceContext.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';
import { noSession, trialSource, trialToolsOf } from '../../support/trialSource.ts';
import { type Manifest, settingsOf } from '../../support/manifest.ts';

const trial = trialSource('trial', {
  label: 'Trial Library',
  secret: {
    hint: 'More results a minute.',
    environment: ['TRIAL_KEY', 'OTHER_TRIAL_KEY'],
  },
  services: [
    {
      name: 'annex',
      label: 'Annex',
      endpoint: { description: 'The address of the annex.' },
      secret: { hint: 'Opens the annex.', environment: ['ANNEX_KEY'] },
    },
  ],
  settings: {
    'sources.trial.shelf': {
      schema: optionalText,
      group: 'sources',
      setBy: 'folder',
      text: 'The shelf to look on.',
    },
  },
});
const catalogue = createCatalogue({ providers: providerDefinitions, sources: [trial] });

let folder: TemporaryFolder;
before(async () => {
  folder = await temporaryFolder();
});
after(() => folder.remove());

const options = () => ({
  settings: { 'model.provider': 'extractive', 'sources.trial.shelf': 'top' },
  runsFolder: folder.path,
  secrets: { key: () => Promise.resolve(undefined) },
  log: silentLog,
  version: '0.0.0',
  catalogue,
});

/** Nothing but the declaration is needed: each of these derives from it. */
describe('a source that is declared and nothing else', () => {
  it('has its settings in the schema, the manifest, its texts and docs/settings.md', () => {
    const { settings } = readAllSettings({ 'endpoints.trial': 'http://127.0.0.1:9/api/' }, catalogue);
    assert.equal(settings['endpoints.trial'], 'http://127.0.0.1:9/api');
    assert.throws(() => readAllSettings({ 'endpoints.trial': 'none' }, catalogue), /endpoints\.trial.*an http/);
    const files = generated(catalogue);
    const manifest = JSON.parse(files['package.json']!) as Manifest;
    const sources = settingsOf(manifest);
    const { anyOf = [] } = sources['deepResearch.sources.enabled']?.items ?? {};
    // The user's MCP servers have names that no manifest knows.
    assert.deepEqual([anyOf[0]?.enum, anyOf[1]], [['trial'], { type: 'string' }]);
    assert.equal(sources['deepResearch.endpoints.trial']?.scope, 'machine');
    assert.equal(sources['deepResearch.sources.trial.shelf']?.scope, 'window');
    assert.ok(
      manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes('deepResearch.endpoints.trial'),
    );
    const texts = JSON.parse(files['package.nls.json']!) as Readonly<Record<string, string>>;
    assert.equal(texts['config.sources.enabled.trial'], trial.description);
    assert.equal(texts['config.endpoints.trial'], trial.endpoint!.description);
    assert.match(files['docs/settings.md']!, /`endpoints\.trial`/);
    assert.match(files['docs/settings.md']!, /`endpoints\.annex`/);
    assert.equal(settings['endpoints.annex'], '');
  });

  it('has its key, by service and by environment variable', async () => {
    assert.deepEqual(
      catalogue.keyServices.find(({ service }) => service === 'trial'),
      {
        ...trial.secret,
        service: 'trial',
        label: 'Trial Library',
        setting: 'endpoints.trial',
        address: 'https://api.trial.example',
      },
    );
    assert.deepEqual(
      catalogue.keyServices.find(({ service }) => service === 'annex'),
      { ...trial.services![0]!.secret, service: 'annex', label: 'Annex', setting: 'endpoints.annex' },
    );
    const key = (environment: NodeJS.ProcessEnv) =>
      environmentSecrets(environment, catalogue.keyServices).key('trial', 'https://api.trial.example');
    assert.equal(await key({ TRIAL_KEY: ' ', OTHER_TRIAL_KEY: 'second' }), 'second');
  });

  it('has its tools, with what the choice of calls needs', async () => {
    const tools = await trialToolsOf([trial]);
    assert.deepEqual(
      tools.map(({ name, source, traits }) => [name, source, traits?.label, traits?.isLocal]),
      [
        ['search_trial', 'trial', 'Trial Library', false],
        ['read_trial', 'trial', 'Trial Library', false],
      ],
    );
  });

  it('asks each of its services at its own address with its own key', async () => {
    const { settings } = readAllSettings({ 'endpoints.annex': 'https://annex.example/v2' }, catalogue);
    const secrets = { key: (service: string, origin: string) => Promise.resolve(`${service} at ${origin}`) };
    const context = contextOf(trial, { settings, secrets, client: noSession, log: silentLog });
    assert.equal(context.endpoint, 'https://api.trial.example');
    assert.equal(context.service('trial').endpoint, context.endpoint);
    assert.equal(context.service('annex').endpoint, 'https://annex.example/v2');
    assert.equal(await context.service('annex').key(), 'annex at https://annex.example');
    assert.throws(() => context.service('cellar'), /declares no service "cellar"/);
    const hosts = async (definition: SourceDefinition) =>
      (await enabledSources({ settings, secrets, log: silentLog, hasWorkspace: false }, [definition]))[0]?.hosts;
    assert.deepEqual(await hosts(trial), ['api.trial.example', 'annex.example']);
    const asks: SourceDefinition['asks'] = ({ keys }) => [...keys].filter((name) => name === 'annex');
    assert.deepEqual(await hosts({ ...trial, asks }), ['annex.example']);
  });

  it('has its label and icon in the panel, and its host in the line under the question', async () => {
    const { kinds, sources } = await describeSetup(options());
    assert.deepEqual(kinds, [
      { name: 'trial', label: 'Trial Library', icon: 'beaker', pageHosts: ['trial.example'] },
      { name: 'attached', label: 'Attached document', icon: 'attach', pageHosts: [] },
      { name: 'mcp', label: 'MCP tool', icon: 'plug', pageHosts: [] },
    ]);
    assert.deepEqual(sources, [{ name: 'trial', label: 'Trial Library', hosts: ['api.trial.example'] }]);
  });

  it('is offered beside the MCP servers, of which a run takes those that it names', async () => {
    const mcpServers = { notes: { command: 'notes' }, tracker: { url: 'https://mcp.example/mcp' } };
    const offered = async (enabled: readonly string[]) => {
      const { settings, ...others } = options();
      const more = { ...settings, 'deepResearch.mcpServers': mcpServers, 'deepResearch.sources.enabled': enabled };
      return (await describeSetup({ ...others, settings: more })).sources.map(({ name, hosts }) => [name, ...hosts]);
    };
    const trialHost = ['trial', 'api.trial.example'];
    assert.deepEqual(await offered([]), [trialHost, ['notes', 'MCP: notes'], ['tracker', 'mcp.example']]);
    assert.deepEqual(await offered(['trial', 'Tracker']), [trialHost, ['tracker', 'mcp.example']]);
  });

  it('is searched, read and cited in a run', async () => {
    const events: ResearchEvent[] = [];
    const { report } = await research({
      ...options(),
      question: 'How do retrieval methods improve the answers of language models?',
      onEvent: (event) => events.push(event),
    });
    const used = events.flatMap((event) => (event.type === 'tool/finished' ? [event.name] : []));
    assert.ok(used.includes('search_trial') && used.includes('read_trial'));
    assert.ok(events.some((event) => event.type === 'source/added' && event.kind === 'trial'));
    assert.match(report, /retrieval methods improve the answers of language models/);
    assert.match(report, /^- <a id="ref-1"><\/a>\[1\] .*https:\/\/trial\.example\//m);
  });
});
