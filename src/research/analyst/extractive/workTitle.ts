import type { Source } from '../../evidence/source.ts';

/** The title of a source taken apart: a passage of a file is titled "Document › Section (file.md)" by the workspace's tools. */
export interface WorkTitle {
  readonly document: string;
  /** Headings below the document's title; "" when there is none. */
  readonly section: string;
}

export function workTitle({ title, file }: Pick<Source, 'title' | 'file'>): WorkTitle {
  const whole = (file ? title.replace(/ \([^()]*\.[^().]+\)$/, '') : title).replace(/\s+/g, ' ').trim();
  const [document = '', ...rest] = file ? whole.split(' › ') : [whole];
  return { document, section: rest.join(' › ') };
}
