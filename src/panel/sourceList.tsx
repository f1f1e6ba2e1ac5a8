import type { DocumentKind } from '../protocol/messages.ts';
import { countWorks } from '../protocol/countWorks.ts';
import type { SourceView } from '../protocol/runView.ts';
import { Disclosure, Foreign, Icon } from './controls.tsx';
import { memo } from './memo.ts';
import { type Panel, usePanel } from './panelContext.ts';
import { plain } from './plain.ts';

interface SourceListProps {
  readonly sources: readonly SourceView[];
  readonly citations: readonly string[];
}

/** Everything that was retrieved, the cited first and by number. */
export const SourceList = memo(function SourceList({ sources, citations }: SourceListProps) {
  const panel = usePanel();
  const { texts } = panel;
  return (
    <Disclosure name="sources" title={texts.of('sources.title')} note={texts.number(countWorks(sources))}>
      {() => (
        <ul class="sources">
          {ordered(sources, citations).map((source) => (
            <li key={source.id}>{sourceButton(source, citations.indexOf(source.id) + 1, panel)}</li>
          ))}
        </ul>
      )}
    </Disclosure>
  );
});

function sourceButton(source: SourceView, number: number, panel: Panel) {
  const { texts, host } = panel;
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
      {number > 0 && (
        <span class="source-number">
          <span aria-hidden="true">{number}</span>
          <span class="visually-hidden">{texts.of('sources.cited', number)}</span>
        </span>
      )}
    </button>
  );
}

/** Title, kind, date and address of a source. */
export function sourceTooltip(source: SourceView, panel: Pick<Panel, 'kinds'>): string {
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

function ordered(sources: readonly SourceView[], citations: readonly string[]): SourceView[] {
  const places = new Map(citations.map((id, i) => [id, i]));
  const place = (source: SourceView) => places.get(source.id) ?? Infinity;
  // Two that are not cited compare as NaN, which sorts like 0.
  return [...sources].sort((a, b) => place(a) - place(b) || 0);
}
