import {
  AlignmentType,
  Bookmark,
  BorderStyle,
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  InternalHyperlink,
  type IParagraphOptions,
  type IRunOptions,
  LevelFormat,
  Packer,
  Paragraph,
  type ParagraphChild,
  Table as DocxTable,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { stripHidden } from '../../markdown/hidden.ts';
import type { Block, Cell, List, ListItem, Table } from '../../markdown/readDocument.ts';
import { wordsOf, type Citation, type Inline } from '../../markdown/tree.ts';
import {
  type EvidenceLookup,
  evidenceOfNodes,
  exportedReport,
  type ExportedEvidence,
  type ExportedReport,
  type RunFacts,
} from './exportedReport.ts';

/** Between the margins of an A4 page, and what a level of a list or a quotation is indented by (twentieths of a point). */
const [pageWidth, indent] = [9_026, 425];
/** Levels of lists that Word has. */
const mostLevels = 9;
const headings = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
] as const;
const monospaced = { font: 'Consolas', noProof: true } as const;

/**
 * A report as a Word document. A citation is a footnote with its reference, what became of its statement and the passages that this
 * rests on; the list of references stays at the end, and footnotes lead to it.
 */
export function reportDocx(report: string, run: RunFacts, evidenceOf: EvidenceLookup): Promise<Uint8Array> {
  const exported = exportedReport(report, run);
  return Packer.pack(new DocxWriter(exported, evidenceOf).write(), 'uint8array');
}

/** Where a block is: inside of lists, of a quotation. */
interface Place {
  readonly level: number;
  readonly options: IParagraphOptions;
}

function listLevels(format: (typeof LevelFormat)['BULLET' | 'DECIMAL'], first: number) {
  return Array.from({ length: mostLevels }, (_, level) => ({
    level,
    format,
    text: format === LevelFormat.BULLET ? '•' : `%${level + 1}.`,
    ...(format === LevelFormat.DECIMAL && level === 0 ? { start: first } : {}),
    alignment: AlignmentType.START,
    style: { paragraph: { indent: { left: indent * (level + 1), hanging: indent } } },
  }));
}

class DocxWriter {
  readonly #report: ExportedReport;
  readonly #evidenceOf: EvidenceLookup;
  readonly #footnotes: Paragraph[][] = [];
  /** First numbers of the ordered lists. */
  readonly #lists: number[] = [];
  /** What each reference says, behind its number. */
  readonly #references: ReadonlyMap<number, readonly Inline[]>;

  constructor(report: ExportedReport, evidenceOf: EvidenceLookup) {
    this.#report = report;
    this.#evidenceOf = evidenceOf;
    this.#references = new Map(
      [...report.references.items].map(([{ blocks }, number]) => [
        number,
        blocks.flatMap((block) => (block.type === 'paragraph' ? block.nodes : [])).slice(1),
      ]),
    );
  }

  write(): Document {
    const { title, facts, texts, blocks, language, isRightToLeft } = this.#report;
    const children = [
      this.#paragraph(this.#runs(title), { heading: HeadingLevel.TITLE }),
      ...facts.map(({ name, text }) =>
        this.#paragraph([run(`${texts[name]}: `, { bold: true }), run(text)], { style: 'Facts' }),
      ),
      ...blocks.flatMap((block) => this.#block(block)),
    ];
    return new Document({
      creator: 'Deep Research',
      title: wordsOf(title).trim(),
      footnotes: Object.fromEntries(this.#footnotes.map((paragraphs, place) => [place + 1, { children: paragraphs }])),
      numbering: {
        config: [
          { reference: 'bullets', levels: listLevels(LevelFormat.BULLET, 1) },
          ...this.#lists.map((first, place) => ({
            reference: `numbers-${place}`,
            levels: listLevels(LevelFormat.DECIMAL, first),
          })),
        ],
      },
      styles: {
        default: {
          document: {
            run: {
              font: { ascii: 'Calibri', hAnsi: 'Calibri', cs: 'Arial' },
              size: 22,
              language: { value: language, eastAsia: language, bidirectional: language },
            },
            paragraph: { spacing: { after: 120, line: 276 } },
          },
          title: { run: { size: 40, bold: true }, paragraph: { spacing: { after: 200 } } },
          ...Object.fromEntries(
            [30, 26, 24, 22, 22].map((size, place) => [
              `heading${place + 1}`,
              { run: { size, bold: true }, paragraph: { spacing: { before: 280, after: 100 }, keepNext: true } },
            ]),
          ),
        },
        paragraphStyles: [
          {
            id: 'Facts',
            name: 'Facts',
            basedOn: 'Normal',
            run: { size: 18, color: '595959' },
            paragraph: { spacing: { after: 20 } },
          },
        ],
      },
      sections: [{ properties: { page: { size: { width: 11_906, height: 16_838 } } }, children }],
      ...(isRightToLeft ? { settings: { bidi: true } } : {}),
    });
  }

  #paragraph(children: readonly ParagraphChild[], options: IParagraphOptions = {}): Paragraph {
    return new Paragraph({ ...options, children, bidirectional: this.#report.isRightToLeft });
  }

  #block(block: Block, place: Place = { level: 0, options: {} }): (Paragraph | DocxTable)[] {
    switch (block.type) {
      case 'heading':
        return [
          this.#paragraph(this.#runs(block.nodes), {
            heading: headings[Math.min(Math.max(block.level - 2, 0), headings.length - 1)]!,
          }),
        ];
      case 'paragraph':
        return [this.#paragraph(this.#runs(block.nodes), place.options)];
      case 'quote': {
        const options: IParagraphOptions = {
          indent: { left: indent },
          border: { left: { style: BorderStyle.SINGLE, size: 12, space: 8, color: 'A6A6A6' } },
        };
        return block.blocks.flatMap((inner) => this.#block(inner, { ...place, options }));
      }
      case 'list':
        return this.#list(block, place);
      case 'table':
        return [this.#table(block), this.#paragraph([])];
      case 'code': {
        const lines = block.lines.flatMap((line, number) => run(line, { ...monospaced, break: number === 0 ? 0 : 1 }));
        return [new Paragraph({ ...place.options, children: lines, shading: { fill: 'F2F2F2' } })];
      }
    }
  }

  #list(list: List, { level }: Place): (Paragraph | DocxTable)[] {
    const isOrdered = list.start !== undefined;
    if (isOrdered) this.#lists.push(list.start);
    const reference = isOrdered ? `numbers-${this.#lists.length - 1}` : 'bullets';
    const numbering = { reference, level: Math.min(level, mostLevels - 1) };
    const below: IParagraphOptions = { indent: { left: indent * (level + 1) } };
    return list.items.flatMap((item) => {
      const number = this.#report.references.items.get(item);
      if (number !== undefined) return this.#reference(item, number);
      return item.blocks.flatMap((block, place) =>
        this.#block(block, { level: level + 1, options: place === 0 ? { numbering } : below }),
      );
    });
  }

  #reference(item: ListItem, number: number): (Paragraph | DocxTable)[] {
    const mark = new Bookmark({ id: `ref-${number}`, children: [run(`[${number}]`)] });
    const options = { indent: { left: indent * 1.5, hanging: indent * 1.5 } };
    return [
      this.#paragraph([mark, ...this.#runs(this.#references.get(number) ?? [], false)], options),
      ...item.blocks.filter(({ type }) => type !== 'paragraph').flatMap((block) => this.#block(block)),
    ];
  }

  #table({ header, rows }: Table): DocxTable {
    const alignments = { left: AlignmentType.LEFT, center: AlignmentType.CENTER, right: AlignmentType.RIGHT };
    const rowOf = (cells: readonly Cell[], isHeader: boolean) =>
      new TableRow({
        tableHeader: isHeader,
        cantSplit: true,
        children: cells.map(
          ({ nodes, align }) =>
            new TableCell({
              ...(isHeader ? { shading: { fill: 'F2F2F2' } } : {}),
              children: [
                this.#paragraph(this.#runs(nodes, true, { bold: isHeader }), {
                  spacing: { after: 0 },
                  ...(align === '' ? {} : { alignment: alignments[align] }),
                }),
              ],
            }),
        ),
      });
    const width = Math.floor(pageWidth / Math.max(header.length, 1));
    return new DocxTable({
      width: { size: 100, type: WidthType.PERCENTAGE },
      columnWidths: header.map(() => width),
      margins: { top: 40, bottom: 40, left: 80, right: 80 },
      visuallyRightToLeft: this.#report.isRightToLeft,
      rows: [rowOf(header, true), ...rows.map((cells) => rowOf(cells, false))],
    });
  }

  /** @param cites A citation is a footnote; in the references it is its number. */
  #runs(nodes: readonly Inline[], cites = true, look: IRunOptions = {}): ParagraphChild[] {
    const evidence = evidenceOfNodes(nodes, cites ? this.#evidenceOf : undefined);
    const children = (inner: readonly Inline[], own: IRunOptions): ParagraphChild[] =>
      inner.flatMap((node, place): ParagraphChild[] => {
        const next = inner[place + 1];
        const isCitedNext = cites && next?.type === 'citation' && this.#references.has(next.number);
        switch (node.type) {
          case 'text':
            // The mark of a footnote follows its word at once.
            return [run(isCitedNext ? node.text.trimEnd() : node.text, own)];
          case 'code':
            return [run(node.text, { ...own, ...monospaced })];
          case 'citation': {
            if (!cites || !this.#references.has(node.number)) return [run(`[${node.number}]`, own)];
            const mark = this.#footnote(node, evidence.get(node));
            return isCitedNext ? [mark, run(', ', { superScript: true })] : [mark];
          }
          case 'link': {
            const words = children(node.children, { ...own, style: 'Hyperlink' });
            return [new ExternalHyperlink({ link: node.href, children: words })];
          }
          case 'strong':
            return children(node.children, { ...own, bold: true });
          case 'emphasis':
            return children(node.children, { ...own, italics: true });
          case 'deleted':
            return children(node.children, { ...own, strike: true });
        }
      });
    return children(nodes, look);
  }

  #footnote({ number }: Citation, evidence: ExportedEvidence | undefined): FootnoteReferenceRun {
    const link = new InternalHyperlink({
      anchor: `ref-${number}`,
      children: [run(`[${number}]`, { style: 'Hyperlink' })],
    });
    const verdict = evidence ? [run(' — '), run(evidence.verdict, { italics: true })] : [];
    const passages = (evidence?.passages ?? []).filter((one) => one.number === number);
    this.#footnotes.push([
      this.#paragraph([run(' '), link, ...this.#runs(this.#references.get(number)!, false), ...verdict]),
      ...passages.map(({ before, marked, after }) =>
        this.#paragraph([run(before), run(marked, { bold: true }), run(after)], {
          indent: { left: indent },
        }),
      ),
    ]);
    return new FootnoteReferenceRun(this.#footnotes.length);
  }
}

/** Of a source, too: neither a control character, which XML has none of, nor an end of a line. */
function run(text: string, options: IRunOptions = {}): TextRun {
  return new TextRun({ ...options, text: stripHidden(text).replace(/\s/g, ' ') });
}
