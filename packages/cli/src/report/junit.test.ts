import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elementsNamed, readXml, type XmlElement } from "../../test/support/read-xml.ts";
import { sampleReport } from "../../test/support/samples.ts";
import { junitReport } from "./junit.ts";
import type { CheckReport, Report } from "./report.ts";

const report = sampleReport();

function withStates(states: Readonly<Record<string, Partial<CheckReport>>>): Report {
  return { ...report, checks: report.checks.map((check) => ({ ...check, ...states[check.id] })) };
}

function caseOf(root: XmlElement, id: string): XmlElement | undefined {
  return elementsNamed(root, "testcase").find(({ attributes }) => attributes["name"]?.startsWith(`${id}: `));
}

describe("junitReport", () => {
  const root = readXml(junitReport(report));

  it("has a case for every check, in a suite for its category", () => {
    expect(root.name).toBe("testsuites");
    expect(elementsNamed(root, "testcase")).toHaveLength(report.checks.length);
    expect(caseOf(root, "leak-stack")?.attributes).toMatchObject({ classname: "recourse.leak", time: "0" });
    for (const suite of root.children) {
      const category = suite.attributes["name"];
      expect(suite.name).toBe("testsuite");
      expect(elementsNamed(suite, "testcase")).toHaveLength(
        report.checks.filter((check) => check.category === category).length,
      );
    }
  });

  it("counts what it holds", () => {
    for (const one of [root, ...root.children])
      expect(one.attributes).toMatchObject({
        tests: String(elementsNamed(one, "testcase").length),
        failures: String(elementsNamed(one, "failure").length),
        skipped: String(elementsNamed(one, "skipped").length),
        errors: "0",
      });
    expect(elementsNamed(root, "failure").length).toBeGreaterThan(3);
  });

  it("says what was found, why it matters and how to fix it", () => {
    const [failure] = caseOf(root, "leak-stack")?.children ?? [];
    expect(failure).toMatchObject({ name: "failure", attributes: { type: "critical" } });
    expect(failure?.attributes["message"]).toBe("The answer to broken JSON is a page with a stack trace.");
    expect(failure?.text).toContain("Why it matters: ");
    expect(failure?.text).toContain("Seen in: 2025-11-25/malformed-message/cut/1");
  });

  it("skips with the reason what is known, forced, a consequence, not tested or not applicable", () => {
    const changed = readXml(
      junitReport(
        withStates({
          "deep-json": { state: "known", reason: "next release" },
          "echo-bounded": { state: "forced", reason: "our contract" },
          "echo-control": { state: "untested", message: "No tool may be called.", option: "--by-name" },
          "invalid-params-code": { state: "preview" },
          "unknown-key-refused": { severity: "info" },
        }),
      ),
    );
    const said = (id: string) =>
      caseOf(changed, id)?.children.map(({ name, attributes, text }) => [name, attributes["message"] ?? text]);
    expect(said("deep-json")).toEqual([
      ["skipped", expect.stringMatching(/^Known, in your baseline: next release\. /)],
    ]);
    expect(said("echo-bounded")).toEqual([
      ["skipped", expect.stringMatching(/^Forced by another document: our contract/)],
    ]);
    expect(said("echo-control")).toEqual([["skipped", "Not tested: No tool may be called. Try --by-name."]]);
    expect(said("leak-path")).toEqual([["skipped", expect.stringMatching(/^Follows from leak-stack: /)]]);
    expect(said("auth-challenge")).toEqual([["skipped", "The server asks for no credentials."]]);
    expect(said("invalid-params-code")).toEqual([["system-out", expect.stringMatching(/^Not scored yet: /)]]);
    expect(said("unknown-key-refused")).toEqual([["system-out", expect.stringMatching(/^For information: /)]]);
  });

  it("is XML whatever the server says", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 60 }),
        fc.constantFrom("", "]]>", "<!--", "\ud800", "\u001b[2J\ufffe\uffff"),
        (text, more) => {
          const said = `${text}${more}"'&<x/>`;
          const hostile = {
            ...withStates({ "leak-stack": { message: said }, "deep-json": { state: "known", reason: said } }),
          };
          const server = { name: said, version: said };
          const read = readXml(junitReport({ ...hostile, target: { ...hostile.target, server } }));
          expect(elementsNamed(read, "testcase")).toHaveLength(report.checks.length);
          expect(caseOf(read, "leak-stack")?.children[0]?.attributes["message"]).toContain("\"'&<x/>");
        },
      ),
      { numRuns: 30 },
    );
  });
});
