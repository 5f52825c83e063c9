import { rowsOf } from "@recourse/test-kit/rows";
import { describe, expect, it } from "vitest";
import { KINDS } from "../fault/kinds.ts";
import { LIBRARY_REASONS, type LibraryReason } from "../reasons/library/by-id.ts";
import { saysDuration, saysWhatToDo } from "./next-move.ts";

describe("a message that says what to do", () => {
  it.each(rowsOf<[message: string]>(import.meta.url, "says"))("%s", (message) => {
    expect(saysWhatToDo(message)).toBe(true);
  });

  it.each(rowsOf<[message: string]>(import.meta.url, "does not"))("not this one: %s", (message) => {
    expect(saysWhatToDo(message)).toBe(false);
  });

  it("is hardly any of our own: they are followed by a move", () => {
    const reasons = Object.values(LIBRARY_REASONS).flatMap((group) => Object.values<LibraryReason>(group));
    const fallbacks = Object.values(KINDS).map(({ fallbackMessage }) => fallbackMessage);
    const found = [...reasons.map((reason) => reason.fault().message), ...fallbacks].filter(saysWhatToDo);
    expect(found).toEqual(["The result is too large; ask for less, or page by page."]);
  });

  it("is found in linear time", () => {
    const started = performance.now();
    for (const part of ["If ", "a, ", "you can ", '"', "call x", ". ", "To a "]) saysWhatToDo(part.repeat(2_000));
    // An expression that backtracks takes minutes, and this one milliseconds.
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

it.each([
  ["Come back in 30 seconds.", "30 seconds", true],
  ["Come back in 30s.", "30 seconds", true],
  ["Come back in 130 seconds.", "30 seconds", false],
  ["There are 30 orders.", "30 seconds", false],
  ["Come back in 2.1 minutes.", "2.1 minutes", true],
  ["Come back in 2 minutes.", "2.1 minutes", false],
  ["Come back in a moment.", "1 day", false],
])("%s says %s: %s", (message, duration, isSaid) => {
  expect(saysDuration(message, duration)).toBe(isSaid);
});
