// One thing above, three below: the form that two figures share.
import { alignRows, type Block, drawCard, measureCard } from "./cards.ts";
import type { BoxLook, Sheet } from "./svg.ts";

/** A card at the end of a branch. */
export interface Branch {
  readonly blocks: readonly Block[];
  readonly look?: BoxLook;
  /** A word on its line. @default none */
  readonly word?: string;
}

const WIDE = { gap: 24, drop: 56 } as const;
const NARROW = { rail: 12, indent: 32, gap: 16, wordGap: 34 } as const;

/** Three cards in a row, below a trunk that begins at `top`. Their rows are aligned. */
export function drawWideBranches(sheet: Sheet, branches: readonly Branch[], top: number): void {
  const { gap, drop } = WIDE;
  const width = (sheet.width - gap * (branches.length - 1)) / branches.length;
  const cards = alignRows(
    branches.map(({ blocks }) => blocks),
    { width },
  );
  const height = Math.max(...cards.map((blocks) => measureCard(blocks, { width })));
  const [trunk, split, below] = [
    sheet.width / 2,
    top + (branches.some(({ word }) => word) ? 16 : drop / 2),
    top + drop,
  ];
  for (const [at, { look, word }] of branches.entries()) {
    const x = at * (width + gap);
    const middle = x + width / 2;
    const isTrunk = middle === trunk;
    sheet.line(
      isTrunk
        ? [
            [trunk, top],
            [trunk, below - 2],
          ]
        : [
            [trunk, split],
            [middle, split],
            [middle, below - 2],
          ],
    );
    if (word !== undefined)
      sheet.text(word, { x: middle + 10, y: split + 8, width: width / 2 - 10, style: "label", color: "text2" });
    drawCard(sheet, cards[at] ?? [], { x, y: below, width, height }, look);
  }
}

/** Cards below each other, at a rail that begins at `top`. */
export function drawNarrowBranches(sheet: Sheet, branches: readonly Branch[], top: number): void {
  const { rail, indent, gap, wordGap } = NARROW;
  let y = top;
  for (const { blocks, look, word } of branches) {
    y += word === undefined ? gap : wordGap;
    if (word !== undefined) sheet.text(word, { x: indent, y: y - 22, width: 120, style: "label", color: "text2" });
    const { height } = drawCard(sheet, blocks, { x: indent, y, width: sheet.width - indent, padding: 14 }, look);
    sheet.line([
      [rail, top],
      [rail, y + 24],
      [indent - 2, y + 24],
    ]);
    y += height;
  }
}
