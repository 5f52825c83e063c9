// The tables of docs/guide/runtimes.md, made from what the tests found.
import type { Loss } from "./losses.ts";

/** What was found about one runtime. */
export interface Found {
  readonly name: string;
  /** Cells of the first table, by row. */
  readonly cells: Record<string, string>;
  losses: readonly Loss[];
}

/** The table of what works where. */
export function featureTable(found: readonly Found[]): string {
  const rows = [...new Set(found.flatMap(({ cells }) => Object.keys(cells)))];
  return table(
    ["", ...found.map(({ name }) => name)],
    rows.map((row) => [row, ...found.map(({ cells }) => cells[row] ?? "–")]),
  );
}

/** The table of how a failed connection is read. */
export function lossTable(found: readonly Found[]): string {
  const hows = found[0]?.losses.map(({ how }) => how) ?? [];
  return table(
    ["connection", ...found.map(({ name }) => name)],
    hows.map((how) => [how, ...found.map(({ losses }) => read(losses.find((loss) => loss.how === how)))]),
  );
}

function read(loss: Loss | undefined): string {
  return loss === undefined ? "–" : `\`${loss.reason.replace("transport/", "")}\`, ${loss.effect}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
