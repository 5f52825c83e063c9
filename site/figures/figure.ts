// What a figure is, and how a page shows it.
import { escapeXml, Sheet } from "./svg.ts";

/** Pages choose by their width which one they show. */
export type Layout = "wide" | "narrow";

/** The widths of the layouts, in pixels as they are shown. */
export const WIDTHS = { wide: 720, narrow: 328 } as const satisfies Record<Layout, number>;

/** One drawing of the documentation. */
export interface Figure {
  readonly name: string;
  /** What it shows, in a few words. */
  readonly title: string;
  /** What it shows, for readers who do not see it. */
  readonly description: string;
  /** The text below it. */
  readonly caption: string;
  /** The same content as a list. */
  readonly items: readonly string[];
  /** Draws it on a sheet, with the geometry of its parts. */
  compose(layout: Layout): Sheet;
  /** Draws it as an element of SVG. */
  draw(layout: Layout): string;
}

/** What the author of a figure writes. */
interface FigureDefinition extends Omit<Figure, "compose" | "draw"> {
  /** Draws it on an empty sheet, for each layout. */
  readonly layouts: Readonly<Record<Layout, (sheet: Sheet) => void>>;
}

/** Makes a figure. */
export function defineFigure({ layouts, ...texts }: FigureDefinition): Figure {
  const compose = (layout: Layout) => {
    const sheet = new Sheet(WIDTHS[layout]);
    layouts[layout](sheet);
    return sheet;
  };
  return { ...texts, compose, draw: (layout) => writeSvg(texts, compose(layout), layout) };
}

function writeSvg({ name, title, description }: Omit<FigureDefinition, "layouts">, sheet: Sheet, layout: Layout) {
  const { width, height } = sheet;
  const id = `figure-${name}-${layout}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="${id}-title ${id}-desc" color="var(--text)" font-family="var(--sans)">`,
    `<title id="${id}-title">${escapeXml(title)}</title>`,
    `<desc id="${id}-desc">${escapeXml(description)}</desc>`,
    sheet.content,
    "</svg>",
  ].join("\n");
}

/**
 * A figure for a page of the website: both layouts, of which figure.css shows one, the list for screen readers, and
 * the caption, which comes last.
 */
export function renderFigure(figure: Figure): string {
  return [
    '<figure class="figure">',
    ...(["wide", "narrow"] as const).map((layout) => `<div class="figure-${layout}">${figure.draw(layout)}</div>`),
    `<ul class="sr-only">${figure.items.map((item) => `<li>${escapeXml(item)}</li>`).join("")}</ul>`,
    `<figcaption>${escapeXml(figure.caption)}</figcaption>`,
    "</figure>",
  ].join("\n");
}
