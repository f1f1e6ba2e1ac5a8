import { useRef } from 'preact/hooks';
import { keysOf } from '../protocol/setupLine.ts';
import { useInSight } from './cardFocus.ts';
import { Button, Foreign, Icon } from './controls.tsx';
import { usePanel } from './panelContext.ts';
import type { PanelState } from './panelStore.ts';
import { shownAs } from './sourceChooser.tsx';

/** Nothing that was searched answers: what was searched, what came nearest, and what can be done. */
export function NotFoundCard({ view, setup }: Pick<PanelState, 'view' | 'setup'>) {
  const { texts, host, kinds, send, compose } = usePanel();
  const card = useRef<HTMLElement>(null);
  useInSight(card);
  const { sources = [], files, nearest = [] } = view.end?.searched ?? {};
  const names = sources.map((name) => {
    const label = setup.sources.find((source) => source.name === name)?.label ?? shownAs(name, kinds).label;
    return name === 'workspace' && files !== undefined ? `${label} (${texts.of('notFound.files', files)})` : label;
  });
  // What was searched already is not offered.
  const web = setup.web === undefined || sources.includes('web') ? undefined : setup.web;
  const searchWeb = (): void => {
    const all = [...new Set([...setup.sources.map(({ name }) => name), 'web'])];
    if (web!.hosts.length > 0) send('start', { type: 'start', question: view.question, sources: all });
    else host.post({ type: 'setKey', provider: web!.keys[0]!.service });
  };
  const attach = (): void => {
    compose(view.question);
    host.post({ type: 'pickDocuments' });
  };
  return (
    <section ref={card} class="card" role="status" data-read-first data-testid="not-found">
      <h2>
        <Icon name="search-stop" />
        {texts.of('notFound.line')}
      </h2>
      {names.length > 0 && (
        <p class="quiet" data-testid="not-found-searched">
          {texts.of('notFound.searched', texts.list(names))}
        </p>
      )}
      {nearest.length > 0 && (
        <div data-testid="nearest">
          <p>{texts.of('notFound.nearest')}</p>
          <ul>
            {nearest.map(({ source, title }) => (
              <li key={source}>
                <button type="button" class="button link" onClick={() => host.post({ type: 'openSource', id: source })}>
                  <Foreign text={title} />
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {web && (
        <p class="quiet" data-testid="not-found-web">
          {web.hosts.length > 0
            ? texts.of('notFound.webAsks', texts.list(web.hosts))
            : texts.of('notFound.webKey', keysOf(web, texts))}
        </p>
      )}
      <div class="actions">
        {web && (
          <Button look="primary" icon="globe" testId="search-web" onClick={searchWeb}>
            {texts.of('notFound.web')}
          </Button>
        )}
        <Button icon="attach" testId="not-found-attach" onClick={attach}>
          {texts.of('attach.add')}
        </Button>
        <Button icon="edit" testId="edit-question" onClick={() => compose(view.question)}>
          {texts.of('notFound.rephrase')}
        </Button>
        <Button icon="sparkle" testId="end-select-model" onClick={() => host.post({ type: 'selectModel' })}>
          {texts.of('action.selectModel')}
        </Button>
      </div>
    </section>
  );
}
