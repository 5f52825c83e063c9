// Ten honest callers beside a hostile one, for each sort of attack: calls refused, and their p95 in rounds that take turns with
// quiet ones. It fails where an honest call was refused, or where the p95 is more than twice the quiet one.
// Usage: node --conditions=@recourse/source bench/gateway-fairness.ts [--store memory|shared|both] [--only <attack>] [--rounds 3]
//        [--seconds 4] [--minutes 10 (all attacks at once)]
import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { GatewayConfig } from "@recourse/gateway";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { answerOf } from "./gateway/child.ts";
import { configOf } from "./gateway/config.ts";
import { ATTACKS, type AttackName } from "./gateway-fairness/attacks.ts";
import { Honest, type Round } from "./gateway-fairness/honest.ts";
import type { HostileOrder } from "./gateway-fairness/hostile.ts";
import type { SoakSample } from "./gateway-soak/gateway.ts";

const { values } = parseArgs({
  options: {
    store: { type: "string", default: "both" },
    only: { type: "string" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    minutes: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const MAX_RATIO = 2;
/** What the hostile caller leaves behind may take so long to end. */
const PAUSE_MS = 3_000;
const TENANTS = 5;
/** The hostile caller belongs to the tenant of two honest ones. */
const HOSTILE = { id: "hostile", tenant: "tenant-0", key: "rk_hostile_0123456789abcdef" };
const HONEST = Array.from({ length: 10 }, (_, at) => ({
  id: `honest-${at}`,
  tenant: `tenant-${at % TENANTS}`,
  key: `rk_honest_${at}_0123456789abcdef`,
}));
/** What `recourse init` writes. */
const RATE = { perSecond: 20, burst: 40 };

const redis = await createRedisServer({ durable: false });
const database = await createTestDatabase();
const upstreams = await Promise.all(
  ["2026-07-28", "2025-11-25", "2026-07-28"].map((era) => start("gateway-fairness/upstream.ts", [era])),
);
const noisy = upstreams[2]?.process;
const hostile = start("gateway-fairness/hostile.ts", []);
const problems: string[] = [];
try {
  await hostile;
  for (const mode of ["memory", "shared"] as const) {
    if (values.store === mode || values.store === "both") await runIn(mode);
  }
} finally {
  for (const { process: child } of [...upstreams, await hostile]) child.kill("SIGKILL");
  await redis.close();
  await database.drop();
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** All attacks against a gateway with one kind of store. */
async function runIn(mode: "memory" | "shared"): Promise<void> {
  const gateway = await start("gateway-soak/gateway.ts", [JSON.stringify(configIn(mode))], ["--expose-gc"]);
  const url = `http://127.0.0.1:${gateway.port}/mcp`;
  const honest = new Honest();
  const round = () => honest.round({ url, keys: HONEST.map(({ key }) => key), perSecond: 10, seconds });
  try {
    await round();
    const names = (Object.keys(ATTACKS) as AttackName[]).filter(
      (name) => values.only === undefined || name === values.only,
    );
    if (values.minutes === undefined) await table(mode, names, url, round);
    else await allAtOnce(mode, names, url, round, gateway.process);
  } finally {
    await honest.close();
    gateway.process.kill("SIGKILL");
  }
}

async function table(
  mode: string,
  names: readonly AttackName[],
  url: string,
  round: () => Promise<Round>,
): Promise<void> {
  console.log(
    `\n${mode}: 10 honest callers with 10 calls/s each, ${rounds} rounds of ${seconds} s, in turns\n\n` +
      "| attack | honest calls | refused | p95 quiet ms | p95 under attack ms | ratio | quiet against quiet |\n" +
      "| --- | --- | --- | --- | --- | --- | --- |",
  );
  for (const name of names) {
    const quiet: Round[] = [];
    const attacked: Round[] = [];
    for (let n = 0; n < rounds; n++) {
      quiet.push(await round());
      await under([name], url, async () => void attacked.push(await round()));
    }
    quiet.push(await round());
    report(`${mode}, ${name}`, name, quiet, attacked);
  }
}

/** All attacks together for a long time: the first and the last rounds are quiet. */
async function allAtOnce(
  mode: string,
  names: readonly AttackName[],
  url: string,
  round: () => Promise<Round>,
  gateway: ChildProcess,
): Promise<void> {
  const quiet = [await round(), await round()];
  const attacked: Round[] = [];
  const before = await memoryOf(gateway);
  await under(names, url, async () => {
    const untilMs = performance.now() + Number(values.minutes) * 60_000;
    while (performance.now() < untilMs) attacked.push(await round());
  });
  await sleep(10_000);
  quiet.push(await round(), await round());
  const after = await memoryOf(gateway);
  console.log(
    "\n| attack | honest calls | refused | p95 quiet ms | p95 under attack ms | ratio | quiet against quiet |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  report(`${mode}, all at once`, `all ${names.length} at once, ${values.minutes} minutes, ${mode}`, quiet, attacked);
  console.log(
    `RSS ${before.rssMib.toFixed(0)} to ${after.rssMib.toFixed(0)} MiB, heap ${before.heapMib.toFixed(0)} to ${after.heapMib.toFixed(0)} MiB`,
  );
}

function report(where: string, name: string, quiet: readonly Round[], attacked: readonly Round[]): void {
  const refused = [...quiet, ...attacked].flatMap((one) => one.refused);
  const [calm, busy] = [p95(quiet), p95(attacked)];
  const each = quiet.map((one) => p95([one]));
  const interval = `${(Math.min(...each) / calm).toFixed(2)} to ${(Math.max(...each) / calm).toFixed(2)}`;
  const ratio = busy / calm;
  const calls = [...quiet, ...attacked].reduce((sum, { ms, refused: not }) => sum + ms.length + not.length, 0);
  console.log(
    `| ${[name, calls, refused.length, calm.toFixed(1), busy.toFixed(1), ratio.toFixed(2), interval].join(" | ")} |`,
  );
  if (refused.length > 0) problems.push(`${where}: ${refused.length} honest calls were refused: ${refused[0]}`);
  if (ratio > MAX_RATIO) problems.push(`${where}: p95 is ${ratio.toFixed(2)} times the quiet one`);
}

function p95(of: readonly Round[]): number {
  const sorted = of.flatMap(({ ms }) => ms).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
}

/** Does something while the attacks run. */
async function under(names: readonly AttackName[], url: string, work: () => Promise<void>): Promise<void> {
  const { process: attacker } = await hostile;
  await tell(attacker, { names, url, key: HOSTILE.key });
  if (names.includes("upstream lists")) noisy?.send({ noisy: true });
  // Until it holds what it wants to hold.
  await sleep(PAUSE_MS);
  await work();
  noisy?.send({ noisy: false });
  await tell(attacker, "stop");
  await sleep(PAUSE_MS);
}

async function tell(child: ChildProcess, order: HostileOrder): Promise<void> {
  const answer = answerOf(child, "the hostile caller");
  child.send(order);
  await answer;
}

async function memoryOf(gateway: ChildProcess): Promise<SoakSample> {
  const answer = answerOf<SoakSample>(gateway, "the gateway");
  gateway.send("sample");
  return answer;
}

function configIn(mode: "memory" | "shared"): GatewayConfig {
  const engines = { redis: redis.url, postgres: database.url };
  const [main, old, third] = upstreams.map(({ port }) => `http://127.0.0.1:${port}/mcp`);
  const config = configOf({ upstream: main ?? "", controls: mode === "memory" ? "off" : "leased", engines });
  const [first] = config.upstreams;
  if (first?.kind !== "http") throw new Error("the upstream of the bench is reached by HTTP");
  const child = fileURLToPath(new URL("gateway-fairness/child-that-floods.ts", import.meta.url));
  const { url: _url, era: _era, kind: _kind, ...options } = first;
  return {
    ...config,
    authentication: "required",
    keys: [HOSTILE, ...HONEST].map(({ key, ...rest }) => ({
      ...rest,
      sha256: createHash("sha256").update(key).digest("hex"),
      tools: ["*"],
      scopes: [],
      entitlements: [],
      dialect: undefined,
    })),
    limits: { ...config.limits, address: undefined, tenant: undefined, key: RATE, tools: [] },
    approvals: { tools: ["*__approved"], denied: [], expiresMs: 600_000, link: undefined },
    breaker: { failures: 5, pauseMs: 1_000, maxPauseMs: 30_000 },
    upstreams: [
      { ...first, name: "main", prefix: "main__" },
      { ...first, name: "old", prefix: "old__", url: old ?? "", era: "2025-11-25" },
      { ...first, name: "noisy", prefix: "noisy__", url: third ?? "" },
      {
        ...options,
        kind: "stdio",
        name: "child",
        prefix: "child__",
        credential: { kind: "none" },
        command: [process.execPath, child],
        environment: {},
        per: "replica",
        maxChildren: 1,
        idleMs: 60_000,
      },
    ],
    telemetry: { otlp: undefined, prometheus: false, logLevel: "silent" },
  };
}

async function start(
  file: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<{ readonly process: ChildProcess; readonly port: number }> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const execArgv = ["--conditions=@recourse/source", ...flags];
  const child = fork(path, [...args], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const answer = await answerOf<{ readonly port?: number }>(child, file);
  return { process: child, port: answer.port ?? 0 };
}
