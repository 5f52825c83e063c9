// A sheet to draw on. It keeps the geometry of what was drawn, so that a test can find what overlaps.
import { type Font, measureText } from "./measure.ts";
import { breakLines, type PlacedRun, runFont, type TextLine } from "./rich-text.ts";

/** Names of the colours. Their values are in the style sheet of the page. */
export type Token = "text" | "text2" | "text3" | "line" | "edge" | "surface" | "sunken" | Tone | `${Tone}-bg`;
/** A colour with a meaning: where to look, failed, unsure, works, waits. */
export type Tone = "accent" | "bad" | "warn" | "good" | "hold";

/** A rectangle. `y` is its upper edge. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point of a line. */
export type Point = readonly [x: number, y: number];

/** The texts of figures, by use. */
export const TEXT_STYLES = {
  title: { family: "sans", size: 14, weight: 600, line: 20, color: "text" },
  body: { family: "sans", size: 13, weight: 400, line: 18, color: "text2" },
  quote: { family: "sans", size: 14, weight: 400, line: 21, color: "text" },
  label: { family: "sans", size: 12, weight: 500, line: 16, color: "text3" },
  code: { family: "mono", size: 12, weight: 400, line: 18, color: "text" },
  name: { family: "mono", size: 13, weight: 600, line: 20, color: "text" },
} as const satisfies Record<string, Font & { readonly line: number; readonly color: Token }>;
export type TextStyle = keyof typeof TEXT_STYLES;

/** A text as it was placed. */
export interface PlacedText extends Rect {
  readonly text: string;
  readonly size: number;
}

/** How a box looks. */
export interface BoxLook {
  /** @default surface */
  readonly fill?: Token;
  /** @default line */
  readonly stroke?: Token;
  /** @default 10 */
  readonly radius?: number;
  readonly isDashed?: boolean;
}

/** How a text is placed. */
export interface TextPlace {
  /** The left edge, the middle or the right edge, by `align`. */
  readonly x: number;
  /** The upper edge of the first line. */
  readonly y: number;
  /** Lines are broken at this width. */
  readonly width: number;
  readonly style: TextStyle;
  /** @default the colour of the style */
  readonly color?: Token;
  /** @default start */
  readonly align?: "start" | "middle" | "end";
}

/** How a line looks. */
export interface LineLook {
  /** @default edge */
  readonly color?: Token;
  readonly isDashed?: boolean;
  /** Where arrow heads are. @default end */
  readonly heads?: "end" | "both" | "none";
}

const CORNER = 8;
const HEAD = { length: 7, half: 4 } as const;

/** A sheet of a fixed width. Its height grows with what is drawn. */
export class Sheet {
  readonly width: number;
  readonly boxes: Rect[] = [];
  readonly texts: PlacedText[] = [];
  readonly lines: (readonly Point[])[] = [];
  readonly #parts: string[] = [];
  #bottom = 0;

  constructor(width: number) {
    this.width = width;
  }

  /** The height that everything drawn needs. */
  get height(): number {
    return Math.ceil(this.#bottom) + 1;
  }

  /** Everything drawn, as elements of SVG. */
  get content(): string {
    return this.#parts.join("\n");
  }

  /** Draws a box with round corners. */
  box(rect: Rect, { fill = "surface", stroke = "line", radius = 10, isDashed = false }: BoxLook = {}): void {
    this.boxes.push(rect);
    this.#reach(rect.y + rect.height);
    const dash = isDashed ? ' stroke-dasharray="4 4"' : "";
    // Half a unit aside, a thin line fills one row of pixels.
    const [x, y, width, height] = [rect.x + 0.5, rect.y + 0.5, rect.width - 1, rect.height - 1].map(round);
    this.#parts.push(
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${paint(fill)}" stroke="${paint(stroke)}"${dash}/>`,
    );
  }

  /** Writes text with markup, and gives the lower edge of its last line. */
  text(markup: string, place: TextPlace): number {
    const font = TEXT_STYLES[place.style];
    const color = place.color ?? font.color;
    let { y } = place;
    for (const line of breakLines(markup, font, place.width)) {
      this.#writeLine(line, { ...place, y, color });
      y += font.line;
    }
    this.#reach(y);
    return y;
  }

  /** Draws a line through points, with round corners. */
  line(points: readonly Point[], { color = "edge", isDashed = false, heads = "end" }: LineLook = {}): void {
    this.lines.push(points);
    for (const [, y] of points) this.#reach(y + 1);
    const dash = isDashed ? ' stroke-dasharray="4 4"' : "";
    this.#parts.push(
      `<path d="${drawPath(points)}" fill="none" stroke="${paint(color)}" stroke-width="1.5"${dash}/>`,
      ...(heads === "none" ? [] : [drawHead(points.at(-1), points.at(-2), color)]),
      ...(heads === "both" ? [drawHead(points[0], points[1], color)] : []),
    );
  }

  /** Draws a disc around a point. `half` fills its right half. */
  disc([x, y]: Point, radius: number, { fill, color }: { fill: "empty" | "half" | "full"; color: Token }): void {
    this.#reach(y + radius + 1);
    const inner = fill === "full" ? paint(color) : "none";
    this.#parts.push(
      `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" fill="${inner}" stroke="${paint(color)}" stroke-width="1.5"/>`,
    );
    if (fill === "half")
      this.#parts.push(
        `<path d="M${round(x)} ${round(y - radius)}a${radius} ${radius} 0 0 1 0 ${2 * radius}z" fill="${paint(color)}"/>`,
      );
  }

  /** Draws strokes around a point, such as a check mark. The path is relative to the point. */
  strokes([x, y]: Point, path: string, color: Token): void {
    this.#parts.push(
      `<path transform="translate(${round(x)} ${round(y)})" d="${path}" fill="none" stroke="${paint(color)}" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"/>`,
    );
  }

  #writeLine(line: TextLine, place: Omit<TextPlace, "color"> & { readonly color: Token }): void {
    const { style, color, align = "start", y } = place;
    const font = TEXT_STYLES[style];
    const shift = { start: 0, middle: line.width / 2, end: line.width }[align];
    const left = place.x - shift;
    const middle = y + font.line / 2;
    const baseline = round(middle + font.size * 0.36);
    for (const run of line.runs.filter(({ look }) => look === "marked")) {
      const mark = { x: round(left + run.x - 2), y: round(y + 1), width: round(run.width + 4), height: font.line - 2 };
      this.#parts.push(
        `<rect x="${mark.x}" y="${mark.y}" width="${mark.width}" height="${mark.height}" rx="3" fill="${paint("accent-bg")}"/>`,
      );
    }
    const text = line.runs.map((run) => run.text).join("");
    this.texts.push({ text, size: font.size, x: left, y: y + 2, width: line.width, height: font.line - 4 });
    // With an anchor the browser centres what it measures itself, so other fonts stay in the middle.
    const anchor = align === "start" ? "" : ` text-anchor="${align}"`;
    const family = font.family === "mono" ? ' font-family="var(--mono)"' : "";
    const weight = font.weight === 400 ? "" : ` font-weight="${font.weight}"`;
    this.#parts.push(
      `<text x="${round(place.x)}" y="${baseline}" font-size="${font.size}" fill="${paint(color)}"${family}${weight}${anchor}>${line.runs.map((run) => writeRun(run, font, left)).join("")}</text>`,
    );
  }

  #reach(y: number): void {
    this.#bottom = Math.max(this.#bottom, y);
  }
}

function writeRun(run: PlacedRun, font: Font, left: number): string {
  const text = escapeXml(run.text);
  if (run.look === "plain") return text;
  // Another font must not run out of its mark.
  if (run.look === "marked")
    return `<tspan x="${round(left + run.x)}" textLength="${round(run.width)}" lengthAdjust="spacingAndGlyphs" fill="${paint("text")}">${text}</tspan>`;
  const { size } = runFont(run.look, font);
  return run.look === "code"
    ? `<tspan font-family="var(--mono)" font-size="${size}" fill="${paint("text")}">${text}</tspan>`
    : `<tspan font-weight="600" fill="${paint("text")}">${text}</tspan>`;
}

/** How wide a text in one style is. */
export function measureStyled(text: string, style: TextStyle): number {
  return measureText(text, TEXT_STYLES[style]);
}

function paint(token: Token): string {
  return token === "text" ? "currentColor" : `var(--${token})`;
}

/** The path through points. Corners are round where both legs are long enough. */
function drawPath(points: readonly Point[]): string {
  return points
    .map((point, at) => {
      const [before, after] = [points[at - 1], points[at + 1]];
      if (before === undefined) return `M${point.map(round).join(" ")}`;
      if (after === undefined) return `L${point.map(round).join(" ")}`;
      const corner = Math.min(CORNER, distance(before, point) / 2, distance(point, after) / 2);
      const [begin, end] = [towards(point, before, corner), towards(point, after, corner)];
      return `L${begin.map(round).join(" ")}Q${[...point, ...end].map(round).join(" ")}`;
    })
    .join("");
}

function drawHead(tip: Point | undefined, before: Point | undefined, color: Token): string {
  if (tip === undefined || before === undefined) return "";
  const [x, y] = towards(tip, before, HEAD.length);
  const [alongX, alongY] = [(tip[0] - x) / HEAD.length, (tip[1] - y) / HEAD.length];
  const [one, other] = [HEAD.half, -HEAD.half].map((side) => [x - alongY * side, y + alongX * side]);
  return `<path d="M${tip.map(round).join(" ")}L${one?.map(round).join(" ")}L${other?.map(round).join(" ")}z" fill="${paint(color)}"/>`;
}

function towards([x, y]: Point, [otherX, otherY]: Point, length: number): Point {
  const share = length / (distance([x, y], [otherX, otherY]) || 1);
  return [x + (otherX - x) * share, y + (otherY - y) * share];
}

function distance([x, y]: Point, [otherX, otherY]: Point): number {
  return Math.hypot(otherX - x, otherY - y);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Escapes text for elements and attributes of XML. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
