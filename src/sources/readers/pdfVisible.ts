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
    const state = this.#state;
    const [first, second] = args;
    if (name === 'restore' && this.#picture) this.#paint([unitSquare], this.#picture, undefined, true);
    this.#picture = name === 'transform' ? multiplied(state.ctm, args as Matrix) : undefined;
    switch (name) {
      case 'save':
        this.#saved.push({ ...state });
        break;
      case 'restore':
        this.#restore();
        break;
      case 'transform':
        state.ctm = multiplied(state.ctm, args as Matrix);
        break;
      case 'paintFormXObjectBegin':
        this.#saved.push({ ...state });
        if (first) state.ctm = multiplied(state.ctm, first as Matrix);
        if (second) state.clip = common(state.clip, boxOf(corners(second as Box).map((one) => placed(state.ctm, one))));
        break;
      case 'paintFormXObjectEnd':
        this.#restore();
        break;
      case 'beginGroup':
        this.#masks.push(Boolean((first as { readonly smask?: unknown } | undefined)?.smask));
        break;
      case 'endGroup':
        this.#masks.pop();
        break;
      case 'beginMarkedContent':
        this.#marks.push(true);
        break;
      case 'beginMarkedContentProps':
        this.#marks.push(first !== 'OC' || this.#layers.isVisible(second));
        break;
      case 'endMarkedContent':
        this.#marks.pop();
        break;
      case 'setGState':
        for (const [key, value] of first as readonly (readonly [string, unknown])[]) {
          if (key === 'ca') state.fillAlpha = Number(value);
          if (key === 'CA') state.strokeAlpha = Number(value);
          if (key === 'BM') state.blends = value !== 'source-over';
          if (key === 'Font') state.size = Number((value as readonly unknown[])[1]);
        }
        break;
      case 'setFillRGBColor':
        state.fill = String(first);
        break;
      case 'setStrokeRGBColor':
        state.stroke = String(first);
        break;
      case 'setFillColorN':
      case 'setFillTransparent':
        state.fill = undefined;
        break;
      case 'setStrokeColorN':
      case 'setStrokeTransparent':
        state.stroke = undefined;
        break;
      case 'clip':
      case 'eoClip':
        this.#isClipping = true;
        break;
      case 'constructPath':
        this.#path(args as PathArguments);
        break;
      case 'shadingFill':
        this.#paint([corners(state.clip)], identity, undefined, false);
        break;
      case 'paintSolidColorImageMask':
        this.#paint([unitSquare], state.ctm, this.#ink(), false);
        break;
      default:
        this.#write(name, args);
    }
  }

  #write(name: string, args: readonly unknown[]): void {
    const state = this.#state;
    const [first = 0, second = 0] = args as readonly number[];
    const move = (x: number, y: number): void => {
      this.#line = multiplied(this.#line, [1, 0, 0, 1, x, y]);
      this.#text = this.#line;
    };
    switch (name) {
      case 'beginText':
        this.#text = this.#line = identity;
        break;
      case 'setTextMatrix':
        this.#text = this.#line = (args.length === 1 ? args[0] : args) as Matrix;
        break;
      case 'moveText':
        move(first, second);
        break;
      case 'setLeadingMoveText':
        state.leading = -second;
        move(first, second);
        break;
      case 'nextLine':
        move(0, -state.leading);
        break;
      case 'setFont':
        state.size = second;
        break;
      case 'setTextRenderingMode':
        state.mode = first;
        break;
      case 'setCharSpacing':
        state.charSpacing = first;
        break;
      case 'setWordSpacing':
        state.wordSpacing = first;
        break;
      case 'setHScale':
        state.horizontal = first / 100;
        break;
      case 'setLeading':
        state.leading = first;
        break;
      case 'setTextRise':
        state.rise = first;
        break;
      case 'showText':
        if (!this.#masks.includes(true)) this.#show(args[0] as readonly (Glyph | number | null)[]);
    }
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
    if (this.#isClipping)
      this.#state.clip = common(
        this.#state.clip,
        box === null ? [0, 0, 0, 0] : boxOf(corners(box).map((one) => placed(ctm, one))),
      );
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
