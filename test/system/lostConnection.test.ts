import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runResearch } from '../../src/api.ts';
import type { ResearchEvent } from '../../src/protocol/events.ts';
import { breakableConnection } from '../support/breakableConnection.ts';
import { startModelServer } from '../support/modelServer.ts';
import { copyWorkspace, removeFolder, temporaryFolder } from '../support/paths.ts';
import { ofType } from '../support/scriptedParts.ts';
import { imitatedSettings, startSourceServer } from '../support/sourceServer.ts';
import { isWriting } from '../support/modelRequest.ts';

/** A network that goes and comes back, over real connections. */

const question = 'How do retrieval-augmented generation systems work?';

describe('a run whose network is lost', () => {
  let workspace: string;
  before(() => {
    workspace = copyWorkspace('examples');
  });
  after(() => removeFolder(workspace));

  /** Cuts the ways to the model and to the sources at the moment, and mends them once the run is paused. */
  async function survive(moment: (event: ResearchEvent) => boolean) {
    const runs = temporaryFolder('runs');
    const sources = await startSourceServer();
    const model = await startModelServer({ delayMs: 20, tokenDelayMs: 4 });
    const toModel = await breakableConnection(model.origin);
    const toArxiv = await breakableConnection(sources.arxivUrl);
    const events: ResearchEvent[] = [];
    let lost = false;
    try {
      const result = await runResearch({
        question,
        workspace,
        runDir: runs,
        secrets: { key: async () => undefined },
        saveTo: { save: async (name) => `/reports/${name}` },
        config: {
          ...imitatedSettings({ ...sources, arxivUrl: toArxiv.origin }),
          'model.provider': 'openai-compatible',
          'model.baseUrl': `${toModel.origin}/v1`,
          'model.name': 'imitation-1',
          planApproval: 'never',
          strategy: 'sections',
        },
        onEvent: (event) => {
          events.push(event);
          if (!lost && moment(event)) {
            lost = true;
            void Promise.all([toModel.cut(), toArxiv.cut()]);
          }
          if (event.type === 'run/paused') void Promise.all([toModel.restore(), toArxiv.restore()]);
        },
      });
      return { result, events, requests: model.requests };
    } finally {
      await Promise.all([toModel.close(), toArxiv.close(), model.close(), sources.close()]);
      removeFolder(runs);
    }
  }

  it('during the research pauses, resumes by itself, and ends with a complete report', async () => {
    const { result, events } = await survive(
      (event) => event.type === 'section/updated' && event.status === 'researching' && event.sources > 0,
    );
    const story = events
      .map(({ type }) => type)
      .filter((type) => /^run\/(?:paused|resumed|failed|finished)$/.test(type));
    assert.deepEqual(story, ['run/paused', 'run/resumed', 'run/finished']);
    const [paused] = ofType(events, 'run/paused');
    assert.equal(paused!.reason, 'network');
    assert.match(paused!.message, /can't be reached.*resumes by itself/);
    assert.equal(result.outcome, 'complete');
    assert.ok(ofType(events, 'section/updated').every(({ status }) => status !== 'failed'));
    assert.match(result.report, /## References\n\n- <a id="ref-1"><\/a>\[1\] /);
  });

  it('in the middle of the report keeps what was written, and repeats nothing', async () => {
    let letters = 0;
    const { result, events, requests } = await survive(
      (event) => event.type === 'report/delta' && (letters += event.text.length) > 200,
    );
    assert.deepEqual(
      events.map(({ type }) => type).filter((type) => /^run\/(?:paused|resumed|failed|finished)$/.test(type)),
      ['run/paused', 'run/resumed', 'run/finished'],
    );
    assert.equal(result.outcome, 'complete');
    const reports = requests.filter(({ step }) => isWriting(step));
    assert.ok(reports.length >= 2, 'it was asked to go on');
    const headings = [...result.report.matchAll(/^## .+$/gm)].map(([heading]) => heading);
    assert.equal(new Set(headings).size, headings.length);
    // Two sections may quote the same; within one nothing stands twice.
    for (const section of result.report.split('\n## References')[0]!.split(/^## /m)) {
      const sentences = section.split(/(?<=[.!?])\s+/).filter((sentence) => sentence.length > 40);
      assert.equal(new Set(sentences).size, sentences.length, section);
    }
    assert.doesNotMatch(result.report, /\[S[0-9a-f]*(?:\]|\s|$)/m);
  });
});
