import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeSetup, research } from '../../../src/engine.ts';
import type { ResearchEvent } from '../../../src/protocol/events.ts';
import { ResearchError } from '../../../src/research/errors.ts';
import { type ModelServer, startModelServer } from '../../support/modelServer.ts';
import { noSecrets, silentLog } from '../../support/sourceContext.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

describe('a folder that no model may see', () => {
  let folder: TemporaryFolder;
  let model: ModelServer;
  before(async () => {
    folder = await temporaryFolder({
      'notes/batteries.md': '# Batteries\n\nSolid-state batteries keep their charge for nineteen years.\n',
    });
    model = await startModelServer();
  });
  after(async () => {
    await model.close();
    await folder.remove();
  });

  const hidden = { 'workspace.forModel': 'off', 'sources.enabled': ['workspace'] };
  const withoutModel = { ...hidden, 'model.provider': 'extractive' };
  const withModel = () => ({ ...hidden, 'model.baseUrl': model.url, 'model.name': 'imitation-1' });
  const optionsOf = (settings: Readonly<Record<string, unknown>>) => ({
    ...{ settings, secrets: noSecrets, log: silentLog, version: '0.0.0-test' },
    ...{ workspaceFolder: join(folder.path, 'notes'), runsFolder: join(folder.path, 'runs') },
  });
  const question = 'How long do solid-state batteries keep their charge?';

  it('is read, and quoted to the user, by a run without a model', async () => {
    const { sources } = await describeSetup(optionsOf(withoutModel));
    assert.deepEqual(
      sources.map(({ name }) => name),
      ['workspace'],
    );
    const { report } = await research({ ...optionsOf(withoutModel), question });
    assert.match(report, /keep their charge for nineteen years/);
  });

  it('is not read by a run with one', async () => {
    assert.deepEqual((await describeSetup(optionsOf(withModel()))).sources, []);
    await assert.rejects(
      research({ ...optionsOf(withModel()), question }),
      (error) => ResearchError.is(error, 'config') && /no source to search/.test(error.message),
    );
    assert.equal(model.requests.length, 0);
  });

  it('is not given to a model that resumes what was read without one', async () => {
    const stop = new AbortController();
    let run = '';
    const onEvent = (event: ResearchEvent): void => {
      ({ run } = event);
      if (event.type === 'source/added') stop.abort(new ResearchError('abort', 'Stopped.'));
    };
    await assert.rejects(research({ ...optionsOf(withoutModel), question, onEvent, signal: stop.signal }));
    await assert.rejects(
      research({ ...optionsOf(withModel()), resume: run }),
      (error) => ResearchError.is(error, 'config') && /shows to no model/.test(error.message),
    );
    assert.equal(model.requests.length, 0);
    const { report } = await research({ ...optionsOf(withoutModel), resume: run });
    assert.match(report, /nineteen years/);
  });
});
