import { expect, it } from "vitest";
import { normalise } from "./normalise.ts";

it.each([
  ["Failed at 2026-11-16T05:31:55.123Z.", "Failed at 2026-11-16T06:00:00Z."],
  ["Incident 01M7FB0R5TQ8ZJ3V4X6Y7A8B9C", "Incident 01M7FB0R5TQ8ZJ3V4X6Y7A8B9D"],
  ["request 7d444840-9dc0-11d1-b245-5ffdce74fad2", "request 00000000-0000-0000-0000-000000000000"],
  ["id req_a1B2c3D4", "id req_Zz9911aa"],
  ["waited 12.5 s\n for 3", "waited 7 s for 40"],
  ["sha 5f2b8c9d1e3a", "sha 0f2b8c9d1e3b"],
])("takes %j and %j for the same", (one, other) => {
  expect(normalise(one)).toBe(normalise(other));
});

it.each([
  ["Unknown tool", "Invalid arguments"],
  ["decade", "facade"],
])("keeps %j and %j apart", (one, other) => {
  expect(normalise(one)).not.toBe(normalise(other));
});
