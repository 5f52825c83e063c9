// The parts of a call of one checkout, each to be run and timed alone: no socket is read or written, and no upstream is asked.
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Fault } from "@recourse/core";
import type { Call } from "../../packages/gateway/src/call/call.ts";
import type { UpstreamReply } from "../../packages/gateway/src/call/upstream.ts";
import type { HttpOrigin } from "../../packages/gateway/src/edge/http-origin.ts";
import { API_KEY } from "./config.ts";
import { callBody, callHeaders, OVERLOADED, RESULTS, TOOL, withNextOrder } from "./messages.ts";

/** What an upstream answers. */
export const REPLIES = { success: "ok", sentence: "sentence", "5xx": "overloaded" } as const;
export type ReplyName = keyof typeof REPLIES;

/**
 * The parts of a call that are timed: the steps by their names, the building of the message to the upstream, the writing of the
 * answer into a response without a socket, and what is counted. The answer of a failure is stamped, admitted as an incident,
 * encoded and reported.
 */
export const PARTS = [
  "began",
  "head",
  "authenticate",
  "message",
  "resolve",
  "limits",
  "check",
  "breaker",
  "begin",
  "hop",
  "judge",
  "answer",
  "ended",
] as const;
export type PartName = (typeof PARTS)[number];

/** Times of one call in µs. */
export type CallTimes = Record<PartName, number>;

/** The sources of a gateway, by file. */
interface Sources {
  "call/call.ts": typeof import("../../packages/gateway/src/call/call.ts");
  "controls.ts": typeof import("../../packages/gateway/src/controls.ts");
  "counts/open-counts.ts": typeof import("../../packages/gateway/src/counts/open-counts.ts");
  "generation.ts": typeof import("../../packages/gateway/src/generation.ts");
  "incidents/switches.ts": typeof import("../../packages/gateway/src/incidents/switches.ts");
  "limits/shares.ts": typeof import("../../packages/gateway/src/limits/shares.ts");
  "stores/open-stores.ts": typeof import("../../packages/gateway/src/stores/open-stores.ts");
  "stores/replica-bus.ts": typeof import("../../packages/gateway/src/stores/replica-bus.ts");
  "telemetry/create-observer.ts": typeof import("../../packages/gateway/src/telemetry/create-observer.ts");
  "answer/answer.ts": typeof import("../../packages/gateway/src/answer/answer.ts");
  "answer/told-failures.ts": typeof import("../../packages/gateway/src/answer/told-failures.ts");
  "edge/http-origin.ts": typeof import("../../packages/gateway/src/edge/http-origin.ts");
  "pipeline/hop-params.ts": typeof import("../../packages/gateway/src/pipeline/hop-params.ts");
  "upstreams/message.ts": typeof import("../../packages/gateway/src/upstreams/message.ts");
}

const NAME = `stub__${TOOL.name}`;
const CALL_BODY = Buffer.from(callBody(NAME));
const HEADERS = { host: "127.0.0.1", authorization: `Bearer ${API_KEY}`, ...callHeaders(NAME) };
const RAW_HEADERS = Object.entries(HEADERS).flat();
const CLIENT_INFO = JSON.stringify({ name: "bench", version: "1.0.0" });
/** More failures than any run makes: an open breaker would refuse the calls. */
const NEVER_OPENS = 1_000_000_000;

/** Makes the gateway of a checkout, in memory and with leased limits. */
export async function openSteps(folder: string, upstream: string) {
  const load = async <File extends keyof Sources>(file: File): Promise<Sources[File]> =>
    await import(pathToFileURL(resolve(folder, "packages/gateway/src", file)).href);
  const configFile = pathToFileURL(resolve(folder, "bench/gateway/config.ts")).href;
  const { configOf }: typeof import("./config.ts") = await import(configFile);
  const config = {
    ...configOf({ upstream, controls: "leased", engines: { redis: "", postgres: "" } }),
    store: { mode: "memory" } as const,
    idempotency: { keepMs: 0 },
    breaker: { failures: NEVER_OPENS, pauseMs: 1_000, maxPauseMs: 30_000 },
  };
  const { Call: CallOf } = await load("call/call.ts");
  const { HttpOrigin: HttpOriginOf } = await load("edge/http-origin.ts");
  const { writeFault, writeSuccess } = await load("answer/answer.ts");
  const { ToldFailures } = await load("answer/told-failures.ts");
  const { hopParams } = await load("pipeline/hop-params.ts");
  const { messageBody } = await load("upstreams/message.ts");
  const { Switches } = await load("incidents/switches.ts");
  const { Shares } = await load("limits/shares.ts");
  const now = () => performance.now();
  const switches = new Switches({ name: config.name, now: Date.now });
  const counted = (await load("counts/open-counts.ts")).startTally(config, { now: Date.now, monotonic: now });
  const created = (await load("telemetry/create-observer.ts")).createObserver(config);
  const observer = counted.tally.watch(switches.watch(created));
  const stores = await (await load("stores/open-stores.ts")).openStores(config, observer);
  const bus = await (await load("stores/replica-bus.ts")).createReplicaBus(stores, { observer });
  const { openControls } = await load("controls.ts");
  const log = observer.sink;
  const controls = await openControls(config, stores, { observer, log, switches, bus, counted, now: Date.now });
  const generation = (await load("generation.ts")).openGeneration(config, {
    stores,
    controls,
    keys: undefined,
    shares: new Shares(config),
    observer,
    onNotification: () => {},
    now,
  });
  const answers = {
    toldFailures: new ToldFailures(),
    observer,
    sink: controls.sink,
    admit: controls.incidents.admit.bind(controls.incidents),
    reports: new Set<Promise<void>>(),
    replica: "bench",
    now: Date.now,
    monotonic: now,
    openSession: () => undefined,
    isClosing: () => false,
  };
  const { POST: steps, names } = { POST: generation.steps.POST, names: generation.steps.names.POST };

  /** Builds the message to the upstream, as an attempt does. */
  const buildHop = ({ message, id }: Call): Buffer => {
    if (message === undefined) throw new Error("the message was not read");
    const hop = { target: TOOL.name, era: "2026-07-28", deadlineMs: 30_000 } as const;
    const params = hopParams(message, { ...hop, traceparent: undefined, clientInfo: CLIENT_INFO });
    return messageBody(id, message.method, params);
  };
  const open = (): { readonly origin: HttpOrigin; readonly call: Call } => {
    const incoming = new IncomingMessage(SOCKET);
    incoming.method = "POST";
    incoming.url = "/mcp";
    incoming.rawHeaders = RAW_HEADERS;
    incoming.headers = HEADERS;
    const { path, maxRequestBytes } = config;
    const options = { path, maxRequestBytes, proxies: NO_PROXIES, awaitsContinue: false };
    const origin = new HttpOriginOf(incoming, new ServerResponse(incoming), options);
    origin.readBody = () => Promise.resolve(CALL_BODY);
    const call = new CallOf(origin, now());
    call.stepNames = names;
    return { origin, call };
  };

  return {
    /** Runs one call, and adds the time of each part. */
    async run(reply: ReplyName, times: CallTimes): Promise<void> {
      const { origin, call } = open();
      const time = timer(times);
      time("began", () => observer.began(call));
      let fault: Fault | undefined;
      for (const [at, step] of steps.entries()) {
        const name = names[at];
        if (name === "attempt" && call.reply === undefined) {
          time("hop", () => buildHop(call));
          call.wasSent = true;
          call.reply = replyOf(reply);
        }
        // The attempt waits for the upstream, which costs no CPU here.
        if (name === undefined || name === "attempt") continue;
        call.stepAt = at;
        const outcome = time(name, () => step(call));
        fault = outcome instanceof Promise ? await time.waiting(name, outcome) : outcome;
        if (fault !== undefined && name !== "judge") throw new Error(`${name}: ${JSON.stringify(fault)}`);
        if (fault !== undefined) break;
      }
      if ((fault === undefined) !== (reply === "success")) throw new Error(`${reply}: ${JSON.stringify(fault)}`);
      const sent = time("answer", () => {
        if (fault !== undefined) return writeFault(origin, call, fault, generation, answers);
        writeSuccess(origin, call, answers);
        return undefined;
      });
      call.memory?.end();
      for (const run of call.afterwards ?? []) run(sent);
      time("ended", () => observer.ended(call, sent));
    },
    async close(): Promise<void> {
      await generation.retire();
      await controls.close();
      await stores.close();
      await observer.close();
    },
  };
}

const SOCKET = new Socket();
const NO_PROXIES: readonly never[] = [];

const BODIES = { ok: bodyOf("ok"), sentence: bodyOf("sentence") };

function bodyOf(stub: keyof typeof RESULTS): string {
  return `{"jsonrpc":"2.0","id":7,"result":${JSON.stringify({ ...RESULTS[stub], resultType: "complete" })}}`;
}

/** What an upstream has answered, as an attempt gives it to the judge. */
function replyOf(name: ReplyName): UpstreamReply {
  const stub = REPLIES[name];
  const header = (wanted: string) => (wanted === "content-type" ? "application/json" : undefined);
  if (stub === "overloaded") return { kind: "answer", status: OVERLOADED.status, header, body: OVERLOADED.body };
  return { kind: "answer", status: 200, header, body: Buffer.from(withNextOrder(BODIES[stub])) };
}

/** Adds up times by part. */
function timer(times: CallTimes) {
  const since = (from: bigint) => Number(process.hrtime.bigint() - from) / 1_000;
  const time = <T>(name: PartName, run: () => T): T => {
    const from = process.hrtime.bigint();
    const result = run();
    times[name] += since(from);
    return result;
  };
  return Object.assign(time, {
    /** A promise that waits for nothing outside of the process. */
    async waiting<T>(name: PartName, promise: Promise<T>): Promise<T> {
      const from = process.hrtime.bigint();
      const result = await promise;
      times[name] += since(from);
      return result;
    },
  });
}
