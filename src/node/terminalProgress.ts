import { shownWarning } from '../protocol/shownWarning.ts';
import type { ResearchEvent } from '../research/ports.ts';
import { l10n } from './l10n.ts';
import { terminalLine } from './terminalLine.ts';

function phaseWords(phase: string): string {
  const words: Readonly<Record<string, string>> = {
    assess: l10n.t('Reading the question'),
    verify: l10n.t('Looking up terms'),
    analyze: l10n.t('Analyzing the question'),
    discover: l10n.t('Discovering'),
    plan: l10n.t('Planning'),
    research: l10n.t('Researching'),
    review: l10n.t('Reviewing'),
    report: l10n.t('Writing the report'),
  };
  return words[phase] ?? phase;
}

function progressWords({ tokens, waiting }: Extract<ResearchEvent, { type: 'model/progress' }>): string {
  if (waiting === 'loading') return l10n.t('the model is being loaded');
  if (waiting === 'turn') return l10n.t("waiting for the model's turn");
  return waiting === 'firstByte'
    ? l10n.t('waiting for the model')
    : l10n.t('{0, plural, one {# token} other {# tokens}} received', tokens);
}

/** One line a step for a person who watches, for some steps several; undefined for what is not worth one. */
export function progressLine(event: ResearchEvent, verbose: boolean): string | undefined {
  const said = progressOf(event, verbose);
  return typeof said === 'string' ? terminalLine(said) : said?.map(terminalLine).join('\n');
}

function progressOf(event: ResearchEvent, verbose: boolean): string | readonly string[] | undefined {
  switch (event.type) {
    case 'run/started':
      return event.model === null
        ? l10n.t('Run {0} without a model (verbatim quotes)', event.run)
        : l10n.t('Run {0} with {1}', event.run, event.model);
    case 'run/phase':
      return `${phaseWords(event.phase)} …`;
    case 'run/strategy':
      return `  ${l10n.error(event.why)}`;
    case 'plan/approved':
      return event.sections.map((section, index) => `  ${index + 1}. ${section.title}`);
    case 'section/updated':
      if (event.status === 'completed')
        return `  ${l10n.t('done: {0} ({1, plural, one {# source} other {# sources}})', event.title, event.sources)}`;
      if (event.status === 'failed')
        return `  ${l10n.t('failed: {0}', event.title)}${event.error ? ` (${l10n.error(event.error)})` : ''}`;
      if (event.status === 'pending' && event.attempt > 1) return `  ${l10n.t('again: {0}', event.title)}`;
      return verbose && event.activity !== '' ? `  ${event.title}: ${event.activity}` : undefined;
    case 'review/finished':
      return event.retry.length > 0 && !event.needsApproval
        ? `  ${l10n.t('review: {0} of 10, sent back: {1}', event.score, event.retry.length)}`
        : `  ${l10n.t('review: {0} of 10', event.score)}`;
    case 'review/decided':
      return event.retry.length > 0 ? `  ${l10n.t('sent back: {0}', event.retry.join(', '))}` : undefined;
    case 'folder/indexed':
      return `  ${l10n.t('Indexing the folder: {0} of {1, plural, one {# file} other {# files}} (Ctrl+C: answer now)', event.files, event.of)}`;
    case 'model/progress':
      return `  ${phaseWords(event.phase)}: ${progressWords(event)}`;
    case 'report/revision':
      return event.done
        ? `  ${l10n.t('revised: {0, plural, one {# part} other {# parts}}', event.changed.length)}`
        : event.points.map(
            ({ title, point }) => `  ${l10n.t('to revise: {0}', title === '' ? point : `${title}: ${point}`)}`,
          );
    case 'thought':
      return verbose ? `  ${l10n.t('thought: {0}', event.text)}` : undefined;
    case 'run/paused':
      return event.reason === 'needsAnswer'
        ? undefined
        : l10n.t('Paused: {0} Press Ctrl+C to finish or stop.', l10n.error(event.message));
    case 'run/resumed':
      return event.reason === 'network' || event.reason === 'rateLimit' ? l10n.error(event.message) : undefined;
    case 'run/warning':
      return l10n.t('Note: {0}', shownWarning(event, l10n.error));
    case 'report/finished':
      if (event.unchanged)
        return l10n.t('Nothing changed: the new text is the same as that of the report, and there is no new version.');
      return event.path === undefined ? undefined : l10n.t('Report: {0}', event.path);
    case 'run/finished':
      return [
        ...(event.gaps ?? []).map(({ gap }) => `  ${l10n.t('not answered: {0}', gap)}`),
        ...vainLines(event),
        endLine(event),
      ];
    default:
      return undefined;
  }
}

type Finished = Extract<ResearchEvent, { type: 'run/finished' }>;

function endLine({ outcome, gaps = [], ms, tokens }: Finished): string {
  const used = tokens.in + tokens.out;
  const how =
    outcome === 'notFound'
      ? l10n.t('Nothing that was searched answers the question; finished in {0} s', seconds(ms))
      : gaps.length > 0 || outcome === 'partial'
        ? l10n.t('Finished with gaps in {0} s', seconds(ms))
        : l10n.t('Finished in {0} s', seconds(ms));
  return used === 0 ? l10n.t('{0}.', how) : l10n.t('{0}, {1, plural, one {# token} other {# tokens}}.', how, used);
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/** What was searched in vain, and what can be done. */
function vainLines({ searched }: Finished): string[] {
  if (searched === undefined) return [];
  const { sources, files, nearest } = searched;
  const names = sources.map((name) =>
    name === 'workspace' && files !== undefined
      ? l10n.t('{0} ({1, plural, one {# file} other {# files}})', name, files)
      : name,
  );
  const titles = nearest.map(({ title }) => title).join('; ');
  return [
    l10n.t('searched: {0}', names.join(', ')),
    ...(nearest.length > 0 ? [l10n.t('nearest: {0}', titles)] : []),
    ...(sources.includes('web') ? [] : [l10n.t('the web was not searched: --check-sources says what that needs')]),
  ].map((line) => `  ${line}`);
}
