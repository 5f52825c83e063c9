import type { Fault } from "@recourse/faults";
import { ABORTED, hasResultTypes, memberAt, type Revision, race, sleep, TIMED_OUT } from "@recourse/wire";
import { hostEnvironment, type StopWaits } from "@recourse/wire/node";
import type { Observer } from "../../call/observer.ts";
import type { Upstream, UpstreamReply, UpstreamRequest } from "../../call/upstream.ts";
import type { UpstreamConfig } from "../../config/types.ts";
import { type About, type ClientInfo, editAnswer } from "../message.ts";
import { busy, cancelledUnsent, endingFault, notSent, unreachable } from "./exchange.ts";
import { ChildLog } from "./stderr-log.ts";
import { exitCause, type RunningChild, type StartFailure, type StdioWorker, Workers } from "./workers.ts";

export type StdioUpstreamConfig = Extract<UpstreamConfig, { kind: "stdio" }>;

/** What an upstream that is a process needs of the gateway. */
export interface StdioUpstreamParts {
  /** The longest answer. */
  readonly maxAnswerBytes: number;
  /** Name and version of the gateway, as upstreams see them. */
  readonly client: ClientInfo;
  /** Receives what children write to standard error, and when they end. @default nothing is logged */
  readonly observer?: Pick<Observer, "log" | "switched"> | undefined;
  /** Receives notifications that belong to no call, such as changed lists. @default they are dropped */
  readonly onNotification?: ((upstream: string, method: string, message: Buffer) => void) | undefined;
  /** How long a start may take, in ms. @default 30_000 */
  readonly startMs?: number | undefined;
  /** How long the newer era is waited for before the older one is tried as well, in ms. @default 5_000 */
  readonly discoverMs?: number | undefined;
  /** A child that sends more than it may for so long is ended, in ms. @default 10_000 */
  readonly floodMs?: number | undefined;
  /** How long each step of ending a child may take. @default two seconds each */
  readonly stop?: StopWaits | undefined;
  /** Monotonic time in ms. @default `performance.now` */
  readonly now?: (() => number) | undefined;
}

/** An upstream that is a process of this machine. It is started when it is needed first. */
export function createStdioUpstream(config: StdioUpstreamConfig, parts: StdioUpstreamParts): Upstream {
  return new StdioUpstream(config, parts);
}

/** The owner of the child that all callers share, and of the one that the gateway itself asks. */
const SHARED_OWNER = "";

class StdioUpstream implements Upstream {
  readonly options: StdioUpstreamConfig;
  readonly #maxLineBytes: number;
  readonly #workers: Workers;
  readonly #log: ChildLog;
  #agreed: { readonly era: Revision; readonly about: About } | undefined = undefined;
  #isAway = false;

  constructor(config: StdioUpstreamConfig, parts: StdioUpstreamParts) {
    this.options = config;
    this.#maxLineBytes = parts.maxAnswerBytes;
    const { observer, onNotification, now = () => performance.now() } = parts;
    const { name, command, environment, cwd } = config;
    const isShared = config.per === "replica";
    this.#log = new ChildLog({
      write: (text) => observer?.log("info", text, { upstream: name }),
      secrets: Object.values(environment),
      now,
    });
    this.#workers = new Workers({
      max: isShared ? 1 : config.maxChildren,
      idleMs: isShared ? undefined : config.idleMs,
      worker: {
        command,
        env: hostEnvironment(process.env, environment),
        cwd,
        handshake: { client: parts.client, timeoutMs: parts.startMs ?? 30_000, discoverMs: parts.discoverMs ?? 5_000 },
        maxLineBytes: this.#maxLineBytes,
        floodMs: parts.floodMs ?? 10_000,
        stop: parts.stop ?? {},
        log: this.#log,
        onNotification: (method, message) => onNotification?.(name, method, message),
        onSwitch: (state, cause) => this.#switch(state, cause, observer),
        now,
      },
    });
  }

  get about(): About | undefined {
    return this.#agreed?.about;
  }

  ready(signal: AbortSignal): Revision | Fault | Promise<Revision | Fault> {
    return this.#agreed?.era ?? this.#firstStart(signal);
  }

  async send(request: UpstreamRequest): Promise<UpstreamReply> {
    const owner = this.options.per === "replica" ? SHARED_OWNER : request.caller.id;
    const reply = await this.#workers.use(owner, (worker) => this.#sendTo(worker, request));
    return reply ?? { kind: "failed", fault: busy() };
  }

  logOf(incident: string): Promise<string | undefined> {
    return this.#log.entryOf(incident);
  }

  async close(): Promise<void> {
    await this.#workers.close();
  }

  async #firstStart(signal: AbortSignal): Promise<Revision | Fault> {
    const found = await this.#workers.use(SHARED_OWNER, (worker) => this.#connect(worker, signal, undefined));
    if (found === undefined) return busy();
    return "fault" in found ? found.fault : found.era;
  }

  async #connect(
    worker: StdioWorker,
    signal: AbortSignal,
    timeoutMs: number | undefined,
  ): Promise<RunningChild | Pick<StartFailure, "fault"> | StartFailure> {
    const connecting = worker.connect();
    const found = connecting instanceof Promise ? await race(connecting, { signal, ms: timeoutMs, sleep }) : connecting;
    if (found === TIMED_OUT) return { fault: notSent() };
    if (found === ABORTED) return { fault: cancelledUnsent() };
    if (!("fault" in found)) this.#agreed ??= { era: found.era, about: found.about };
    return found;
  }

  async #sendTo(worker: StdioWorker, request: UpstreamRequest): Promise<UpstreamReply> {
    const beganMs = performance.now();
    const found = await this.#connect(worker, request.signal, request.timeoutMs);
    if ("fault" in found) return { kind: "failed", ...found };
    const { connection, era } = found;
    // The params were written for the era of the child before it was restarted.
    if (era !== this.#agreed?.era) {
      this.#agreed = found;
      return { kind: "failed", fault: unreachable() };
    }
    if (request.id === undefined) return notify(found, request);
    const ended = await connection.exchange({
      method: request.method,
      params: request.params,
      timeoutMs: Math.max(0, request.timeoutMs - (performance.now() - beganMs)),
      signal: request.signal,
      onNotification: request.onNotification,
      from: { session: request.session, id: request.id },
    });
    if (ended.how === "answered") {
      return stdioReply(200, editAnswer(ended.body, ended.envelope, { id: request.id, typed: !hasResultTypes(era) }));
    }
    const facts = { timeoutMs: request.timeoutMs, maxLineBytes: this.#maxLineBytes };
    const fault = endingFault(ended, facts);
    return ended.how === "lost" ? { kind: "failed", fault, cause: exitCause(ended.exit) } : { kind: "failed", fault };
  }

  #switch(state: "away" | "back", cause: Error | undefined, observer: StdioUpstreamParts["observer"]): void {
    const { name } = this.options;
    if (cause !== undefined)
      observer?.log("warn", "The process of an upstream ended.", { upstream: name, cause: cause.message });
    if (this.#isAway === (state === "away")) return;
    this.#isAway = state === "away";
    observer?.switched(`upstream ${name}`, state, state === "away" ? "calls start it again" : "calls are sent");
  }
}

/** Notifications about the conversation itself are the gateway's own; a cancellation is meant for one call. */
function notify({ connection }: RunningChild, { method, params, parsed, session }: UpstreamRequest): UpstreamReply {
  if (method === "notifications/cancelled") {
    const id = memberAt(parsed, "requestId");
    if (id !== undefined) connection.cancel({ session, id: JSON.stringify(id) });
  } else if (method !== "notifications/initialized" && !connection.notify(method, params)) {
    return { kind: "failed", fault: unreachable() };
  }
  return stdioReply(202, Buffer.alloc(0));
}

const noHeader = (): undefined => undefined;

function stdioReply(status: number, body: Buffer): UpstreamReply {
  return { kind: "answer", status, header: noHeader, body };
}
