// A gateway under mixed traffic for a long time: successes, failures, time-outs, callers that leave, streams, sessions; a reload
// with a new key each minute and a restart of the upstream every two. Memory after a forced collection, handles and sockets, by
// the minute, after a pause: calls under way and connections that wait for the next one are no growth. It fails where one of them
// keeps growing.
// Usage: node --conditions=@recourse/source bench/gateway-soak.ts [--minutes 30] [--rate 100]
import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { GatewayConfig } from "@recourse/gateway";
import { freePort } from "@recourse/test-kit/network";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { answerOf } from "./gateway/child.ts";
import { configOf } from "./gateway/config.ts";
import type { SoakOrder, SoakSample } from "./gateway-soak/gateway.ts";
import { traffic } from "./gateway-soak/traffic.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "30" }, rate: { type: "string", default: "100" } },
});
const minutes = Number(values.minutes);
/** Samples until everything is warm, which do not count. */
const WARM = Math.min(5, Math.floor(minutes / 4));
/** Longer than unused connections are kept. */
const PAUSE_MS = 10_000;
/** What the slope may add over the whole run and still count as flat. */
const MAX_GROWTH = { heapMib: 8, rssMib: 40, handles: 10 };

const redis = await createRedisServer({ durable: false });
const database = await createTestDatabase();
const upstreamPort = await freePort();
let upstream = await startUpstream();
let minute = 0;
const keyOf = (at: number) => `rk_soak_${at}_0123456789abcdef`;
const gateway = start("gateway-soak/gateway.ts", [JSON.stringify(configAt(0))], ["--expose-gc"]);
const { port } = await answerOf<{ port: number }>(gateway, "the gateway");

const over = new AbortController();
let isPaused = false;
const running = traffic({
  port,
  perSecond: Number(values.rate),
  key: () => keyOf(minute),
  isPaused: () => isPaused,
  signal: over.signal,
});
const samples: SoakSample[] = [];
const problems: string[] = [];
console.log(
  "| minute | RSS MiB | heap MiB | external MiB | handles | sockets |\n| --- | --- | --- | --- | --- | --- |",
);
try {
  for (let at = 1; at <= minutes; at++) {
    await sleep(60_000 - PAUSE_MS);
    isPaused = true;
    await sleep(PAUSE_MS);
    const sample = await ask<SoakSample>("sample");
    isPaused = false;
    if ("unhandled" in sample) problems.push(String(sample.unhandled));
    samples.push(sample);
    console.log(`| ${[at, ...figuresOf(sample).map((one) => one.toFixed(one % 1 === 0 ? 0 : 1))].join(" | ")} |`);
    // Callers get the new key first: for a moment it is unknown, as keys are in real life.
    minute = at;
    await ask({ reload: configAt(at) });
    if (at % 2 === 0) {
      upstream.kill("SIGKILL");
      upstream = await startUpstream();
    }
  }
} finally {
  over.abort();
  const counts = await running;
  console.log(
    `\n${[...counts]
      .toSorted()
      .map(([name, count]) => `${name} ${count}`)
      .join("\n")}`,
  );
  gateway.kill("SIGKILL");
  upstream.kill("SIGKILL");
  await redis.close();
  await database.drop();
}

const judged = samples.slice(WARM);
for (const [name, of] of Object.entries({
  heapMib: judged.map(({ heapMib }) => heapMib),
  rssMib: judged.map(({ rssMib }) => rssMib),
  handles: judged.map(handlesOf),
})) {
  const growth = slope(of) * of.length;
  const isFlat = growth <= MAX_GROWTH[name as keyof typeof MAX_GROWTH];
  console.log(`${name}: ${growth.toFixed(1)} by the slope over ${of.length} minutes, ${isFlat ? "flat" : "GROWS"}`);
  if (!isFlat) problems.push(`${name} grows`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function figuresOf(sample: SoakSample): number[] {
  const sockets = sample.handles["TCPSocketWrap"] ?? 0;
  return [sample.rssMib, sample.heapMib, sample.externalMib, handlesOf(sample), sockets];
}

function handlesOf({ handles }: SoakSample): number {
  return Object.values(handles).reduce((sum, one) => sum + one, 0);
}

/** Growth per sample, by least squares. */
function slope(of: readonly number[]): number {
  const middle = (of.length - 1) / 2;
  const mean = of.reduce((sum, one) => sum + one, 0) / of.length;
  const [above, below] = of.reduce(
    ([a, b], one, at) => [a + (at - middle) * (one - mean), b + (at - middle) ** 2] as const,
    [0, 0] as readonly [number, number],
  );
  return below === 0 ? 0 : above / below;
}

async function ask<T>(order: SoakOrder): Promise<T> {
  const answer = answerOf<T>(gateway, "the gateway");
  gateway.send(order);
  return answer;
}

async function startUpstream(): Promise<ChildProcess> {
  const child = start("gateway-soak/upstream.ts", [String(upstreamPort)], []);
  await answerOf(child, "the upstream");
  return child;
}

function start(file: string, args: readonly string[], flags: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const execArgv = ["--conditions=@recourse/source", ...flags];
  return fork(path, [...args], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** All controls on; the key of a minute, and of the one before. */
function configAt(at: number): GatewayConfig {
  const url = `http://127.0.0.1:${upstreamPort}/mcp`;
  const engines = { redis: redis.url, postgres: database.url };
  const base = configOf({ upstream: url, controls: "leased", engines });
  const [key] = base.keys;
  if (key === undefined) throw new Error("the configuration has no key");
  const keys = [at - 1, at]
    .filter((one) => one >= 0)
    .map((one) => ({ ...key, id: `soak-${one}`, sha256: createHash("sha256").update(keyOf(one)).digest("hex") }));
  const upstreams = base.upstreams.map((one) => ({ ...one, name: "soak", prefix: "soak__", timeoutMs: 1_000 }));
  return { ...base, keys, upstreams, telemetry: { ...base.telemetry, logLevel: "silent" } };
}
