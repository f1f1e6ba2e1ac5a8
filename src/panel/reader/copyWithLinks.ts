import type { ShownReport } from '../../protocol/readerMessages.ts';

/** Copies what is selected in a report with its links; a citation links to its source's page or file. Gives what ends it. */
export function copyWithLinks(report: HTMLElement, shown: Pick<ShownReport, 'origin' | 'text'>): () => void {
  const onCopy = (event: ClipboardEvent) => {
    const selection = document.getSelection();
    if (!event.clipboardData || !selection || selection.isCollapsed || !report.contains(selection.anchorNode)) return;
    const holder = document.createElement('div');
    for (let index = 0; index < selection.rangeCount; index++)
      holder.append(selection.getRangeAt(index).cloneContents());
    for (const chart of holder.querySelectorAll('figure')) chart.remove();
    for (const chip of holder.querySelectorAll<HTMLElement>('[data-citation]')) {
      const number = chip.dataset['citation']!;
      const page = report.querySelector(`li:has([data-citation="${number}"][data-target]) a[href]`);
      const address = page?.getAttribute('href') ?? fileOf(number, shown);
      const link = document.createElement(address === undefined ? 'span' : 'a');
      if (address !== undefined) link.setAttribute('href', address);
      link.textContent = `[${number}]`;
      chip.replaceWith(link);
    }
    // Only what is in the document has lines.
    document.body.append(holder);
    const text = holder.innerText;
    holder.remove();
    for (const element of holder.querySelectorAll('[class], [dir], [tabindex]'))
      for (const name of ['class', 'dir', 'tabindex']) element.removeAttribute(name);
    event.clipboardData.setData('text/html', holder.innerHTML);
    event.clipboardData.setData('text/plain', text.replace(/\u00a0/g, ' '));
    event.preventDefault();
  };
  document.addEventListener('copy', onCopy);
  return () => document.removeEventListener('copy', onCopy);
}

/** The file that a reference links to: the page shows its path alone. */
function fileOf(number: string, { origin, text }: Pick<ShownReport, 'origin' | 'text'>): string | undefined {
  // To a notebook or PDF: only the words of the link have lines.
  const link =
    String.raw`(?:\]\((?=[^()\s]{1,2000}#L\d+-L\d+\))|#L\d+-L\d+` + '`' + String.raw`?\]\()([^()\s]{1,2000})\)`;
  const reference = new RegExp(String.raw`^- (?:<a id="ref-\d+"></a>)?\[${number}\] .*?${link}`, 'm');
  const path = reference.exec(text)?.[1];
  const isRelative = path !== undefined && !/^(?:[a-z][a-z0-9+.-]*:|[\\/])/i.test(path);
  return isRelative && origin.startsWith('file:') && URL.canParse(path, origin)
    ? new URL(path, origin).href
    : undefined;
}
