import { runRecordSchema } from '../../protocol/runRecord.ts';
import { createdOf, type RunSummary } from './runEntry.ts';

/** Enough to recognise and to search a question by; the list of thousands of runs stays small. */
const longestQuestion = 2_000;

/** The summary of a record's text. What is no record of this run is told as such, and never an error. */
export function readSummary(run: string, text: string): RunSummary {
  const raw = parseJson(text);
  if (typeof raw !== 'object' || raw === null) return unreadable(run, 'damaged');
  // The settings are the larger half of a record, and nothing of them is shown.
  const { data } = runRecordSchema.safeParse({ ...raw, settings: {} });
  if (data?.run !== run)
    return unreadable(
      run,
      'version' in raw && typeof raw.version === 'number' && raw.version > 1 ? 'newer' : 'damaged',
    );
  const { status, question, created, ended, title, name, strategy, model, outcome, cited, failure, workspace, path } =
    data;
  return {
    ...{ run, status, created, strategy, model, question: question.slice(0, longestQuestion) },
    ...(ended === undefined ? {} : { ended }),
    ...(title === undefined ? {} : { title }),
    ...(name === undefined ? {} : { name }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(cited === undefined ? {} : { cited }),
    ...(failure === undefined ? {} : { failure: failure.message }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(path === undefined ? {} : { path }),
  };
}

export function unreadable(run: string, status: 'damaged' | 'newer'): RunSummary {
  return { run, status, question: '', created: createdOf(run), strategy: '', model: null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
