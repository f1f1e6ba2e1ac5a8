import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FoundDocument } from '../../../../src/research/ports.ts';
import { note, scriptedAnalyst, scriptedTool } from '../../../support/scriptedParts.ts';
import { extractiveAnalyst } from '../../../../src/research/analyst/extractive/extractiveAnalyst.ts';
import { trialSources, trialToolsOf } from '../../../support/trialSource.ts';
import { scriptedRun } from '../../../support/scriptedRun.ts';

describe('the account of a report', () => {
  it('says what the settings left out, and what was kept without a date', async () => {
    const page = (site: string, date?: string): FoundDocument => {
      const { file: _file, ...rest } = note(site);
      return { ...rest, kind: 'web', url: `https://${site}/`, ...(date ? { date } : {}) };
    };
    const tool = scriptedTool(
      () => ({
        documents: [page('a.org', '2025-02-02'), page('b.org'), page('c.org', '2001-01-01'), page('d.org', '2026')],
      }),
      { source: 'web' },
    );
    const { result } = scriptedRun({
      tools: [tool],
      settings: { 'sources.exclude': ['d.org'], 'sources.since': '2025-01-01' },
    });
    const { report } = await result;
    assert.match(report, /- Left out, because the settings exclude them: 1 by date, 1 by site\./);
    assert.match(report, /- Sources kept although their date is not known: 1\./);
  });

  it('of a digest without a quote claims nothing of quotes, nor of a limit that was not reached', async () => {
    const tools = [
      scriptedTool(() => ({ documents: [] }), { source: 'workspace' }),
      ...(await trialToolsOf(trialSources(14, ['science']))),
    ];
    const { result } = scriptedRun({
      analyst: { ...extractiveAnalyst, act: async () => ({ said: '', calls: [] }) },
      tools,
    });
    const { report } = await result;
    assert.match(report, /Nothing was found for this section/);
    assert.doesNotMatch(report, /verbatim|word for word|selected by their words|Sources retrieved|Not asked/);
  });

  it('counts the passages of a file as one source, as the conclusion and the front matter do, and the references by themselves', async () => {
    const passage = (title: string, line: number): FoundDocument => ({
      ...note(title),
      file: { path: 'docs/a.md', firstLine: line, lastLine: line + 1 },
    });
    const tool = scriptedTool(() => ({ documents: [passage('Tides', 1), passage('Boats', 9)] }));
    const { report } = await scriptedRun({
      tools: [tool],
      analyst: scriptedAnalyst({ writeReport: async function* () {} }),
    }).result;
    assert.match(report, /\nsources: 1\n/);
    assert.match(report, /Sections with findings: 3\. Sources: 1\./);
    assert.match(report, /cited: 1 \(references: 2\), of which 1 with/);
  });

  it('says who wrote which part: the model, or the sources where what it wrote says nothing of them', async () => {
    const scripted = scriptedAnalyst();
    const accountWith = async (isUsable: (id: string) => boolean): Promise<string> => {
      const { result } = scriptedRun({
        model: 'small-1',
        provider: 'openai',
        fallback: scriptedAnalyst(),
        analyst: {
          ...scripted,
          kind: 'llm',
          distil: async (input, scope) => ({
            ...(await scripted.distil(input, scope)),
            ...(isUsable(input.section.id) ? {} : { content: 'It was banned in all hospitals.' }),
          }),
          writeSection: async ({ section }) =>
            isUsable(section.id) ? section.content : 'It was banned in all hospitals.',
          frame: async () => ({ title: 'Notes', summary: '', analysis: '', conclusion: '' }),
        },
      });
      const { report } = await result;
      assert.doesNotMatch(report, /banned in all hospitals/);
      return report.slice(report.indexOf('## How this report was made'));
    };
    const partly = await accountWith((id) => id !== 's2');
    assert.match(partly, /- Written on .+ by small-1 \(openai\)/);
    assert.match(partly, /- Quoted from the sources word for word, without the model: [^;]+\./);
    assert.match(await accountWith(() => false), /none of it was written by small-1 \(openai\)/);
    assert.doesNotMatch(await accountWith(() => true), /word for word/);
  });

  it('names what was left out as being about something else, but nothing that another section uses', async () => {
    const scripted = scriptedAnalyst();
    const page = (title: string): FoundDocument => {
      const { file: _file, ...rest } = note(title);
      return { ...rest, kind: 'web', title, url: `https://example.org/${title}` };
    };
    const tool = scriptedTool(() => ({ documents: [page('Metal'), page('Planet'), page('Band')] }), { source: 'web' });
    const { result } = scriptedRun({
      tools: [tool],
      analyst: {
        ...scripted,
        distil: async (input, scope) => {
          const foreign = input.section.id === 's1' ? ['Planet', 'Band'] : ['Planet'];
          const isForeign = ({ title }: { readonly title: string }) => foreign.includes(title);
          const sources = input.sources.filter((source) => !isForeign(source));
          const offTopic = input.sources.filter(isForeign).map(({ id }) => id);
          return { ...(await scripted.distil({ ...input, sources }, scope)), offTopic };
        },
      },
    });
    const { report } = await result;
    assert.match(report, /- Left out, because they are about something else than the question: “Planet”\./);
  });
});
