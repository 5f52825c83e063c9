// The dashboards of Grafana: their sources are deploy/grafana/*.ts, and what Grafana reads is generated from them.
//   node --conditions=@recourse/source deploy/check/dashboards.ts    writes deploy/grafana/*.json
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { SITE_URL } from "../../site/content/address.ts";
import { type CheckResult, resultOf } from "./part.ts";

const DEPLOY = join(import.meta.dirname, "..");
const ROOT = join(DEPLOY, "..");
const FOLDER = join(DEPLOY, "grafana");
const TYPES = join(DEPLOY, ".cache/dashboard-types");
const NAMES = ["gateway", "upstreams", "controls"] as const;
const MAX_PANELS = 12;
/** What links to runbooks begin with. */
const RUNBOOK = new RegExp(`^${SITE_URL}/operate/runbooks/([a-z-]+)/$`);

/** A panel, as far as it is checked. */
interface DashboardPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid?: string };
  readonly links?: readonly { readonly url: string }[];
  readonly targets?: readonly { readonly expr: string; readonly datasource?: { readonly uid?: string } }[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string; readonly noValue?: string } };
}

/** A dashboard, as far as it is checked. */
interface DashboardFile {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly DashboardPanel[];
}

/** An expression of a panel, as Prometheus takes it. */
export interface DashboardExpression {
  /** The dashboard and the title of the panel. */
  readonly in: string;
  readonly expr: string;
}

/** What Grafana puts in the place of its variables. */
const VARIABLES = { $__rate_interval: "5m", $job: ".+", $upstream: ".+" } as const;

function readDashboard(name: string): DashboardFile {
  return JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as DashboardFile;
}

/** Every expression of every dashboard, with a value for each variable. Needs no packages. */
export function dashboardExpressions(): readonly DashboardExpression[] {
  return NAMES.map(readDashboard).flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ in: `${uid}: ${title}`, expr: fillVariables(expr) })),
    ),
  );
}

function fillVariables(expr: string): string {
  return Object.entries(VARIABLES).reduce((text, [name, value]) => text.replaceAll(name, value), expr);
}

/** Checks the dashboards. The packages of deploy/ have to be installed. */
export async function checkDashboards(): Promise<readonly CheckResult[]> {
  const missing = NAMES.filter((name) => !existsSync(join(FOLDER, `${name}.json`)));
  if (missing.length > 0)
    return [
      resultOf(
        "dashboards",
        missing.map((name) => `there is no ${name}.json`),
      ),
    ];
  const generated = await generate();
  const dashboards = NAMES.map(readDashboard);
  return [
    resultOf(
      "dashboards are generated from their sources",
      NAMES.filter((name) => JSON.stringify(readDashboard(name)) !== generated.get(name)).map(
        (name) => `${name}.json differs: run node --conditions=@recourse/source deploy/check/dashboards.ts`,
      ),
    ),
    resultOf("dashboards are those that are listed", listingProblems()),
    resultOf("types of dashboards", dashboardTypeProblems()),
    ...dashboards.map((one) => resultOf(`dashboard: ${one.uid}`, dashboardProblems(one))),
    resultOf(
      "ids of dashboards",
      repeated(dashboards.map(({ uid }) => uid)).map((uid) => `${uid} is used twice`),
    ),
    resultOf("expressions of dashboards", await syntaxProblems(dashboardExpressions())),
  ];
}

/** Each dashboard as its source gives it, as JSON without white space: the formatter decides about that. */
async function generate(): Promise<ReadonlyMap<string, string>> {
  const texts = NAMES.map(async (name) => {
    const module = (await import(pathToFileURL(join(FOLDER, `${name}.ts`)).href)) as { readonly dashboard: unknown };
    return [name, JSON.stringify(module.dashboard)] as const;
  });
  return new Map(await Promise.all(texts));
}

function listingProblems(): readonly string[] {
  const found = globSync("*.json", { cwd: FOLDER }).map((file) => basename(file, ".json"));
  return found.filter((name) => !NAMES.some((known) => known === name)).map((name) => `${name}.json has no source`);
}

/** What is wrong with a dashboard, whatever its types say. */
export function dashboardProblems({ panels }: DashboardFile): readonly string[] {
  const shown = panels.filter(({ type }) => type !== "row");
  return [
    ...(shown.length > MAX_PANELS ? [`it has ${shown.length} panels, more than ${MAX_PANELS}`] : []),
    ...repeated(panels.map(({ id }) => id)).map((id) => `the id ${id} is used twice`),
    ...repeated(shown.map(({ title }) => title)).map((title) => `the title "${title}" is used twice`),
    ...shown.flatMap((panel) => panelProblems(panel).map((problem) => `${panel.title}: ${problem}`)),
  ];
}

function panelProblems({ title, description = "", datasource, links = [], targets = [], fieldConfig }: DashboardPanel) {
  const [, runbook] = RUNBOOK.exec(links[0]?.url ?? "") ?? [];
  const sources = [datasource, ...targets.map((one) => one.datasource)].map((one) => one?.uid);
  const wrong: Readonly<Record<string, boolean>> = {
    "its title is not a question": !title.endsWith("?"),
    "its description is not one sentence": !/^[A-Z\d][^.]*\.$/.test(description),
    "it has no unit": (fieldConfig?.defaults.unit ?? "") === "",
    "it says nothing about a range without calls": fieldConfig?.defaults.noValue !== "No calls in this range",
    "it has no link to a runbook":
      runbook === undefined || !existsSync(join(ROOT, "docs/operate/runbooks", `${runbook}.md`)),
    "it has a fixed data source": sources.some((uid) => uid !== "$" + "{datasource}"),
    "it shows nothing": targets.length === 0,
  };
  return Object.entries(wrong).flatMap(([problem, isWrong]) => (isWrong ? [problem] : []));
}

function repeated<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values.filter((value, at) => values.indexOf(value) !== at))];
}

/** A member that a panel does not have: if the compiler takes it, nothing else that it says counts. */
const WRONG_PANEL = `import type { Panel } from "@grafana/schema";
// @ts-expect-error
export const wrong = { type: "stat", titel: "?" } satisfies Panel;
`;

/** What the compiler says about the sources. */
function dashboardTypeProblems(): readonly string[] {
  const options = {
    compilerOptions: {
      ...{ strict: true, noEmit: true, module: "nodenext", target: "es2024", types: [], skipLibCheck: true },
      allowImportingTsExtensions: true,
    },
    include: ["*.ts", join(FOLDER, "*.ts")],
  };
  mkdirSync(TYPES, { recursive: true });
  writeFileSync(join(TYPES, "tsconfig.json"), JSON.stringify(options));
  writeFileSync(join(TYPES, "wrong-panel.ts"), WRONG_PANEL);
  try {
    execFileSync("tsc", ["-p", TYPES, "--pretty", "false"], { encoding: "utf8", cwd: TYPES });
    return [];
  } catch (error) {
    const { stdout = "" } = error as { readonly stdout?: string };
    const lines = stdout.split("\n").filter((line) => line !== "");
    return lines.length > 0 ? lines : [String(error)];
  }
}

/** The part of a parser of PromQL that is used. */
interface PromqlParser {
  parse(text: string): {
    iterate(options: {
      enter: (node: { readonly type: { readonly isError: boolean }; readonly from: number }) => void;
    }): void;
  };
}

/** What the parser of Prometheus says about expressions. */
async function syntaxProblems(expressions: readonly DashboardExpression[]): Promise<readonly string[]> {
  const file = join(DEPLOY, "node_modules/@prometheus-io/lezer-promql/dist/index.es.js");
  const { parser } = (await import(pathToFileURL(file).href)) as { readonly parser: PromqlParser };
  return expressions.flatMap(({ in: place, expr }) => {
    const problems: string[] = [];
    if (expr.includes("$")) problems.push(`${place}: a variable has no value in ${expr}`);
    parser.parse(expr).iterate({
      enter({ type, from }) {
        if (type.isError) problems.push(`${place}: character ${from} of ${expr}`);
      },
    });
    return problems;
  });
}

if (import.meta.main) {
  const files = [...(await generate())].map(([name, json]) => ({ path: join(FOLDER, `${name}.json`), json }));
  // Indented, since the formatter leaves an object on one line if it begins there.
  for (const { path, json } of files) writeFileSync(path, JSON.stringify(JSON.parse(json), null, 2));
  execFileSync("biome", ["format", "--write", ...files.map(({ path }) => path)], { cwd: ROOT });
}
