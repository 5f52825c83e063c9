import { expect, it } from "vitest";
import { credentialFilter } from "./credentials.ts";

it("finds a credential whole and in parts, and ignores parts that are ordinary words", () => {
  const filter = credentialFilter(["Bearer secret-token-1", "a=short; sid=session-of-ann"]);
  expect(filter?.has("got secret-token-1")).toBe(true);
  expect(filter?.has("session-of-ann is gone")).toBe(true);
  expect(filter?.has("Bearer tokens are short")).toBe(false);
  expect(credentialFilter([])).toBeUndefined();
});

it("finds the password of a Basic credential, however it is encoded", () => {
  const filter = credentialFilter([`Basic ${btoa("ann:correct horse")}`]);
  expect(filter?.has("correct horse")).toBe(true);
  expect(filter?.has("correct%2520horse")).toBe(true);
});
