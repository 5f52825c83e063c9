import { expect, it } from "vitest";
import { prefersProblem } from "./accept.ts";

it.each([
  [null, false],
  ["", false],
  ["*/*", false],
  ["application/json, text/event-stream", false],
  ["application/problem+json", true],
  ["APPLICATION/PROBLEM+JSON", true],
  ["application/problem+json, application/json", false],
  ["application/problem+json, application/json;q=0.9", true],
  ["application/problem+json;q=0.5, application/json;q=0.9", false],
  ["application/problem+json;q=0.5, application/json;q=0", true],
  ["application/problem+json, */*;q=0.1", true],
  ["application/problem+json;q=0", false],
  ["application/problem+json;q=nonsense", false],
  [`application/problem+json,${"a/b,".repeat(1_000)}`, false],
])("%j: %s", (accept, problem) => {
  expect(prefersProblem(accept)).toBe(problem);
});
