import { expect, test } from "vitest";
import { compareReadings, explainText, PASTED, pickWires } from "./playground-inputs.ts";

test("there are enough inputs, of all systems", () => {
  expect(PASTED.length).toBeGreaterThanOrEqual(69);
  const wires = pickWires(40);
  expect(new Set(wires.map(({ source }) => source)).size).toBe(40);
  const folders = new Set(wires.map(({ source }) => source.split("/")[1]));
  for (const folder of ["closient", "erlmcp", "http", "mcp", "onx", "platica", "qaqnuz"])
    expect(folders).toContain(folder);
});

test("the command line's words for a failure, and for a text without one", () => {
  expect(explainText("MCP error -32001: Request timed out")).toMatchObject({
    reason: "core/timeout",
    effect: "possible",
    repeat: expect.stringMatching(/^[A-Z].*\.$/),
  });
  expect(explainText("good morning")).toEqual({ title: "Not recognised" });
});

test("readings are compared member by member; advice may say more", () => {
  const expected = { title: "Timeout", reason: "core/timeout", advice: "Look first." };
  expect(compareReadings(expected, { ...expected, advice: "Look first. Then repeat." })).toEqual([]);
  expect(compareReadings(expected, { title: "Timeout", advice: "Repeat." })).toEqual([
    'reason is undefined, not "core/timeout"',
    'advice is "Repeat.", not "Look first."',
  ]);
});
