import { expect, test } from "vitest";
import { hasten, readExposition, readExpression, unknownNames } from "./rules-prometheus.ts";
import {
  type AlertRule,
  alertProblems,
  indexProblems,
  indexRows,
  listAlerts,
  type RuleFile,
  type RuleTests,
  type Runbook,
  readRunbooks,
  readYaml,
  runbookName,
  runbookProblems,
  scriptsIn,
  testProblems,
} from "./rules-runbooks.ts";

const RULES = readYaml<RuleFile>("deploy/prometheus/rules.yaml");
const TESTS = readYaml<RuleTests>("deploy/prometheus/rules.test.yaml");
const ALERTS = listAlerts(RULES);
const { pages: PAGES, index: INDEX } = readRunbooks();
const DASHBOARDS = ["recourse-gateway", "recourse-upstreams", "recourse-controls"];
const FIRST = ALERTS[0] as AlertRule;
const PAGE = PAGES.find(({ name }) => name === "breaker-open") as Runbook;

test("there are 17 alerts, and a page for each", () => {
  const names = [...new Set(ALERTS.map(({ alert }) => alert))];
  expect(names).toHaveLength(17);
  expect(PAGES.map(({ name }) => name).toSorted()).toEqual(names.map(runbookName).toSorted());
});

test("alerts, tests, pages and index have no problems", () => {
  expect(alertProblems(ALERTS, DASHBOARDS)).toEqual([]);
  expect(testProblems(ALERTS, TESTS, RULES)).toEqual([]);
  expect(PAGES.flatMap((page) => runbookProblems(page, ALERTS))).toEqual([]);
  expect(indexProblems(INDEX, indexRows(ALERTS, PAGES))).toEqual([]);
});

test.each<[string, Partial<AlertRule["annotations"]> & { severity?: string }, string]>([
  ["severity", { severity: "warning" }, "has the severity warning"],
  ["figure", { summary: "Something is down." }, "has a summary without a figure"],
  ["runbook", { runbook_url: "https://example.com/down" }, "has the runbook_url https://example.com/down"],
  ["range", { console: "{{ end }}/?range=3h" }, "does not link to Now with a range: {{ end }}/?range=3h"],
  ["page", { console: "{{ end }}/upstreams" }, "does not link to Now with a range: {{ end }}/upstreams"],
  ["dashboard", { dashboard: "{{ end }}/d/other" }, "links to a dashboard that does not exist: {{ end }}/d/other"],
])("an alert with a wrong %s is found", (_, { severity = "page", ...annotations }, problem) => {
  const wrong = { ...FIRST, labels: { severity }, annotations: { ...FIRST.annotations, ...annotations } };
  expect(alertProblems([wrong], DASHBOARDS)).toEqual([`RecourseDown ${problem}`]);
});

test("an alert that is there twice is found", () => {
  expect(alertProblems([FIRST, FIRST], DASHBOARDS)).toEqual(["RecourseDown is there twice with severity page"]);
});

test("an alert needs three tests, and groups an order", () => {
  const check = (eval_time: string, severities: readonly string[]) => ({
    alertname: "RecourseDown",
    eval_time,
    exp_alerts: severities.map((severity) => ({ exp_labels: { severity } })),
  });
  const file = { groups: [{ name: "one", rules: [FIRST] }] };
  const problemsOf = (...groups: (readonly ReturnType<typeof check>[])[]) =>
    testProblems([FIRST], { group_eval_order: ["one"], tests: groups.map((all) => ({ alert_rule_test: all })) }, file);
  expect(problemsOf()).toHaveLength(3);
  expect(problemsOf([check("1m", ["page"])], [check("1m", [])])).toEqual([
    "RecourseDown (page) has no test in which it recovers",
  ]);
  // What fires before and is silent afterwards recovers; what is silent before does not.
  expect(problemsOf([check("1m", []), check("2m", ["page"])], [check("1m", ["ticket"])])).toEqual([
    "RecourseDown (page) has no test in which it recovers",
  ]);
  expect(problemsOf([check("1m", ["page"]), check("2m", [])], [check("1m", [])])).toEqual([]);
  expect(testProblems([], { tests: [] }, file)).toEqual(["group_eval_order must be one"]);
});

test.each<[string, (text: string) => string, RegExp]>([
  ["another title", (text) => text.replace("# RecourseBreakerOpen", "# Breaker"), /does not begin with/],
  ["a section too few", (text) => text.replace("## After", "### After"), /has the sections/],
  ["two queries", (text) => text.replace("Console:", "```text\nup\n```\n\nConsole:"), /needs one query/],
  ["no console", (text) => text.replace("Console:", "See"), /needs one line Console/],
  ["a page of the console that is not there", (text) => text.replace("upstreams/shop", "up/shop"), /names up\/shop/],
  ["a range that is not there", (text) => text.replace("upstreams/shop", "?range=2h"), /names \?range=2h/],
  ["two questions", (text) => text.replace("3. **", "**"), /needs three questions/],
  ["too many lines", (text) => text + "\n".repeat(80), /has more than 80 lines/],
  [
    "an unknown program",
    (text) => text.replace("recourse status", "sudo recourse status"),
    /unknown or mixed programs/,
  ],
  [
    "mixed programs",
    (text) => text.replace("recourse status", "recourse status\nkubectl get pods"),
    /unknown or mixed/,
  ],
  ["no platform", (text) => text.replace("recourse status", "kubectl get pods"), /names no platform/],
])("a page with %s is found", (_, change, problem) => {
  expect(runbookProblems({ ...PAGE, text: change(PAGE.text) }, ALERTS).join()).toMatch(problem);
});

test("a page without an alert, and an index with other rows are found", () => {
  expect(runbookProblems({ ...PAGE, name: "other" }, ALERTS)).toContain("other.md belongs to no alert");
  expect(indexProblems("| [`A`](a.md) | page |", ["| [`B`](b.md) | page |"])).toHaveLength(2);
});

test("blocks of commands are told apart by their program, also in lists", () => {
  const text =
    "```sh\n# Kubernetes\nkubectl get pods\n```\n\n1. One.\n\n   ```sh\n   A=1 # x\n   recourse status\n   ```\n";
  expect(scriptsIn(text)).toEqual([
    { text: "# Kubernetes\nkubectl get pods", commands: ["# Kubernetes", "kubectl get pods"], runsHere: false },
    { text: "A=1 # x\nrecourse status", commands: ["A=1 # x", "recourse status"], runsHere: true },
  ]);
});

test("durations become shorter, names and addresses do not change", () => {
  expect(hasten("rate(a:rate5m[5m]) offset 15m\nfor: 1h\n")).toBe(
    "rate(a:rate5m[5000ms]) offset 15000ms\nfor: 60000ms\n",
  );
  expect(hasten("changes(a[30m:15s])\nconsole: x/?range=15m\n")).toBe(
    "changes(a[30000ms:250ms])\nconsole: x/?range=15m\n",
  );
});

test("an expression is taken apart", () => {
  const expression = `histogram_quantile(0.95, sum by (job, le) (rate(a_bucket{x!="",m=~"t/c|r"}[5m]))) > 5
    and on (job) b:rate5m > 0.02 unless c offset 15m`;
  expect(readExpression(expression)).toEqual({
    uses: [
      {
        metric: "a_bucket",
        matchers: [
          { label: "x", operator: "!=", value: "" },
          { label: "m", operator: "=~", value: "t/c|r" },
        ],
      },
      { metric: "b:rate5m", matchers: [] },
      { metric: "c", matchers: [] },
    ],
    by: ["job", "le", "job"],
  });
});

test("names that no gateway shows are found", () => {
  const known = readExposition(['# HELP a b\na{kind="x",le="+Inf"} 1\nb 2\n', 'a{kind="with \\"quotes\\""} 1\n']);
  const unknown = (expression: string) => unknownNames(expression, known, new Set(["made:up"]));
  expect(unknown('sum by (kind, job) (a{kind="x"}) + b + made:up + up')).toEqual([]);
  expect(unknown('a{kind=~"y|x",cell="eu"} or a{kind!="gone"}')).toEqual([]);
  expect(unknown("sum by (kinds) (c)")).toEqual(["the label kinds", "the metric c"]);
  expect(unknown('a{sort="x"} + a{kind="y"} + a{kind=~"y|z"}')).toEqual([
    "the label sort of a",
    'a{kind="y"}',
    'a{kind=~"y|z"}',
  ]);
});
