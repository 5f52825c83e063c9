import { expect, test } from "vitest";
import { expectNoLeak, findLeaks } from "./no-leak.ts";

const CANARY = "hunter2-swordfish\n";

test.each([
  ["plain text", `it was ${CANARY}`],
  ["a member of an object", { deep: [{ text: CANARY }] }],
  ["a key of an object", { [CANARY]: 1 }],
  ["percent-encoded", `?p=${encodeURIComponent(CANARY)}`],
  ["base64", `blob ${btoa(`x${CANARY}y`)}`],
  ["base64 for URLs", `blob ${btoa(`~~~~${CANARY}??`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`],
  ["JSON in JSON", JSON.stringify({ body: JSON.stringify({ p: CANARY }) })],
])("finds a canary as %s", (_, crossed) => {
  expect(findLeaks(crossed, [CANARY])).toEqual([CANARY]);
  expect(() => expectNoLeak(crossed, [CANARY])).toThrow("leaked: hunter2");
});

test("finds nothing where nothing is", () => {
  expect(findLeaks({ text: "all is well, %zz \\u00" }, [CANARY])).toEqual([]);
  expect(findLeaks(undefined, [CANARY])).toEqual([]);
  expect(() => expectNoLeak("fine", [CANARY])).not.toThrow();
});

test("names each canary once", () => {
  expect(findLeaks("a-secret a-secret b-secret", ["a-secret", "b-secret", "c-secret"])).toEqual([
    "a-secret",
    "b-secret",
  ]);
});
