/** Copies what is selected in a report with its links; a citation links to its source's page. Gives what ends it. */
export function copyWithLinks(report: HTMLElement): () => void {
  const onCopy = (event: ClipboardEvent) => {
    const selection = document.getSelection();
    if (!event.clipboardData || !selection || selection.isCollapsed || !report.contains(selection.anchorNode)) return;
    const holder = document.createElement('div');
    for (let index = 0; index < selection.rangeCount; index++)
      holder.append(selection.getRangeAt(index).cloneContents());
    for (const chart of holder.querySelectorAll('figure')) chart.remove();
    for (const chip of holder.querySelectorAll<HTMLElement>('[data-citation]')) {
      const number = chip.dataset['citation']!;
      const address = report.querySelector(`li:has([data-citation="${number}"][data-target]) a[href]`);
      const link = document.createElement(address ? 'a' : 'span');
      if (address) link.setAttribute('href', address.getAttribute('href')!);
      link.textContent = `[${number}]`;
      chip.replaceWith(link);
    }
    for (const element of holder.querySelectorAll('[class], [dir], [tabindex]'))
      for (const name of ['class', 'dir', 'tabindex']) element.removeAttribute(name);
    event.clipboardData.setData('text/html', holder.innerHTML);
    event.clipboardData.setData('text/plain', selection.toString().replace(/\u00a0/g, ' '));
    event.preventDefault();
  };
  document.addEventListener('copy', onCopy);
  return () => document.removeEventListener('copy', onCopy);
}
