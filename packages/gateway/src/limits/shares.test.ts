import { installTextFilter, showLine } from "@recourse/core/safety";
import { describe, expect, it } from "vitest";
import { FilterShare } from "./shares.ts";

const ann = { id: "ann", tenant: "acme" };
const bob = { id: "bob", tenant: "acme" };
installTextFilter();
/** A long text, each time another one. */
const costly = (n: number) => `${n} ${"The order was not found. ".repeat(150)}`;
const reads = (share: FilterShare, caller: typeof ann, text: string) =>
  share.run(
    caller,
    () => Array.from({ length: 3 }, () => showLine(text, { max: 480, role: "quote" })).at(-1) !== undefined,
  );

describe("the filters", () => {
  it("read less and less for a caller whose failures are costly, and as much as before for another", () => {
    const share = new FilterShare(() => 0);
    let shown = 0;
    for (let n = 0; n < 100; n++) if (reads(share, ann, costly(n))) shown += 1;
    expect(shown).toBeGreaterThan(5);
    expect(shown).toBeLessThan(60);
    expect(reads(share, ann, costly(100))).toBe(false);
    expect(reads(share, ann, "The order 9 was not found.")).toBe(true);
    expect(reads(share, bob, costly(0))).toBe(true);
  });

  it("read on after a while", () => {
    let nowMs = 0;
    const share = new FilterShare(() => nowMs);
    for (let n = 0; n < 100; n++) reads(share, ann, costly(n));
    nowMs = 1_000;
    expect(reads(share, ann, costly(100))).toBe(true);
  });
});
