// The time of each step of a call in µs, one after the other in this process; the attempt itself is left out, since it waits.
// Usage: node --conditions=@recourse/source bench/gateway-steps.ts [calls]
import { createServer } from "node:http";
import { isFault } from "@recourse/faults";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { Call, type CallOrigin } from "../packages/gateway/src/call/call.ts";
import { openControls } from "../packages/gateway/src/controls.ts";
import { startTally } from "../packages/gateway/src/counts/open-counts.ts";
import { openGeneration } from "../packages/gateway/src/generation.ts";
import { Switches } from "../packages/gateway/src/incidents/switches.ts";
import { Shares } from "../packages/gateway/src/limits/shares.ts";
import { openStores } from "../packages/gateway/src/stores/open-stores.ts";
import { createReplicaBus } from "../packages/gateway/src/stores/replica-bus.ts";
import { createObserver } from "../packages/gateway/src/telemetry/create-observer.ts";
import { answerAsUpstream } from "../packages/gateway/test/hostile/upstream.ts";
import { headWith } from "../packages/gateway/test/support/head.ts";
import { API_KEY, configOf } from "./gateway/config.ts";
import { callBody, callHeaders, RESULTS, type StubName } from "./gateway/messages.ts";

const calls = Number(process.argv[2] ?? 40_000);
/** The budget of each step in µs where the call succeeds; 90 for the judge where it fails. */
const STEPS = { head: 1, authenticate: 1, message: 10, resolve: 1, limits: 3, judge: 8 } as const;
type StepName = keyof typeof STEPS;
/** Where each stands in the pipeline; between limits and judge is the attempt. */
const PLACES: Readonly<Record<StepName, number>> = {
  head: 0,
  authenticate: 1,
  message: 3,
  resolve: 6,
  limits: 7,
  judge: 14,
};

const upstream = await listenOnLoopback(createServer(answerAsUpstream));
const engines = { redis: "", postgres: "" };
const config = {
  ...configOf({ upstream: upstream.url.href, controls: "leased", engines }),
  store: { mode: "memory" } as const,
  idempotency: { mode: "off", keepMs: 0 } as const,
};
const switches = new Switches({ name: config.name, now: Date.now });
const now = () => performance.now();
const counted = startTally(config, { now: Date.now, monotonic: now });
const observer = counted.tally.watch(switches.watch(createObserver(config)));
const stores = await openStores(config, observer);
const bus = await createReplicaBus(stores, { observer });
const generation = openGeneration(config, {
  stores,
  controls: await openControls(config, stores, { observer, log: observer.sink, switches, bus, counted, now: Date.now }),
  keys: undefined,
  shares: new Shares(config),
  observer,
  onNotification: () => {},
  now,
});

const body = Buffer.from(callBody("stub__echo"));
const headers: Readonly<Record<string, string>> = {
  host: "127.0.0.1",
  authorization: `Bearer ${API_KEY}`,
  ...callHeaders("stub__echo"),
};
const origin: CallOrigin = {
  head: { ...headWith(headers), localAddress: "127.0.0.1" },
  signal: new AbortController().signal,
  readBody: () => Promise.resolve(body),
  notify: () => {},
};

for (const answer of ["ok", "failing"] as const satisfies readonly StubName[]) {
  const times = await run(answer);
  console.log(`\n| step, upstream answers ${answer} | µs | budget |\n| --- | --- | --- |`);
  for (const [name, us] of Object.entries(times))
    console.log(`| ${name} | ${us.toFixed(1)} | ${STEPS[name as StepName]} |`);
}
await generation.retire();
await upstream.close();
await observer.close();

/** The median of each step over the calls of the second half, when everything is compiled. */
async function run(answer: StubName): Promise<Record<StepName, number>> {
  const result = JSON.stringify({ ...RESULTS[answer], resultType: "complete" });
  const reply = Buffer.from(`{"jsonrpc":"2.0","id":7,"result":${result}}`);
  const seen: Record<StepName, number[]> = {
    head: [],
    authenticate: [],
    message: [],
    resolve: [],
    limits: [],
    judge: [],
  };
  for (let at = 0; at < calls; at++) {
    const call = new Call(origin, now());
    for (const name of Object.keys(STEPS) as StepName[]) {
      if (name === "judge") call.reply = { kind: "answer", status: 200, header: typeOf, body: reply };
      const from = process.hrtime.bigint();
      const outcome = await generation.steps.POST[PLACES[name]]?.(call);
      if (at > calls / 2) seen[name].push(Number(process.hrtime.bigint() - from) / 1_000);
      if (outcome !== undefined && !(name === "judge" && isFault(outcome)))
        throw new Error(`${name}: ${JSON.stringify(outcome)}`);
    }
  }
  const median = (all: number[]) => all.sort((a, b) => a - b)[all.length >> 1] ?? 0;
  return Object.fromEntries(Object.entries(seen).map(([name, all]) => [name, median(all)])) as Record<StepName, number>;
}

function typeOf(name: string): string | undefined {
  return name === "content-type" ? "application/json" : undefined;
}
