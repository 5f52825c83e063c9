// Columns of a table in a text whose heading is the name of a secret.

import { BOOK } from "./rules/cut-rules.ts";
import type { TextSpan } from "./rules/rule.ts";

const COLUMN_SEPARATORS = ["|", "\t", ",", ";"] as const;
const RULER = /^[\s|:+=-]*$/;

/** Where the cells of columns stand that are headed by the name of a secret. */
export function secretCells(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  let heading: { separator: string; columns: readonly number[]; count: number } | undefined;
  let start = 0;
  for (const line of text.split("\n")) {
    const found = headingOf(line);
    if (found !== undefined) heading = found;
    else if (heading !== undefined && !RULER.test(line)) {
      const cells = line.split(heading.separator);
      if (cells.length !== heading.count) heading = undefined;
      else spans.push(...heading.columns.flatMap((column) => cellSpan(cells, column, start)));
    }
    start += line.length + 1;
  }
  return spans;
}

function headingOf(line: string) {
  const secret = BOOK.pattern("{{secretHeading}}", "iu");
  for (const separator of COLUMN_SEPARATORS) {
    if (!line.includes(separator)) continue;
    const cells = line.split(separator);
    const columns = cells.flatMap((cell, at) => (secret.test(cell.trim().replaceAll(/["'*]/g, "")) ? [at] : []));
    if (columns.length > 0) return { separator, columns, count: cells.length };
  }
  return undefined;
}

function cellSpan(cells: readonly string[], column: number, lineStart: number): TextSpan[] {
  const cell = cells[column] ?? "";
  const value = cell.trim();
  if (!BOOK.isKind("assigned", value, 2)) return [];
  const before = cells.slice(0, column).reduce((sum, one) => sum + one.length + 1, 0);
  const start = lineStart + before + cell.indexOf(value);
  return [{ start, end: start + value.length }];
}
