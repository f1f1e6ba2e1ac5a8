import { useState } from 'preact/hooks';
import type { DocumentKind } from '../protocol/messages.ts';
import type { SourceView } from '../protocol/runView.ts';
import { isFound, type Work, worksOf } from '../protocol/works.ts';
import { Disclosure, Foreign, Icon, IconButton } from './controls.tsx';
import { memo } from './memo.ts';
import { type Panel, usePanel } from './panelContext.ts';
import { plain } from './plain.ts';

interface SourceListProps {
  readonly sources: readonly SourceView[];
  readonly citations: readonly string[];
}

/** From so many works on there is a box to find one. */
const leastToFind = 8;

/** Everything that was retrieved: works, the cited first and by number, each with its passages. */
export const SourceList = memo(function SourceList({ sources, citations }: SourceListProps) {
  const { texts } = usePanel();
  const works = worksOf(sources, citations);
  const cited = works.filter(({ numbers }) => numbers.length > 0).length;
  const note = cited === 0 ? texts.number(works.length) : texts.of('sources.count', cited, works.length);
  return (
    <Disclosure name="sources" title={texts.of('sources.title')} note={note}>
      {() => <Works works={works} />}
    </Disclosure>
  );
});

function Works({ works }: { readonly works: readonly Work[] }) {
  const panel = usePanel();
  const [query, setQuery] = useState('');
  const label = panel.texts.of('sources.find');
  return (
    <>
      {works.length >= leastToFind && (
        <input
          class="input sources-find"
          type="search"
          data-testid="sources-find"
          placeholder={label}
          aria-label={label}
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      )}
      <ul class="sources">
        {works
          .filter((work) => isFound(work, query))
          .map((work) => (
            <li key={work.source.id} class="section-row">
              <div class="source-parts">{workOf(work, panel)}</div>
              <LeaveOut {...work} />
            </li>
          ))}
      </ul>
    </>
  );
}

/** Has the report written again without a work. */
function LeaveOut({ source, numbers }: Work) {
  const { texts, run, thread, hasModel, sent, send } = usePanel();
  // The numbers of a follow-up are its own.
  const isOwn = hasModel && thread !== null && (thread.report ?? thread).run === run;
  const choice = isOwn ? thread.choices.find(({ as }) => as === 'rewrite') : undefined;
  if (choice === undefined || numbers.length === 0) return null;
  return (
    <IconButton
      icon="exclude"
      label={texts.of('followUp.leaveOut', plain(source.title || source.id), choice.description)}
      testId="leave-out"
      disabled={sent === 'followUp'}
      onClick={() => send('followUp', { type: 'followUp', question: '', as: 'rewrite', without: numbers })}
    />
  );
}

function workOf({ source, passages, numbers }: Work, panel: Panel) {
  const others = passages.slice(1).filter((one, place) => numbers.length > place + 1 && one.file !== undefined);
  return (
    <>
      {sourceButton(source, others.length > 0 ? numbers.slice(0, 1) : numbers, panel)}
      {others.map((passage, place) => (
        <button
          key={passage.id}
          type="button"
          class="source source-passage"
          data-testid="source-passage"
          title={sourceTooltip(passage, panel)}
          onClick={() => panel.host.post({ type: 'openSource', id: passage.id })}
        >
          <Foreign class="quiet source-text" text={placeOf(passage, panel)} />
          {numberOf(numbers[place + 1]!, panel)}
        </button>
      ))}
    </>
  );
}

function numberOf(number: number, { texts }: Panel) {
  return (
    <span key={number} class="source-number">
      <span aria-hidden="true">{number}</span>
      <span class="visually-hidden">{texts.of('sources.cited', number)}</span>
    </span>
  );
}

function sourceButton(source: SourceView, shown: readonly number[], panel: Panel) {
  const { host } = panel;
  return (
    <button
      type="button"
      class="source"
      data-testid="source"
      data-source={source.id}
      title={sourceTooltip(source, panel)}
      onClick={() => host.post({ type: 'openSource', id: source.id })}
    >
      <Icon name={kindOf(source, panel)?.icon ?? 'globe'} />
      <span class="source-text">
        <Foreign class="source-title" text={source.title || source.url || source.id} />
        <Foreign class="quiet source-facts" text={factsOf(source, panel).join(' · ')} />
      </span>
      {shown.map((number) => numberOf(number, panel))}
    </button>
  );
}

/** Title, kind, date and address of a source. */
function sourceTooltip(source: SourceView, panel: Pick<Panel, 'kinds'>): string {
  const facts = [kindOf(source, panel)?.label ?? '', source.date ?? ''].filter((fact) => fact !== '').join(' · ');
  return [source.title, facts, source.url ?? placeOf(source, panel)]
    .map(plain)
    .filter((line) => line !== '')
    .join('\n');
}

function factsOf(source: SourceView, panel: Panel): string[] {
  return [kindOf(source, panel)?.label ?? '', source.date ?? '', placeOf(source, panel)].filter(
    (fact) => fact !== '' && fact !== source.title,
  );
}

function kindOf({ kind }: SourceView, { kinds }: Pick<Panel, 'kinds'>): DocumentKind | undefined {
  return kinds.find(({ name }) => name === kind);
}

/** The lines of a file, or the site of a page unless the kind says it already. */
function placeOf(source: SourceView, panel: Pick<Panel, 'kinds'>): string {
  const { url, file } = source;
  if (file) return `${file.path}:${file.firstLine}-${file.lastLine}`;
  if (url === undefined || !URL.canParse(url)) return '';
  const host = new URL(url).hostname.replace(/^www\./, '');
  return kindOf(source, panel)?.pageHosts.includes(host) ? '' : host;
}
