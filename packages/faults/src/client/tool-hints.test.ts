import { expect, it } from "vitest";
import { ToolHints } from "./tool-hints.ts";

it("believes a hint only when it is a plain yes", () => {
  const hints = new ToolHints([
    { name: "reads", annotations: { readOnlyHint: true } },
    { name: "repeats", annotations: { readOnlyHint: false, idempotentHint: true } },
    { name: "writes", annotations: { readOnlyHint: false, idempotentHint: false } },
    { name: "odd", annotations: { readOnlyHint: "yes" as never } },
    { name: "silent" },
  ]);
  const said = ["reads", "repeats", "writes", "odd", "silent", "unknown", "constructor"].map((name) => [
    name,
    hints.saysRepeatable(name),
  ]);
  expect(said.filter(([, yes]) => yes).map(([name]) => name)).toEqual(["reads", "repeats"]);
  expect(["reads", "repeats", "writes", "odd", "silent", "unknown"].filter((name) => hints.saysReadOnly(name))).toEqual(
    ["reads"],
  );
});

it("counts the newest list", () => {
  const hints = new ToolHints([{ name: "a", annotations: { readOnlyHint: true } }]);
  hints.learn([{ name: "b", annotations: { idempotentHint: true } }]);
  expect([hints.saysRepeatable("a"), hints.saysRepeatable("b")]).toEqual([false, true]);
});

it("gives a definition without its output schema, where there is one", () => {
  const hints = new ToolHints([{ name: "a", inputSchema: { type: "object" }, outputSchema: {} }, { name: "b" }]);
  expect(hints.withoutOutput("a")).toEqual({ name: "a", inputSchema: { type: "object" }, outputSchema: undefined });
  expect(hints.withoutOutput("b")).toBeUndefined();
});
