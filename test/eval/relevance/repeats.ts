import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Finding, Source } from '../../../src/research/evidence/source.ts';
import { renderReport } from '../../../src/research/report/renderReport.ts';
import { withoutRepeats } from '../../../src/research/report/repeats.ts';
import { isConclusionHeading } from '../../../src/research/languages/headings.ts';
import { writtenReport } from '../../../src/research/report/writtenReport.ts';
import { quoteBlock } from '../../../src/research/evidence/verbatim.ts';
import type { SectionState } from '../../../src/research/state.ts';
import { source } from '../../support/analystTestKit.ts';

const caseSchema = z.object({
  id: z.string(),
  language: z.string(),
  sections: z.array(
    z.object({
      title: z.string(),
      description: z.string(),
      /** Source, quote, and the claim where it is in other words. */
      findings: z.array(z.tuple([z.string(), z.string()]).rest(z.string())),
      /** What was written of the section; absent where the report was written as a whole. */
      text: z.optional(z.string()),
    }),
  ),
  /** The report as it was written as a whole. */
  raw: z.optional(z.string()),
  /** Texts of sources; default: their quotes. */
  sourceTexts: z.optional(z.record(z.string(), z.string())),
  /** Facts by their wordings: each stands in the body once. */
  once: z.array(z.array(z.string())),
  /** Wordings that must stand in the body. */
  keep: z.array(z.string()),
});
type Case = z.infer<typeof caseSchema>;

export interface RepeatScore {
  /** Facts that several places of the material state, and those that stand in the body more than once. */
  facts: number;
  repeated: number;
  /** Wordings that must stay, and those that are gone; facts that are gone altogether. */
  kept: number;
  lost: number;
}

export function readRepeats(set: string): Case[] {
  const file = path.join(import.meta.dirname, `repeats.${set}.jsonl`);
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => caseSchema.parse(JSON.parse(line)));
}

/** What stands in the finished reports. */
export function scoreRepeats(cases: readonly Case[], note?: (line: string) => void): RepeatScore {
  const score = { facts: 0, repeated: 0, kept: 0, lost: 0 };
  for (const one of cases) {
    const body = bodyOf(reportOf(one));
    const times = (wordings: readonly string[]): number =>
      wordings.reduce((sum, wording) => sum + body.split(wording).length - 1, 0);
    for (const fact of one.once) {
      score.facts += 1;
      if (times(fact) > 1) score.repeated += 1;
      if (times(fact) !== 1) note?.(`${one.id}: ${fact[0]} stands ${times(fact)} times`);
    }
    for (const wordings of [...one.keep.map((wording) => [wording]), ...one.once]) {
      score.kept += 1;
      if (times(wordings) > 0) continue;
      score.lost += 1;
      note?.(`${one.id}: ${wordings[0]} is gone`);
    }
  }
  return score;
}

function reportOf(one: Case): string {
  const findings = one.sections.flatMap((section) => section.findings);
  const texts = new Map<string, string>();
  for (const [id, quote] of findings)
    if (!texts.get(id)?.includes(quote)) texts.set(id, `${texts.get(id) ?? ''} ${quote}`.trim());
  const sources = [...texts].map(([id, text]) => source(id, one.sourceTexts?.[id] ?? text, { title: id }));
  const sections = one.sections.map(({ title, description, findings: own }, index): SectionState => {
    const found = own.map(([id, quote, claim]): Finding => ({ claim: claim ?? quote, quote, source: id }));
    const content = found.map(({ claim, source: id }) => `- ${claim.replace(/[.。]$/, '')} [${id}].`).join('\n');
    return {
      ...{
        id: `s${index + 1}`,
        title,
        description,
        queries: [],
        status: 'completed',
        attempt: 1,
        gaps: [],
        searched: ['web'],
      },
      sourceIds: [...new Set(own.map(([id]) => id))],
      distilled: { title, content, findings: found },
    };
  });
  const written = sections.map((section, index) => ({
    ...{ id: section.id, title: section.title, description: section.description, status: 'completed' as const },
    ...{ content: section.distilled!.content, findings: section.distilled!.findings, sourceIds: section.sourceIds },
    text: one.sections[index]!.text ?? '',
  }));
  const frame = { title: 'Report', summary: '', analysis: '', conclusion: '' };
  const raw =
    one.raw === undefined
      ? writtenReport(withoutRepeats(written), frame, { title: 'Report', language: one.language })
      : one.raw;
  const byId = new Map<string, Source>(sources.map((each) => [each.id, each]));
  const quotes = sections.map(({ id, title, distilled }) => {
    const content = distilled!.findings.map(({ source: cited, quote }) => quoteBlock(cited, quote)).join('\n\n');
    return [id, { title, content, findings: distilled!.findings }] as const;
  });
  return renderReport({
    ...{ raw, isWhole: true, title: 'Report', sections, language: one.language },
    evidence: { get: (id) => byId.get(id), byUrl: () => undefined, candidates: sources },
    given: one.sections.map(({ title }) => title).join('\n'),
    verified: new Set(),
    floor: { sections: new Map(quotes), digest: undefined },
    account: () => [],
  }).markdown;
}

/** What stands between the summary and the conclusion. */
function bodyOf(markdown: string): string {
  const parts = markdown.split(/^(?=## )/m).slice(1);
  const end = parts.findIndex((part) => isConclusionHeading(/^## (.*)/.exec(part)![1]!));
  return parts.slice(0, end === -1 ? undefined : end).join('');
}
