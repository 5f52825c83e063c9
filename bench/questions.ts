// Hosts with handlers for elicitation, sampling and roots call servers that ask, through two replicas that take turns at every
// request; then the same while replicas are killed. It counts questions and answers that were lost, and those that reached another caller.
// Usage: node --conditions=@recourse/source bench/questions.ts [--questions 500] [--short]
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { GatewayConfig } from "@recourse/gateway";
import { freePort } from "@recourse/test-kit/network";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { answerOf } from "./gateway/child.ts";
import { configOf } from "./gateway/config.ts";
import { OwnProcess } from "./gateway-chaos/targets.ts";
import { HOST_KINDS, Host, type HostCall } from "./questions/host.ts";

const { values } = parseArgs({
  options: {
    questions: { type: "string", default: "500" },
    /** For CI: 60 questions and one kill. */
    short: { type: "boolean", default: false },
  },
});
const wanted = values.short ? 60 : Number(values.questions);
const HOSTS = 12;
const KILL_EVERY_MS = 2_500;
/** Calls that were under way while a replica died or started may fail; all others may not. */
const AROUND_KILL_MS = 3_000;
const TOOLS = [
  "older__elicit",
  "newer__elicit",
  "child__elicit",
  "older__elicit_unrelated",
  "older__sample",
  "newer__sample",
  "child__sample",
  "older__roots",
  "newer__roots",
];

const file = (name: string) => fileURLToPath(new URL(`questions/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "questions-"));
const redis = await createRedisServer({ durable: false });
const database = await createTestDatabase();
const servers = await Promise.all(["older", "newer"].map(startServer));
const names = Array.from({ length: HOSTS }, (_, at) => `host-${at}`);
const ports = [await freePort(), await freePort()];
const replicas = ports.map(
  (port, at) =>
    new OwnProcess({
      file: "replica.ts",
      args: [JSON.stringify(configFor(port))],
      cache: join(folder, "cache"),
      log: join(folder, `replica-${at}.log`),
      onCrash: () => crashes.push(`replica ${at} ended by itself`),
      onMessage: (message) => crashes.push(JSON.stringify(message)),
    }),
);
const crashes: string[] = [];
const kills: { atMs: number; upMs: number }[] = [];
const hosts = names.map(
  (name, at) =>
    new Host({
      kind: HOST_KINDS[at % HOST_KINDS.length] ?? "v1",
      name,
      key: keyFor(name),
      url: new URL(`http://127.0.0.1:${ports[0]}/mcp`),
      fetch: inTurns(at),
      thinkMs: () => 5 + Math.random() * 200,
    }),
);
let isDone = false;
try {
  await Promise.all(replicas.map((replica) => replica.start()));
  const quiet = await callUntil(Math.ceil(wanted / 2));
  const killing = kill();
  const disturbed = await callUntil(wanted);
  isDone = true;
  await killing;
  report(quiet, disturbed);
} finally {
  await Promise.all(hosts.map((host) => host.close()));
  await Promise.all(replicas.map((replica) => replica.close()));
  for (const { child } of servers) child.kill("SIGKILL");
  await redis.close();
  await database.drop();
  if (process.exitCode === 0) rmSync(folder, { recursive: true });
}

/** All hosts call until so many questions were put to them. */
async function callUntil(questions: number): Promise<readonly HostCall[]> {
  const calls: HostCall[] = [];
  const run = async (host: Host, at: number) => {
    for (let no = at; total() < questions; no++) {
      const call = await host.call(TOOLS[no % TOOLS.length] ?? "");
      calls.push(call);
      if (call.outcome !== "answered") await sleep(200);
    }
  };
  await Promise.all(hosts.map(run));
  return calls;
}

function total(): number {
  return hosts.reduce((sum, { asked }) => sum + asked, 0);
}

async function kill(): Promise<void> {
  for (let at = 0; !isDone; at++) {
    await sleep(at === 0 ? 1_000 : KILL_EVERY_MS);
    const replica = replicas[at % replicas.length];
    if (isDone || replica === undefined) return;
    const atMs = performance.now();
    await replica.kill();
    await replica.start();
    kills.push({ atMs, upMs: performance.now() });
  }
}

function report(quiet: readonly HostCall[], disturbed: readonly HostCall[]): void {
  const near = ({ startedMs, endedMs }: HostCall) =>
    kills.some(({ atMs, upMs }) => startedMs < upMs + AROUND_KILL_MS && endedMs > atMs);
  const count = (calls: readonly HostCall[], outcome: HostCall["outcome"]) =>
    calls.filter((call) => call.outcome === outcome).length;
  const row = (calls: readonly HostCall[]) => ({
    calls: calls.length,
    answered: count(calls, "answered"),
    "failed near a kill": calls.filter((call) => call.outcome === "failed" && near(call)).length,
    "open for 40 s near a kill": calls.filter((call) => call.outcome === "late" && near(call)).length,
    lost: calls.filter((call) => call.outcome !== "answered" && call.outcome !== "wrong" && !near(call)).length,
    "answer of another caller": count(calls, "wrong"),
  });
  const strange = hosts.reduce((sum, host) => sum + host.strange, 0);
  console.table({ "no kills": row(quiet), "with kills": row(disturbed) });
  console.log(`questions ${total()}, at the wrong host ${strange}, kills ${kills.length}`);
  const all = [...quiet, ...disturbed];
  const texts = Map.groupBy(
    all.filter(({ outcome }) => outcome !== "answered"),
    ({ outcome, text, tool }) =>
      `${outcome}: ${tool}: ${text.replaceAll(/n-host-\d+-\d+|inc_\w+/g, "…").slice(0, 400)}`,
  );
  for (const [text, calls] of texts) console.log(`${calls.length} × ${text}`);
  for (const crash of crashes) console.error(crash);
  const lost = all.filter((call) => call.outcome === "wrong" || (call.outcome !== "answered" && !near(call)));
  process.exitCode = lost.length === 0 && strange === 0 && crashes.length === 0 && total() >= wanted ? 0 : 1;
  if (process.exitCode !== 0) console.error(`logs are kept in ${folder}`);
}

/** Every request goes to the other replica, as behind a load balancer; a replica that does not run is skipped. */
function inTurns(start: number): typeof fetch {
  let turn = start;
  return async (_, init) => {
    turn += 1;
    const [first, second] = [ports[turn % 2], ports[(turn + 1) % 2]];
    try {
      return await fetch(`http://127.0.0.1:${first}/mcp`, init);
    } catch (error) {
      const { code } = (error as { cause?: { code?: string } }).cause ?? {};
      if (code !== "ECONNREFUSED") throw error;
      return fetch(`http://127.0.0.1:${second}/mcp`, init);
    }
  };
}

async function startServer(era: string) {
  const execArgv = ["--conditions=@recourse/source", "--no-warnings"];
  const child = fork(file("asking-server.ts"), [era], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const { url } = await answerOf<{ url: string }>(child, `the ${era} server`);
  return { child, url };
}

function keyFor(name: string): string {
  return `rk_${name}_0123456789abcdef0123456789`;
}

function configFor(port: number): GatewayConfig {
  const base = configOf({ upstream: "", controls: "leased", engines: { redis: redis.url, postgres: database.url } });
  const [template] = base.upstreams;
  if (template?.kind !== "http") throw new Error("the configuration of the bench has changed");
  const http = (name: string, url = "") =>
    ({ ...template, name, prefix: `${name}__`, url, era: "auto", credential: { kind: "none" } }) as const;
  const { kind: _, url: __, era: ___, ...common } = template;
  return {
    ...base,
    listen: { host: "127.0.0.1", port },
    keys: names.map((id) => ({
      id,
      tenant: id,
      sha256: createHash("sha256").update(keyFor(id)).digest("hex"),
      tools: ["*"],
      scopes: [],
      entitlements: [],
      dialect: undefined,
    })),
    upstreams: [
      http("older", servers[0]?.url),
      http("newer", servers[1]?.url),
      {
        ...common,
        kind: "stdio",
        name: "child",
        prefix: "child__",
        credential: { kind: "none" },
        command: [
          process.execPath,
          "--conditions=@recourse/source",
          "--no-warnings",
          file("asking-server.ts"),
          "stdio",
        ],
        environment: {},
        per: "caller",
        maxChildren: HOSTS,
        idleMs: 300_000,
      },
    ],
    // A busy machine makes Redis seem away, and limits refuse then: that is measured elsewhere.
    limits: { address: undefined, key: undefined, tenant: undefined, cost: undefined, tools: [], mode: "leased" },
  };
}
