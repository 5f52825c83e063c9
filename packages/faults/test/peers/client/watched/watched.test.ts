import { expect, test } from "vitest";
import { ERAS } from "../../peers.ts";
import { holds } from "./search.ts";
import { ROWS } from "./watched.ts";

/** What no client loses: refusals keep their status and text, and `fetch` its error. */
const SDK_KEEPS: readonly string[] = [
  "status of a refusal",
  "body of a refusal",
  "phase: connection refused",
  "phase: reset after sending",
];

test("what the official clients lose is kept", { timeout: 120_000 }, async () => {
  const names = Object.keys(ROWS);
  const rows = await Promise.all(Object.values(ROWS).map((row) => Promise.all(ERAS.map(row))));
  const said = rows.map((cells) => cells.map(({ sdk, watched }) => `${sdk} → ${watched}`));
  const lines = [["", ...ERAS], ...said.map((cells, index) => [names[index] ?? "", ...cells])];
  console.log(lines.map((cells) => cells.map((cell) => cell.padEnd(28)).join("")).join("\n"));
  const expected = names.map((name) => ERAS.map(() => (SDK_KEEPS.includes(name) ? "kept → kept" : "lost → kept")));
  expect(Object.fromEntries(said.map((cells, index) => [names[index], cells]))).toEqual(
    Object.fromEntries(expected.map((cells, index) => [names[index], cells])),
  );
});

test("the search finds what is hidden, and nothing that is not there", () => {
  const inner = Object.defineProperty(new Error("inner"), "status", { value: 429, enumerable: false });
  const error = new AggregateError([new Map([["retry-after", "7331"]])], "outer", { cause: inner });
  inner.cause = error;
  expect([holds(error, 429), holds(error, "7331"), holds(error, "inner"), holds(error, 430)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});
