import { describe, expect, it } from "vitest";
import { conflict, internal } from "../reasons/library/core.ts";
import { breaker_open, not_sent } from "../reasons/library/transport.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { shouldReport } from "./severity.ts";

const REPORTED: readonly Kind[] = ["overloaded", "timeout", "unavailable", "upstream_failed", "internal"];

describe("shouldReport", () => {
  it.each(Object.keys(KINDS) as Kind[])("decides by the kind if no text was hidden: %s", (kind) => {
    const fault = { ...internal.fault(), kind, class: KINDS[kind].class };
    expect(shouldReport(fault, { textHidden: false })).toBe(REPORTED.includes(kind));
    expect(shouldReport(fault, { textHidden: true })).toBe(true);
  });

  it("uses the class of a kind that it does not know", () => {
    const newer = { ...conflict.fault(), kind: "newer_kind" };
    const of = (group: typeof newer.class) => shouldReport({ ...newer, class: group }, { textHidden: false });
    expect([of("validation"), of("permission"), of("retryable"), of("dependency"), of("terminal")]).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  it("takes a call that was refused on this side for none of its own", () => {
    for (const fault of [breaker_open.fault(), not_sent.fault()])
      expect(shouldReport(fault, { textHidden: false })).toBe(false);
  });

  it("takes a guess from a sentence for no defect", () => {
    const guessed = { ...internal.fault(), basis: "guessed" } as const;
    expect(shouldReport(guessed, { textHidden: false })).toBe(false);
    expect(shouldReport(guessed, { textHidden: true })).toBe(true);
  });
});
