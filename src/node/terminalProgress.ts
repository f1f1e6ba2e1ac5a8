import type { ResearchEvent } from '../research/ports.ts';
import { counted } from '../research/text/counted.ts';

const phaseWords: Readonly<Record<string, string>> = {
  assess: 'Reading the question',
  verify: 'Looking up terms',
  analyze: 'Analyzing the question',
  discover: 'Discovering',
  plan: 'Planning',
  research: 'Researching',
  review: 'Reviewing',
  report: 'Writing the report',
};

function progressWords({ tokens, waiting }: Extract<ResearchEvent, { type: 'model/progress' }>): string {
  if (waiting === 'loading') return 'the model is being loaded';
  if (waiting === 'turn') return "waiting for the model's turn";
  return waiting === 'firstByte' ? 'waiting for the model' : `${counted(tokens, 'token')} received`;
}

/** One line a step for a person who watches; undefined for what is not worth one. */
export function progressLine(event: ResearchEvent, verbose: boolean): string | undefined {
  switch (event.type) {
    case 'run/started':
      return `Run ${event.run} with ${event.model ?? 'no model (verbatim quotes)'}`;
    case 'run/phase':
      return `${phaseWords[event.phase] ?? event.phase} …`;
    case 'plan/approved':
      return event.sections.map((section, index) => `  ${index + 1}. ${section.title}`).join('\n');
    case 'section/updated':
      if (event.status === 'completed') return `  done: ${event.title} (${counted(event.sources, 'source')})`;
      if (event.status === 'failed') return `  failed: ${event.title}${event.error ? ` (${event.error})` : ''}`;
      if (event.status === 'pending' && event.attempt > 1) return `  again: ${event.title}`;
      return verbose && event.activity !== '' ? `  ${event.title}: ${event.activity}` : undefined;
    case 'review/finished':
      return `  review: ${event.score} of 10${event.retry.length > 0 && !event.needsApproval ? `, sent back: ${event.retry.length}` : ''}`;
    case 'review/decided':
      return event.retry.length > 0 ? `  sent back: ${event.retry.join(', ')}` : undefined;
    case 'folder/indexed':
      return `  Indexing the folder: ${event.files.toLocaleString('en')} of ${counted(event.of, 'file')} (Ctrl+C: answer now)`;
    case 'model/progress':
      return `  ${phaseWords[event.phase] ?? event.phase}: ${progressWords(event)}`;
    case 'report/revision':
      return event.done
        ? `  revised: ${counted(event.changed.length, 'part')}`
        : event.points.map(({ title, point }) => `  to revise: ${title === '' ? '' : `${title}: `}${point}`).join('\n');
    case 'thought':
      return verbose ? `  thought: ${event.text}` : undefined;
    case 'run/paused':
      return event.reason === 'needsAnswer' ? undefined : `Paused: ${event.message} Press Ctrl+C to finish or stop.`;
    case 'run/resumed':
      return event.reason === 'network' || event.reason === 'rateLimit' ? event.message : undefined;
    case 'run/warning':
      return `Note: ${event.message}`;
    case 'report/finished':
      return event.path === undefined ? undefined : `Report: ${event.path}`;
    case 'run/finished': {
      const gaps = (event.gaps ?? []).map(({ gap }) => `  not answered: ${gap}\n`).join('');
      const how =
        event.outcome === 'notFound'
          ? 'Nothing that was searched answers the question; finished'
          : gaps !== '' || event.outcome === 'partial'
            ? 'Finished with gaps'
            : 'Finished';
      return `${gaps}${vainLines(event)}${how} in ${(event.ms / 1000).toFixed(1)} s${event.tokens.in + event.tokens.out > 0 ? `, ${counted(event.tokens.in + event.tokens.out, 'token')}` : ''}.`;
    }
    default:
      return undefined;
  }
}

/** What was searched in vain, and what can be done. */
function vainLines({ searched }: Extract<ResearchEvent, { type: 'run/finished' }>): string {
  if (searched === undefined) return '';
  const { sources, files, nearest } = searched;
  const names = sources.map((name) =>
    name === 'workspace' && files !== undefined ? `${name} (${counted(files, 'file')})` : name,
  );
  const lines = [
    `searched: ${names.join(', ')}`,
    ...(nearest.length > 0 ? [`nearest, about something else: ${nearest.map(({ title }) => title).join('; ')}`] : []),
    ...(sources.includes('web') ? [] : ['the web was not searched: --check-sources says what that needs']),
  ];
  return lines.map((line) => `  ${line}\n`).join('');
}
