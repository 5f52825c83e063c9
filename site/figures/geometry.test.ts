import { describe, expect, it } from "vitest";
import type { Layout } from "./figure.ts";
import { FIGURES } from "./index.ts";
import type { Point, Rect } from "./svg.ts";

const LAYOUTS: readonly Layout[] = ["wide", "narrow"];
const SHEETS = FIGURES.flatMap((figure) =>
  LAYOUTS.map((layout) => [`${figure.name}, ${layout}`, figure.compose(layout)] as const),
);
/** Texts keep this distance to the sides of their box: the font of a reader may be a little wider. */
const MARGIN = 6;

function contains(outer: Rect, inner: Rect, margin = 0): boolean {
  return (
    inner.x >= outer.x + margin &&
    inner.x + inner.width <= outer.x + outer.width - margin &&
    inner.y >= outer.y &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

function overlap(one: Rect, other: Rect): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** The straight parts of a line, as thin rectangles without their ends. */
function legs(points: readonly Point[]): readonly Rect[] {
  return points.slice(1).map(([x, y], at) => {
    const [fromX, fromY] = points[at] as Point;
    const [left, top] = [Math.min(x, fromX), Math.min(y, fromY)];
    return { x: left, y: top, width: Math.abs(x - fromX) || 0.1, height: Math.abs(y - fromY) || 0.1 };
  });
}

function shrink({ x, y, width, height }: Rect): Rect {
  return { x: x + 1, y: y + 1, width: width - 2, height: height - 2 };
}

describe.each(SHEETS)("%s", (_, sheet) => {
  const { boxes, texts, lines, width, height } = sheet;
  const page = { x: 0, y: 0, width, height };

  it("has its texts inside their boxes, and inside the sheet", () => {
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) {
      expect(contains(page, text), text.text).toBe(true);
      for (const box of boxes.filter((one) => overlap(one, text)))
        expect(contains(box, text, MARGIN), text.text).toBe(true);
    }
  });

  it("has no texts on each other", () => {
    for (const [at, text] of texts.entries())
      expect(
        texts.slice(at + 1).filter((other) => overlap(text, other)),
        text.text,
      ).toEqual([]);
  });

  it("has boxes beside or inside each other", () => {
    for (const [at, box] of boxes.entries()) {
      expect(contains(page, box)).toBe(true);
      for (const other of boxes.slice(at + 1))
        expect(!overlap(box, other) || contains(box, other), JSON.stringify([box, other])).toBe(true);
    }
  });

  it("has lines that pass beside boxes and texts, and do not cross", () => {
    for (const [at, line] of lines.entries()) {
      for (const leg of legs(line)) {
        expect(contains(page, leg), JSON.stringify(line)).toBe(true);
        expect(
          texts.filter((text) => overlap(leg, text)),
          JSON.stringify(line),
        ).toEqual([]);
        for (const box of boxes)
          expect(!overlap(leg, shrink(box)) || contains(box, leg), JSON.stringify(line)).toBe(true);
      }
      for (const other of lines.slice(at + 1)) expect(crosses(line, other), JSON.stringify([line, other])).toBe(false);
    }
  });
});

/** Whether a level part of one line and an upright part of the other meet between their ends. */
function crosses(one: readonly Point[], other: readonly Point[]): boolean {
  const [ones, others] = [legs(one), legs(other)];
  const isCut = (level: Rect, upright: Rect) =>
    level.height < 1 &&
    upright.width < 1 &&
    upright.x > level.x &&
    upright.x < level.x + level.width &&
    level.y > upright.y &&
    level.y < upright.y + upright.height;
  return ones.some((leg) => others.some((own) => isCut(leg, own) || isCut(own, leg)));
}
