// Makes calls with the client kit, in a process of its own, and does after a fault what the fault says.
// Usage: node driver.ts <setup as JSON>; the message "settle" ends the run and repeats the keyed calls that are still open.
import { closeSync, openSync, writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { render } from "@recourse/core";
import { observeTransport, recourse } from "@recourse/core/client";
import { FAULTS_EXTENSION, objectAt } from "@recourse/core/wire";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { DEADLINE_MS, TIMEOUT_MS } from "./deadlines.ts";
import { lossyProxy } from "./lossy-proxy.ts";
import { AGENTS, type Intention, intentions } from "./plan.ts";
import type { CallRecord, DriverEnd, DriverLine, DriverSetup } from "./records.ts";
import { watchedFetch } from "./watched-fetch.ts";

/** How often the same call is made again where its fault recommends it. */
const MAX_TURNS = 4;
const MAX_SETTLE_TURNS = 60;
/** The part of the answers that is lost on the way to the caller. */
const LOSS = 0.03;
const LEFT_ALONE_MS = 1_000;
const TICK_MS = 50;

const setup = JSON.parse(process.argv[2] ?? "{}") as DriverSetup;
const random = seededRandom(setup.seed * 104_729 + setup.driver);
const file = openSync(setup.file, "a");
const write = (line: DriverLine) => void writeSync(file, `${JSON.stringify(line)}\n`);
let phase: CallRecord["phase"] = "run";
/** Connecting is the SDK's part, and not what is disturbed. */
let isConnected = false;
/** Replicas that refused a connection are left alone for a moment, as by a balancer. */
const leftAloneUntil = setup.ports.map(() => 0);
const leaveAlone = (replica: number) => {
  leftAloneUntil[replica] = Date.now() + LEFT_ALONE_MS;
};
const proxies = await Promise.all(
  setup.ports.map((target, replica) =>
    lossyProxy({
      target,
      loses: () => isConnected && phase === "run" && random() < LOSS,
      onRefused: () => leaveAlone(replica),
    }),
  ),
);
const wire = watchedFetch({
  // Half of the requests pass a proxy that loses answers; it also hides whether a replica was reached.
  choose: () => {
    const up = leftAloneUntil.flatMap((until, replica) => (until < Date.now() ? [replica] : []));
    const replica = up[Math.floor(random() * up.length)] ?? 0;
    const port = random() < 0.5 ? proxies[replica]?.port : setup.ports[replica];
    return { replica, port: port ?? 0 };
  },
  onRefused: leaveAlone,
  planted: setup.planted,
  onIncident: (incident) => write({ incident }),
});
const transport = observeTransport({ fetch: wire.fetch });
const client = await connected();
isConnected = true;
/** Without idempotency keys at the gateway every call is one without a key. */
const hasKeys = objectAt(client.getServerCapabilities()?.extensions, FAULTS_EXTENSION)?.["keys"] === true;
const options = {
  transport,
  deadlineMs: DEADLINE_MS,
  timeoutMs: TIMEOUT_MS,
  // All pressure that there can be: nothing but the faults themselves holds a call back.
  retry: { budget: false, breaker: false },
  testing: { random },
} as const;
/** Afterwards every answer is looked at. */
const mcp = {
  run: recourse(client, options),
  settle: recourse(client, { ...options, retry: { ...options.retry, policy: { attempts: 1 } } }),
};

async function connected(): Promise<Client> {
  const connecting = new Client(
    { name: "chaos", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${setup.apiKey}` } };
  const address = new URL(`http://127.0.0.1:${setup.ports[0]}/mcp`);
  await connecting.connect(new StreamableHTTPClientTransport(address, { fetch: transport.fetch, requestInit }));
  return connecting;
}

/** How long the event loop of this process stood still. It is subtracted from how late a call is. */
let stalledMs = 0;
let tickedMs = performance.now();
setInterval(() => {
  const gapMs = performance.now() - tickedMs;
  if (gapMs > 2 * TICK_MS) stalledMs += gapMs - TICK_MS;
  tickedMs += gapMs;
}, TICK_MS);

/** Makes one call of the kit, and writes down how it ended. */
async function make(intention: Intention, turn: number, conversation: object): Promise<CallRecord> {
  const { id, upstream, isKeyed, fate } = intention;
  const startMs = Date.now();
  const stalledBeforeMs = stalledMs;
  const requests = wire.requestsOf(id);
  const outcome = await mcp[phase].call(
    `${upstream}__pay`,
    { effect: id, fate },
    { conversation, ...(isKeyed && { idempotencyKey: `key-${id}` }) },
  );
  const told = outcome.ok ? JSON.stringify(outcome.result) : render(outcome.fault, { for: "model" });
  const record: CallRecord = {
    ...intention,
    turn,
    phase,
    startMs,
    endMs: Date.now(),
    stalledMs: Math.round(stalledMs - stalledBeforeMs),
    ok: outcome.ok,
    ...(!outcome.ok && {
      reason: outcome.fault.reason,
      kind: outcome.fault.kind,
      effect: outcome.fault.effect,
      moves: outcome.fault.recourse.map((move) => move.do),
      waitMs: outcome.fault.recourse[0]?.afterMs,
    }),
    requests: wire.requestsOf(id) - requests,
    leaks: wire.leaksIn(told),
  };
  write({ call: record });
  return record;
}

/** The keyed calls that did not succeed. */
const open: Intention[] = [];

async function pursue(intention: Intention): Promise<void> {
  const conversation = {};
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    const record = await make(intention, turn, conversation);
    if (record.ok) return;
    if (record.moves?.[0] !== "retry") break;
    await sleep(Math.min(record.waitMs ?? 200, 2_000));
  }
  if (intention.isKeyed) open.push(intention);
}

/** Repeats a keyed call until it succeeds, or ends twice with the same failure that must not be repeated. */
async function settle(intention: Intention): Promise<void> {
  let before: string | undefined;
  for (let turn = MAX_TURNS + 1; turn <= MAX_TURNS + MAX_SETTLE_TURNS; turn++) {
    const { ok, effect, moves, reason, waitMs } = await make(intention, turn, {});
    if (ok) return;
    const isOpen = effect === "none" || moves?.[0] === "retry";
    if (!isOpen && reason === before) return;
    before = isOpen ? undefined : reason;
    await sleep(Math.min(waitMs ?? 300, 2_000));
  }
}

const agents = Array.from({ length: AGENTS }, async (_, index) => {
  for (const intention of intentions(setup.seed, setup.driver * AGENTS + index)) {
    await sleep(intention.pauseMs);
    if (phase !== "run") return;
    await pursue({ ...intention, isKeyed: intention.isKeyed && hasKeys });
  }
});

process.on("disconnect", () => process.exit(0));
process.on("message", () => void end());
process.send?.("calling");

async function end(): Promise<void> {
  phase = "settle";
  await Promise.all(agents);
  const left = open.values();
  await Promise.all(
    Array.from({ length: AGENTS }, async () => {
      for (const intention of left) await settle(intention);
    }),
  );
  closeSync(file);
  const lost = proxies.reduce((sum, proxy) => sum + proxy.lost(), 0);
  const summary: DriverEnd = { answers: wire.answers(), leaks: wire.leaks(), lostReplies: lost };
  process.send?.(summary);
}
