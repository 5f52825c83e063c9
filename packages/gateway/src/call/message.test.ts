import { expect, it } from "vitest";
import { METHOD_RULES } from "../catalog/methods.ts";
import { isKnownParam } from "./message.ts";

it("knows the target of every method that is routed to an upstream", () => {
  const targets = { tool: "name", prompt: "name", resource: "uri", completion: "ref", task: "taskId" } as const;
  const found = Object.entries(METHOD_RULES).flatMap(([method, { stateless: rule }]) =>
    rule in targets ? [[method, isKnownParam(method, targets[rule as keyof typeof targets])]] : [],
  );
  expect(found).toHaveLength(7);
  expect(found.filter(([, isKnown]) => isKnown !== true)).toEqual([]);
});

it("knows nothing of other methods and of other members", () => {
  for (const method of ["ping", "toString", "__proto__"]) expect(isKnownParam(method, "name")).toBe(false);
  for (const name of ["_meta", "inputResponses", "length"]) expect(isKnownParam("tools/call", name)).toBe(false);
});
