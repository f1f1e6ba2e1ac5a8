import type { SourceView } from '../protocol/runView.ts';
import { Disclosure, Foreign, Icon } from './controls.tsx';
import { memo } from './memo.ts';
import { type Panel, usePanel } from './panelContext.ts';
import { plain } from './plain.ts';
import type { Texts } from './texts.ts';

interface SourceListProps {
  readonly sources: readonly SourceView[];
  readonly citations: readonly string[];
}

const icons: Readonly<Record<string, string>> = {
  arxiv: 'mortar-board',
  scholarly: 'mortar-board',
  huggingface: 'mortar-board',
  github: 'github',
  workspace: 'file',
  hackernews: 'comment-discussion',
  blog: 'note',
  mcp: 'plug',
};

/** Everything that was retrieved, the cited first and by number. */
export const SourceList = memo(function SourceList({ sources, citations }: SourceListProps) {
  const panel = usePanel();
  const { texts } = panel;
  return (
    <Disclosure name="sources" title={texts.of('sources.title')} note={texts.number(sources.length)} initially={false}>
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

function sourceButton(source: SourceView, number: number, { texts, host }: Panel) {
  return (
    <button
      type="button"
      class="source"
      data-testid="source"
      data-source={source.id}
      title={sourceTooltip(source, texts)}
      onClick={() => host.post({ type: 'openSource', id: source.id })}
    >
      <Icon name={icons[source.kind] ?? 'globe'} />
      <span class="source-text">
        <Foreign class="source-title" text={source.title || source.url || source.id} />
        <Foreign class="quiet source-facts" text={factsOf(source, texts).join(' · ')} />
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
export function sourceTooltip(source: SourceView, texts: Texts): string {
  const facts = [kindOf(source, texts), source.date ?? ''].filter((fact) => fact !== '').join(' · ');
  return [source.title, facts, source.url ?? placeOf(source)]
    .map(plain)
    .filter((line) => line !== '')
    .join('\n');
}

function factsOf(source: SourceView, texts: Texts): string[] {
  return [kindOf(source, texts), source.date ?? '', placeOf(source)].filter(
    (fact) => fact !== '' && fact !== source.title,
  );
}

function kindOf({ kind }: SourceView, texts: Texts): string {
  return texts.maybe(`kind.${kind}`) ?? '';
}

/** The lines of a file, or the site of a page unless the kind names it. */
function placeOf({ kind, url, file }: SourceView): string {
  if (file) return `${file.path}:${file.firstLine}-${file.lastLine}`;
  if (kind === 'arxiv' || kind === 'github' || url === undefined || !URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^www\./, '');
}

function ordered(sources: readonly SourceView[], citations: readonly string[]): SourceView[] {
  const places = new Map(citations.map((id, i) => [id, i]));
  const place = (source: SourceView) => places.get(source.id) ?? Infinity;
  // Two that are not cited compare as NaN, which keeps their order as 0 does.
  return [...sources].sort((a, b) => place(a) - place(b) || 0);
}
