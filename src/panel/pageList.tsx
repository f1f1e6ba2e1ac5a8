import { useState } from 'preact/hooks';
import type { PageView, RunView } from '../protocol/runView.ts';
import { Button, Disclosure, Foreign, Icon, TextBox } from './controls.tsx';
import { memo } from './memo.ts';
import { usePanel } from './panelContext.ts';
import { useRunState } from './runState.ts';

interface PageListProps {
  readonly pages: RunView['pages'];
  readonly status: RunView['status'];
  /** Addresses of the pages that are attached to the next run. */
  readonly attached: readonly string[];
}

/** Pages that could not be read, with the reason, and a form to give the text of each. */
export const PageList = memo(function PageList({ pages, status, attached }: PageListProps) {
  const { texts, rerun } = usePanel();
  const isWaiting = pages.some(({ url }) => attached.includes(url));
  return (
    <Disclosure
      name="pages"
      title={texts.of('pages.title')}
      icon="warning"
      note={texts.number(pages.filter(({ source }) => source === undefined).length)}
    >
      {() => (
        <>
          <p class="quiet">{texts.of('pages.intro')}</p>
          <ul class="pages">
            {pages.map((page) => (
              <li key={page.url} class="page" data-testid="page">
                <Page page={page} isAttached={attached.includes(page.url)} />
              </li>
            ))}
          </ul>
          {isWaiting && status === 'finished' && (
            <div class="actions">
              <Button look="primary" icon="debug-restart" testId="rerun-with-pages" onClick={rerun}>
                {texts.of('pages.rerun')}
              </Button>
            </div>
          )}
        </>
      )}
    </Disclosure>
  );
});

function Page({ page, isAttached }: { readonly page: PageView; readonly isAttached: boolean }) {
  const { texts, host } = usePanel();
  const { url, why, source } = page;
  const [text, type] = useRunState(`page/${url}`, '');
  const [open, setOpen] = useState(text !== '');
  const state = source !== undefined ? 'pages.taken' : isAttached ? 'pages.attached' : null;
  const close = () => {
    type('');
    setOpen(false);
  };
  const give = () => {
    host.post({ type: 'givePage', url, text });
    close();
  };
  return (
    <>
      <button
        type="button"
        class="button link"
        title={texts.of('pages.open')}
        onClick={() => host.post({ type: 'openPage', url })}
      >
        <Foreign text={url} />
      </button>
      <Foreign as="p" class="quiet" text={why} />
      {state !== null ? (
        <p class="page-state" role="status" data-testid="page-state">
          <Icon name="check" /> {texts.of(state)}
        </p>
      ) : (
        <div class="actions">
          <Button testId="page-paste" onClick={() => setOpen(!open)}>
            {texts.of('pages.paste')}
          </Button>
          <Button icon="file-pdf" testId="page-file" onClick={() => host.post({ type: 'givePageFile', url })}>
            {texts.of('pages.file')}
          </Button>
        </div>
      )}
      {open && state === null && <PasteForm {...{ url, text }} onType={type} onGive={give} onCancel={close} />}
    </>
  );
}

interface PasteFormProps {
  readonly url: string;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onGive: () => void;
  readonly onCancel: () => void;
}

function PasteForm({ url, text, onType, onGive, onCancel }: PasteFormProps) {
  const { texts } = usePanel();
  const isEmpty = text.trim() === '';
  return (
    <div class="page-form">
      <TextBox
        testId="page-text"
        rows={6}
        aria-label={texts.of('pages.textOf', url)}
        placeholder={texts.of('pages.placeholder')}
        value={text}
        box={(box) => {
          if (box && text === '') box.focus();
        }}
        onType={onType}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <div class="actions">
        <Button look="primary" testId="page-give" disabled={isEmpty} onClick={onGive}>
          {texts.of('pages.give')}
        </Button>
        <Button testId="page-cancel" onClick={onCancel}>
          {texts.of('pages.cancel')}
        </Button>
      </div>
    </div>
  );
}
