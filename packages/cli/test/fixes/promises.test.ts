// A report that advises a call of Recourse must be right: with the call in place, the finding is gone, and the score has the points.

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fixCalls } from "../../src/fixes/fix-calls.ts";
import { gather } from "../../src/gather/gather.ts";
import { judgeRecording } from "../../src/judge/judge.ts";
import type { CheckReport, Report } from "../../src/report/report.ts";
import { COMPILE_CACHE } from "../support/compile-cache.ts";

async function probeFaulty(...options: readonly string[]): Promise<Report> {
  const program = fileURLToPath(new URL("../servers/faulty.ts", import.meta.url));
  const gathered = await gather(
    {
      transport: "stdio",
      command: process.execPath,
      args: ["--conditions=@recourse/source", program, ...options],
    },
    { env: COMPILE_CACHE, signal: AbortSignal.timeout(110_000), now: Date.now },
  );
  if (!gathered.ok) throw new Error(gathered.failure.detail);
  return judgeRecording(gathered.recording);
}

const findings = ({ checks }: Report): readonly CheckReport[] =>
  checks.filter(({ state }) => state !== "pass" && state !== "skipped");
const CALLS = /\bguard(?:Stdin|Stdout)?\(/;

test.each([["--sdk-1", "--more"], ["--sdk-2"]])(
  "%s %s: what a guard is said to fix is fixed by it",
  { timeout: 360_000 },
  async (...options) => {
    const [bare, withGuard, withAll] = await Promise.all([
      probeFaulty(...options),
      probeFaulty(...options, "--guard"),
      probeFaulty(...options, "--guarded"),
    ]);
    const promised = findings(bare).filter(({ fix }) => CALLS.test(fix?.code ?? ""));
    expect(promised.length).toBeGreaterThan(10);
    expect(stillFound(promised, withAll)).toEqual([]);
    const step = bare.fixes.find((one) => fixCalls(one, "stdio") === "guard(server)");
    expect(step?.points).toBeGreaterThan(0);
    expect(stillFound(step?.cures.map((id) => ({ id })) ?? [], withGuard)).toEqual([]);
    expect(withGuard.score - bare.score).toBeGreaterThanOrEqual(step?.points ?? 0);
  },
);

/** The findings of a report that another one has too. */
function stillFound(before: readonly { readonly id: string }[], after: Report): readonly string[] {
  return before.map(({ id }) => id).filter((id) => findings(after).some((one) => one.id === id));
}
