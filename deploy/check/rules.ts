// The parts `rules` and `alerts`: alerts, their tests and their runbooks.
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { dashboardExpressions } from "./dashboards.ts";
import { type CheckResult, notRun, resultOf } from "./part.ts";
import { hasten, type Prometheus, readExposition, startPrometheus, unknownNames } from "./rules-prometheus.ts";
import {
  alertProblems,
  indexProblems,
  indexRows,
  listAlerts,
  listRecorded,
  PROMETHEUS_FOLDER,
  queriesIn,
  type RuleFile,
  type RuleTests,
  readRunbooks,
  readYaml,
  runbookProblems,
  testProblems,
} from "./rules-runbooks.ts";

const ROOT = join(import.meta.dirname, "../..");
const RULES = `${PROMETHEUS_FOLDER}/rules.yaml`;

const isOnPath = (program: string) =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Programs of Debian that check a file each, and the package that has them. */
const PROGRAM_CHECKS = [
  { package: "prometheus", command: ["promtool", "check", "rules", "rules.yaml"] },
  { package: "prometheus", command: ["promtool", "test", "rules", "rules.test.yaml"] },
  { package: "prometheus-alertmanager", command: ["amtool", "check-config", "alertmanager.example.yaml"] },
] as const;

/** The part `rules`: seconds, no gateway. */
export async function checkRules(): Promise<readonly CheckResult[]> {
  const file = readYaml<RuleFile>(RULES);
  const alerts = listAlerts(file);
  const { pages, index } = readRunbooks();
  const missing = new Set(alerts.map(({ alert }) => alert)).size - pages.length;
  return [
    resultOf(`${alerts.length} alerts: severity, summary and links`, alertProblems(alerts, readDashboards())),
    resultOf(
      "each alert has a firing, a silent and a recovering test",
      testProblems(alerts, readYaml<RuleTests>(`${PROMETHEUS_FOLDER}/rules.test.yaml`), file),
    ),
    resultOf(`${pages.length} runbooks`, [
      ...pages.flatMap((page) => runbookProblems(page, alerts)),
      ...(missing === 0 ? [] : ["there is not one page for each alert"]),
      ...indexProblems(index, indexRows(alerts, pages)),
    ]),
    ...PROGRAM_CHECKS.map(runProgramCheck),
  ];
}

function runProgramCheck({
  package: wanted,
  command: [program, ...args],
}: (typeof PROGRAM_CHECKS)[number]): CheckResult {
  const name = [program, ...args].join(" ");
  if (!isOnPath(program)) return notRun(name, `${program} is not installed (Debian package ${wanted})`);
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: join(ROOT, PROMETHEUS_FOLDER), encoding: "utf8" });
  return resultOf(name, status === 0 ? [] : `${stdout}${stderr}`.split("\n").filter(Boolean));
}

/** The ids of the dashboards. */
function readDashboards(): readonly string[] {
  return globSync("deploy/grafana/*.json", { cwd: ROOT }).map(
    (file) => (JSON.parse(readFileSync(join(ROOT, file), "utf8")) as { readonly uid: string }).uid,
  );
}

/** The part `alerts`: gateways in the states of the alerts, and a Prometheus that watches them. */
export async function checkAlerts(): Promise<readonly CheckResult[]> {
  const missing = ["prometheus", "redis-server", "curl"].filter((program) => !isOnPath(program));
  if (missing.length > 0) return [notRun("alerts", `not installed: ${missing.join(", ")}`)];
  // They load the gateway, which the part `rules` does not need.
  const { startDrivenGateway } = await import("./driven-gateway.ts");
  const { startWorld } = await import("./rules-world.ts");
  const { playScenes } = await import("./rules-scenes.ts");
  const rules = readFileSync(join(ROOT, RULES), "utf8");
  const { pages } = readRunbooks();
  const starting = [startDrivenGateway(), startWorld()] as const;
  let prometheus: Prometheus | undefined;
  const close = async () => {
    await prometheus?.close();
    await Promise.allSettled(starting.map(async (one) => (await one).close()));
  };
  // Whoever ends the check early should not have to look for what it started.
  const interrupted = () => void close().finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    const [driven, world] = await Promise.all(starting);
    const jobs = { driven: [driven.metricsUrl.host], ...world.targets };
    prometheus = await startPrometheus({ jobs, rules: hasten(rules) });
    await driven.call();
    const { results, metrics } = await playScenes(world, prometheus, pages);
    await driven.call();
    const seen = [...metrics, await driven.metrics(), ...(await memoryMetrics(world.targets.memory))];
    return [...results, checkNames(seen), await checkPanels(prometheus)];
  } catch (error) {
    return [resultOf("alerts", [error instanceof Error ? (error.stack ?? error.message) : String(error)])];
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    await close();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Every panel of a dashboard must show something about a gateway that went through every state. */
async function checkPanels(prometheus: Prometheus): Promise<CheckResult> {
  const expressions = dashboardExpressions();
  const problems = await Promise.all(
    expressions.map(async ({ in: place, expr }) => {
      const rows = await prometheus.query(expr).catch((error: unknown) => String(error));
      if (typeof rows === "string") return [`${place}: ${rows}`];
      return rows.length === 0 ? [`${place}: no data for ${expr}`] : [];
    }),
  );
  return resultOf(`data for ${expressions.length} expressions of the dashboards`, problems.flat());
}

async function memoryMetrics([target]: readonly string[]): Promise<readonly string[]> {
  return [await (await fetch(`http://${target}/metrics`)).text()];
}

/** Every metric and label of a rule or a runbook must be one that a gateway shows. */
function checkNames(texts: readonly string[]): CheckResult {
  const file = readYaml<RuleFile>(RULES);
  // Named in a comment of the settings, for operators to add.
  const recorded = new Set([...listRecorded(file), "recourse_slow_upstream"]);
  const known = readExposition(texts);
  const expressions = [
    ...file.groups.flatMap(({ rules }) =>
      rules.map((rule) => ({ in: "alert" in rule ? rule.alert : rule.record, expr: rule.expr })),
    ),
    ...readRunbooks().pages.flatMap(({ name, text }) => queriesIn(text).map((expr) => ({ in: `${name}.md`, expr }))),
  ];
  const problems = expressions.flatMap(({ in: place, expr }) =>
    unknownNames(expr, known, recorded).map((name) => `${place}: no gateway shows ${name}`),
  );
  return resultOf(`metrics and labels of ${expressions.length} expressions`, problems);
}
