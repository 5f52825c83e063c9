import { expect, it } from "vitest";
import { fail } from "../reasons/fail.ts";
import { isCallersMistake } from "./callers-mistake.ts";
import { KINDS, type StatedKind } from "./kinds.ts";

const MISTAKES = ["invalid_input", "invalid_request", "unauthenticated", "forbidden", "approval_required", "not_found"];
const kinds = Object.keys(KINDS).filter((kind) => kind !== "unknown") as StatedKind[];

it.each(kinds)("%s", (kind) => {
  expect(isCallersMistake(fail[kind]`It failed.`.fault)).toBe(MISTAKES.includes(kind));
});

it("falls back on the class of a kind that is newer", () => {
  const newer = { ...fail.internal`It failed.`.fault, kind: "newer" };
  expect(isCallersMistake({ ...newer, class: "validation" })).toBe(true);
  expect(isCallersMistake({ ...newer, class: "terminal" })).toBe(false);
});
