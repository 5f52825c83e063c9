import { isNightly } from "@recourse/test-kit/runs";
import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { test } from "vitest";
import { CASES } from "./cases.ts";
import { observeCases, TRANSPORTS } from "./observe.ts";

/** Codes whose meaning, and over HTTP whose status, the protocol fixes. */
const FIXED = [-32700, -32601, -32020, -32021, -32022];

// Over stdio each variant starts two processes.
const VARIANTS = TRANSPORTS.flatMap((transport) => ERAS.map((era) => ({ transport, era }))).filter(
  ({ transport, era }) => isNightly || transport === "http" || era === "v2 modern",
);

// Most of the time is spent waiting for bare servers that never answer, so the variants run concurrently.
test.concurrent.for(VARIANTS)(
  "$era over $transport: a guarded server has no leak, no lost reason and no hang",
  async ({ transport, era }, { expect }) => {
    const [bare, guarded] = await Promise.all([
      observeCases({ transport, era, guarded: false }),
      observeCases({ transport, era, guarded: true }),
    ]);
    for (const { name, expects } of CASES) {
      const expected = expects[era];
      if (expected === undefined) continue;
      const [before, after] = [bare.get(name), guarded.get(name)];
      const { reason, code } = after ?? {};
      expect
        .soft({ verdict: after?.verdict, reason, code }, name)
        .toEqual({ verdict: "fault", code: undefined, ...expected });
      // Codes and statuses that the protocol fixes must not change.
      if (before?.code !== undefined && FIXED.includes(before.code)) expect.soft(code, name).toBe(before.code);
      if (before?.status !== undefined && before.status !== 200) expect.soft(after?.status, name).toBe(before.status);
    }
  },
);
