import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleCheck, sampleEra, sampleExchange, sampleRecording } from "../../test/support/samples.ts";
import { withoutAnnotations } from "../../test/support/without-annotations.ts";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import { CHECK_SEVERITIES, failCheck, judgeEach, type ProbeCheck, passCheck } from "../checks/check.ts";
import { select } from "../checks/exchanges.ts";
import type { EraRecord, RecordedExchange, Recording, SparedTool } from "../recording/recording.ts";
import { judgeRecording } from "./judge.ts";

const SILENT: SparedTool = { tool: "report", because: "It says nothing.", why: "unannotated" };

function withSpared(spared: readonly SparedTool[], changes: Partial<EraRecord> = {}): Recording {
  return sampleRecording({ eras: [sampleEra({ spared, ...changes })] });
}

const isClosed = ({ answer }: RecordedExchange) => (answer.kind === "closed" ? "It closed." : undefined);

/** Looks at valid calls and at nothing else. */
const readsCalls = sampleCheck("reads-calls", "pass", {
  severity: "high",
  run: (view) => judgeEach(select(view, "valid-call"), { nothing: "No tool was called.", wrong: isClosed }),
});
/** Looks at unknown tools and at nothing else. */
const readsOthers = sampleCheck("reads-others", "pass", {
  run: (view) => judgeEach(select(view, "unknown-tool"), { nothing: "Nothing was sent.", wrong: isClosed }),
});
const checks = [readsCalls, readsOthers];

describe("a tool that was not called for its annotations", () => {
  it("costs what checks of calls could have cost, and no more", () => {
    const report = judgeRecording(withSpared([SILENT], { called: [] }), { checks });
    expect(report).toMatchObject({
      score: 74,
      atMost: 100,
      grade: "C?",
      coverage: { applied: 1, notTested: 1, notApplicable: 0 },
      untested: [{ kind: "annotations", tools: ["report"], option: "--tools", checks: ["reads-calls"] }],
    });
    expect(report.checks).toMatchObject([
      { state: "untested", cost: 0.12, message: "No tool says that it only reads." },
      { state: "pass" },
    ]);
  });

  it("counts beside tools that were called", () => {
    const called = sampleExchange({ id: "call", stimulus: "valid-call", tool: "search_items" });
    const both = { exchanges: [sampleExchange(), called] };
    const report = judgeRecording(withSpared([SILENT], both), { checks: [...checks, ...checks, readsOthers] });
    expect(report.checks[0]).toMatchObject({ state: "untested", cost: 0.12 });
    expect(report.untested[0]?.wouldCall).toEqual(["search_items", "report"]);
    expect(judgeRecording(withSpared([], both), { checks })).toMatchObject({ score: 100, grade: "A" });
  });

  it("is named with --by-name if its name would do", () => {
    const spared: SparedTool[] = [{ ...SILENT, tool: "get_item", byName: true }, SILENT];
    const [part] = judgeRecording(withSpared(spared), { checks }).untested;
    expect(part).toMatchObject({ option: "--by-name", wouldCall: ["get_item"], tools: ["get_item", "report"] });
  });

  it.each(["writes", "schema", "arguments", "not-named", "limit"] as const)(
    "does not count if it is spared: %s",
    (why) => {
      const call = sampleExchange({ id: "call", stimulus: "valid-call", tool: "search_items" });
      const recording = withSpared([{ ...SILENT, why }], { exchanges: [sampleExchange(), call] });
      expect(judgeRecording(recording, { checks })).toMatchObject({
        score: 100,
        atMost: 100,
        grade: "A",
        untested: [],
      });
    },
  );

  it("counts if its annotations contradict its name", () => {
    expect(judgeRecording(withSpared([{ ...SILENT, why: "disputed" }]), { checks }).untested).toHaveLength(1);
  });

  it("is known in older recordings by its annotations", () => {
    const spared = [{ tool: "buy", because: "It does not say that it only reads." }];
    expect(judgeRecording(withSpared(spared), { checks }).untested).toMatchObject([{ tools: ["buy"] }]);
    const says = [{ name: "buy", annotations: { readOnlyHint: false } }];
    expect(judgeRecording(withSpared(spared, { tools: says }), { checks }).untested).toEqual([]);
  });

  it("is free in set 1", () => {
    const report = judgeRecording(withSpared([SILENT], { called: [] }), { checks, set: 1 });
    expect(report).toMatchObject({ score: 100, grade: "A?", untested: [] });
    expect(report.checks[0]).toMatchObject({ state: "skipped" });
  });
});

describe("a server of which no tool was called", () => {
  it("is no better than C", () => {
    const writes: SparedTool[] = [{ ...SILENT, why: "writes" }];
    const report = judgeRecording(withSpared(writes, { called: [] }), { checks: [readsOthers] });
    expect(report).toMatchObject({ score: 74, atMost: 100, grade: "C?" });
  });

  it("may have 100 points if it has no tools", () => {
    const none = withSpared([], { called: [], tools: [] });
    expect(judgeRecording(none, { checks: [readsOthers] })).toMatchObject({ score: 100, grade: "A" });
  });
});

describe("a group that was not sent", () => {
  const readsPrompts = sampleCheck("reads-prompts", "pass", {
    run: (view) => judgeEach(select(view, "prompt-argument"), { nothing: "None.", wrong: isClosed }),
  });

  it("is not tested if there was something, and names the option", () => {
    const leftOut = [
      { stimulus: "prompt-argument", because: "It can run something.", untested: "not-allowed" },
    ] as const;
    const report = judgeRecording(withSpared([], { leftOut }), { checks: [readsOthers, readsPrompts] });
    expect(report.checks[1]).toMatchObject({ state: "untested", option: "--allow-prompts" });
    expect(report.checks[1]).not.toHaveProperty("cost");
    expect(report).toMatchObject({ score: 74, atMost: 100, coverage: { applied: 1, notTested: 1 } });
  });

  it("is not applicable if the server has nothing of the kind", () => {
    const leftOut = [{ stimulus: "prompt-argument", because: "No prompt requires an argument." }] as const;
    const report = judgeRecording(withSpared([], { leftOut }), { checks: [readsOthers, readsPrompts] });
    expect(report).toMatchObject({ score: 100, coverage: { applied: 1, notTested: 0, notApplicable: 1 } });
  });
});

it("knows which checks of the catalogue look at calls", () => {
  const spared = withSpared([SILENT], { called: [] });
  const found = judgeRecording(spared, { checks: PROBE_CHECKS }).untested[0]?.checks ?? [];
  expect(found).toEqual(expect.arrayContaining(["leak-stack", "args-refused", "false-green", "no-hang", "no-crash"]));
  for (const id of ["unknown-method-code", "deep-json", "http-origin", "echo-control"]) expect(found).not.toContain(id);
});

const TOOLS = ["a", "b", "c"] as const;
const CALLS = ["valid-call", "wrong-arguments"] as const;

/** Exchanges that are wrong for some checks. */
const exchanges = fc.array(
  fc.record({
    stimulus: fc.constantFrom("unknown-tool", "malformed-params", "http-edge", ...CALLS),
    tool: fc.constantFrom(...TOOLS),
    wrongFor: fc.array(fc.nat(9), { maxLength: 4 }),
  }),
  { maxLength: 14 },
);

/** Checks that look at some stimuli, and follow from others. */
const rules = fc.array(
  fc.record({
    severity: fc.constantFrom(...CHECK_SEVERITIES),
    stimuli: fc.subarray(["unknown-tool", "malformed-params", "http-edge", ...CALLS], { minLength: 1 }),
    follows: fc.array(fc.nat(9), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 10 },
);

describe("deleting annotations", () => {
  it("never raises the score or the grade, for all tools or for some", () => {
    fc.assert(
      fc.property(exchanges, rules, fc.subarray([...TOOLS]), (made, some, deleted) => {
        const wrongFor = new Map<string, readonly number[]>();
        const kept = made.map(({ stimulus, tool, wrongFor: wrong }, at): RecordedExchange => {
          wrongFor.set(`x${at}`, wrong);
          const isCall = CALLS.some((one) => one === stimulus);
          return sampleExchange({ id: `x${at}`, stimulus, ...(isCall && { tool }) });
        });
        const catalogue = some.map(({ severity, stimuli, follows }, number): ProbeCheck => {
          const causes = follows.filter((one) => one < number && one < some.length).map((one) => `c${one}`);
          return sampleCheck(`c${number}`, "pass", {
            severity,
            follows: causes,
            run: ({ era }) => {
              const looked = era.exchanges.filter((one) => stimuli.includes(one.stimulus as "http-edge") && one.answer);
              const [first, ...more] = looked.filter(({ id }) => wrongFor.get(id)?.includes(number));
              return first === undefined ? passCheck() : failCheck("No.", [first, ...more]);
            },
          });
        });
        const tools = TOOLS.map((name) => ({ name, annotations: { readOnlyHint: true } }));
        const before = sampleRecording({
          eras: [sampleEra({ tools, called: [...TOOLS], spared: [], exchanges: kept })],
        });
        const after = withoutAnnotations(before, deleted);
        const [first, then] = [before, after].map((one) => judgeRecording(one, { checks: catalogue }));
        expect(then?.score).toBeLessThanOrEqual(first?.score ?? -1);
        expect(gradeRank(then?.grade)).toBeGreaterThanOrEqual(gradeRank(first?.grade));
      }),
      { numRuns: 500 },
    );
  });
});

/** The worse, the higher. No letter is no better than any. */
function gradeRank(grade = ""): number {
  return "ABCDF?".indexOf(grade.charAt(0));
}
