/** CSV with semicolons and decimal commas, as the town's spreadsheet wants it. Encoding: UTF-8 with BOM. */
export function toCsv(rows: readonly Row[]): string {
  return '\uFEFF' + rows.map((row) => row.map(cell).join(';')).join('\r\n');
}
