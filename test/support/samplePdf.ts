/** One line of a page: its text, and the size of its type (11 when absent); or operators of the page's content. */
export type PdfLine = string | { readonly text: string; readonly size: number } | { readonly content: string };

/**
 * A PDF of these pages in Helvetica, as a plain writer makes it, with a picture `/Im1`, a layer `/Off` that is off, and the states `/Faint`
 * and `/Half`. Characters beyond Latin-1 are not supported.
 */
export function samplePdf(pages: readonly (readonly PdfLine[])[], info: Readonly<Record<string, string>> = {}): Buffer {
  const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&');
  const objects: string[] = [];
  const add = (text: string): number => objects.push(text);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add('');
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  const picture = add(
    `<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 4 >>\nstream\n\x10\x10\x10\x10\nendstream`,
  );
  const layer = add('<< /Type /OCG /Name (Layer) >>');
  objects[0] = `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [${layer} 0 R] /D << /OFF [${layer} 0 R] >> >> >>`;
  const resources = `/Font << /F1 3 0 R >> /XObject << /Im1 ${picture} 0 R >> /Properties << /Off ${layer} 0 R >> /ExtGState << /Faint << /ca 0.02 >> /Half << /ca 0.5 >> >>`;
  const kids = pages.map((lines) => {
    let y = 780;
    const content = lines
      .map((line) => {
        if (typeof line === 'object' && 'content' in line) return line.content;
        const { text, size } = typeof line === 'string' ? { text: line, size: 11 } : line;
        y -= text === '' ? 14 : size * 1.3;
        return text === '' ? '' : `BT /F1 ${size} Tf 60 ${y.toFixed(1)} Td (${escaped(text)}) Tj ET`;
      })
      .join('\n');
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << ${resources} >> /Contents ${stream} 0 R >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`;
  const fields = Object.entries(info).map(([name, value]) => `/${name} (${escaped(value)})`);
  const described = add(`<< ${fields.join(' ')} >>`);
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  file += offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${described} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
