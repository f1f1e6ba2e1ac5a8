// A report of 100 kB with 300 references, all of whose statements were judged: its file, what is beside it, and the events of its run.
import { withStatements } from '../../src/files/sidecarText.ts';
import type { Evidence } from '../../src/files/evidence.ts';
import { keyOf } from '../../src/files/statementKey.ts';

const sources = 300;
const cite = (number: number): string => `[[${number}]](#ref-${number})`;
const idOf = (number: number): string => `S${number.toString(16).padStart(8, '0')}`;

/** @param run Id of its run. @param end Its last words. */
export function longCitedReport(run: string, end: string) {
  const evidence: Evidence[] = [];
  const cited = (sentence: string, isUnverified = false): string => {
    const number = 1 + (evidence.length % sources);
    const text = `As it was measured on corpus ${evidence.length}: ${sentence} It was the same a year later.`;
    evidence.push({
      ...{ sentence, key: keyOf(sentence), citations: [number] },
      ...(isUnverified ? { verdict: 'unverified', reason: 'ownConclusion' } : { verdict: 'supported' }),
      passages: [{ number, source: idOf(number), text, isMarkdown: false, place: '0-200' }],
    });
    return `${sentence} ${cite(number)}`;
  };
  const section = (i: number): string => {
    const rows = ['BM25', 'Dense', 'Hybrid'].map(
      (name, row) => `| ${name} ${i} | ${cited(`0.${10 + i + row} recall`)} |`,
    );
    return [
      `## Section ${i}`,
      `${cited(`Dense retrieval number ${i} finds paraphrases, and sparse retrieval finds names and numbers.`)} ${cited(`Together they find ${i} of ten thousand passages more, which follows from both.`, true)}`,
      `- ${cited(`BM25 of set ${i} needs no training and no GPU.`)}\n- ${cited(`Dense vectors of set ${i} need both of them.`)}`,
      `| Technique | Recall |\n|---|---:|\n${rows.join('\n')}`,
    ].join('\n\n');
  };
  const sections: string[] = [];
  for (let size = 0; size < 75_000; size += sections.at(-1)!.length) sections.push(section(sections.length));
  const references = Array.from({ length: sources }, (_, index) => {
    const number = index + 1;
    return `- <a id="ref-${number}"></a>[${number}] Retrieval, part ${number}. https://corpus${number}.example/papers/${number}. Retrieved 2026-01-02`;
  });
  const front = `---\ntitle: "Retrieval"\nquestion: "How long?"\ncreated: 2026-01-02T10:00:00.000Z\nstrategy: "sections"\nmodel: "imitation-1"\nrun: "${run}"\nsources: ${sources}\ntokens: 9\ncost: null\n---\n\n`;
  const body = `# Retrieval\n\n${sections.join('\n\n')}\n\n## References\n\n${references.join('\n')}\n\n## How this report was made\n\n- ${end}\n`;
  const text = front + body;
  const sidecar = withStatements(`---\nevidenceOf: "${run}"\n---\n\n# Retrieval\n\n## References\n`, evidence, text);
  const at = '2026-01-02T10:00:00.000Z';
  const order = Array.from({ length: sources }, (_, index) => idOf(index + 1));
  const events = [
    { type: 'report/delta', offset: 0, text: body, citations: order },
    ...evidence.map(({ sentence, citations, verdict, reason, passages }, index) => ({
      ...{ type: 'report/claim', id: `C${index}`, section: 's1', offset: 0, sentence, citations, verdict },
      ...(reason && { reason }),
      passages: passages.map(({ source, text: words, place }) => ({ source, text: words, place })),
    })),
  ].map((event, seq) => JSON.stringify({ ...event, run, seq, at }));
  return { text, body, sidecar, events: `${events.join('\n')}\n`, evidence };
}
