import { expect, test } from "vitest";
import { expectNoLeak, findLeaks } from "./no-leak.ts";

const CANARY = "hunter2-swordfish\n";

test.each([
  ["plain text", `it was ${CANARY}`],
  ["a member of an object", { deep: [{ text: CANARY }] }],
  ["a key of an object", { [CANARY]: 1 }],
  ["percent encoding", `?p=${encodeURIComponent(CANARY)}`],
  ["base64", `blob ${btoa(`x${CANARY}y`)}`],
  ["base64 for URLs", `blob ${btoa(`~~~~${CANARY}??`).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`],
  ["JSON in JSON", JSON.stringify({ body: JSON.stringify({ p: CANARY }) })],
])("finds a canary in %s", (_, output) => {
  expect(findLeaks(output, [CANARY])).toEqual([CANARY]);
  expect(() => expectNoLeak(output, [CANARY])).toThrow("leaked: hunter2");
});

test("finds nothing in a text without canaries", () => {
  expect(findLeaks({ text: "all is well, %zz \\u00" }, [CANARY])).toEqual([]);
  expect(findLeaks(undefined, [CANARY])).toEqual([]);
  expect(() => expectNoLeak("fine", [CANARY])).not.toThrow();
});

test("returns each canary once", () => {
  expect(findLeaks("a-secret a-secret b-secret", ["a-secret", "b-secret", "c-secret"])).toEqual([
    "a-secret",
    "b-secret",
  ]);
});
