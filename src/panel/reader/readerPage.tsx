import { useEffect, useRef, useState } from 'preact/hooks';
import type { ReaderHostMessage, ReaderMessage, ShownReport } from '../../protocol/readerMessages.ts';
import { plain } from '../plain.ts';
import type { Cite } from '../report/reportDom.tsx';
import { useReportDom } from '../report/useReportDom.ts';
import type { Texts } from '../../protocol/texts.ts';
import { copyWithLinks } from './copyWithLinks.ts';
import { EvidenceCard, type OpenCard } from './evidenceCard.tsx';
import { citationNear, citationsOf, placeOf } from './places.ts';

export interface ReaderState {
  readonly texts: Texts;
  readonly report: ShownReport;
  /** The latest answer to `findEvidence`. */
  readonly answer: Extract<ReaderHostMessage, { type: 'evidence' }> | undefined;
}

interface ReaderPageProps {
  readonly state: ReaderState;
  readonly post: (message: ReaderMessage) => void;
  /** All of the text is in the document. */
  readonly onSettled: () => void;
}

/** Between the pointer and the card, so that a pointer on its way opens and loses none (milliseconds). */
const showAfterMs = 150;
const hideAfterMs = 300;

/** A report in a tab: contents, text, and what the citation rests on that is pointed at or focused. */
export function ReaderPage({ state, post, onSettled }: ReaderPageProps) {
  const { texts, report, answer } = state;
  const [headings, setHeadings] = useState<readonly HTMLElement[]>([]);
  const cite = useRef<Cite>((number, isTarget) => ({
    label: texts.of(isTarget ? 'reader.back' : 'reader.evidence', `[${number}]`),
  })).current;
  const element = useReportDom({ text: report.text, cite, charts: report.charts }, (settled, root) => {
    if (!settled) return;
    setHeadings((known) => changed(known, [...root.querySelectorAll<HTMLElement>('h2, h3')]));
    onSettled();
  });
  const cards = useCards(element, post);
  useEffect(() => copyWithLinks(element.current!), []);
  return (
    <main class="reader">
      {report.facts.length > 0 && (
        <p class="facts quiet" data-testid="facts">
          {report.facts.map((fact, index) => (
            <span key={index} dir="auto">
              {plain(fact)}
            </span>
          ))}
        </p>
      )}
      {/^## /m.test(report.text) && <Contents headings={headings} title={texts.of('reader.contents')} />}
      <article
        class="report markdown"
        aria-label={texts.of('report.title')}
        aria-busy={report.writing}
        data-testid="report"
        {...cards.handlers}
      >
        <div ref={element} />
        {report.writing && (
          <p class="quiet writing" role="status">
            <span class="codicon codicon-loading spin" aria-hidden="true" /> {texts.of('reader.writing')}
          </p>
        )}
      </article>
      {cards.open && answer?.id === cards.open.id && cards.open.chip.isConnected && (
        <EvidenceCard
          key={answer.id}
          {...{ texts, post, close: cards.close }}
          card={cards.open}
          evidence={answer.evidence}
        />
      )}
    </main>
  );
}

function changed(known: readonly HTMLElement[], now: readonly HTMLElement[]): readonly HTMLElement[] {
  const same = known.length === now.length && known.every((heading, index) => heading === now[index]);
  return same && known.every((heading) => heading.isConnected) ? known : now;
}

/** There from the beginning, so that nothing moves when a long report is drawn. */
function Contents({ headings, title }: { readonly headings: readonly HTMLElement[]; readonly title: string }) {
  const [isOpen, setOpen] = useState(() => window.innerWidth >= 1100);
  return (
    <nav class="contents" aria-label={title} data-testid="contents">
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{title}</summary>
        <ul>
          {(isOpen ? headings : []).map((heading, index) => (
            <li key={index} class={heading.tagName.toLowerCase()}>
              <button type="button" dir="auto" onClick={() => goTo(heading)}>
                {heading.textContent}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function goTo(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: 'start' });
}

/** Which citation's evidence is shown: the focused one's, else that under the pointer. */
function useCards(element: { readonly current: HTMLDivElement | null }, post: ReaderPageProps['post']) {
  const [open, setOpen] = useState<OpenCard | null>(null);
  const shown = useRef<OpenCard | null>(null);
  const timer = useRef(0);
  const ids = useRef(0);
  /** Where the reader came from to a reference, by its number. */
  const cameFrom = useRef(new Map<number, HTMLElement>());

  const set = (card: OpenCard | null) => {
    shown.current = card;
    setOpen(card);
  };
  const later = (ms: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(act, ms);
  };
  const show = (chip: HTMLElement) => {
    clearTimeout(timer.current);
    if (shown.current?.chip === chip) return;
    const card = { id: (ids.current += 1), chip, cited: placeOf(chip) };
    set(card);
    if (chip.dataset['target'] === undefined) cameFrom.current.set(card.cited.number, chip);
    post({ type: 'findEvidence', id: card.id, ...card.cited });
  };
  const close = (goBack = false) => {
    clearTimeout(timer.current);
    if (goBack) shown.current?.chip.focus();
    set(null);
  };
  const hide = () =>
    later(hideAfterMs, () => {
      const active = document.activeElement;
      if (!active || !(active === shown.current?.chip || active.closest('.evidence'))) close();
    });
  const follow = (chip: HTMLElement) => {
    const number = Number(chip.dataset['citation']);
    if (chip.dataset['target'] === undefined) {
      post({ type: 'openCited', copy: false, ...placeOf(chip) });
      return;
    }
    const from = cameFrom.current.get(number);
    const back = from?.isConnected ? from : citationsOf(element.current!).find((one) => isOf(one, number));
    back?.scrollIntoView({ block: 'center' });
    back?.focus({ preventScroll: true });
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && shown.current) return close(true);
      const isPlain = event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey || event.altKey);
      if (!isPlain || (event.key !== '[' && event.key !== ']')) return;
      event.preventDefault();
      citationNear(element.current!, shown.current?.chip ?? null, event.key === ']' ? 1 : -1)?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const chipOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-citation]') : null;
  const handlers = {
    onPointerOver: ({ target }: PointerEvent) => {
      const chip = chipOf(target);
      if (chip && chip !== shown.current?.chip) later(showAfterMs, () => show(chip));
      else if (chip) clearTimeout(timer.current);
      else if (shown.current) hide();
      else clearTimeout(timer.current);
    },
    onFocusIn: ({ target }: FocusEvent) => {
      const chip = chipOf(target);
      if (chip) show(chip);
    },
    onFocusOut: hide,
    onKeyDown: (event: KeyboardEvent) => {
      const first = document.querySelector<HTMLElement>('.evidence button');
      if (event.key !== 'Tab' || event.shiftKey || !first || chipOf(event.target) !== shown.current?.chip) return;
      event.preventDefault();
      first.focus();
    },
    onClick: (event: MouseEvent) => {
      const chip = chipOf(event.target);
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!chip && !link) return;
      event.preventDefault();
      // The editor would open the address as it parses it.
      event.stopPropagation();
      if (chip) follow(chip);
      else post({ type: 'openPage', url: link!.getAttribute('href')! });
    },
  };
  return { open, close, handlers };
}

function isOf(chip: HTMLElement, number: number): boolean {
  return chip.dataset['citation'] === String(number);
}
