import { runs } from "@recourse/test-kit/runs";
import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fail } from "../../src/reasons/fail.ts";
import { unrecognised } from "../../src/reasons/library/core.ts";
import { failed as tool_failed } from "../../src/reasons/library/tool.ts";
import { connection_lost } from "../../src/reasons/library/transport.ts";
import { createEngine } from "../../src/retry/engine.ts";
import type { AttemptFailure } from "../../src/retry/index.ts";
import { GOOD } from "./set-up.ts";

const CLIENT = { origin: { layer: "client" } } as const;

/** How a call may fail while its server answers others. */
const FAILURES = {
  sentence: { fault: tool_failed.fault({}, { basis: "mapped" }) },
  notUnderstood: { fault: unrecognised.fault() },
  wrongArguments: { fault: fail.invalid_input`Wrong.`.fault },
  refused: { fault: fail.forbidden`No.`.fault },
  bug: { fault: fail.internal`Broken.`.fault },
  overloaded: { fault: fail.overloaded`Busy.`.fault },
  unavailable: { fault: fail.unavailable`Gone.`.fault },
  guessed: { fault: fail.unavailable({ basis: "guessed" })`Gone.`.fault },
  slow: { fault: fail.timeout(CLIENT)`Late.`.fault, evidence: { response: "silence", waitedFully: true } },
  hurried: { fault: fail.timeout(CLIENT)`Late.`.fault, evidence: { response: "silence", waitedFully: false } },
  http500: {
    fault: fail.upstream_failed({ origin: { layer: "transport" } })`500`.fault,
    evidence: { response: "answer" },
  },
} as const satisfies Record<string, Omit<AttemptFailure, "ok">>;

/** One tool may even end its server, or have a proxy in front say so. */
const LOST = { fault: connection_lost.fault({}, { origin: { layer: "transport" } }) } as const;

const failure = fc.constantFrom(...Object.values(FAILURES), LOST);
const call = fc.record({
  // Most calls come within the pause of a breaker.
  gapMs: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 200 }) }, fc.integer({ min: 0, max: 2_000 })),
  takesMs: fc.integer({ min: 0, max: 300 }),
  deadlineMs: fc.constantFrom(40, 1_000, 30_000),
  tool: fc.constantFrom("failing", "failing", "healthy", "sometimes"),
});

it("law 14: no failure of one tool, and no mistake of one caller, keeps a call of another tool from being sent", async () => {
  const counts = { calls: 0, healthy: 0, heldBack: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 60 }), failure, async (calls, failing) => {
      const clock = new VirtualClock();
      const options = { testing: { clock, random: () => 0.5 } };
      const engine = createEngine(options, () => fail.internal`Bug.`.fault);
      const refused: string[] = [];
      const all = (async () => {
        for (const one of calls) {
          await clock.sleep(one.gapMs);
          let sent = 0;
          await engine.run({ tool: one.tool, repeatable: true, deadlineMs: one.deadlineMs }, async () => {
            sent += 1;
            await clock.sleep(one.takesMs);
            if (one.tool === "healthy") return GOOD;
            // The caller makes its own mistakes at this tool; the tool itself works.
            if (one.tool === "sometimes") return { ok: false, fault: FAILURES.wrongArguments.fault };
            return { ok: false, ...failing };
          });
          counts.calls += 1;
          if (one.tool !== "failing") counts.healthy += 1;
          if (sent > 0) continue;
          if (one.tool === "failing") counts.heldBack += 1;
          else refused.push(one.tool);
        }
      })();
      await clock.run();
      await all;
      expect(refused).toEqual([]);
    }),
    { numRuns: runs(2_000) },
  );
  // Without calls that were held back the law would say little.
  expect(counts.heldBack).toBeGreaterThan(counts.calls / 50);
  expect(counts.healthy).toBeGreaterThan(counts.calls / 3);
});
