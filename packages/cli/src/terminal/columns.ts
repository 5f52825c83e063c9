import { padTo, visibleWidth } from "./width.ts";
import { wrap } from "./wrap.ts";

/** How rows are laid out. */
export interface ColumnOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** What each line begins with. @default two spaces */
  readonly indent?: string;
  /** Spaces between columns. @default 2 */
  readonly gap?: number;
}

/** The last column gets at least this many columns; in a narrower terminal it moves to a line of its own. */
const MIN_LAST = 24;

/** Lays out rows of cells in columns. The last column is wrapped; the others are as wide as their widest cell. */
export function layOut(
  rows: readonly (readonly string[])[],
  { width, indent = "  ", gap = 2 }: ColumnOptions,
): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, at) =>
    Math.max(...rows.map((row) => (at < row.length - 1 ? visibleWidth(row[at] ?? "") : 0))),
  );
  const start = visibleWidth(indent) + widths.reduce((sum, one) => sum + one + gap, 0);
  return rows.flatMap((row) => {
    const head = row.slice(0, -1).map((cell, at) => padTo(cell, (widths[at] ?? 0) + gap));
    const last = row.at(-1) ?? "";
    if (width - start >= MIN_LAST)
      return wrap(last, { width, indent: " ".repeat(start), first: indent + head.join("") });
    const below = wrap(last, { width, indent: `${indent}    ` });
    const above = wrap(head.join("").trimEnd(), { width, indent });
    return head.length === 0 ? below : [...above, ...(last === "" ? [] : below)];
  });
}
