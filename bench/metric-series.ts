// How many series one replica shows to Prometheus, with 200 tools that each fail for 5 reasons:
//   node --conditions=@recourse/source bench/metric-series.ts [--before <folder of another checkout>]
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Fault } from "@recourse/core";
import { core, transport } from "@recourse/core/reasons";
import type { Call } from "../packages/gateway/src/call/call.ts";

type ObserverModule = typeof import("../packages/gateway/src/telemetry/create-observer.ts");
type Config = Parameters<ObserverModule["createObserver"]>[0];

const { values } = parseArgs({ options: { before: { type: "string" } } });
const TOOLS = 200;

/** Reasons that share a kind share the series of durations of a tool. */
const CASES: readonly (readonly Fault[])[] = [
  [
    core.unavailable.fault(),
    core.unavailable.fault({}, { effect: "none" }),
    transport.unreachable.fault(),
    transport.breaker_open.fault(),
    transport.not_sent.fault(),
  ],
  [
    core.unavailable.fault(),
    core.timeout.fault(),
    core.internal.fault(),
    core.rate_limited.fault(),
    core.not_found.fault(),
  ],
];

const config = {
  name: "series",
  store: { mode: "memory" },
  upstreams: [],
  incidents: { keepMs: 1, samplesPerMinute: 1, callers: "drop", texts: "drop" },
  telemetry: { otlp: undefined, prometheus: true, logLevel: "silent" },
} as unknown as Config;

function callOf(tool: string): Call {
  const route = { kind: "upstream", upstream: { options: { name: "shop" } }, target: tool, tool: { name: tool } };
  return { message: { method: "tools/call" }, route, startedMs: 0, waitedMs: 0, origin: {} } as unknown as Call;
}

/** The lines of durations, and of faults. */
async function countSeries(folder: string, faults: readonly Fault[]): Promise<readonly [number, number]> {
  const file = join(resolve(folder), "packages/gateway/src/telemetry/create-observer.ts");
  const { createObserver } = (await import(pathToFileURL(file).href)) as ObserverModule;
  const observer = createObserver(config);
  for (let at = 0; at < TOOLS; at++) {
    for (const fault of [undefined, ...faults]) observer.ended(callOf(`shop__tool${at}`), fault);
  }
  const lines = ((await observer.metrics()) ?? "").split("\n");
  await observer.close();
  const count = (name: string) => lines.filter((line) => line.startsWith(name)).length;
  return [count("mcp_server_operation_duration_"), count("recourse_server_faults_total{")];
}

const folders = {
  now: resolve(import.meta.dirname, ".."),
  ...(values.before !== undefined && { before: values.before }),
};
console.log(
  "| kinds of the 5 reasons | checkout | series of durations | series of faults |\n| --- | --- | --- | --- |",
);
for (const faults of CASES) {
  const kinds = [...new Set(faults.map(({ kind }) => kind))].join(", ");
  for (const [which, folder] of Object.entries(folders)) {
    const [durations, counted] = await countSeries(folder, faults);
    console.log(`| ${kinds} | ${which} | ${durations.toLocaleString("en")} | ${counted.toLocaleString("en")} |`);
  }
}
