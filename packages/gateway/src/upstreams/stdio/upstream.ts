import type { Fault } from "@recourse/core";
import { hostEnvironment, type StopWaits } from "@recourse/core/node";
import {
  ABORTED,
  hasHandshake,
  hasResultTypes,
  memberAt,
  type Revision,
  race,
  sleep,
  TIMED_OUT,
} from "@recourse/core/wire";
import { EVERY_ABILITY, NO_ABILITIES, toFlags } from "../../call/abilities.ts";
import { type Ending, toSignal } from "../../call/ending.ts";
import type { Observer } from "../../call/observer.ts";
import type { SessionAddress, Upstream, UpstreamReply, UpstreamRequest } from "../../call/upstream.ts";
import type { UpstreamConfig } from "../../config/types.ts";
import { upstreamHolder } from "../../limits/shares.ts";
import { type About, type ClientInfo, editAnswer, newerMembers } from "../message.ts";
import { busy, cancelledUnsent, endingFault, notSent, unreachable } from "./exchange.ts";
import { ChildLog } from "./stderr-log.ts";
import {
  exitCause,
  type RunningChild,
  type StartFailure,
  type StdioWorker,
  type WorkerOwner,
  Workers,
} from "./workers.ts";

export type StdioUpstreamConfig = Extract<UpstreamConfig, { kind: "stdio" }>;

export interface StdioUpstreamParts {
  readonly maxAnswerBytes: number;
  readonly client: ClientInfo;
  /** Receives what children write to standard error, and when they end. @default nothing is logged */
  readonly observer?: Pick<Observer, "log" | "switched"> | undefined;
  /** Receives notifications that belong to no call, such as changed lists. @default they are dropped */
  readonly onNotification?: ((upstream: string, method: string, message: Buffer) => void) | undefined;
  /** How long a start may take, in ms. @default 30_000 */
  readonly startMs?: number | undefined;
  /** How long to wait for the newer era before the older one is tried as well, in ms. @default 5_000 */
  readonly discoverMs?: number | undefined;
  /** How long each step of ending a child may take. @default two seconds each */
  readonly stop?: StopWaits | undefined;
  /** Monotonic time in ms. @default `performance.now` */
  readonly now?: (() => number) | undefined;
}

/** An upstream that is a process of this machine. It is started when it is needed first. */
export function createStdioUpstream(config: StdioUpstreamConfig, parts: StdioUpstreamParts): Upstream {
  return new StdioUpstream(config, parts);
}

/**
 * The child that all callers share. The gateway does not announce roots to it: what it remembers of one caller's roots
 * would serve another.
 */
const SHARED_OWNER: WorkerOwner = {
  key: "",
  caller: "",
  abilities: { ...EVERY_ABILITY, roots: false, samplingTools: false },
};
/** The child that the gateway itself asks, if each caller has one. */
const GATEWAY_OWNER: WorkerOwner = { key: "", caller: "", abilities: EVERY_ABILITY };
/** How often the log says that a shared child asks. */
const UNCLEAR_LOG_MS = 60_000;
/** How long the log level of a child may take to be set. The call does not wait for it. */
const CHILD_LEVEL_MS = 2_000;

class StdioUpstream implements Upstream {
  readonly options: StdioUpstreamConfig;
  readonly #maxLineBytes: number;
  readonly #workers: Workers;
  readonly #log: ChildLog;
  #agreed: { readonly era: Revision; readonly about: About } | undefined = undefined;
  #isAway = false;
  /** Those who follow the child of an owner, by its key. */
  readonly #followers = new Map<string, Set<(message: Buffer) => void>>();
  readonly #closing = new AbortController();
  readonly #ownId: string;
  #unclearMs = Number.NEGATIVE_INFINITY;

  constructor(config: StdioUpstreamConfig, parts: StdioUpstreamParts) {
    this.options = config;
    this.#maxLineBytes = parts.maxAnswerBytes;
    const { observer, onNotification, now = () => performance.now() } = parts;
    const { name, command, environment, cwd } = config;
    const isShared = config.per === "replica";
    const env = hostEnvironment(process.env, environment);
    this.#ownId = upstreamHolder(name).id;
    this.#log = new ChildLog({
      write: (text) => observer?.log("info", text, { upstream: name }),
      secrets: Object.values(environment),
      now,
    });
    this.#workers = new Workers({
      max: isShared ? 1 : config.maxChildren,
      idleMs: isShared ? undefined : config.idleMs,
      worker: ({ key, abilities }) => ({
        command,
        env,
        cwd,
        handshake: {
          client: parts.client,
          abilities,
          timeoutMs: parts.startMs ?? 30_000,
          discoverMs: parts.discoverMs ?? 5_000,
        },
        maxLineBytes: this.#maxLineBytes,
        stop: parts.stop ?? {},
        log: this.#log,
        isOwned: !isShared,
        onUnclear: () => this.#reportUnclear(observer, now),
        onNotification: (method, message) => {
          onNotification?.(name, method, message);
          // What a shared child logs may be about any caller.
          if (!isShared || method !== "notifications/message")
            for (const follower of this.#followers.get(key) ?? []) follower(message);
        },
        onSwitch: (state, cause) => this.#switch(state, cause, observer),
        now,
      }),
    });
  }

  get about(): About | undefined {
    return this.#agreed?.about;
  }

  ready(signal: Ending): Revision | Fault | Promise<Revision | Fault> {
    return this.#agreed?.era ?? this.#firstStart(toSignal(signal));
  }

  async send(request: UpstreamRequest): Promise<UpstreamReply> {
    const owner = this.#ownerFor(request);
    // A notification is about a conversation that is under way, or about nothing.
    if (request.id === undefined && !this.#workers.isRunning(owner)) return stdioReply(202, NO_BODY);
    const reply = await this.#workers.use(owner, (worker) => this.#sendTo(worker, request));
    return reply ?? { kind: "failed", fault: busy() };
  }

  follow(address: SessionAddress, onNotification: (message: Buffer) => void, signal: AbortSignal): void {
    const owner = this.#ownerFor(address);
    const ending = AbortSignal.any([signal, this.#closing.signal]);
    if (ending.aborted) return;
    // The same function may follow twice.
    const follower = (message: Buffer): void => onNotification(message);
    const followers = this.#followers.get(owner.key) ?? new Set();
    this.#followers.set(owner.key, followers.add(follower));
    const ended = new Promise<void>((resolve) => {
      ending.addEventListener("abort", () => resolve(), { once: true });
    }).then(() => {
      followers.delete(follower);
      if (followers.size === 0) this.#followers.delete(owner.key);
    });
    // A child that is followed is not ended for want of calls.
    void this.#workers.use(owner, () => ended);
  }

  #ownerFor({ caller, abilities }: SessionAddress): WorkerOwner {
    if (this.options.per === "replica") return SHARED_OWNER;
    if (caller.id === this.#ownId) return GATEWAY_OWNER;
    const told = abilities ?? NO_ABILITIES;
    return { key: `${caller.id}\n${toFlags(told)}`, caller: caller.id, abilities: told };
  }

  logOf(incident: string): Promise<string | undefined> {
    return this.#log.entryOf(incident);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#workers.close();
  }

  async #firstStart(signal: AbortSignal): Promise<Revision | Fault> {
    const owner = this.options.per === "replica" ? SHARED_OWNER : GATEWAY_OWNER;
    const found = await this.#workers.use(owner, (worker) => this.#connect(worker, signal, undefined));
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
    const signal = toSignal(request.signal);
    const found = await this.#connect(worker, signal, request.timeoutMs);
    if ("fault" in found) return { kind: "failed", ...found };
    const { connection, era } = found;
    // The params were written for the era of the child before it was restarted.
    if (era !== this.#agreed?.era) {
      this.#agreed = found;
      return { kind: "failed", fault: unreachable() };
    }
    const isShared = this.options.per === "replica";
    if (request.id === undefined) return notify(found, request, isShared);
    if (!isShared) setChildLevel(found, request.logLevel);
    // A stream of changes is not a call that makes a child ask.
    const isCall = request.caller.id !== this.#ownId && request.method !== "subscriptions/listen";
    const ended = await connection.exchange({
      method: request.method,
      params: request.params,
      timeoutMs: Math.max(0, request.timeoutMs - (performance.now() - beganMs)),
      signal,
      onNotification: request.onNotification,
      from: isCall ? { session: request.session, id: request.id } : undefined,
      onRequest: request.onRequest,
    });
    if (ended.how === "answered") {
      const isOlder = hasResultTypes(request.revision) && !hasResultTypes(era);
      const added = isOlder ? newerMembers(request.method) : undefined;
      return stdioReply(200, editAnswer(ended.body, ended.envelope, { id: request.id, added }));
    }
    const facts = { timeoutMs: request.timeoutMs, maxLineBytes: this.#maxLineBytes };
    const fault = endingFault(ended, facts);
    return ended.how === "lost" ? { kind: "failed", fault, cause: exitCause(ended.exit) } : { kind: "failed", fault };
  }

  #reportUnclear(observer: StdioUpstreamParts["observer"], now: () => number): void {
    if (now() - this.#unclearMs < UNCLEAR_LOG_MS) return;
    this.#unclearMs = now();
    const text = "A process that callers share asked one of them, but it is not known which: use per: caller.";
    observer?.log("warn", text, { upstream: this.options.name });
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
function notify(
  { connection }: RunningChild,
  { method, params, parsed, session }: UpstreamRequest,
  isShared: boolean,
): UpstreamReply {
  if (method === "notifications/cancelled") {
    const id = memberAt(parsed, "requestId");
    if (id !== undefined) connection.cancel({ session, id: JSON.stringify(id) });
  } else if (isNotified(method, isShared) && !connection.notify(method, params)) {
    return { kind: "failed", fault: unreachable() };
  }
  return stdioReply(202, NO_BODY);
}

function isNotified(method: string, isShared: boolean): boolean {
  if (method === "notifications/initialized") return false;
  return !isShared || method !== "notifications/roots/list_changed";
}

/** Tells a child the log level of its caller. Whatever the child answers, the call continues. */
function setChildLevel({ connection, era, about }: RunningChild, level: string | undefined): void {
  if (level === undefined || level === connection.logLevel || !hasHandshake(era)) return;
  if (about.capabilities["logging"] === undefined) return;
  connection.logLevel = level;
  const params = Buffer.from(JSON.stringify({ level }));
  void connection.exchange({ method: "logging/setLevel", params, timeoutMs: CHILD_LEVEL_MS });
}

const NO_BODY = Buffer.alloc(0);

const noHeader = (): undefined => undefined;

function stdioReply(status: number, body: Buffer): UpstreamReply {
  return { kind: "answer", status, header: noHeader, body };
}
