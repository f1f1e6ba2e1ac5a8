import { type Depth, depths } from '../../protocol/planBounds.ts';
import { runIdPattern } from '../../protocol/runFolder.ts';

/** What a model asks of the tool. */
export type ToolInput =
  | {
      readonly question: string;
      readonly depth?: Depth;
      /** Names of sources; undefined: all that are enabled. */
      readonly sources?: readonly string[];
    }
  | { readonly resume: string; readonly finish: boolean };

/** More than there are. */
const mostSources = 50;

/** Reads what a model passed; the editor does not check it. Throws an error whose words are for the model. */
export function readToolInput(input: unknown): ToolInput {
  const { question, depth, sources, resume, finish } = (
    typeof input === 'object' && input !== null ? input : {}
  ) as Readonly<Record<string, unknown>>;
  if (resume !== undefined && resume !== '') {
    if (typeof resume !== 'string' || !runIdPattern.test(resume))
      throw new Error('"resume" must be the id of a run, as an earlier result of this tool gave it.');
    return { resume, finish: finish === true };
  }
  if (typeof question !== 'string' || question.trim() === '')
    throw new Error('"question" must say what to find out, in one or more sentences that stand alone.');
  if (depth !== undefined && !depths.includes(depth as Depth))
    throw new Error(`"depth" must be one of ${depths.join(', ')}, or left out.`);
  const isList = Array.isArray(sources) && sources.every((one) => typeof one === 'string');
  if (sources !== undefined && (!isList || sources.length > mostSources))
    throw new Error('"sources" must be a list of names, or left out to search all that are enabled.');
  return {
    question: question.trim(),
    ...(depth !== undefined && { depth: depth as Depth }),
    ...(isList && sources.length > 0 && { sources: sources }),
  };
}

/** The wanted sources among those that are enabled: a model can leave some out and adds none. Throws when nothing is left. */
export function narrowedSources(
  wanted: readonly string[] | undefined,
  enabled: readonly string[],
): readonly string[] | undefined {
  if (wanted === undefined) return undefined;
  const shared = enabled.filter((name) => wanted.includes(name));
  if (shared.length > 0) return shared;
  throw new Error(
    `None of these sources is enabled. Enabled: ${enabled.join(', ')}. Leave "sources" out to search all.`,
  );
}
