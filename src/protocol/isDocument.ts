/** Whether the text of a file is extracted: neither its size nor the lines of its text are those of the file. */
export function isDocument(path: string): boolean {
  return /\.(?:pdf|ipynb)$/i.test(path);
}
