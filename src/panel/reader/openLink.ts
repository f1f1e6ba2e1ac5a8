import type { ReaderMessage } from '../../protocol/readerMessages.ts';

export type LinkMessage = Extract<ReaderMessage, { type: 'openPage' }>;

/** The editor would open the address as it parses it. */
export function openLink(event: MouseEvent, post: (message: LinkMessage) => void): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!link) return;
  event.preventDefault();
  event.stopPropagation();
  post({ type: 'openPage', url: link.getAttribute('href')! });
}
