// Cards with texts: measured first, so that neighbours can have the same height.
import { breakLines } from "./rich-text.ts";
import type { BoxLook, Point, Rect, Sheet, TextStyle, Token } from "./svg.ts";
import { TEXT_STYLES } from "./svg.ts";

/** A sign before a text. Each has a form of its own, so that it is read without colours. */
type Sign = "works" | "changes" | "refused" | "lost" | "none" | "possible" | "applied";

/** One text of a card. */
export interface Block {
  readonly text: string;
  readonly style: TextStyle;
  /** @default the colour of the style */
  readonly color?: Token;
  /** Space above it. @default 0 */
  readonly before?: number;
  /** The text is indented for it. @default none */
  readonly sign?: Sign;
}

/** Where a card is. */
interface CardPlace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** @default as high as its texts need */
  readonly height?: number;
  /** @default 16 */
  readonly padding?: number;
}

const PADDING = 16;
const SIGN_INDENT = 24;
const SIGN_RADIUS = 6;

/** How high a card with these texts is. */
export function measureCard(blocks: readonly Block[], place: Pick<CardPlace, "width" | "padding">): number {
  const { padding = PADDING } = place;
  return 2 * padding + measureRows(blocks, place).reduce((sum, height) => sum + height, 0);
}

/** Texts of cards that stand side by side: the same row begins at the same height in each, if they have the same rows. */
export function alignRows(
  cards: readonly (readonly Block[])[],
  place: Pick<CardPlace, "width">,
): readonly (readonly Block[])[] {
  if (new Set(cards.map(({ length }) => length)).size > 1) return cards;
  const rows = cards.map((blocks) => measureRows(blocks, place));
  const highest = (at: number) => Math.max(...rows.map((heights) => heights[at] ?? 0));
  return cards.map((blocks, card) =>
    blocks.map((block, at) => {
      const slack = at === 0 ? 0 : highest(at - 1) - (rows[card]?.[at - 1] ?? 0);
      return { ...block, before: (block.before ?? 0) + slack };
    }),
  );
}

function measureRows(blocks: readonly Block[], { width, padding = PADDING }: Pick<CardPlace, "width" | "padding">) {
  return blocks.map(({ text, style, before = 0, sign }) => {
    const lines = breakLines(text, TEXT_STYLES[style], width - 2 * padding - indentFor(sign));
    return before + lines.length * TEXT_STYLES[style].line;
  });
}

/** Draws a card with texts from its top. Gives the place that it takes. */
export function drawCard(sheet: Sheet, blocks: readonly Block[], place: CardPlace, look: BoxLook = {}): Rect {
  const { x, y, width, padding = PADDING, height = measureCard(blocks, place) } = place;
  sheet.box({ x, y, width, height }, look);
  let top = y + padding;
  for (const { text, style, color, before = 0, sign } of blocks) {
    top += before;
    if (sign !== undefined) drawSign(sheet, sign, [x + padding + SIGN_RADIUS + 1, top + TEXT_STYLES[style].line / 2]);
    top = sheet.text(text, {
      x: x + padding + indentFor(sign),
      y: top,
      width: width - 2 * padding - indentFor(sign),
      style,
      ...(color && { color }),
    });
  }
  return { x, y, width, height };
}

/** Draws a sign around a point. */
function drawSign(sheet: Sheet, sign: Sign, at: Point): void {
  SIGNS[sign](sheet, at);
}

const SIGNS = {
  works: (sheet, at) => sheet.strokes(at, "M-5 0l3.5 4L5 -4.5", "good"),
  changes: (sheet, at) => sheet.strokes(at, "M-6 1q3 -6 6 -1.5T6 -2", "warn"),
  refused: (sheet, at) => sheet.strokes(at, "M-4.5 -4.5l9 9M-4.5 4.5l9 -9", "bad"),
  lost: (sheet, at) => sheet.strokes(at, "M-5 0h10", "text3"),
  none: (sheet, at) => sheet.disc(at, SIGN_RADIUS, { fill: "empty", color: "text3" }),
  possible: (sheet, at) => sheet.disc(at, SIGN_RADIUS, { fill: "half", color: "warn" }),
  applied: (sheet, at) => sheet.disc(at, SIGN_RADIUS, { fill: "full", color: "text2" }),
} as const satisfies Record<Sign, (sheet: Sheet, at: Point) => void>;

function indentFor(sign: Sign | undefined): number {
  return sign === undefined ? 0 : SIGN_INDENT;
}
