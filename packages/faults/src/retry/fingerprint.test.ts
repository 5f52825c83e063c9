import { describe, expect, it } from "vitest";
import type { Details } from "../fault/build.ts";
import type { Issue } from "../fault/fault.ts";
import { stamp } from "../fault/stamp.ts";
import { fail } from "../reasons/fail.ts";
import { internal } from "../reasons/library/core.ts";
import { fingerprint } from "./fingerprint.ts";

const wrong = (issues: readonly Issue[], more: Details = {}) => fail.invalid_input({ issues, ...more })`Wrong.`.fault;
const age: Issue = { pointer: "/age", rule: "range", expected: "1 to 9" };
const name: Issue = { pointer: "/name", rule: "required" };

describe("a fingerprint", () => {
  it("tells kinds, reasons and failing arguments apart", () => {
    const faults = [
      fail.internal`Broken.`.fault,
      fail.conflict`Broken.`.fault,
      internal.fault(),
      wrong([]),
      wrong([age]),
      wrong([name]),
      wrong([age, name]),
      wrong([{ ...age, rule: "type" }]),
    ];
    expect(new Set(faults.map(fingerprint)).size).toBe(faults.length);
  });

  it("is the same whatever the words, order, ids, times and attempts", () => {
    const first = fingerprint(wrong([age, name]));
    const other = wrong([name, { ...age, expected: "10 to 90" }, name], {
      quote: { text: "other", from: "peer" },
      tried: { attempts: 2, elapsedMs: 7, stopped: "final" },
      limits: [{ quota: 5 }],
    });
    expect(fingerprint(other)).toBe(first);
    const stamped = stamp(fail.internal`One way.`.fault, {
      incident: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      at: "2026-11-14T09:30:00Z",
    });
    expect(fingerprint(stamped)).toBe(fingerprint(fail.internal`Another way.`.fault));
  });
});
