// A report that advises a call of Recourse must be right: with the call in place, the finding is gone, and the score has the points.
// By day the servers run in this process, each in one era, and at night also in processes of their own.
import { isNightly } from "@recourse/test-kit/runs";
import { describe, expect, test } from "vitest";
import { fixCalls } from "../../src/fixes/fix-calls.ts";
import { judgeRecording } from "../../src/judge/judge.ts";
import type { EraRevision } from "../../src/recording/recording.ts";
import type { CheckReport, Report } from "../../src/report/report.ts";
import { serveFaulty } from "../servers/faulty.ts";
import { startInside, withoutWaiting } from "../support/inner-program.ts";
import { program, recordingOf } from "../support/record.ts";

async function probeInside(options: readonly string[]): Promise<Report> {
  const start = startInside((host) => serveFaulty(host, options));
  const eras: readonly EraRevision[] = [options.includes("--sdk-1") ? "2025-11-25" : "2026-07-28"];
  const how = { start, ...(!isNightly && { eras }) };
  return withoutWaiting(async () => judgeRecording(await recordingOf(program("faulty", ...options), how)));
}

async function probeProcess(options: readonly string[]): Promise<Report> {
  return judgeRecording(await recordingOf(program("faulty", ...options)));
}

const WAYS = { "in this process": probeInside, ...(isNightly && { "as a process": probeProcess }) };

const findings = ({ checks }: Report): readonly CheckReport[] =>
  checks.filter(({ state }) => state !== "pass" && state !== "skipped");
const CALLS = /\bguard(?:Stdin|Stdout)?\(/;

describe.each(Object.entries(WAYS))("%s", (_, probe) => {
  test.each([[["--sdk-1", "--more"]], [["--sdk-2"]]])(
    "%j: what a guard is said to fix is fixed by it",
    async (options) => {
      const bare = await probe(options);
      const withGuard = await probe([...options, "--guard"]);
      const withAll = await probe([...options, "--guarded"]);
      const promised = findings(bare).filter(({ fix }) => CALLS.test(fix?.code ?? ""));
      expect(promised.length).toBeGreaterThan(10);
      expect(stillFound(promised, withAll)).toEqual([]);
      const step = bare.fixes.find((one) => fixCalls(one, "stdio") === "guard(server)");
      expect(step?.points).toBeGreaterThan(0);
      expect(stillFound(step?.cures.map((id) => ({ id })) ?? [], withGuard)).toEqual([]);
      expect(withGuard.score - bare.score).toBeGreaterThanOrEqual(step?.points ?? 0);
    },
  );
});

/** The findings of a report that another one has too. */
function stillFound(before: readonly { readonly id: string }[], after: Report): readonly string[] {
  return before.map(({ id }) => id).filter((id) => findings(after).some((one) => one.id === id));
}
