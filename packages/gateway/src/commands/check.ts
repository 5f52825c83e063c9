import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import type { Observer } from "../call/observer.ts";
import type { ListState } from "../catalog/catalog.ts";
import { createCatalog } from "../catalog/create-catalog.ts";
import { problemLine } from "../config/document.ts";
import type { LoadResult } from "../config/load.ts";
import type { GatewayConfig, UpstreamConfig } from "../config/types.ts";
import { Shares } from "../limits/shares.ts";
import { SCHEMA_PARTS } from "../schema-parts.ts";
import { openStores } from "../stores/open-stores.ts";
import { type PartVersion, readSchemaState, type SchemaState } from "../stores/postgres.ts";
import { StoreUnavailableError } from "../stores/store-error.ts";
import { createObserver } from "../telemetry/create-observer.ts";
import { createUpstream } from "../upstreams/create-upstream.ts";
import { type ConfigFileText, configFailure, problemLines } from "./config-file.ts";
import { type CommandFailure, type CommandIo, type CommandOutcome, failed } from "./io.ts";

/** How long an upstream may take to answer and to list its tools. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 20;
/** How upstreams see it. */
const CHECK_CLIENT = { name: "recourse-check", version: "0.1.0" };

/** What was found out about one upstream. */
interface UpstreamReport {
  readonly upstream: string;
  /** The revision of the protocol; undefined if it does not answer. */
  readonly era: string | undefined;
  readonly tools: number;
  /** Names and URIs that an upstream before it has too. */
  readonly shadowed: readonly string[];
  /** Why it cannot be used. */
  readonly problem: string | undefined;
  readonly asksForCredentials: boolean;
}

interface CheckOptions {
  readonly io: CommandIo;
  readonly json: boolean;
  /** Compare the tables of the database with what this version needs. */
  readonly database: boolean;
}

/**
 * Connects to everything that a file names, lists every upstream, and reports. No tool is called, and nothing in the stores
 * changes.
 */
export async function checkGateway(
  file: ConfigFileText,
  loaded: LoadResult,
  { io, json, database }: CheckOptions,
): Promise<CommandOutcome> {
  const warnings = loaded.warnings.map((one) => problemLine(file.name, one));
  if (!loaded.ok) {
    const problems = loaded.problems.map((one) => problemLine(file.name, one));
    if (json) io.stdout.write(`${JSON.stringify({ ok: false, problems, warnings }, null, 2)}\n`);
    else io.stderr.write(problemLines(file.name, [...loaded.problems, ...loaded.warnings]));
    return configFailure(file.name, loaded.problems);
  }
  const { config } = loaded;
  if (database && config.store.mode === "memory") return NO_DATABASE;
  const observer = createObserver({ ...config, telemetry: QUIET });
  try {
    const { problem: store, schema } = await checkStores(config, observer, { database });
    const upstreams = await checkReports(config, observer, io.signal);
    const failure = checkFailure({ store, schema }, upstreams);
    const problems = store === undefined ? [] : [store];
    if (json) {
      const found = { problems, warnings, store: config.store.mode, database: schema, upstreams };
      const report = { ok: failure === undefined, ...found };
      io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    } else {
      io.stderr.write(problemLines(file.name, loaded.warnings));
      io.stdout.write(reportText(file, config, upstreams));
      if (schema !== undefined) io.stdout.write(schemaText(schema));
    }
    return failure === undefined ? { exit: "ok" } : { failure };
  } finally {
    await observer.close();
  }
}

const QUIET: GatewayConfig["telemetry"] = { otlp: undefined, prometheus: false, logLevel: "silent" };

const NO_DATABASE = failed("usage", {
  code: "usage",
  message: "The file has store: memory, so there is no database to check.",
  fix: "Leave --database out, or write store: { redis: …, postgres: … } in the file.",
});

/** What was found out about the stores. */
interface StoreReport {
  /** Why one of them cannot be used. */
  readonly problem?: string | undefined;
  readonly schema?: SchemaState | undefined;
}

async function checkStores(
  config: GatewayConfig,
  observer: Observer,
  { database }: Pick<CheckOptions, "database">,
): Promise<StoreReport> {
  try {
    const stores = await openStores(config, observer);
    try {
      if (!database || stores.mode === "memory") return {};
      return { schema: await readSchemaState(stores.pool, SCHEMA_PARTS) };
    } finally {
      await stores.close();
    }
  } catch (thrown) {
    if (thrown instanceof StoreUnavailableError) return { problem: thrown.message };
    throw thrown;
  }
}

/** What the state of a database means for this version, the worst first. */
const SCHEMA_MEANINGS = {
  unusable: "cannot be used by this version: a newer one has removed what it uses",
  older: "older than this version, which changes it when its first replica starts",
  newer: "newer than this version, which can use it as it is",
  current: "as this version needs it",
} as const satisfies Record<PartVersion["state"], string>;

function schemaText({ parts }: SchemaState): string {
  const states = Object.keys(SCHEMA_MEANINGS) as PartVersion["state"][];
  const worst = states.find((state) => parts.some((one) => one.state === state)) ?? "current";
  const width = Math.max(...parts.map(({ part }) => part.length));
  const lines = parts.map(({ part, has, knows }) => {
    const known = has === knows ? "" : `, this version knows ${knows}`;
    return `  ${part.padEnd(width)}  ${has === 0 ? "no tables" : `version ${has}`}${known}`;
  });
  return `database: ${SCHEMA_MEANINGS[worst]}\n${lines.join("\n")}\n`;
}

/** Why this version could not start with the tables of a database. */
function schemaFailure({ parts, mayCreate }: SchemaState): CommandFailure | undefined {
  const named = (state: PartVersion["state"]) => parts.filter((one) => one.state === state).map(({ part }) => part);
  const unusable = named("unusable");
  if (unusable.length > 0)
    return failed("unreachable", {
      code: "schema",
      message: `A newer version of the gateway has removed what this version uses: ${unusable.join(", ")}.`,
      fix: "Run the newer version, or the one before it.",
    }).failure;
  if (mayCreate || named("older").length === 0) return undefined;
  return failed("unreachable", {
    code: "schema",
    message: "The database has to be changed, and its user may not create tables.",
    fix: "Let an owner of the database run: grant create on schema … to …",
  }).failure;
}

/** Upstreams need no store to be listed, so the memory stands in for it. */
async function checkReports(
  config: GatewayConfig,
  observer: Observer,
  stop: AbortSignal,
): Promise<readonly UpstreamReport[]> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)]);
  const inMemory: GatewayConfig = { ...config, store: { mode: "memory" } };
  const stores = await openStores(inMemory, observer);
  const causes = new Map<string, string>();
  const listening = { ...observer, log: causeLog(causes) };
  const { memory } = new Shares(config);
  const parts = { stores, observer: listening, memory, maxAnswerBytes: config.maxAnswerBytes, client: CHECK_CLIENT };
  const upstreams = config.upstreams.map((one) => createUpstream(one, parts));
  const catalog = createCatalog({ config: inMemory, upstreams, observer: listening });
  try {
    const readiness = await Promise.all(upstreams.map((one) => one.ready(signal)));
    const isListed = () =>
      catalog.state.every(({ listed }, at) => listed !== "never" || typeof readiness[at] !== "string");
    while (!isListed() && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    return catalog.state.map((state, at) =>
      checkReport(state, { ready: readiness[at], kind: config.upstreams[at]?.kind, cause: causes.get(state.upstream) }),
    );
  } finally {
    catalog.close();
    await Promise.all(upstreams.map((one) => one.close()));
    await stores.close();
  }
}

/** Remembers why an upstream cannot be used, as its adapter puts it for the operator. */
function causeLog(causes: Map<string, string>): Observer["log"] {
  return (_, __, facts) => {
    const { upstream, cause } = facts ?? {};
    if (typeof upstream === "string" && typeof cause === "string")
      causes.set(upstream, cause.replace(/^\w*Error: /, ""));
  };
}

interface UpstreamCheck {
  readonly ready: string | Fault | undefined;
  readonly kind: UpstreamConfig["kind"] | undefined;
  readonly cause: string | undefined;
}

function checkReport(
  { upstream, listed, tools, shadowed }: ListState,
  { ready, kind, cause }: UpstreamCheck,
): UpstreamReport {
  const fault = typeof ready === "object" ? ready : undefined;
  const unlisted = listed === "never" ? "does not list its tools" : undefined;
  // A server over HTTP that refuses the gateway is a fault of its configuration, as far as callers are concerned.
  const asksForCredentials = kind === "http" && fault?.reason === core.misconfigured.id;
  const refused = asksForCredentials ? "does not accept the gateway" : "cannot be used";
  return {
    upstream,
    era: typeof ready === "string" ? ready : undefined,
    tools,
    shadowed,
    problem: fault === undefined ? unlisted : `${refused}: ${cause ?? fault.message}`,
    asksForCredentials,
  };
}

function reportText(
  { name }: ConfigFileText,
  { store, keys }: GatewayConfig,
  reports: readonly UpstreamReport[],
): string {
  const width = Math.max(...reports.map(({ upstream }) => upstream.length));
  const lines = reports.flatMap(({ upstream, era, tools, shadowed, problem }) => [
    `  ${upstream.padEnd(width)}  ${problem ?? `${tools} ${tools === 1 ? "tool" : "tools"}, MCP ${era}`}`,
    ...shadowed.map((one) => `  ${"".padEnd(width)}  left out, since it belongs to another upstream: ${one}`),
  ]);
  const keyCount = keys.length === 1 ? "1 key" : `${keys.length} keys`;
  return `${name}: store ${store.mode}, ${keyCount} in the file\n${lines.join("\n")}\n`;
}

/** The failure of a check, the worst first. */
function checkFailure(
  { store, schema }: { readonly store: string | undefined; readonly schema: SchemaState | undefined },
  reports: readonly UpstreamReport[],
): CommandFailure | undefined {
  const names = (which: (report: UpstreamReport) => boolean) =>
    reports
      .filter(which)
      .map(({ upstream }) => upstream)
      .join(", ");
  if (store !== undefined)
    return failed("unreachable", { code: "store", message: store, fix: "Start it, or correct store in the file." })
      .failure;
  const unusable = schema && schemaFailure(schema);
  if (unusable !== undefined) return unusable;
  const refused = names((report) => report.asksForCredentials);
  const away = names((report) => report.problem !== undefined && !report.asksForCredentials);
  if (away !== "")
    return failed("unreachable", {
      code: "upstream",
      message: `Not every upstream can be used: ${away}.`,
      fix: "recourse doctor <url | command…>",
    }).failure;
  if (refused !== "")
    return failed("credentials", {
      code: "credentials",
      message: `Upstreams do not accept the credential of the gateway: ${refused}.`,
      fix: "Write credential: { bearer: … } for them in the file, or correct it.",
    }).failure;
  const double = names((report) => report.shadowed.length > 0);
  if (double === "") return undefined;
  return failed("findings", {
    code: "collision",
    message: `Names or URIs are listed twice, and those of ${double} are hidden.`,
    fix: "Give the upstreams other prefixes, or another order.",
  }).failure;
}
