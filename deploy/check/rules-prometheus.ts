// A Prometheus of Debian with the alert rules, in which an hour passes in a minute; and what expressions are made of.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@recourse/test-kit/network";
import { until } from "./part.ts";

/** How much faster than in life. */
const SPEED = 60;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Rules in which every duration is shorter. A call that waits for a person is old after 5 seconds. */
export function hasten(rules: string): string {
  return rules
    .replaceAll(/(\[|:|for: |offset )(\d+)([smhd])(?=[\]:\s])/g, (_, before: string, count: string, unit: string) => {
      const ms = (Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]) / SPEED;
      return `${before}${ms}ms`;
    })
    .replace("recourse_approvals_oldest_seconds) > 300", "recourse_approvals_oldest_seconds) > 5");
}

/** An alert that fires. */
export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A running Prometheus. */
export interface Prometheus {
  /** The results of an expression at this moment. It rejects if the expression is wrong. */
  query(expression: string): Promise<readonly { readonly metric: Readonly<Record<string, string>> }[]>;
  /** The alerts that fire. */
  firing(): Promise<readonly FiringAlert[]>;
  close(): Promise<void>;
}

/** What to scrape: the addresses of each job, and the text of the rules. */
interface PrometheusOptions {
  readonly jobs: Readonly<Record<string, readonly string[]>>;
  readonly rules: string;
}

/** Starts Prometheus with a folder and a port of its own. */
export async function startPrometheus({ jobs, rules }: PrometheusOptions): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), "rules-"));
  const port = await freePort();
  const scrapes = Object.entries(jobs).map(([job, targets]) => ({ job_name: job, static_configs: [{ targets }] }));
  // JSON is YAML.
  const config = {
    global: { scrape_interval: "500ms", scrape_timeout: "500ms", evaluation_interval: "500ms" },
    rule_files: [join(folder, "rules.yaml")],
    scrape_configs: scrapes,
  };
  writeFileSync(join(folder, "prometheus.yaml"), JSON.stringify(config));
  writeFileSync(join(folder, "rules.yaml"), rules);
  const child = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yaml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=warn",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed = `${printed}${chunk}`.slice(-4_000);
  });
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    await endProcess(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const ask = async (path: string): Promise<unknown> => {
    const answer = await fetch(`${url}/api/v1/${path}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: unknown; error?: string };
    if (status !== "success") throw new Error(error);
    return data;
  };
  try {
    await waitFor(`Prometheus is ready: ${printed}`, async () => {
      if (child.exitCode !== null) throw new Error(`Prometheus ended: ${printed}`);
      return (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async query(expression) {
      const data = await ask(`query?query=${encodeURIComponent(expression)}`);
      return (data as { result: readonly { metric: Record<string, string> }[] }).result;
    },
    async firing() {
      const { alerts } = (await ask("alerts")) as { alerts: readonly (FiringAlert & { readonly state: string })[] };
      return alerts.filter(({ state }) => state === "firing");
    },
    close,
  };
}

/** Asks a process to end, and waits until it has. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exited;
  clearTimeout(late);
}

/** How long a state may take on a busy machine. */
const PATIENCE_MS = 60_000;

/** Waits until something is true, with patience for a busy machine. */
export const waitFor = (what: string, isTrue: () => Promise<boolean>) => until(what, isTrue, PATIENCE_MS);

/** A metric in an expression, with the labels that it is chosen by. */
interface MetricUse {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
const WORDS = new Set(["and", "or", "unless", "bool", "inf", "nan"]);

/** The metrics and the labels of grouping in an expression. */
export function readExpression(expression: string): { readonly uses: readonly MetricUse[]; readonly by: string[] } {
  const by = [...expression.matchAll(GROUPING)].flatMap(([, names = ""]) =>
    names.split(",").map((name) => name.trim()),
  );
  const bare = expression.replaceAll(GROUPING, " ").replaceAll(/\[[^\]]*\]|\boffset \w+/g, " ");
  const uses = [...bare.matchAll(/\b([a-zA-Z_][\w:]*)\b(\s*\()?(?:\{([^}]*)\})?/g)].flatMap(
    ([, metric = "", call, matchers = ""]) => {
      if (call !== undefined || WORDS.has(metric.toLowerCase())) return [];
      const read = [...matchers.matchAll(MATCHER)].map(([, label = "", operator = "", value = ""]) => ({
        label,
        operator,
        value,
      }));
      return [{ metric, matchers: read }];
    },
  );
  return { uses, by: by.filter((name) => name !== "") };
}

/** The metrics of a text for Prometheus: by name the labels, by label the values. */
export type KnownMetrics = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

/** Reads texts for Prometheus, one for each gateway. */
export function readExposition(texts: readonly string[]): KnownMetrics {
  const known = new Map<string, Map<string, Set<string>>>();
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const [, name, labels = ""] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? [];
    if (name === undefined) continue;
    const values = known.get(name) ?? new Map<string, Set<string>>();
    known.set(name, values);
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      values.set(label, (values.get(label) ?? new Set()).add(value));
  }
  return known;
}

/** Labels that Prometheus adds to every series of a target. */
const TARGET_LABELS = new Set(["job", "cell", "instance"]);

/** What an expression names that no gateway shows. `recorded` are the names that rules make. */
export function unknownNames(
  expression: string,
  known: KnownMetrics,
  recorded: ReadonlySet<string>,
): readonly string[] {
  const { uses, by } = readExpression(expression);
  const labels = new Set([...TARGET_LABELS, ...[...known.values()].flatMap((values) => [...values.keys()])]);
  return [
    ...by.filter((name) => !labels.has(name)).map((name) => `the label ${name}`),
    ...uses.flatMap(({ metric, matchers }) => {
      if (recorded.has(metric) || metric === "up") return [];
      const values = known.get(metric);
      return values === undefined
        ? [`the metric ${metric}`]
        : matchers.flatMap((one) => unknownLabel(metric, one, values));
    }),
  ];
}

function unknownLabel(
  metric: string,
  { label, operator, value }: MetricUse["matchers"][number],
  values: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  if (TARGET_LABELS.has(label)) return [];
  const seen = values.get(label);
  if (seen === undefined) return [`the label ${label} of ${metric}`];
  // What is left out need not be there.
  if (operator.startsWith("!")) return [];
  const form = operator === "=" ? undefined : new RegExp(`^(?:${value})$`);
  const isSeen = form === undefined ? seen.has(value) : [...seen].some((one) => form.test(one));
  return isSeen ? [] : [`${metric}{${label}${operator}"${value}"}`];
}
