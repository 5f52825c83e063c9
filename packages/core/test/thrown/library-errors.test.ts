// Errors that real libraries threw, rebuilt from their recorded shapes: `npm run research -- libraries --fixtures` records them.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { peek } from "../../src/errors/peek.ts";
import { readFault } from "../../src/fault/read.ts";
import { toFault } from "../../src/reasons/thrown/to-fault.ts";
import { rebuild } from "./rebuild.ts";

interface Recorded {
  readonly library: string;
  readonly situation: string;
  readonly kind: string;
  readonly reason: string;
  readonly afterMs?: number;
  readonly shape: unknown;
}

const file = new URL("library-errors.jsonl", import.meta.url);
const lines = readFileSync(file, "utf8").trim().split("\n");
const CASES = lines.map((line) => JSON.parse(line) as Recorded);

test("there are errors of many libraries", () => {
  expect(new Set(CASES.map(({ library }) => library)).size).toBeGreaterThan(60);
});

test.each(CASES)("$library: $situation is $reason", ({ kind, reason, afterMs, shape }) => {
  const thrown = rebuild(shape);
  const fault = toFault(thrown);
  expect([fault.kind, fault.reason, fault.retry?.afterMs]).toEqual([kind, reason, afterMs]);
  expect(readFault(JSON.parse(JSON.stringify(fault)))).toEqual(fault);
  const message = peek(thrown, "message");
  const hidden = toFault(thrown, { foreignText: "hide" });
  expect(hidden).not.toHaveProperty("quote");
  if (typeof message === "string" && message.length > 20) expect(JSON.stringify(hidden)).not.toContain(message);
});
