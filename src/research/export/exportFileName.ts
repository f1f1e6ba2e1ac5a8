import type { ExportFormat } from '../../protocol/ports.ts';
import type { RunRecord } from '../../protocol/runRecord.ts';
import { reportFileName } from '../report/reportFile.ts';

const extensions: Readonly<Record<ExportFormat, string>> = {
  html: 'html',
  docx: 'docx',
  bibtex: 'bib',
  'csl-json': 'json',
  zip: 'zip',
};

/** A file name to propose for an export: the run's date and what it is called, as its report is named. */
export function exportFileName(
  record: Pick<RunRecord, 'created' | 'question' | 'title' | 'name'>,
  format: ExportFormat,
): string {
  const called =
    [record.name, record.title, record.question].find((text) => text !== undefined && text.trim() !== '') ?? '';
  return reportFileName(record.created.slice(0, 10), called).replace(/\.md$/, `.${extensions[format]}`);
}
