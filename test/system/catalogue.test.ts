import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { generated } from '../../scripts/generate.ts';
import { builtIn, createCatalogue, readAllSettings } from '../../src/catalogue.ts';
import { describeSetup, research } from '../../src/engine.ts';
import { httpProvider } from '../../src/models/http/httpProvider.ts';
import { openAiApi } from '../../src/models/openai/openAiModels.ts';
import { hasKey, type ProviderFacts, serverWithKey } from '../../src/models/provider.ts';
import { usage } from '../../src/node/cliArguments.ts';
import { environmentSecrets } from '../../src/node/environmentSecrets.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { usualEstimate } from '../../src/protocol/planEstimate.ts';
import { startModelServer } from '../support/modelServer.ts';
import { removeFolder, root, temporaryFolder } from '../support/paths.ts';
import { silentLog } from '../support/sourceContext.ts';
import { trialSource } from '../support/trialSource.ts';
import { type Manifest, settingsOf } from '../support/manifest.ts';

const server = await startModelServer({ key: 'trial-key' });
const about: ProviderFacts = {
  name: 'trial',
  label: 'Trial models',
  description: 'Models of a trial.',
  key: { service: 'trial', hint: 'For a trial.', environment: ['TRIAL_API_KEY'] },
  baseUrl: server.url,
  defaultModelAt: () => 'imitation-1',
  whyConfigured: (context) => hasKey(about, context),
};
const trial = httpProvider(about, serverWithKey, async (at) => openAiApi(at));
const catalogue = createCatalogue({
  providers: [trial, ...builtIn.providers],
  sources: [
    trialSource('handbook', {
      secret: { hint: 'H.', environment: ['HANDBOOK_KEY'] },
    }),
  ],
});

describe('a provider and a source that a program declares', () => {
  const runsFolder = temporaryFolder('runs');
  after(async () => {
    removeFolder(runsFolder);
    await server.close();
  });
  const options = (environment: NodeJS.ProcessEnv, settings: Readonly<Record<string, unknown>> = {}) => ({
    settings,
    catalogue,
    runsFolder,
    secrets: environmentSecrets(environment, catalogue.keyServices),
    log: silentLog,
    version: '0',
  });

  it('are values of their settings, and of no other program', () => {
    const raw = { 'model.provider': 'trial', 'endpoints.handbook': 'https://mirror.example/' };
    const { settings, unknown } = readAllSettings(raw, catalogue);
    assert.deepEqual([settings['model.provider'], settings['endpoints.handbook']], ['trial', 'https://mirror.example']);
    assert.deepEqual(unknown, []);
    assert.throws(() => readAllSettings({ 'model.provider': 'trial' }), /allowed: auto, openai, /);
    assert.match(
      readAllSettings({ 'endpoints.handbook': 'https://a.example' }).unknown[0] ?? '',
      /endpoints\.handbook/,
    );
  });

  it('are in the manifest, its texts and docs/settings.md', () => {
    const files = generated(catalogue);
    const manifest = JSON.parse(files['package.json']!) as Manifest;
    const { capabilities, keyServices } = manifest;
    const settings = settingsOf(manifest);
    assert.ok(settings['deepResearch.model.provider']?.enum?.includes('trial'));
    const { anyOf = [] } = settings['deepResearch.sources.enabled']?.items ?? {};
    // The user's MCP servers have names that no manifest knows.
    assert.deepEqual([anyOf[0]?.enum, anyOf[1]], [['handbook'], { type: 'string' }]);
    assert.equal(settings['deepResearch.endpoints.handbook']?.scope, 'machine');
    assert.ok(capabilities.untrustedWorkspaces.restrictedConfigurations.includes('deepResearch.endpoints.handbook'));
    const services = keyServices.map(({ service }) => service);
    assert.deepEqual([services[0], services.at(-1)], ['trial', 'handbook']);
    assert.match(files['package.nls.json']!, /Models of a trial\./);
    assert.match(files['docs/settings.md']!, /`endpoints\.handbook`.*User settings only/);
  });

  it('are in the help of the command line, with their variables', () => {
    const names = catalogue.providers.map(({ name }) => name);
    const text = usage(
      names,
      catalogue.keyServices.flatMap(({ environment }) => environment),
    );
    assert.match(text, /--provider NAME +trial, openai, .* or extractive/);
    assert.match(text, /TRIAL_API_KEY,[^]* and\s+HANDBOOK_KEY/);
  });

  it('say how to set their key', async () => {
    const setup = await describeSetup(options({}, { 'model.provider': 'trial' }));
    assert.deepEqual(setup.problem?.actions, ['setKey', 'withoutModel', 'selectModel']);
    assert.deepEqual([setup.provider, setup.modelHost], ['trial', new URL(server.url).host]);
    await assert.rejects(
      research({ ...options({}, { 'model.provider': 'trial' }), question: 'What is it?' }),
      /No key is set for 127\.0\.0\.1/,
    );
  });

  it('have an estimate at each depth, with the reading that belongs to it', async () => {
    const setup = await describeSetup(options({ TRIAL_API_KEY: 'trial-key' }, { 'model.provider': 'trial' }));
    const { quick, standard, deep } = setup.bases!;
    assert.deepEqual([setup.depth, quick.depth, deep.depth], ['standard', 'quick', 'deep']);
    assert.deepEqual([quick.verification, deep.verification], ['standard', 'thorough']);
    assert.deepEqual(setup.estimate, usualEstimate('auto', standard));
    assert.ok(usualEstimate('auto', quick).tokens < usualEstimate('auto', deep).tokens);
  });

  it('make a run, and auto takes the provider whose key is set', async () => {
    const events: ResearchEvent[] = [];
    const { report, sources } = await research({
      ...options({ TRIAL_API_KEY: 'trial-key' }, { clarification: 'off', planApproval: 'never', depth: 'quick' }),
      question: 'How do retrieval methods improve language models?',
      onEvent: (event) => void events.push(event),
    });
    const started = events.find((event) => event.type === 'run/started');
    assert.deepEqual([started?.provider, started?.model, started?.analyst], ['trial', 'imitation-1', 'llm']);
    assert.ok(server.requests.length > 2);
    assert.ok(sources.length > 0 && sources.every(({ kind }) => kind === 'handbook'));
    assert.match(report, /## References\n\n- <a id="ref-1"><\/a>\[1\] Trial handbook: /);
  });
});

describe('providers', () => {
  it('are named in src/models alone', () => {
    // "extractive" names the analyst without a model too, and "vscode" the editor's module.
    const names = builtIn.providers.map(({ name }) => name).filter((name) => !['extractive', 'vscode'].includes(name));
    const quoted = new RegExp(`['"\`](?:${names.join('|')})['"\`]`, 'i');
    const files = fs
      .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/^models[\\/]/.test(file));
    assert.ok(files.length > 100);
    const naming = files.filter((file) => quoted.test(fs.readFileSync(path.join(root, 'src', file), 'utf8')));
    assert.deepEqual(naming, []);
  });
});
