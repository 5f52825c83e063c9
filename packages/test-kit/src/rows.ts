import { readFileSync } from "node:fs";

/**
 * The rows of a table in the file beside a test, `<name>.rows.jsonl`. Each line is a list that begins with the name of its
 * table.
 *
 * @example
 * it.each(rowsOf<[text: string, ms: number]>(import.meta.url, "waits"))("%s: %d ms", (text, ms) => { … });
 */
export function rowsOf<Row extends readonly unknown[]>(testUrl: string, table: string): Row[] {
  const file = new URL(testUrl.replace(/(?:\.test)?\.ts$/, ".rows.jsonl"));
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as [table: string, ...Row]).filter(([name]) => name === table);
  return rows.map(([, ...row]) => row as unknown as Row);
}
