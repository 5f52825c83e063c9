import { describe, expect, it } from "vitest";
import { sampleReport } from "../../test/support/samples.ts";
import type { Report } from "./report.ts";
import { sarifReport } from "./sarif.ts";

/** The parts of a SARIF file that are looked at. */
interface SarifRun {
  readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly SarifRule[] } };
  readonly automationDetails: { readonly id: string };
  readonly results: readonly SarifResult[];
}
interface SarifRule {
  readonly id: string;
  readonly name: string;
  readonly helpUri: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly defaultConfiguration: { readonly level: string };
  readonly properties: { readonly tags: readonly string[]; readonly "security-severity"?: string };
}
interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [
    { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: unknown } },
  ];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions?: readonly { readonly kind: string; readonly justification: string }[];
}

function readRun(report: Report, file = "package.json"): SarifRun {
  const { version, runs } = JSON.parse(sarifReport(report, { file })) as { version: string; runs: SarifRun[] };
  expect({ version, runs: runs.length }).toEqual({ version: "2.1.0", runs: 1 });
  return runs[0] as SarifRun;
}

const report = sampleReport();
const withChecks = (change: (check: Report["checks"][number]) => Partial<Report["checks"][number]>): Report => ({
  ...report,
  checks: report.checks.map((check) => ({ ...check, ...change(check) })),
});

describe("sarifReport", () => {
  const run = readRun(report);

  it("has a rule for every check, with help and its page", () => {
    const { name, rules } = run.tool.driver;
    expect(name).toBe("recourse");
    expect(rules.map(({ id }) => id)).toEqual(report.checks.map(({ id }) => id));
    for (const rule of rules) {
      expect(rule.helpUri).toMatch(new RegExp(`^https://.+/checks/${rule.id}\\.md$`));
      expect(rule.name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
      expect(["error", "warning", "note"]).toContain(rule.defaultConfiguration.level);
      for (const text of [rule.shortDescription.text, rule.fullDescription.text, rule.help.text, rule.help.markdown])
        expect(text.length).toBeGreaterThan(10);
      // GitHub refuses more than 20 tags, and lists only rules with this number as security.
      expect(rule.properties.tags.length).toBeLessThan(20);
      expect(rule.properties["security-severity"] !== undefined).toBe(rule.properties.tags.includes("security"));
    }
  });

  it("has a result for every finding that counts and for its consequences", () => {
    const levels = Object.fromEntries(run.results.map(({ ruleId, level }) => [ruleId, level]));
    expect(levels).toMatchObject({ "leak-stack": "error", "deep-json": "warning", "echo-bounded": "note" });
    expect(levels["leak-path"]).toBe("note");
    const counted = report.checks.filter(
      ({ state, severity }) => state === "follows" || (state === "fail" && severity !== "info"),
    );
    expect(Object.keys(levels).toSorted()).toEqual(counted.map(({ id }) => id).toSorted());
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  });

  it("names a file of the repository for each result, as code scanning demands", () => {
    for (const { locations } of readRun(report, "my servers/é/package.json").results) {
      const { artifactLocation, region } = locations[0].physicalLocation;
      expect(artifactLocation).toEqual({ uri: "my%20servers/%C3%A9/package.json", uriBaseId: "%SRCROOT%" });
      expect(region).toEqual({ startLine: 1 });
    }
  });

  it("knows a finding again in the next run, whatever its text, address and time", () => {
    const { target } = report;
    const later = {
      ...withChecks(({ message }) => (message === undefined ? {} : { message: `${message} Again.` })),
      startedAt: "2027-01-01T00:00:00.000Z",
      target: { ...target, url: "http://127.0.0.1:49152/mcp", server: { ...target.server, version: "9.9.9" } },
    };
    const prints = (one: SarifRun) => one.results.map(({ partialFingerprints }) => partialFingerprints);
    expect(prints(readRun(later))).toEqual(prints(run));
    expect(new Set(prints(run).map(({ primaryLocationLineHash }) => primaryLocationLineHash)).size).toBe(
      run.results.length,
    );
    const other = { ...report, target: { ...target, server: { name: "Other", version: "1" } } };
    expect(prints(readRun(other))).not.toEqual(prints(run));
  });

  it("suppresses what the baseline lists, with the reason", () => {
    const listed = withChecks(({ id }) => (id === "deep-json" ? { state: "known", reason: "next release" } : {}));
    const result = readRun(listed).results.find(({ ruleId }) => ruleId === "deep-json");
    expect(result?.suppressions).toEqual([{ kind: "external", status: "accepted", justification: "next release" }]);
  });

  it("does not let a text of the server become a link", () => {
    const hostile = withChecks(({ state }) =>
      state === "fail" ? { message: "[click](https://evil.example) \\ \ud800" } : {},
    );
    for (const { message, level } of readRun(hostile).results)
      if (level === "error") expect(message.text).toContain("\\[click\\](https://evil.example) \\\\ \ufffd");
  });
});
