import { expect, it } from "vitest";
import { dashboardExpressions, dashboardProblems } from "./dashboards.ts";

const SOURCE = { uid: "$" + "{datasource}" };
const PANEL = {
  id: 1,
  type: "timeseries",
  title: "How many calls arrive?",
  description: "Requests in a second.",
  datasource: SOURCE,
  links: [{ url: "https://recourse-mcp.github.io/recourse/operate/runbooks/down/" }],
  targets: [{ expr: "up", datasource: SOURCE }],
  fieldConfig: { defaults: { unit: "reqps", noValue: "No calls in this range" } },
};
const problemsOf = (...panels: Parameters<typeof dashboardProblems>[0]["panels"]) =>
  dashboardProblems({ uid: "test", title: "Test", panels });

it("takes a panel that has everything", () => {
  expect(problemsOf(PANEL)).toEqual([]);
});

it.each([
  [{ title: "Calls" }, "its title is not a question"],
  [{ description: "" }, "its description is not one sentence"],
  [{ description: "One. Two." }, "its description is not one sentence"],
  [{ links: [] }, "it has no link to a runbook"],
  [
    { links: [{ url: "https://recourse-mcp.github.io/recourse/operate/runbooks/no-such-page/" }] },
    "it has no link to a runbook",
  ],
  [{ datasource: { uid: "P1809F7CD0C75ACF3" } }, "it has a fixed data source"],
  [{ targets: [{ expr: "up", datasource: { uid: "prometheus" } }] }, "it has a fixed data source"],
  [{ targets: [] }, "it shows nothing"],
  [{ fieldConfig: { defaults: { noValue: "No calls in this range" } } }, "it has no unit"],
  [{ fieldConfig: { defaults: { unit: "s" } } }, "it says nothing about a range without calls"],
])("refuses a panel with %j", (changes, problem) => {
  const panel = { ...PANEL, ...changes };
  expect(problemsOf(panel)).toEqual([`${panel.title}: ${problem}`]);
});

it("refuses ids and titles that are used twice, and too many panels; rows do not count as panels", () => {
  expect(problemsOf(PANEL, { ...PANEL, id: 2, title: "Why?" })).toEqual([]);
  expect(problemsOf(PANEL, PANEL)).toEqual(["the id 1 is used twice", `the title "${PANEL.title}" is used twice`]);
  const many = Array.from({ length: 13 }, (_, id) => ({ ...PANEL, id, title: `Is it ${id}?` }));
  expect(problemsOf(...many)).toEqual(["it has 13 panels, more than 12"]);
  expect(problemsOf({ id: 99, type: "row", title: "$upstream" }, ...many.slice(1))).toEqual([]);
});

it("gives every expression with values for its variables", () => {
  const expressions = dashboardExpressions();
  expect(new Set(expressions.map(({ in: place }) => place.split(":")[0]))).toEqual(
    new Set(["recourse-gateway", "recourse-upstreams", "recourse-controls"]),
  );
  expect(expressions.filter(({ expr }) => expr.includes("$"))).toEqual([]);
});
