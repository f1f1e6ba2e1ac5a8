import * as z from 'zod';
import { parseJson } from '../research/text/json.ts';

/** Cells of a notebook that are read, and UTF-16 units of one cell's outputs. */
const mostCells = 5_000;
const mostOutput = 4_000;

/** Text in a notebook is a string or a list of lines (nbformat 4). */
const multiline = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(''))]).catch('');
const output = z.object({
  output_type: z.string().catch(''),
  text: multiline,
  ename: z.string().catch(''),
  evalue: z.string().catch(''),
  data: z
    .object({ 'text/plain': multiline, 'text/markdown': multiline })
    .catch({ 'text/plain': '', 'text/markdown': '' }),
});
const cell = z.object({
  cell_type: z.string(),
  source: multiline,
  outputs: z.array(z.unknown()).catch([]),
});
const notebook = z.object({
  cells: z.array(z.unknown()),
  metadata: z
    .object({ language_info: z.object({ name: z.string() }).partial().catch({}) })
    .partial()
    .catch({}),
});

/**
 * A Jupyter notebook (nbformat 4) as Markdown: its text, its code in fences, what the code printed. Pictures and other binary
 * outputs are left out. Undefined for a text that is no notebook. Total on any string, linear.
 */
export function notebookText(json: string): string | undefined {
  const { data } = notebook.safeParse(parseJson(json));
  if (data === undefined) return undefined;
  const language = /^[\w+#-]{1,20}$/.exec(data.metadata.language_info?.name ?? '')?.[0] ?? '';
  return data.cells
    .slice(0, mostCells)
    .flatMap((given, index) => {
      const { data: known } = cell.safeParse(given);
      return known === undefined ? [] : cellParts(known, index + 1, language);
    })
    .join('\n\n')
    .trim();
}

function cellParts({ cell_type, source, outputs }: z.infer<typeof cell>, number: number, language: string): string[] {
  const text = source.trimEnd();
  if (cell_type !== 'code') return text.trim() === '' ? [] : [text];
  const printed = outputs
    .slice(0, 100)
    .map(outputText)
    .filter((one) => one !== '')
    .join('\n')
    .slice(0, mostOutput);
  return [
    ...(text.trim() === '' ? [] : [`Cell ${number}:\n\n${fenced(text, language)}`]),
    ...(printed === '' ? [] : [`Output of cell ${number}:\n\n${fenced(printed, '')}`]),
  ];
}

function outputText(given: unknown): string {
  const { data: known } = output.safeParse(given);
  if (known === undefined) return '';
  const { output_type, text, ename, evalue, data } = known;
  if (output_type === 'error') return `${ename}: ${evalue}`.slice(0, mostOutput);
  const shown = output_type === 'stream' ? text : data['text/markdown'] || data['text/plain'];
  // Colours of a terminal say nothing in a quote.
  return shown
    .slice(0, 2 * mostOutput)
    .replace(/\u001b\[[\d;]{0,20}[A-Za-z]/g, '')
    .trimEnd();
}

function fenced(text: string, language: string): string {
  const marks = [...text.matchAll(/^`{3,}/gm)].reduce((most, [run]) => Math.max(most, run.length + 1), 3);
  const fence = '`'.repeat(Math.min(marks, 20));
  return `${fence}${language}\n${text}\n${fence}`;
}
