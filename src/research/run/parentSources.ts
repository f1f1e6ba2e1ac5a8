import * as z from 'zod';
import { sourceAdded } from '../calls/calls.ts';
import type { EvidenceRegistry } from '../evidence/registry.ts';
import type { ParentRun } from '../ports.ts';
import type { ResearchTool } from '../tools.ts';
import type { CallPort, EventPort, EvidencePort } from './runContext.ts';

const reportSchema = z.object({ report: z.string() }).nullable().catch(null);
/** Of a report, in the journal, in UTF-16 units: more is in no prompt. */
const longestReport = 20_000;

/** The finished run that is asked about. A resumed run has its report from its journal; its sources are where they were. */
export async function parentOf({ replay }: CallPort, parent: ParentRun): Promise<ParentRun> {
  const { value } = await replay.observed('parent', () => ({ report: parent.report.slice(0, longestReport) }));
  return { ...parent, report: reportSchema.parse(value)?.report ?? '' };
}

/**
 * Takes what a finished run has read into the run's sources, as far as today's settings admit it; nothing of it is copied.
 * @returns Ids, in its order.
 */
export function takeSources(
  { registry, admission, emit }: EvidencePort & EventPort,
  { documents, refresh }: Pick<ParentRun, 'documents' | 'refresh'>,
  isResumed: boolean,
): readonly string[] {
  const cited = new Set(refresh?.cited.map(({ source }) => source));
  const admitted = new Set(admission.sort(documents).admitted);
  const ids = documents
    .filter((document) => admitted.has(document))
    .map((document) => {
      // What is looked at again has no text until then: it may be another one.
      const known = cited.has(document.id) ? { ...document, text: '' } : document;
      const { source, isNew } = registry.add(known, document.retrievedAt, document.identity);
      if (isNew && !isResumed) emit(sourceAdded(source, registry.workOf(source.id)));
      return source.id;
    });
  return [...new Set(ids)];
}

/** A tool that opens pages, without a request for those that the finished run has opened; one that the user names is opened again. */
export function withOpenedPages(
  tool: ResearchTool,
  { calls = [] }: Pick<ParentRun, 'calls'>,
  registry: Pick<EvidenceRegistry, 'byUrl'>,
): ResearchTool {
  if (!tool.opensPages) return tool;
  const opened = new Set(calls.flatMap((call) => (call.tool === tool.name ? call.sources : [])));
  return {
    ...tool,
    run: async (args, context, signal) => {
      const known = typeof args['url'] === 'string' && !context.isNamed ? registry.byUrl(args['url']) : undefined;
      const isOpened = known !== undefined && opened.has(known.id) && known.text !== '';
      return isOpened ? { documents: [known] } : tool.run(args, context, signal);
    },
  };
}
