import { afterAll, test } from "vitest";
import { ERAS } from "../peers.ts";
import { type Seen, seenOf, WIRES } from "./before-after.ts";
import { CASES } from "./cases.ts";

/** Codes whose meaning, and over HTTP whose status, the protocol fixes. */
const FIXED = [-32700, -32601, -32020, -32021, -32022];
const COLUMN = 56;

const VARIANTS = WIRES.flatMap((wire) => ERAS.map((era) => ({ wire, era })));
const rows = new Map(CASES.map(({ name }) => [name, new Map<string, string>()]));

const say = (seen: Seen | undefined): string =>
  `${seen?.verdict === "fault" ? seen.reason : seen?.verdict}${seen?.code === undefined ? "" : ` ${seen.code}`}`;

// Most of the time is waiting for bare servers that never answer, so the variants wait together.
test.concurrent.for(VARIANTS)(
  "$era over $wire: every leak, loss and hang is gone",
  async ({ wire, era }, { expect }) => {
    const [bare, guarded] = await Promise.all([
      seenOf({ wire, era, guarded: false }),
      seenOf({ wire, era, guarded: true }),
    ]);
    for (const { name, expects } of CASES) {
      const expected = expects[era];
      if (expected === undefined) continue;
      const [before, after] = [bare.get(name), guarded.get(name)];
      rows.get(name)?.set(`${era} ${wire}`, `${say(before)} → ${say(after)}`);
      const { reason, code } = after ?? {};
      expect
        .soft({ verdict: after?.verdict, reason, code }, name)
        .toEqual({ verdict: "fault", code: undefined, ...expected });
      // Nothing may be worse than it was.
      if (before?.code !== undefined && FIXED.includes(before.code)) expect.soft(code, name).toBe(before.code);
      if (before?.status !== undefined && before.status !== 200) expect.soft(after?.status, name).toBe(before.status);
    }
  },
);

afterAll(() => {
  const columns = VARIANTS.map(({ wire, era }) => `${era} ${wire}`);
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
