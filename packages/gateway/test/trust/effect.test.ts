// Over two gateways, the effect that the caller reads is at least the worst that any of the three programs knew.
import { createSecretFilter, type Effect, type Fault, render } from "@recourse/core";
import { closient, type Dialect, erlmcp, mcp, onx, platica, qaqnuz } from "@recourse/core/dialects";
import { outsideQuotations } from "@recourse/test-kit/lies";
import { runs } from "@recourse/test-kit/runs";
import { generators } from "@recourse/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { UpstreamReply } from "../../src/call/upstream.ts";
import type { DialectName } from "../../src/config/types.ts";
import { answer, judged } from "../judge/support.ts";

const DIALECTS = { mcp, closient, onx, erlmcp, qaqnuz, platica } as unknown as Record<DialectName, Dialect<unknown>>;
const EFFECTS: readonly Effect[] = ["none", "possible", "applied"];
const anyFault = generators(fc).fault();
const WORD = "zanzibar";

/** One gateway: how it treats the words of its upstream, what that upstream writes, and whether it knows so. */
interface Hop {
  readonly wire: DialectName;
  readonly configured: boolean;
  readonly foreignText: "hide" | "public" | "quote" | "raw";
  readonly speaksFaults: boolean;
  readonly readOnly: boolean;
}

const hop: fc.Arbitrary<Hop> = fc.record({
  wire: fc.constantFrom(...(Object.keys(DIALECTS) as DialectName[])),
  configured: fc.boolean(),
  foreignText: fc.constantFrom("hide", "public", "quote", "raw"),
  speaksFaults: fc.boolean(),
  readOnly: fc.boolean(),
});

/** The answer that a server sends for a failed call of a tool. */
function written(fault: Fault, wire: DialectName): UpstreamReply {
  const { error, result } = DIALECTS[wire].encode(fault, { method: "tools/call", tool: "buy" }) as Record<
    string,
    object
  >;
  return answer({ jsonrpc: "2.0", id: 7, ...(error === undefined ? { result } : { error }) });
}

function pass(fault: Fault, { wire, configured, foreignText, speaksFaults, readOnly }: Hop): Fault | undefined {
  const options = { foreignText, speaksFaults, dialect: configured ? wire : undefined };
  return judged(written(fault, wire), { options, readOnly }).fault;
}

test("no chain of two gateways lowers an effect, or offers to repeat what may have happened", () => {
  fc.assert(
    fc.property(anyFault, hop, hop, (stated, first, second) => {
      const middle = pass(stated, first);
      const last = middle && pass(middle, second);
      expect(EFFECTS.indexOf(middle?.effect ?? "none")).toBeGreaterThanOrEqual(EFFECTS.indexOf(stated.effect));
      expect(EFFECTS.indexOf(last?.effect ?? "none")).toBeGreaterThanOrEqual(EFFECTS.indexOf(middle?.effect ?? "none"));
      expect(last?.origin.layer).toBe("upstream");
      const moves = last?.recourse.map((move) => move.do) ?? [];
      expect(moves).not.toContain("authenticate");
    }),
    { numRuns: runs(800) },
  );
});

test("a secret of either hop is in none of what the caller reads, and words of others stand in quotations, unless every hop vouches for them", () => {
  const secrets = ["sk-upstream-5f1c9a", "caller-key-88d1e2"] as const;
  const found = createSecretFilter(secrets);
  const text = fc.constantFrom(`${WORD} ${secrets[0]}`, `${WORD} ${secrets[1]}`, WORD);
  fc.assert(
    fc.property(anyFault, text, hop, hop, (fault, said, first, second) => {
      const lie = { ...fault, message: `Said ${said}.`, reason: "planted/x", quote: { text: said, from: "peer" } };
      const reply = answer({
        jsonrpc: "2.0",
        id: 7,
        result: { isError: true, content: [{ type: "text", text: said }], _meta: { "recourse/fault": lie } },
      });
      const shared = { credential: { kind: "bearer", token: secrets[0] } as const };
      const headers = { authorization: `Bearer ${secrets[1]}` };
      const { foreignText, speaksFaults } = first;
      const middle = judged(reply, { options: { ...shared, foreignText, speaksFaults }, headers }).fault;
      const last = middle && pass(middle, second);
      const isVouched = { middle: first.speaksFaults, last: first.speaksFaults && second.speaksFaults };
      for (const [one, vouched] of [
        [middle, isVouched.middle],
        [last, isVouched.last],
      ] as const) {
        if (one === undefined) throw new Error("the failure was taken for a success");
        expect(found.has(JSON.stringify(one))).toBe(false);
        if (vouched) continue;
        for (const reader of ["model", "person"] as const)
          expect(outsideQuotations(render(one, { for: reader }))).not.toContain(WORD);
      }
    }),
    { numRuns: runs(200) },
  );
});
