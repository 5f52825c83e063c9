// Over any chain of hops, the effect that the caller reads is at least the worst that any hop knew.

import { outsideQuotations } from "@recourse/test-kit/lies";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { closient, erlmcp, http, mcp, onx, platica, qaqnuz } from "../../src/dialects/index.ts";
import { amendFault, worseEffect } from "../../src/fault/amend.ts";
import type { Fault } from "../../src/fault/fault.ts";
import { EFFECTS, type Effect } from "../../src/fault/kinds.ts";
import { libraryReason } from "../../src/reasons/library/by-id.ts";
import { render } from "../../src/render/render.ts";
import { releaseFault } from "../../src/server/release.ts";
import * as any from "../arbitraries.ts";

const DIALECTS: readonly Dialect<unknown>[] = [mcp, http, closient, onx, erlmcp, qaqnuz, platica] as never;
const HOPS = 3;
const WORD = "zanzibar";

/** One program on the way: what it knows itself, how it treats the words of others, and what it writes. */
interface Hop {
  readonly knows: Effect;
  readonly foreignText: "hide" | "public" | "quote";
  readonly dialect: Dialect<unknown>;
  readonly speaksFaults: boolean;
}

const hop: fc.Arbitrary<Hop> = fc.record({
  knows: fc.constantFrom(...EFFECTS),
  foreignText: fc.constantFrom("hide", "public", "quote"),
  dialect: fc.constantFrom(...DIALECTS),
  speaksFaults: fc.boolean(),
});

function pass(fault: Fault, { knows, foreignText, dialect, speaksFaults }: Hop): Fault | undefined {
  const known = amendFault(fault, { effect: worseEffect(fault.effect, knows) });
  const { fault: sent } = releaseFault(known, { foreignText });
  const wire: unknown = JSON.parse(JSON.stringify(dialect.encode(sent)));
  return dialect.decode(wire, { speaksFaults } as object);
}

/** Whether the library itself offers `retry` for a reason although the call may have had an effect. */
function isRetriedSafely({ reason }: Fault): boolean {
  const usual = libraryReason(reason)?.fault();
  return usual !== undefined && usual.effect !== "none" && usual.recourse[0].do === "retry";
}

test("no chain of three hops lowers an effect", () => {
  fc.assert(
    fc.property(any.fault, fc.array(hop, { minLength: HOPS, maxLength: HOPS }), (first, hops) => {
      let fault: Fault | undefined = first;
      let worst = first.effect;
      for (const one of hops) {
        worst = worseEffect(worst, one.knows);
        fault = fault && pass(fault, one);
        expect(EFFECTS.indexOf(fault?.effect ?? "none")).toBeGreaterThanOrEqual(EFFECTS.indexOf(worst));
        if (fault !== undefined && fault.effect !== "none" && !isRetriedSafely(fault))
          expect(fault.recourse.map((move) => move.do)).not.toContain("retry");
      }
    }),
    { numRuns: runs(10_000) },
  );
}, 600_000);

test("over any chain, the words of a fault stand in quotations", () => {
  const spoken = any.call.map(({ reason, params, details }) =>
    reason.fault(params, { ...details, quote: { text: `It said ${WORD} there.`, from: "upstream" } }),
  );
  fc.assert(
    fc.property(spoken, fc.array(hop, { minLength: 1, maxLength: HOPS }), (first, hops) => {
      let fault: Fault | undefined = first;
      for (const one of hops) fault = fault && pass(fault, one);
      if (fault === undefined) return;
      for (const reader of ["model", "person"] as const)
        expect(outsideQuotations(render(fault, { for: reader }))).not.toContain(WORD);
    }),
    { numRuns: runs(2_000) },
  );
}, 600_000);
