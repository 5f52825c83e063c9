import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  sampleCheck,
  sampleEra,
  sampleExchange,
  sampleRecording,
  sampleReport,
  shop,
  shopChecks,
} from "../../test/support/samples.ts";
import { judgeRecording } from "../judge/judge.ts";
import { visibleWidth } from "../terminal/layout.ts";
import { createTerminal } from "../terminal/terminal.ts";
import type { Report } from "./report.ts";
import { terminalReport } from "./terminal.ts";

interface Looks {
  readonly width?: number;
  readonly verbose?: boolean;
  readonly color?: string;
  readonly env?: Record<string, string>;
}

function shown(report: Report, { width = 80, verbose = false, color = "never", env = {} }: Looks = {}): string {
  const terminal = createTerminal({ columns: width, write: () => {} }, env, { color });
  return terminalReport(report, { terminal, verbose });
}

describe("terminalReport", () => {
  it("shows findings with what was sent and got, the fix and the consequences", () => {
    expect(shown(sampleReport())).toMatchInlineSnapshot(`
      "  Shop 1.4.0 · http · 2025-11-25, 2026-07-28 · 2 tools, 1 read-only

        critical  leak-stack                                                     −40 %
                  The answer to broken JSON is a page with a stack trace.
                  sent  {"token":"sk-probe-1",
                  got   400  text/html  SyntaxError: Expected double-quoted property
                        name in JSON at position 21 at JSON.parse (<anonymous>) at…
                  fix   Answer broken JSON before Express does. NODE_ENV=production
                        hides the trace only.
                        app.use("/mcp", toNodeListener(guardHandler(handler)))
                  also  leak-path, http-error-json

        medium    deep-json                                                       −4 %
                  20,000 nested lists are answered with 500.
                  sent  40,000 bytes:  [[[[[[[[[[[[…
                  got   500  (empty body)
                  fix   Refuse deep JSON before anything walks through it.
                        guardHandler(handler)

        low       unknown-key-refused                                             −1 %
                  search_items takes a key that its schema forbids.
                  fix   Make the schema strict, so that a mistyped option is refused.

        comes with your SDK                                                       −6 %
        medium    invalid-params-code  −4 %
        low       echo-bounded, echo-control  −1 % each
                  fix   guard(server) fixes 3

        not scored: on trial, or for information
          false-green  search_items says success, and its text begins with Error.
          unknown-tool-channel  An unknown tool is answered with isError.

        53 D   15 of 15 checks tested, 2 not applicable · called: search_items
        ✖ 6 findings (1 critical, 2 medium, 3 low) · 2.1 s
        Read all of it: add --html report.html
      "
    `);
  });

  it("puts a finding and its message on one line in a wide terminal", () => {
    const [line = ""] = shown(sampleReport(), { width: 140 })
      .split("\n")
      .filter((one) => one.includes("critical"));
    expect(line).toMatch(
      /^ {2}critical {2}leak-stack +The answer to broken JSON is a page with a stack trace\. +−40 %$/,
    );
    expect(visibleWidth(line)).toBe(120);
  });

  it("says what was not tested, and the command that tests it", () => {
    const spared = [
      { tool: "get_item", because: "It says nothing.", why: "unannotated", byName: true },
      { tool: "evil\u001b[31m", because: "It says nothing.", why: "unannotated", byName: true },
    ] as const;
    const exchanges = [sampleExchange()];
    const era = sampleEra({ spared, exchanges, called: [] });
    const text = shown(judgeRecording(sampleRecording({ eras: [era] })));
    expect(text).toMatch(
      /not tested {2}\d+ of \d+ checks were not tested: no tool says that it only reads\.\s+They\s+count/,
    );
    expect(text).toContain("\n    recourse probe --by-name http://127.0.0.1:8080/mcp\n");
    expect(text).toContain("It would call get_item, evil");
    expect(text).not.toContain("\u001b");
    expect(text).toMatch(/\n {2}\d+ to \d+ {3}not graded: too little was\s+tested/);
  });

  it("says that nothing was found", () => {
    const report = judgeRecording(shop, { checks: [sampleCheck("a", "pass")] });
    expect(shown(report)).toMatch(
      /\n {2}100 A {3}1 of 1 checks tested · .*\n {2}✔ Nothing found · 2\.1 s\n {2}Read all of it: add --html report\.html\n$/,
    );
  });

  it("shows everything with verbose", () => {
    const text = shown(sampleReport(), { verbose: true });
    for (const { id } of shopChecks) expect(text).toContain(id);
    expect(text).toContain("recourse probe --replay 2025-11-25/deep-json/1");
    expect(text).toContain("auth-challenge  The server asks for no credentials.");
  });

  it("shows known, forced and stale findings apart", () => {
    const text = shown(
      sampleReport({
        baseline: {
          set: 1,
          known: { "deep-json": "next release", "id-kept": "was broken" },
          forced: { "echo-control": "the contract asks for it" },
        },
      }),
    );
    expect(text).toContain("  known, in your baseline\n    deep-json  next release\n");
    expect(text).toContain("not scored\n    echo-control  the contract asks for it\n");
    expect(text).toContain("stale  Your baseline lists what passes now; remove: id-kept");
  });

  it("says that a probe was ended early, and which era fails", () => {
    expect(shown(judgeRecording({ ...shop, interrupted: true }, { checks: shopChecks }))).toMatch(
      /ended\s+early,\s+findings\s+may\s+be\s+missing/,
    );
    const eras = [sampleEra(), sampleEra({ revision: "2026-07-28" })];
    const check = sampleCheck("a", "fail", { revisions: ["2026-07-28"] });
    expect(shown(judgeRecording(sampleRecording({ eras }), { checks: [check] }))).toContain("era   2026-07-28 only");
  });

  it("uses ASCII where the terminal has no other signs", () => {
    const text = shown(sampleReport(), { env: { LANG: "C" } });
    expect(text.replaceAll("…", "")).toMatch(/^[\n -~]*$/);
    expect(text).toContain("x 6 findings");
  });

  it.each([40, 46, 60, 79, 80, 100, 200])("keeps to a width of %d", (width) => {
    for (const verbose of [false, true])
      for (const line of shown(sampleReport(), { width, verbose, color: "always" }).split("\n"))
        if (!line.includes("guardHandler(handler)")) expect(visibleWidth(line), line).toBeLessThanOrEqual(width);
  });

  it("never breaks a cost into two lines", () => {
    for (let width = 40; width <= 80; width++)
      expect(shown(sampleReport(), { width })).toMatch(/echo-bounded,\s+echo-control\s+−1 % each\n/);
  });

  it("keeps a line of code whole, so that it can be copied", () => {
    expect(shown(sampleReport(), { width: 60 })).toContain(
      '\n      app.use("/mcp", toNodeListener(guardHandler(handler)))\n',
    );
    expect(shown(sampleReport(), { width: 40 })).toContain(
      '\n    app.use("/mcp", toNodeListener(guardHandler(handler)))\n',
    );
  });

  it("ends no line with spaces", () => {
    for (const width of [40, 60, 80]) expect(shown(sampleReport(), { width, verbose: true })).not.toMatch(/ $/m);
  });

  it("names the file that the whole report is in", () => {
    const terminal = createTerminal({ columns: 100, write: () => {} }, {}, {});
    expect(terminalReport(sampleReport(), { terminal, htmlFile: "out.html" })).toMatch(
      /\n {2}All of it is in out\.html\n$/,
    );
  });

  it("never writes what a server sends as a command to the terminal, and stays short", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.constantFrom(40, 80, 160), (noise, width) => {
        const hostile = `\u001b]0;x\u0007${noise}\u202e\r\u009b2J${"y".repeat(3000)}`;
        const exchange = sampleExchange({
          sent: { text: hostile, bytes: 1 },
          answer: { kind: "body", text: hostile, bytes: 1, ms: 1 },
        });
        const era = sampleEra({
          server: { name: hostile, version: hostile },
          exchanges: [exchange],
          called: [hostile],
        });
        const check = sampleCheck("a", { state: "fail", message: hostile.slice(0, 400), evidence: [exchange.id] });
        const text = shown(judgeRecording(sampleRecording({ eras: [era] }), { checks: [check] }), { width });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(text.length).toBeLessThan(8000);
      }),
      { numRuns: 100 },
    );
  });
});
