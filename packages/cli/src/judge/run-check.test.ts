import { describe, expect, it } from "vitest";
import { sampleCheck, sampleEra, sampleRecording } from "../../test/support/samples.ts";
import type { Check, CheckResult } from "../checks/check.ts";
import type { Revision } from "../recording/revisions.ts";
import { runCheck, severityFor } from "./run-check.ts";

const both = sampleRecording({ eras: [sampleEra(), sampleEra({ revision: "2026-07-28" })] });

function byEra(results: Record<Revision, CheckResult>): Check {
  return sampleCheck("x", "pass", { run: ({ era }) => results[era.revision] });
}

describe("runCheck", () => {
  it("fails if one era fails, and names it", () => {
    const failing = { state: "fail", message: "No.", evidence: ["b"] } as const;
    expect(runCheck(byEra({ "2025-11-25": { state: "pass" }, "2026-07-28": failing }), both)).toEqual({
      state: "fail",
      message: "No.",
      eras: ["2026-07-28"],
      evidence: ["b"],
    });
  });

  it("shows the clearest exchange of each era first", () => {
    const check = byEra({
      "2025-11-25": { state: "fail", message: "Old.", evidence: ["a1", "a2"] },
      "2026-07-28": { state: "fail", message: "New.", evidence: ["b1", "a1"] },
    });
    expect(runCheck(check, both)).toMatchObject({ message: "Old.", evidence: ["a1", "b1", "a2"] });
  });

  it("passes if one era passes and the other has nothing to look at", () => {
    const check = byEra({ "2025-11-25": { state: "skipped", because: "Nothing." }, "2026-07-28": { state: "pass" } });
    expect(runCheck(check, both)).toEqual({ state: "pass" });
  });

  it("is skipped with the reason of the check", () => {
    expect(runCheck(sampleCheck("x", "skipped"), both)).toEqual({
      state: "skipped",
      because: "No tool could be called.",
    });
  });

  it.each([
    [{ transport: "stdio" }, "This is about servers over stdio."],
    [{ revisions: ["2026-07-28"] }, "This is about MCP 2026-07-28, which was not probed."],
  ] satisfies [Partial<Check>, string][])("is skipped where it does not apply: %j", (changes, because) => {
    const check = sampleCheck("x", "fail", changes);
    expect(runCheck(check, sampleRecording())).toEqual({ state: "skipped", because });
  });

  it("does not end the probe if the check throws", () => {
    const check = sampleCheck("x", "pass", {
      run: () => {
        throw new TypeError("oops");
      },
    });
    expect(runCheck(check, both)).toEqual({
      state: "skipped",
      because: "The check itself failed, which is a bug in recourse: oops",
    });
  });
});

describe("severityFor", () => {
  const check = sampleCheck("x", "fail", { severity: "high", severityOn: { stdio: "low", remote: "medium" } });

  it.each([
    [{ transport: "stdio", loopback: true }, "low"],
    [{ transport: "http", loopback: true }, "high"],
    [{ transport: "http", loopback: false }, "medium"],
  ] as const)("on %j is %s", (target, severity) => {
    expect(severityFor(check, sampleRecording({ target }))).toBe(severity);
  });
});
