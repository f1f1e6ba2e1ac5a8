import { getResolvedPDFJS } from 'unpdf';

type Matrix = readonly number[];
/** Left, bottom, right, top. */
type Box = readonly [number, number, number, number];
interface Point {
  readonly x: number;
  readonly y: number;
}

/** Text as the reader of PDFs takes it from the library. */
export interface TextItem {
  readonly str: string;
  /** `[a, b, c, d, x, y]`; the size of the type is the length of (c, d). */
  readonly transform: readonly number[];
  readonly width: number;
  readonly hasEOL: boolean;
}

interface Run extends TextItem {
  /** Beginning, middle and end, at half the height of a small letter. */
  readonly points: readonly Point[];
  readonly isInvisible: boolean;
  /** Drawn as a scan's text is: without ink. */
  readonly isInkless: boolean;
  /** `#rrggbb`; undefined for a pattern. */
  readonly color: string | undefined;
  readonly order: number;
}

/** An area that was painted. */
interface Area {
  readonly polygons: readonly (readonly Point[])[];
  readonly box: Box;
  /** Undefined: a picture, a pattern, or what lies below shines through. */
  readonly color: string | undefined;
  readonly isPicture: boolean;
  readonly order: number;
}

/** Graphics state, as far as it says whether text is seen (ISO 32000-1, 8.4 and 9.3). */
interface State {
  ctm: Matrix;
  clip: Box;
  fill: string | undefined;
  stroke: string | undefined;
  fillAlpha: number;
  strokeAlpha: number;
  /** Blends with what lies below. */
  blends: boolean;
  mode: number;
  size: number;
  charSpacing: number;
  wordSpacing: number;
  horizontal: number;
  leading: number;
  rise: number;
}

interface Glyph {
  readonly unicode?: string;
  readonly width?: number;
  readonly isSpace?: boolean;
}

/** What is done with a path, its steps, and its bounds. */
type PathArguments = readonly [number, readonly [readonly number[] | null], Box | null];

/** In points: no person reads smaller type. */
const leastSize = 1;
/** Opacity below which nothing is seen, and difference of a channel (of 255) below which two colours are one. */
const leastAlpha = 0.1;
const sameColor = 20;
/** Areas smaller than a short word hide none, in points. */
const leastArea = { width: 15, height: 4 } as const;
/** Areas of a page that are compared with its text. On one with more, a map, no text counts as hidden by its colour. */
const mostAreas = 5_000;
/** Gap within a run from which it is two, in thousandths of the type's size. */
const gap = 200;
const identity: Matrix = [1, 0, 0, 1, 0, 0];

interface Page {
  readonly view: readonly number[];
  getOperatorList(options: { readonly annotationMode: number }): Promise<{
    readonly fnArray: readonly number[];
    readonly argsArray: readonly unknown[];
  }>;
}
/** Whether a layer of the document is shown. */
export type Layers = { isVisible(group: unknown): boolean };

/**
 * The text of a page without what its reader doesn't see: without ink, in the colour below it, covered, transparent, tiny, clipped,
 * beside the page or on a layer that is off. Undefined where all can be seen. Text without ink over a picture is that of a scan, and stays.
 */
export async function visibleItems(page: Page, layers: Layers): Promise<readonly TextItem[] | undefined> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: 0 });
  const canvas = new Canvas(page.view as unknown as Box, layers);
  const names = new Map(Object.entries(OPS).map(([name, code]) => [code, name]));
  for (const [index, code] of fnArray.entries())
    canvas.draw(names.get(code) ?? '', (argsArray[index] ?? []) as readonly unknown[]);
  const visible = canvas.runs.filter((run) => !canvas.isHidden(run));
  return visible.length === canvas.runs.length ? undefined : visible;
}

class Canvas {
  readonly runs: Run[] = [];
  readonly #areas: Area[] = [];
  readonly #layers: Layers;
  #state: State;
  readonly #saved: State[] = [];
  /** One for each open mark, whether what it marks is shown. */
  readonly #marks: boolean[] = [];
  /** Open groups of a soft mask, whose text is no text of the page. */
  #masks: boolean[] = [];
  #text: Matrix = identity;
  #line: Matrix = identity;
  #isClipping = false;
  /** Where a picture is that was left out for its size: nothing follows its matrix. */
  #picture: Matrix | undefined;
  #order = 0;

  constructor(view: Box, layers: Layers) {
    this.#layers = layers;
    this.#state = {
      ...{ ctm: identity, clip: view, fill: '#000000', stroke: '#000000', fillAlpha: 1, strokeAlpha: 1, blends: false },
      ...{ mode: 0, size: 0, charSpacing: 0, wordSpacing: 0, horizontal: 1, leading: 0, rise: 0 },
    };
  }

  isHidden({ points, isInvisible, isInkless, color, order }: Run): boolean {
    const below = points.map((point) => this.#areas.filter((area) => holds(area, point)));
    if (isInkless) return !below.every((areas) => areas.some(({ isPicture }) => isPicture));
    if (isInvisible || this.#areas.length === mostAreas) return isInvisible;
    return below.every((areas) => {
      if (areas.some((area) => area.order > order && area.color !== undefined)) return true;
      const ground = areas.findLast((area) => area.order < order);
      return isSame(color, ground === undefined ? '#ffffff' : ground.color);
    });
  }

  draw(name: string, args: readonly unknown[]): void {
    this.#order += 1;
    const { ctm } = this.#state;
    if (name === 'restore' && this.#picture) this.#paint([unitSquare], this.#picture, undefined, true);
    this.#picture = name === 'transform' ? multiplied(ctm, args as Matrix) : undefined;
    const operator = this.#operators[name] as ((...given: readonly unknown[]) => void) | undefined;
    operator?.(...args);
  }

  /** What the operators of a page do, as far as it says whether text is seen. */
  readonly #operators: Readonly<Record<string, (...args: never[]) => unknown>> = {
    save: () => this.#saved.push({ ...this.#state }),
    restore: () => this.#restore(),
    transform: (...matrix: Matrix) => this.#set({ ctm: multiplied(this.#state.ctm, matrix) }),
    paintFormXObjectBegin: (matrix: Matrix | null, box: Box | null) => {
      this.#saved.push({ ...this.#state });
      if (matrix) this.#set({ ctm: multiplied(this.#state.ctm, matrix) });
      if (box) this.#clipTo(box);
    },
    paintFormXObjectEnd: () => this.#restore(),
    beginGroup: (group?: { readonly smask?: unknown }) => this.#masks.push(Boolean(group?.smask)),
    endGroup: () => this.#masks.pop(),
    beginMarkedContent: () => this.#marks.push(true),
    beginMarkedContentProps: (tag: unknown, group: unknown) =>
      this.#marks.push(tag !== 'OC' || this.#layers.isVisible(group)),
    endMarkedContent: () => this.#marks.pop(),
    setGState: (entries: readonly (readonly [string, unknown])[]) => {
      for (const [key, value] of entries) {
        if (key === 'ca') this.#set({ fillAlpha: Number(value) });
        if (key === 'CA') this.#set({ strokeAlpha: Number(value) });
        if (key === 'BM') this.#set({ blends: value !== 'source-over' });
        if (key === 'Font') this.#set({ size: Number((value as readonly unknown[])[1]) });
      }
    },
    setFillRGBColor: (color: unknown) => this.#set({ fill: String(color) }),
    setStrokeRGBColor: (color: unknown) => this.#set({ stroke: String(color) }),
    setFillColorN: () => this.#set({ fill: undefined }),
    setFillTransparent: () => this.#set({ fill: undefined }),
    setStrokeColorN: () => this.#set({ stroke: undefined }),
    setStrokeTransparent: () => this.#set({ stroke: undefined }),
    clip: () => (this.#isClipping = true),
    eoClip: () => (this.#isClipping = true),
    constructPath: (...path: PathArguments) => this.#path(path),
    shadingFill: () => this.#paint([corners(this.#state.clip)], identity, undefined, false),
    paintSolidColorImageMask: () => this.#paint([unitSquare], this.#state.ctm, this.#ink(), false),
    beginText: () => (this.#text = this.#line = identity),
    setTextMatrix: (...args: Matrix | [Matrix]) =>
      (this.#text = this.#line = (args.length === 1 ? args[0] : args) as Matrix),
    moveText: (x: number, y: number) => this.#move(x, y),
    setLeadingMoveText: (x: number, y: number) => {
      this.#set({ leading: -y });
      this.#move(x, y);
    },
    nextLine: () => this.#move(0, -this.#state.leading),
    setFont: (_name: unknown, size: number) => this.#set({ size }),
    setTextRenderingMode: (mode: number) => this.#set({ mode }),
    setCharSpacing: (charSpacing: number) => this.#set({ charSpacing }),
    setWordSpacing: (wordSpacing: number) => this.#set({ wordSpacing }),
    setHScale: (percent: number) => this.#set({ horizontal: percent / 100 }),
    setLeading: (leading: number) => this.#set({ leading }),
    setTextRise: (rise: number) => this.#set({ rise }),
    showText: (glyphs: readonly (Glyph | number | null)[]) => {
      if (!this.#masks.includes(true)) this.#show(glyphs);
    },
  };

  #set(change: Partial<State>): void {
    Object.assign(this.#state, change);
  }

  #move(x: number, y: number): void {
    this.#text = this.#line = multiplied(this.#line, [1, 0, 0, 1, x, y]);
  }

  /** @param box Undefined: nothing is shown any more. */
  #clipTo(box: Box | undefined): void {
    const { ctm, clip } = this.#state;
    const shown: Box = box ? boxOf(corners(box).map((corner) => placed(ctm, corner))) : [0, 0, 0, 0];
    this.#set({ clip: common(clip, shown) });
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state;
  }

  /** The colour that a filled area has in the end; undefined where what lies below shines through. */
  #ink(): string | undefined {
    const { fill, fillAlpha, blends } = this.#state;
    return fillAlpha > 0.99 && !blends ? fill : undefined;
  }

  #path([operation, [data], box]: PathArguments): void {
    const { ctm, fillAlpha } = this.#state;
    if (this.#isClipping) this.#clipTo(box ?? undefined);
    this.#isClipping = false;
    if (data && filling.has(operation) && fillAlpha >= leastAlpha)
      this.#paint(polygonsOf(data), ctm, this.#ink(), false);
  }

  #paint(shapes: readonly (readonly Point[])[], matrix: Matrix, color: string | undefined, isPicture: boolean): void {
    const polygons = shapes.map((shape) => shape.map((point) => placed(matrix, point)));
    const box = common(this.#state.clip, boxOf(polygons.flat()));
    if (box[2] - box[0] < leastArea.width || box[3] - box[1] < leastArea.height || this.#areas.length >= mostAreas)
      return;
    if (this.#marks.includes(false) || this.#masks.includes(true)) return;
    this.#areas.push({ polygons, box, color, isPicture, order: this.#order });
  }

  /** Glyphs of one run, which is parted at gaps and at the edge of what is shown. */
  #show(glyphs: readonly (Glyph | number | null)[]): void {
    const { ctm, clip, size, rise, horizontal, charSpacing, wordSpacing } = this.#state;
    let text = '';
    let isOutside = false;
    let start = this.#text;
    const end = (): void => {
      if (text.trim() !== '') this.#run(text, start, isOutside);
      text = '';
    };
    for (const glyph of glyphs) {
      const isGap = typeof glyph === 'number';
      const { unicode = '', width = 0, isSpace = false } = isGap ? {} : (glyph ?? {});
      if (isGap && -glyph > gap) end();
      if (!isGap) {
        const { x, y } = placed(multiplied(ctm, this.#text), { x: 0, y: rise + size * 0.3 });
        const isOut = x < clip[0] || x > clip[2] || y < clip[1] || y > clip[3];
        if (isOut !== isOutside) end();
        if (text === '') start = this.#text;
        isOutside = isOut;
        text += unicode.replace(/[\uFB00-\uFB06]/g, (ligature) => ligature.normalize('NFKC'));
      }
      const advance = isGap
        ? (-glyph / 1_000) * size
        : (width / 1_000) * size + charSpacing + (isSpace ? wordSpacing : 0);
      this.#text = multiplied(this.#text, [1, 0, 0, 1, advance * horizontal, 0]);
    }
    end();
  }

  #run(str: string, start: Matrix, isOutside: boolean): void {
    const { ctm, mode, size, rise, horizontal, fill, stroke, fillAlpha, strokeAlpha } = this.#state;
    const from = multiplied(ctm, multiplied(start, [1, 0, 0, 1, 0, rise]));
    const to = multiplied(ctm, multiplied(this.#text, [1, 0, 0, 1, 0, rise]));
    const [a, b, c, d, x, y] = from as [number, number, number, number, number, number];
    const [right, top] = [to[4]!, to[5]!];
    const lift = { x: c * size * 0.3, y: d * size * 0.3 };
    const points = [0.02, 0.5, 0.98].map((part) => ({
      x: x + (right - x) * part + lift.x,
      y: y + (top - y) * part + lift.y,
    }));
    // Modes 0 and 4 fill the letters, 1 and 5 draw their outlines, 2 and 6 do both, 3 and 7 neither.
    const [fills, strokes] = [mode % 4 === 0 || mode % 4 === 2, mode % 4 === 1 || mode % 4 === 2];
    const alpha = Math.max(fills ? fillAlpha : 0, strokes ? strokeAlpha : 0);
    const height = Math.min(Math.hypot(c, d), Math.hypot(a, b) * Math.abs(horizontal)) * Math.abs(size);
    const isInkless = !fills && !strokes;
    this.runs.push({
      str,
      transform: [a * size, b * size, c * size, d * size, x, y],
      width: Math.hypot(right - x, top - y),
      hasEOL: false,
      points,
      isInkless: isInkless && !isOutside && !this.#marks.includes(false),
      isInvisible: isInkless || isOutside || alpha < leastAlpha || height < leastSize || this.#marks.includes(false),
      color: fills && strokes && !isSame(fill, stroke) ? undefined : fills ? fill : stroke,
      order: this.#order,
    });
  }
}

const unitSquare: readonly Point[] = corners([0, 0, 1, 1]);
/** Numbers of the operators that fill a path: fill, eoFill, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke. */
const filling: ReadonlySet<number> = new Set([22, 23, 24, 25, 26, 27]);
/** Numbers that follow the code of a step of a path: move, line, curves of four and three points, close. */
const stepLengths = [2, 2, 6, 4, 0] as const;

/** The corners of a path; a curve counts as the line to its end. */
function polygonsOf(data: readonly number[]): Point[][] {
  const polygons: Point[][] = [];
  for (let at = 0; at < data.length;) {
    const step = data[at]!;
    const length = stepLengths[step] ?? 0;
    if (step === 0) polygons.push([]);
    if (length > 0) polygons.at(-1)?.push({ x: data[at + length - 1]!, y: data[at + length]! });
    at += length + 1;
  }
  return polygons;
}

/** By the number of edges to the right of the point. */
function holds({ box, polygons }: Area, { x, y }: Point): boolean {
  if (x < box[0] || x > box[2] || y < box[1] || y > box[3]) return false;
  let isInside = false;
  for (const polygon of polygons)
    for (const [index, to] of polygon.entries()) {
      const from = polygon.at(index - 1)!;
      if (from.y > y !== to.y > y && x < from.x + ((to.x - from.x) * (y - from.y)) / (to.y - from.y))
        isInside = !isInside;
    }
  return isInside;
}

function multiplied([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [
    a! * g! + c! * h!,
    b! * g! + d! * h!,
    a! * i! + c! * j!,
    b! * i! + d! * j!,
    a! * k! + c! * l! + e!,
    b! * k! + d! * l! + f!,
  ];
}

function placed([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point {
  return { x: a! * x + c! * y + e!, y: b! * x + d! * y + f! };
}

function corners([left, bottom, right, top]: Box): Point[] {
  return [
    { x: left, y: bottom },
    { x: right, y: bottom },
    { x: right, y: top },
    { x: left, y: top },
  ];
}

function boxOf(points: readonly Point[]): Box {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return box;
}

const common = (one: Box, other: Box): Box => [
  Math.max(one[0], other[0]),
  Math.max(one[1], other[1]),
  Math.min(one[2], other[2]),
  Math.min(one[3], other[3]),
];

/** Of `#rrggbb`. A colour that is not known is like no other. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return [1, 3, 5].every(
    (at) => Math.abs(parseInt(one.slice(at, at + 2), 16) - parseInt(other.slice(at, at + 2), 16)) < sameColor,
  );
}
