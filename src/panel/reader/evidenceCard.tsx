import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ReaderHostMessage, ShownEvidence } from '../../protocol/readerMessages.ts';
import { plain } from '../plain.ts';
import type { Texts } from '../../protocol/texts.ts';
import type { CardMessage, OpenCard, useCards } from './useCards.ts';

interface EvidenceCardProps {
  readonly texts: Texts;
  readonly cards: Pick<ReturnType<typeof useCards>, 'open' | 'close'>;
  /** The latest answer to `findEvidence`. */
  readonly answer: Extract<ReaderHostMessage, { type: 'evidence' }> | null | undefined;
  readonly post: (message: CardMessage) => void;
}

/** What the statement rests on whose citation is pointed at or focused. */
export function EvidenceCard({ texts, cards: { open, close }, answer, post }: EvidenceCardProps) {
  if (!open || answer?.id !== open.id || !open.chip.isConnected) return null;
  return <Card key={answer.id} {...{ texts, card: open, evidence: answer.evidence, post, close }} />;
}

interface CardProps extends Pick<EvidenceCardProps, 'texts' | 'post'> {
  readonly card: OpenCard;
  readonly evidence: ShownEvidence;
  readonly close: (goBack?: boolean) => void;
}

/** Verdict, passages, source, and what can be opened. */
function Card({ texts, card, evidence, post, close }: CardProps) {
  const element = useRef<HTMLDivElement>(null);
  const { statement, verdict, judged, title, facts, passages, opens, hasCopy } = evidence;
  const { chip, cited } = card;
  const isStatement = cited.block !== '';
  const report = chip.closest('.report');
  const reference = report?.querySelector<HTMLElement>(`[data-citation="${cited.number}"][data-target]`);
  useLayoutEffect(() => place(element.current!, chip), [card]);
  const open = (copy: boolean) => post({ type: 'openCited', copy, ...cited });
  return (
    <div
      ref={element}
      class="evidence"
      role="status"
      aria-label={texts.of('reader.evidence', `[${cited.number}]`)}
      data-testid="evidence"
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Element && relatedTarget.closest('.evidence'))) close();
      }}
    >
      {verdict !== '' && (
        <p class={`verdict ${judged}`} data-testid="verdict">
          {judged === 'unverified' && <span class="codicon codicon-warning" aria-hidden="true" />}
          {plain(verdict)}
        </p>
      )}
      {passages.map(({ before, marked, after }, index) => (
        <blockquote key={index} dir="auto" data-testid="passage">
          {plain(before)}
          {marked !== '' && <mark>{plain(marked)}</mark>}
          {plain(after)}
        </blockquote>
      ))}
      {passages.length === 0 && isStatement && <p class="quiet">{texts.of('reader.noPassage')}</p>}
      <p class="cited-source">
        <span dir="auto">{plain(title)}</span>
        {facts.length > 0 && (
          <span class="quiet" dir="auto">
            {facts.map(plain).join(' · ')}
          </span>
        )}
      </p>
      <p class="evidence-actions">
        {opens !== 'none' && (
          <button type="button" data-testid="open-cited" onClick={() => open(false)}>
            {texts.of(opens === 'page' ? 'reader.openPage' : 'reader.openFile')}
          </button>
        )}
        {hasCopy && (
          <button type="button" data-testid="open-copy" onClick={() => open(true)}>
            {texts.of('reader.copy')}
          </button>
        )}
        {isStatement && reference && (
          <button type="button" data-testid="to-reference" onClick={() => goTo(reference)}>
            {texts.of('reader.reference')}
          </button>
        )}
        {statement !== undefined && (
          <button type="button" data-testid="challenge" onClick={() => post({ type: 'challenge', statement })}>
            {texts.of('reader.challenge')}
          </button>
        )}
      </p>
    </div>
  );
}

function goTo(reference: HTMLElement): void {
  reference.scrollIntoView({ block: 'center' });
  reference.focus({ preventScroll: true });
}

/** Below a place in the report, above it where there is more room; never beyond the sides of the page. */
export function place(card: HTMLElement, chip: Pick<Element, 'getBoundingClientRect'>): void {
  const { top, bottom, left, right } = chip.getBoundingClientRect();
  const side = 8;
  const gap = 4;
  const isAbove = window.innerHeight - bottom < card.offsetHeight + gap && top > window.innerHeight - bottom;
  const room = (isAbove ? top : window.innerHeight - bottom) - gap - side;
  card.style.maxBlockSize = `${Math.max(room, 120)}px`;
  const y = isAbove ? top - gap - card.offsetHeight : bottom + gap;
  const middle = (left + right) / 2 - card.offsetWidth / 2;
  // Without the gutter of the scroll bar.
  const width = document.body.clientWidth;
  const x = Math.max(Math.min(middle, width - card.offsetWidth - side), side);
  card.style.top = `${y + window.scrollY}px`;
  card.style.left = `${x}px`;
}
