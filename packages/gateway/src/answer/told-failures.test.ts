import { expect, it } from "vitest";
import { MAX_TOLD, ToldFailures } from "./told-failures.ts";

it("remembers what was told of a task, and forgets the oldest", () => {
  const told = new ToldFailures();
  for (let count = 0; count <= MAX_TOLD; count++) told.add(`t${count}`, { incident: `i${count}`, at: undefined });
  expect(told.find("t0")).toBeUndefined();
  expect(told.find("t1")).toEqual({ incident: "i1", at: undefined });
  expect(told.find(`t${MAX_TOLD}`)?.incident).toBe(`i${MAX_TOLD}`);
});
