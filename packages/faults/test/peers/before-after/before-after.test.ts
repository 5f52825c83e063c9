import { isNightly } from "@recourse/test-kit/runs";
import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { afterAll, test } from "vitest";
import { CASES } from "./cases.ts";
import { type Observation, observeCases, TRANSPORTS } from "./observe.ts";

/** Codes whose meaning, and over HTTP whose status, the protocol fixes. */
const FIXED = [-32700, -32601, -32020, -32021, -32022];
const COLUMN = 56;

// Over stdio each variant starts two processes.
const VARIANTS = TRANSPORTS.flatMap((transport) => ERAS.map((era) => ({ transport, era }))).filter(
  ({ transport, era }) => isNightly || transport === "http" || era === "v2 modern",
);
const rows = new Map(CASES.map(({ name }) => [name, new Map<string, string>()]));

const summaryOf = (seen: Observation | undefined): string =>
  `${seen?.verdict === "fault" ? seen.reason : seen?.verdict}${seen?.code === undefined ? "" : ` ${seen.code}`}`;

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
      rows.get(name)?.set(`${era} ${transport}`, `${summaryOf(before)} → ${summaryOf(after)}`);
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

afterAll(() => {
  const columns = VARIANTS.map(({ transport, era }) => `${era} ${transport}`);
  const lines = [...rows].map(([name, cells]) => [name, ...columns.map((column) => cells.get(column) ?? "-")]);
  const table = [["case", ...columns], ...lines];
  console.log(
    table
      .map((cells) =>
        cells
          .map((cell) => cell.padEnd(COLUMN))
          .join(" ")
          .trimEnd(),
      )
      .join("\n"),
  );
});
