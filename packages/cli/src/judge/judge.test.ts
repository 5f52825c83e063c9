import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleCheck, sampleEra, sampleExchange, sampleRecording } from "../../test/support/samples.ts";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import { CHECK_SEVERITIES, type CheckResult, type ProbeCheck } from "../checks/check.ts";
import type { EraRevision } from "../recording/recording.ts";
import { type JudgeOptions, judgeRecording } from "./judge.ts";
import { checkSeverity, runCheck } from "./run-check.ts";

const recording = sampleRecording();

/** The fix that the check has itself, on any server. */
const ownFix = ({ fix, source }: ProbeCheck) => ({ fix, source });

function judged(checks: readonly ProbeCheck[], options: JudgeOptions = {}) {
  return judgeRecording(recording, { fixFor: ownFix, ...options, checks });
}

describe("judge", () => {
  it("reports the server, the score and each check", () => {
    const report = judged([
      sampleCheck("a", "fail", { severity: "high" }),
      sampleCheck("b", "pass"),
      sampleCheck("c", "skipped"),
    ]);
    expect(report).toMatchObject({
      score: 88,
      grade: "B",
      set: 2,
      atMost: 88,
      coverage: { applied: 2, notTested: 0, notApplicable: 1, leftOut: 0, of: 3 },
      untested: [],
      counts: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
      called: ["search_items"],
      calledWriters: [],
      spared: [{ tool: "buy" }],
      target: { server: { name: "Shop" }, revisions: ["2025-11-25"], tools: 2, readOnlyTools: 1 },
    });
    expect(report.checks[0]).toEqual({
      id: "a",
      category: "leak",
      severity: "high",
      state: "fail",
      source: "yours",
      title: "Failures keep a.",
      why: "A model cannot act on it.",
      eras: ["2025-11-25"],
      message: "The server fails a.",
      cost: 0.12,
      evidence: ["2025-11-25/unknown-tool/first/1"],
      fix: {
        text: "Guard the server.",
        code: "guard(server)",
        docs: "https://github.com/recourse-mcp/recourse/blob/main/docs/checks/a.md",
      },
    });
    expect(report.checks[2]).toMatchObject({ state: "skipped", message: "No tool could be called." });
  });

  it("puts consequences beneath their cause and does not score them", () => {
    const report = judged([
      sampleCheck("path", "fail", { severity: "high", follows: ["stack"] }),
      sampleCheck("stack", "fail", { severity: "critical" }),
      sampleCheck("text", "fail", { follows: ["path"] }),
    ]);
    expect(report.score).toBe(59);
    expect(report.counts).toMatchObject({ critical: 1, high: 0, medium: 0 });
    expect(report.checks).toMatchObject([
      { id: "path", state: "follows", causedBy: "stack" },
      { id: "stack", state: "fail", cost: 0.4 },
      { id: "text", state: "follows", causedBy: "stack" },
    ]);
  });

  it("does not put a finding beneath one that shows something else, or a milder one", () => {
    const exchanges = ["a", "b", "c"].map((id) => sampleExchange({ id }));
    const named = (id: string, evidence: [string, ...string[]], changes: Partial<ProbeCheck> = {}) =>
      sampleCheck(id, { state: "fail", message: "No.", evidence }, changes);
    const checks = [
      named("stack", ["a", "b"], { severity: "high" }),
      named("same", ["b"], { follows: ["stack"] }),
      named("elsewhere", ["c"], { follows: ["stack"] }),
      named("more", ["a", "c"], { follows: ["stack"] }),
      named("worse", ["a"], { severity: "critical", follows: ["stack"] }),
    ];
    const seen = sampleRecording({ eras: [sampleEra({ exchanges })] });
    const states = (set: number) =>
      judgeRecording(seen, { checks, set }).checks.map(({ id, state }) => `${id} ${state}`);
    expect(states(2)).toEqual(["stack fail", "same follows", "elsewhere fail", "more fail", "worse fail"]);
    expect(states(1)).toEqual(["stack fail", "same follows", "elsewhere follows", "more follows", "worse follows"]);
  });

  it("takes two exchanges of one tool and one stimulus for the same evidence, in one era", () => {
    const wrong = (id: string, variant: string, tool: string) =>
      sampleExchange({ id, stimulus: "wrong-arguments", variant, tool });
    const exchanges = [wrong("a", "type", "get"), wrong("b", "missing", "get"), wrong("c", "type", "list")];
    const checks = [
      sampleCheck("first", { state: "fail", message: "No.", evidence: ["a"] }, { severity: "high" }),
      sampleCheck("field", { state: "fail", message: "No.", evidence: ["b"] }, { follows: ["first"] }),
      sampleCheck("other", { state: "fail", message: "No.", evidence: ["c"] }, { follows: ["first"] }),
    ];
    const report = judgeRecording(sampleRecording({ eras: [sampleEra({ exchanges })] }), { checks });
    expect(report.checks.map(({ state }) => state)).toEqual(["fail", "follows", "fail"]);
  });

  it("does not score previews, and they hide nothing that is scored", () => {
    const report = judged([
      sampleCheck("new", "fail", { severity: "critical", preview: true }),
      sampleCheck("text", "fail", { follows: ["new"] }),
      sampleCheck("later", "fail", { severity: "high", since: 3 }),
      sampleCheck("also-new", "fail", { preview: true, follows: ["text"] }),
    ]);
    expect(report.score).toBe(96);
    expect(report.checks).toMatchObject([
      { state: "preview" },
      { state: "fail", cost: 0.04 },
      { state: "preview" },
      { state: "follows", causedBy: "text" },
    ]);
  });

  it("counts checks that you leave out as not applied", () => {
    const checks = [sampleCheck("a", "fail"), sampleCheck("b", "fail"), sampleCheck("c", "fail")];
    expect(judged(checks, { only: ["a"] })).toMatchObject({ score: 96, grade: "A?", coverage: { applied: 1, of: 3 } });
    expect(judged(checks, { skip: ["a"] })).toMatchObject({ score: 92, coverage: { applied: 2, of: 3 } });
    expect(judged(checks, { skip: ["a"] }).checks[0]).toMatchObject({ state: "skipped", message: "You left it out." });
  });

  it("scores known findings, does not score forced ones, and names stale entries", () => {
    const checks = [
      sampleCheck("a", "fail"),
      sampleCheck("b", "fail"),
      sampleCheck("c", "pass"),
      sampleCheck("d", "skipped"),
    ];
    const report = judged(checks, {
      baseline: { set: 1, known: { a: "soon", c: "was so" }, forced: { b: "the contract asks for it", d: "same" } },
    });
    expect(report).toMatchObject({ score: 96, stale: ["c"] });
    expect(report.checks).toMatchObject([
      { state: "known", reason: "soon", cost: 0.04 },
      { state: "forced", reason: "the contract asks for it" },
      { state: "pass" },
      { state: "skipped" },
    ]);
  });

  it("orders fixes by the points that they win", () => {
    const checks = [
      sampleCheck("low", "fail", { severity: "low", fix: { text: "A.", code: "guard(server)" } }),
      sampleCheck("own", "fail", { severity: "low", fix: { text: "By hand." } }),
      sampleCheck("bad", "fail", { severity: "critical", fix: { text: "B.", code: "edge()" } }),
      sampleCheck("after", "fail", { severity: "high", follows: ["bad"] }),
      sampleCheck("medium", "fail", { fix: { text: "A.", code: "guard(server)" } }),
    ];
    const { score, fixes } = judged(checks);
    expect(score).toBe(56);
    expect(fixes).toEqual([
      // What follows has another fix, so this one does not promise its points.
      { text: "B.", code: "edge()", cures: ["bad"], points: 26 },
      { text: "A.", code: "guard(server)", cures: ["low", "medium"], points: 3 },
      { text: "By hand.", cures: ["own"], points: 1 },
    ]);
  });

  it("promises points only for what a fix surely changes", () => {
    const body = { kind: "body", ms: 1, text: "", bytes: 0 } as const;
    const exchanges = [
      sampleExchange({ id: "tool", stimulus: "valid-call", tool: "search_items" }),
      sampleExchange({ id: "edge", stimulus: "malformed-message" }),
      sampleExchange({ id: "page", stimulus: "unknown-tool", answer: body }),
    ];
    const named = (id: string, evidence: string, code: string) =>
      sampleCheck(id, { state: "fail", message: "No.", evidence: [evidence] }, { fix: { text: "Do it.", code } });
    const plan = (...checks: ProbeCheck[]) =>
      judgeRecording(sampleRecording({ eras: [sampleEra({ exchanges })] }), { checks, fixFor: ownFix }).fixes.map(
        ({ cures, points }) => [cures, points] as const,
      );
    expect(plan(named("a", "tool", "guard(server)"))).toEqual([[["a"], 4]]);
    expect(plan(named("a", "edge", "guard(server)"))).toEqual([]);
    expect(plan(named("a", "page", "guard(server)"), named("b", "tool", "guard(server)"))).toEqual([[["b"], 4]]);
    expect(plan(named("a", "edge", "guardHandler(handler)"))).toEqual([[["a"], 4]]);
    expect(plan(named("a", "tool", "guardHandler(handler)"))).toEqual([]);
    expect(plan(named("a", "edge", "by_hand()"))).toEqual([[["a"], 4]]);
  });

  it("promises no points above a cap that stays", () => {
    const checks = [
      sampleCheck("worst", "fail", { severity: "critical", fix: { text: "A." } }),
      sampleCheck("bad", "fail", { severity: "critical", fix: { text: "B." } }),
    ];
    expect(judged(checks)).toMatchObject({ score: 36, fixes: [{ points: 23 }, { points: 23 }] });
    const uncalled = sampleRecording({ eras: [sampleEra({ called: [], spared: [] })] });
    const step = judgeRecording(uncalled, { checks: [sampleCheck("a", "fail", { severity: "high" })] });
    expect(step).toMatchObject({ score: 74, atMost: 88, fixes: [{ points: 0 }] });
  });

  it("says which called tools do not say that they only read", () => {
    const era = sampleEra({ called: ["search_items", "buy"] });
    const report = judgeRecording(sampleRecording({ eras: [era] }), { checks: [] });
    expect(report).toMatchObject({ calledWriters: ["buy"], spared: [] });
  });

  it("carries the evidence, or every exchange", () => {
    const other = sampleExchange({ id: "other" });
    const two = sampleRecording({ eras: [sampleEra({ exchanges: [sampleExchange(), other] })] });
    const checks = [sampleCheck("a", "fail")];
    expect(judgeRecording(two, { checks }).exchanges.map(({ id }) => id)).toEqual(["2025-11-25/unknown-tool/first/1"]);
    expect(judgeRecording(two, { checks, allExchanges: true }).exchanges).toHaveLength(2);
  });

  it("judges a server that speaks no era", () => {
    const report = judgeRecording(sampleRecording({ eras: [] }), { checks: [sampleCheck("a", "fail")] });
    expect(report).toMatchObject({ score: 59, atMost: 100, grade: "?", coverage: { applied: 0, of: 1 } });
    const old = judgeRecording(sampleRecording({ eras: [] }), { checks: [sampleCheck("a", "fail")], set: 1 });
    expect(old).toMatchObject({ score: 100, grade: "A?" });
  });
});

/** Catalogues in which a check follows from earlier ones. */
const catalogue = fc
  .array(
    fc.record({
      severity: fc.constantFrom(...CHECK_SEVERITIES),
      state: fc.constantFrom("pass", "fail", "fail", "skipped"),
      preview: fc.boolean(),
      follows: fc.array(fc.nat(11), { maxLength: 2 }),
    }),
    { maxLength: 12 },
  )
  .map((rows) => [
    // If nothing is run, nothing is known.
    sampleCheck("anchor", "pass"),
    ...rows.map(({ state, severity, preview, follows }, at) =>
      sampleCheck(`c${at}`, state as "pass", {
        severity,
        preview: preview && at % 3 === 0,
        follows: follows.filter((one) => one < at).map((one) => `c${one}`),
      }),
    ),
  ]);

describe("the score", () => {
  it("does not depend on the order of checks", () => {
    fc.assert(
      fc.property(catalogue, (checks) => {
        const report = judged(checks);
        const reversed = judged(checks.toReversed());
        expect(reversed.score).toBe(report.score);
        expect(reversed.checks.toReversed()).toEqual(report.checks);
      }),
    );
  });

  it("is not changed by a new check that passes", () => {
    fc.assert(
      fc.property(catalogue, (checks) => {
        expect(judged([...checks, sampleCheck("new", "pass", { severity: "critical" })]).score).toBe(
          judged(checks).score,
        );
      }),
    );
  });

  it("is never lowered by mending one finding", () => {
    fc.assert(
      fc.property(catalogue, fc.nat(11), (checks, at) => {
        const mended = checks.map((check, index) =>
          index === at ? { ...check, run: () => ({ state: "pass" }) as const } : check,
        );
        expect(judged(mended).score).toBeGreaterThanOrEqual(judged(checks).score);
      }),
    );
  });
});

describe("the catalogue", () => {
  const byId = new Map(PROBE_CHECKS.map((check) => [check.id, check]));

  it("names only checks that exist as causes, and no check is its own cause", () => {
    const above = (id: string, seen: readonly string[]): void => {
      expect(seen, `${id} follows itself`).not.toContain(id);
      for (const cause of byId.get(id)?.follows ?? []) {
        expect(byId.has(cause), `${id} follows ${cause}`).toBe(true);
        above(cause, [...seen, id]);
      }
    };
    for (const { id } of PROBE_CHECKS) above(id, []);
    expect(byId.size).toBe(PROBE_CHECKS.length);
  });

  it("never lowers the score when one finding is mended", () => {
    const failing = PROBE_CHECKS.map(({ id, severity, preview = false, follows = [] }) =>
      sampleCheck(id, "fail", { severity, preview, follows }),
    );
    fc.assert(
      fc.property(fc.subarray(failing), (some) => {
        const score = judged(some).score;
        const anchor = sampleCheck("anchor", "pass");
        for (const { id } of some)
          expect(judged([anchor, ...some.filter((one) => one.id !== id)]).score).toBeGreaterThanOrEqual(score);
      }),
      { numRuns: 30 },
    );
  });
});

const both = sampleRecording({ eras: [sampleEra(), sampleEra({ revision: "2026-07-28" })] });

function byEra(results: Record<EraRevision, CheckResult>): ProbeCheck {
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
  ] satisfies [Partial<ProbeCheck>, string][])("is skipped where it does not apply: %j", (changes, because) => {
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
    expect(checkSeverity(check, sampleRecording({ target }))).toBe(severity);
  });
});
