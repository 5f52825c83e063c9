import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import { containsValue, DETAILS } from "./kept-details.ts";

/** The official clients keep the status and text of refusals, and the error of `fetch`. */
const KEPT_BY_SDK: readonly string[] = [
  "status of a refusal",
  "body of a refusal",
  "phase: connection refused",
  "phase: reset after sending",
];

/** The v1 client closes the body of a page before anybody has read it. */
const LOST_WITH_V1 = "body of a page";

test("the observer keeps the details that the official clients lose", { timeout: 120_000 }, async () => {
  const names = Object.keys(DETAILS);
  const rows = await Promise.all(Object.values(DETAILS).map((check) => Promise.all(ERAS.map(check))));
  const printed = rows.map((cells) => cells.map(({ sdk, observer }) => `${sdk} → ${observer}`));
  const lines = [["", ...ERAS], ...printed.map((cells, index) => [names[index] ?? "", ...cells])];
  console.log(lines.map((cells) => cells.map((cell) => cell.padEnd(28)).join("")).join("\n"));
  const expected = names.map((name) =>
    ERAS.map((era) => {
      if (name === LOST_WITH_V1 && era === "v1") return "lost → lost";
      return KEPT_BY_SDK.includes(name) ? "kept → kept" : "lost → kept";
    }),
  );
  expect(Object.fromEntries(printed.map((cells, index) => [names[index], cells]))).toEqual(
    Object.fromEntries(expected.map((cells, index) => [names[index], cells])),
  );
});

test("containsValue finds hidden values, and no others", () => {
  const inner = Object.defineProperty(new Error("inner"), "status", { value: 429, enumerable: false });
  const error = new AggregateError([new Map([["retry-after", "7331"]])], "outer", { cause: inner });
  inner.cause = error;
  expect([
    containsValue(error, 429),
    containsValue(error, "7331"),
    containsValue(error, "inner"),
    containsValue(error, 430),
  ]).toEqual([true, true, true, false]);
});
