import { describe, expect, it } from "vitest";
import { sampleReport } from "../../test/support/samples.ts";
import type { CheckReport, Report } from "../report/report.ts";
import { type Baseline, parseBaseline, writeBaseline } from "./baseline.ts";

const rules = { set: 1, ids: new Set(["leak-path", "no-hang"]) };

describe("parseBaseline", () => {
  it("reads known and forced findings with their reasons", () => {
    const text = JSON.stringify({ set: 1, known: { "leak-path": "old logs" }, forced: { "no-hang": "by contract" } });
    expect(parseBaseline(text, rules)).toEqual({
      ok: true,
      baseline: { set: 1, known: { "leak-path": "old logs" }, forced: { "no-hang": "by contract" } },
    });
    expect(parseBaseline('{"set":1}', rules)).toEqual({ ok: true, baseline: { set: 1, known: {}, forced: {} } });
  });

  it.each([
    ["nonsense", /not JSON of the form/],
    ["[]", /not JSON of the form/],
    ['{"set":2}', /for set 2, and this probe judges by set 1/],
    ['{"known":{}}', /for set undefined/],
    ['{"set":1,"ignore":{}}', /a member "ignore"/],
    ['{"set":1,"known":["leak-path"]}', /"known" of the baseline is not an object/],
    ['{"set":1,"known":{"leak-pth":"x"}}', /names "leak-pth", which is not a check/],
    ['{"set":1,"known":{"constructor":"x"}}', /names "constructor", which is not a check/],
    ['{"set":1,"known":{"leak-path":" "}}', /gives no reason for "leak-path"/],
    ['{"set":1,"known":{"leak-path":true}}', /gives no reason for "leak-path"/],
    ['{"set":1,"known":{"leak-path":"x"},"forced":{"leak-path":"y"}}', /names "leak-path" twice/],
  ])("refuses %s", (text, problem) => {
    expect(parseBaseline(text, rules)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});

describe("parseBaseline of any set", () => {
  it("reads the file that a new baseline replaces", () => {
    const { ids } = rules;
    expect(parseBaseline('{"set":7,"known":{"leak-path":"x"}}', { ids })).toMatchObject({
      ok: true,
      baseline: { set: 7, known: { "leak-path": "x" } },
    });
    expect(parseBaseline('{"name":"a-package","version":"1.0.0"}', { ids })).toMatchObject({ ok: false });
    expect(parseBaseline('{"set":"1"}', { ids })).toMatchObject({ ok: false });
  });
});

describe("writeBaseline", () => {
  const report = sampleReport();
  const findings = report.checks.filter(({ state, severity }) => state === "fail" && severity !== "info");
  const write = (from: Report, earlier?: Baseline) => JSON.parse(writeBaseline(from, earlier)) as Baseline;
  const changed = (id: string, change: Partial<CheckReport>, more: Partial<Report> = {}): Report => ({
    ...report,
    ...more,
    checks: report.checks.map((check) => (check.id === id ? { ...check, ...change } : check)),
  });
  const earlier = (known: Record<string, string>, forced: Record<string, string> = {}): Baseline => ({
    set: 1,
    known,
    forced,
  });

  it("lists what was found, with a reason that asks for yours", () => {
    const { set, known, forced } = write(report);
    expect(set).toBe(report.set);
    expect(Object.keys(known)).toEqual(findings.map(({ id }) => id));
    expect(forced).toEqual({});
    for (const reason of Object.values(known)) expect(reason).toMatch(/^Found 2026-11-16\. Replace this by why/);
  });

  it("can be read again, and then nothing is new", () => {
    const ids = new Set(report.checks.map(({ id }) => id));
    const parsed = parseBaseline(writeBaseline(report), { set: report.set, ids });
    expect(parsed).toMatchObject({ ok: true });
    expect(parsed.ok && write(report, parsed.baseline)).toEqual(write(report));
  });

  it("keeps your reasons, and moves them to the set of the report", () => {
    const before = earlier({ "leak-stack": "ours" }, { "deep-json": "by contract" });
    const { set, known, forced } = write(report, { ...before, set: 99 });
    expect(set).toBe(report.set);
    expect(known["leak-stack"]).toBe("ours");
    expect(forced).toEqual({ "deep-json": "by contract" });
    expect(known).not.toHaveProperty("deep-json");
  });

  it("leaves out what passes now, and keeps what was not run", () => {
    const before = earlier({ "leak-stack": "ours" });
    expect(write(changed("leak-stack", { state: "pass" }), before).known).not.toHaveProperty("leak-stack");
    for (const state of ["skipped", "untested", "follows", "preview", "known"] as const)
      expect(write(changed("leak-stack", { state }), before).known["leak-stack"]).toBe("ours");
    const cut = changed("leak-stack", { state: "pass" }, { interrupted: true });
    expect(write(cut, before).known["leak-stack"]).toBe("ours");
  });
});
