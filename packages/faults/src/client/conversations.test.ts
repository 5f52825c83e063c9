import { expect, it } from "vitest";
import { guardOf } from "./conversations.ts";

it("gives each conversation a guard of its own, and always the same one", () => {
  const [one, other] = [{}, {}];
  expect(guardOf(one)).toBe(guardOf(one));
  expect(guardOf(one)).not.toBe(guardOf(other));
});
