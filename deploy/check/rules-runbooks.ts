// What the alerts, their tests and their runbooks say, and what is wrong with it. Nothing here runs a program.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { RANGE_NAMES } from "../../packages/console/src/pages/now/ranges.ts";
import { SITE_URL } from "../../site/content/address.ts";
import { findAddress } from "../../site/content/sources.ts";

const ROOT = join(import.meta.dirname, "../..");
const RUNBOOKS = "docs/operate/runbooks";
/** The folder of the rules, from the root of the repository. */
export const PROMETHEUS_FOLDER = "deploy/prometheus";

/** One alert of the rules. Two can have one name, if they differ in severity. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<"summary" | "runbook_url" | "console" | "dashboard", string>>;
}
interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}
/** The file with the rules. */
export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly (AlertRule | RecordingRule)[] }[];
}
/** The file with the tests of the rules. */
export interface RuleTests {
  readonly group_eval_order?: readonly string[];
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly eval_time: string;
      readonly exp_alerts?: readonly { readonly exp_labels: { readonly severity: string } }[];
    }[];
  }[];
}
/** A runbook: its alert in kebab case, and the text of the page. */
export interface Runbook {
  readonly name: string;
  readonly text: string;
}

/** Reads a file of the repository as YAML. */
export function readYaml<T>(file: string): T {
  return parse(readFileSync(join(ROOT, file), "utf8")) as T;
}

/** All alerts of a file, in its order. */
export function listAlerts({ groups }: RuleFile): readonly AlertRule[] {
  return groups.flatMap(({ rules }) => rules.filter((rule): rule is AlertRule => "alert" in rule));
}

/** The names that the rules record themselves. */
export function listRecorded({ groups }: RuleFile): ReadonlySet<string> {
  return new Set(groups.flatMap(({ rules }) => rules.flatMap((rule) => ("record" in rule ? [rule.record] : []))));
}

/** `RecourseBreakerOpen` becomes `breaker-open`. */
export function runbookName(alert: string): string {
  return alert
    .replace(/^Recourse/, "")
    .replaceAll(/\B([A-Z])/g, "-$1")
    .toLowerCase();
}

/** Reads all runbooks, and the page that lists them. */
export function readRunbooks(): { readonly pages: readonly Runbook[]; readonly index: string } {
  const files = globSync(`${RUNBOOKS}/*.md`, { cwd: ROOT }).toSorted();
  const read = files.map((file) => ({ name: basename(file, ".md"), text: readFileSync(join(ROOT, file), "utf8") }));
  return {
    pages: read.filter(({ name }) => name !== "README"),
    index: read.find(({ name }) => name === "README")?.text ?? "",
  };
}

/** What every alert has, and where its links lead. `dashboards` are the ids of those that exist. */
export function alertProblems(alerts: readonly AlertRule[], dashboards: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return alerts.flatMap(({ alert, labels, annotations }) => {
    const { severity } = labels;
    const { summary = "", runbook_url = "", console: link = "", dashboard = "" } = annotations;
    const problems: string[] = [];
    if (seen.has(`${alert} ${severity}`)) problems.push(`is there twice with severity ${severity}`);
    seen.add(`${alert} ${severity}`);
    if (!["page", "ticket"].includes(severity)) problems.push(`has the severity ${severity}`);
    // Nobody knows the labels and the value of what is absent.
    if (!summary.includes("$value") && !/Absent|Refused/.test(alert)) problems.push("has a summary without a figure");
    const address = findAddress(`${RUNBOOKS}/${runbookName(alert)}.md`);
    if (runbook_url !== `${SITE_URL}${address}`) problems.push(`has the runbook_url ${runbook_url}`);
    const [, range = ""] = /\{\{ end \}\}\/\?range=(\w+)$/.exec(link) ?? [];
    if (!RANGE_NAMES.some((name) => name === range)) problems.push(`does not link to Now with a range: ${link}`);
    const [, uid = ""] = /\{\{ end \}\}\/d\/([\w-]+)$/.exec(dashboard) ?? [];
    if (!dashboards.includes(uid)) problems.push(`links to a dashboard that does not exist: ${dashboard}`);
    return problems.map((problem) => `${alert} ${problem}`);
  });
}

/** Every alert needs series with which it fires, series with which it recovers, and series with which it stays silent. */
export function testProblems(alerts: readonly AlertRule[], { tests, group_eval_order }: RuleTests, file: RuleFile) {
  const problems = alerts.flatMap(({ alert, labels: { severity } }) => {
    const missing = new Set(["fires", "recovers", "does not fire"]);
    for (const { alert_rule_test: checks } of tests) {
      const own = checks.filter(({ alertname }) => alertname === alert);
      const firing = own.map(({ exp_alerts = [] }) => exp_alerts.some((one) => one.exp_labels.severity === severity));
      const first = firing.indexOf(true);
      if (first >= 0) missing.delete("fires");
      if (first >= 0 && firing.lastIndexOf(false) > first) missing.delete("recovers");
      if (first < 0 && own.length > 0) missing.delete("does not fire");
    }
    return [...missing].map((what) => `${alert} (${severity}) has no test in which it ${what}`);
  });
  const groups = file.groups.map(({ name }) => name);
  const isOrdered = JSON.stringify(groups) === JSON.stringify(group_eval_order);
  return isOrdered ? problems : [...problems, `group_eval_order must be ${groups.join(", ")}`];
}

/** The sections of a runbook, in their order. */
const SECTIONS = ["What callers notice", "Is it real", "Stop the harm", "Find the cause", "After"] as const;
/** A page has to be read at night, on one screen. */
const MAX_LINES = 80;

/** What is wrong with a runbook. */
export function runbookProblems({ name, text }: Runbook, alerts: readonly AlertRule[]): readonly string[] {
  const problems: string[] = [];
  const alert = alerts.find((one) => runbookName(one.alert) === name)?.alert;
  if (alert === undefined) problems.push("belongs to no alert");
  else if (!text.startsWith(`# ${alert}\n`)) problems.push(`does not begin with "# ${alert}"`);
  const sections = splitSections(text);
  if (JSON.stringify([...sections.keys()]) !== JSON.stringify(SECTIONS))
    problems.push(`has the sections ${[...sections.keys()].join(", ")}`);
  const real = sections.get("Is it real") ?? "";
  if (queriesIn(real).length !== 1) problems.push("needs one query below Is it real");
  if ((real.match(/^Console: `\/console\//gm) ?? []).length !== 1)
    problems.push("needs one line Console: `/console/…`");
  const questions = [...(sections.get("Find the cause") ?? "").matchAll(/^(\d)\. \*\*[^*]+\?\*\*/gm)].map(([, n]) => n);
  if (questions.join() !== "1,2,3") problems.push("needs three questions below Find the cause");
  if (text.split("\n").length > MAX_LINES) problems.push(`has more than ${MAX_LINES} lines`);
  for (const { commands } of scriptsIn(text)) problems.push(...commandProblems(commands));
  for (const path of consolePaths(text)) if (!isConsolePage(path)) problems.push(`names ${path}, which is not a page`);
  return problems.map((problem) => `${name}.md ${problem}`);
}

function splitSections(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n"))]),
  );
}

/** The blocks of a language, without what they are indented by. */
function blocksIn(text: string, language: string): readonly string[] {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, "gm");
  return [...text.matchAll(fence)].map(([, indent = "", block = ""]) =>
    block.replaceAll(new RegExp(`^${indent}`, "gm"), "").trimEnd(),
  );
}

/** The queries of a page. The website cannot highlight PromQL, so they are blocks of text. */
export function queriesIn(text: string): readonly string[] {
  return blocksIn(text, "text");
}

/** Programs of the runbooks. Those of a platform cannot run in the check. */
const PLATFORM_OF: ReadonlyMap<string, keyof typeof PLATFORM_HEADS> = new Map([
  ["recourse", "here"],
  ["curl", "here"],
  ["docker", "compose"],
  ["kubectl", "kubernetes"],
]);
/** The first line of a block for one platform. */
const PLATFORM_HEADS = { here: /^(?!# (?:Docker|Kube))/, compose: /^# Docker Compose/, kubernetes: /^# Kubernetes/ };

/** A block of commands. */
export interface Script {
  readonly text: string;
  readonly commands: readonly string[];
  /** Whether it needs no other platform than a shell. */
  readonly runsHere: boolean;
}

/** The blocks of commands of a page. */
export function scriptsIn(text: string): readonly Script[] {
  return blocksIn(text, "sh").map((block) => {
    const commands = block.split("\n").filter((line) => line !== "");
    return { text: block, commands, runsHere: platformOf(commands) === "here" };
  });
}

function platformOf(lines: readonly string[]): keyof typeof PLATFORM_HEADS | undefined {
  const programs = lines.filter((line) => !/^#|^\w+=\S+ #/.test(line)).map((line) => line.split(" ")[0] ?? "");
  const platforms = new Set(programs.map((name) => PLATFORM_OF.get(name)));
  return platforms.size === 1 ? [...platforms][0] : undefined;
}

function commandProblems(lines: readonly string[]): readonly string[] {
  const platform = platformOf(lines);
  const shown = lines.join("; ");
  if (platform === undefined) return [`has a block with unknown or mixed programs: ${shown}`];
  return PLATFORM_HEADS[platform].test(lines[0] ?? "")
    ? []
    : [`has a block whose first line names no platform: ${shown}`];
}

/** Addresses of the console that a page names. */
function consolePaths(text: string): readonly string[] {
  return [...text.matchAll(/`\/console\/([^`]*)`/g)].map(([, path = ""]) => path);
}

/** The paths of the console stand in one table, which only a browser can load. */
const CONSOLE_PATHS: readonly RegExp[] = [
  ...readFileSync(join(ROOT, "packages/console/src/pages/find-page.tsx"), "utf8").matchAll(/\{ path: \/(.+?)\/, tab/g),
].map(([, source = ""]) => new RegExp(source));

function isConsolePage(target: string): boolean {
  const { pathname, searchParams } = new URL(target, "http://console/");
  const range = searchParams.get("range");
  const isKnownRange = range === null || RANGE_NAMES.some((name) => name === range);
  return isKnownRange && CONSOLE_PATHS.some((path) => path.test(pathname.slice(1)));
}

/** The rows of the index: every alert, its severity, what it is about, and the address in the console. */
export function indexRows(alerts: readonly AlertRule[], pages: readonly Runbook[]): readonly string[] {
  const byName = Map.groupBy(alerts, ({ alert }) => alert);
  return [...byName].map(([alert, rules]) => {
    const name = runbookName(alert);
    const severities = rules.map(({ labels }) => labels.severity).join(", ");
    const ranges = rules.map(({ annotations }) => `\`/console/${/\?range=\w+$/.exec(annotations.console)?.[0]}\``);
    const dashboards = rules.map(({ annotations }) => /\/d\/(.+)$/.exec(annotations.dashboard)?.[1]);
    const [, when = ""] =
      /^# .+\n\n(.+?) Your shell needs/.exec(pages.find((one) => one.name === name)?.text ?? "") ?? [];
    const first = /^.+?\.(?= |$)/.exec(when)?.[0] ?? when;
    return `| [\`${alert}\`](${name}.md) | ${severities} | ${first} | ${ranges.join(", ")} | \`${dashboards[0]}\` |`;
  });
}

/** How the index differs from the rules. */
export function indexProblems(index: string, rows: readonly string[]): readonly string[] {
  const shown = index.split("\n").filter((line) => line.startsWith("| [`"));
  return [
    ...rows.filter((row) => !shown.includes(row)).map((row) => `README.md has no row ${row}`),
    ...shown.filter((row) => !rows.includes(row)).map((row) => `README.md has the row ${row}`),
  ];
}
