// Each check finds the server with its defect, and nothing else is found there. By default each defect is probed over one
// transport; RECOURSE_MATRIX=full probes all of them over every transport and with every group of stimuli.
import { describe, expect, it } from "vitest";
import { CHECKS } from "../../src/checks/catalogue.ts";
import { REVISIONS, type Revision } from "../../src/recording/revisions.ts";
import type { StimulusName } from "../../src/recording/stimuli.ts";
import { DEFECTS } from "./defects/index.ts";
import { findingsOf, probeShop } from "./probe-shop.ts";

const isFull = process.env["RECOURSE_MATRIX"] === "full";
/** Groups that take long, and are sent only to defects that need them. */
const COSTLY: readonly StimulusName[] = ["concurrent", "deep-json", "long-message", "close-stdin"];

const CASES = Object.entries(DEFECTS).flatMap(([id, { on, needs = [], slow = false }]) => {
  const transports = on !== "both" ? [on] : isFull ? (["http", "stdio"] as const) : (["http"] as const);
  const without = isFull ? [] : COSTLY.filter((name) => !needs.includes(name));
  const eras: readonly Revision[] = slow && !isFull ? ["2026-07-28"] : REVISIONS;
  return transports.map((transport) => ({ id, transport, without, eras }));
});

it("has one defect for each check", () => {
  expect(Object.keys(DEFECTS).sort()).toStrictEqual(CHECKS.map(({ id }) => id).sort());
});

describe.concurrent("the server with the defect", () => {
  it.each(CASES)(
    "$id over $transport has this finding and no other",
    async ({ id, ...way }) => {
      const { report } = await probeShop({ ...way, defect: id });
      expect([...findingsOf(report)].sort()).toStrictEqual([id, ...Object.keys(DEFECTS[id]?.also ?? {})].sort());
    },
    180_000,
  );
});
