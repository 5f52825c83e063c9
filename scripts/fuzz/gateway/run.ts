// Mutated messages, mutated answers of an upstream and hostile lists of others, through one gateway. It must not crash, hang,
// leak or grow: each request is answered or its connection closed within its deadline. A seed repeats a run.
// Usage: npm run fuzz -- gateway [--seconds 10] [--seed 1]
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startGateway } from "@recourse/gateway";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { findLeaks } from "@recourse/testing";
import { httpUpstream, testConfig } from "../../../packages/gateway/test/support/config.ts";
import { type FuzzedRequest, fuzzedRequest, goodCall } from "./caller.ts";
import { createHostileLists } from "./lists.ts";
import { fuzzParams } from "./params.ts";
import { Random } from "./random.ts";
import { createFuzzedUpstream } from "./upstream.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "10" }, seed: { type: "string", default: "1" } },
});
const seed = Number(values.seed);
const endMs = performance.now() + Number(values.seconds) * 1_000;
const KEY = "rk_fuzz_71c2e05ba94d4f3c";
const UPSTREAM_TOKEN = "upstream-token-b4417c9e02";
const CALLERS = 8;
/** How many upstreams have hostile lists, and how often the file is read again, so that all lists are. */
const HOSTILE_LISTS = 3;
const RELOAD_MS = 2_000;
/** How long the gateway has to let go of upstreams that are gone, before its memory is looked at. */
const CALM_MS = 500;
/** The upstream has 500 ms, a call 1 s; the rest is for a busy machine. */
const TIMES = { timeoutMs: 500, deadlineMs: 1_000, boundMs: 15_000 };
const MAX_GROWTH_MIB = 48;
/** How long a caller that leaves stays, and how long one whose body may be too short waits before it ends it. */
const PATIENCE_MS = 100;
/** None of it may be in an answer: what the gateway knows and the caller does not. */
const SECRETS = [UPSTREAM_TOKEN, "node:internal", "/packages/gateway/", "/src/", ".ts:", "at async "];

const problems: string[] = [];
process.on("unhandledRejection", (error) => problems.push(`an unhandled rejection: ${String(error)}`));

const upstream = createFuzzedUpstream(new Random(seed + 1_000));
const loopback = await listenOnLoopback(upstream.server);
const key = { id: "k", tenant: "t", tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
const credential = { kind: "bearer", token: UPSTREAM_TOKEN } as const;
const hostile = Array.from({ length: HOSTILE_LISTS }, (_, at) => createHostileLists(new Random(seed + 2_000 + at)));
const listening = await Promise.all(hostile.map(({ server }) => listenOnLoopback(server)));
const calmConfig = testConfig({
  authentication: "required",
  keys: [{ ...key, sha256: createHash("sha256").update(KEY).digest("hex") }],
  upstreams: [httpUpstream(loopback.url, { timeoutMs: TIMES.timeoutMs, credential })],
  deadlineMs: TIMES.deadlineMs,
  drainMs: 2_000,
});
const config = {
  ...calmConfig,
  upstreams: [
    ...calmConfig.upstreams,
    ...listening.map(({ url }, at) => httpUpstream(url, { name: `lists${at}`, prefix: `lists${at}__`, credential })),
  ],
};
const gateway = await startGateway(config);
const port = Number(gateway.url.port);

const statuses = new Map<string, number>();
let sent = 0;
let slowestMs = 0;
/** Memory when everything is warm. */
let warmMib: number | undefined;
const startedMs = performance.now();

const fuzzingParams = fuzzParams(new Random(seed + 3_000), endMs);
const callers = Array.from({ length: CALLERS }, (_, at) => callUntilEnd(new Random(seed * 100 + at)));
await Promise.all([...callers, reloadUntilEnd()]);
const params = await fuzzingParams;
problems.push(...params.problems);
const lastMib = await calmMib();
const grownMib = lastMib - (warmMib ?? lastMib);
await gateway.close();
await Promise.all([loopback, ...listening].map((one) => one.close()));

for (const [status, count] of [...statuses].toSorted()) console.log(`${status.padEnd(8)} ${count}`);
console.log(
  `seed ${seed}: ${sent} requests, ${upstream.answered()} answers of the upstream, ${hostile.reduce((sum, one) => sum + one.answered(), 0)} of hostile lists, ${Math.round((performance.now() - startedMs) / 1_000)} s, slowest ${Math.round(slowestMs)} ms, heap grew by ${grownMib.toFixed(1)} MiB after the first quarter`,
);
console.log(`params: ${JSON.stringify(params.counts)}`);
if (grownMib > MAX_GROWTH_MIB) problems.push(`the heap grew by ${grownMib.toFixed(1)} MiB`);
for (const problem of problems.slice(0, 20)) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);

async function callUntilEnd(random: Random): Promise<void> {
  for (let turn = 1; performance.now() < endMs && problems.length < 20; turn++) {
    const isGood = turn % 50 === 0;
    const request = isGood ? { bytes: goodCall(KEY), isBroken: false, leaves: false } : fuzzedRequest(random, KEY);
    const from = performance.now();
    const got = await send(request);
    if (!request.leaves) slowestMs = Math.max(slowestMs, performance.now() - from);
    sent += 1;
    check(got, request, isGood);
  }
}

/** Every configuration reads all lists anew. */
async function reloadUntilEnd(): Promise<void> {
  while (performance.now() < endMs && problems.length < 20) {
    await sleep(RELOAD_MS);
    if (warmMib === undefined && performance.now() - startedMs > (endMs - startedMs) / 4) warmMib = await calmMib();
    await gateway.reload(config);
  }
}

/** The memory without what hostile upstreams have listed. */
async function calmMib(): Promise<number> {
  await gateway.reload(calmConfig);
  await sleep(CALM_MS);
  return memoryMib();
}

/** A status with all that came; closed without an answer; left by the caller; or neither in time. */
type Got = { readonly status: number; readonly text: string } | "closed" | "left" | "late";

/** Sends one request on a connection of its own. */
function send({ bytes, isBroken, leaves }: FuzzedRequest): Promise<Got> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    const finish = (got: Got) => {
      clearTimeout(bound);
      clearTimeout(patience);
      socket.destroy();
      resolve(got);
    };
    const bound = setTimeout(() => finish("late"), TIMES.boundMs);
    const patience = setTimeout(() => {
      if (leaves) finish("left");
      else if (isBroken) socket.end();
    }, PATIENCE_MS);
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      const text = Buffer.concat(chunks).toString();
      finish(text === "" ? "closed" : { status: Number(text.slice(9, 12)), text });
    });
    socket.write(bytes);
  });
}

function check(got: Got, { bytes, isBroken }: FuzzedRequest, isGood: boolean): void {
  const shown = () => `seed ${seed}: ${JSON.stringify(bytes.toString("latin1").slice(0, 1_500))}`;
  const name = typeof got === "string" ? got : String(got.status);
  statuses.set(name, (statuses.get(name) ?? 0) + 1);
  if (got === "late" || (got === "closed" && !isBroken)) problems.push(`${got}: ${shown()}`);
  if (typeof got === "string") return;
  const leaked = findLeaks(got.text, SECRETS);
  if (leaked.length > 0) problems.push(`leaked ${leaked.join(", ")} in ${got.text.slice(0, 500)}, ${shown()}`);
  if (isGood && !got.text.includes('"fine"')) problems.push(`a good call was answered with ${got.text.slice(0, 800)}`);
  if (got.status === 500) problems.push(`${got.text.slice(0, 800)}, ${shown()}`);
}

function memoryMib(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
