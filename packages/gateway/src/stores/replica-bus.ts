import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import {
  ABORTED,
  isObject,
  type JsonObject,
  objectAt,
  parseJson,
  race,
  sleep,
  stringAt,
  TIMED_OUT,
} from "@recourse/core/wire";
import { inBackground, type Observer } from "../call/observer.ts";
import type { Redis } from "./redis.ts";

/** Answers a message of another replica; undefined if no answer is expected, or there is no answer. */
export type BusHandler = (body: JsonObject, from: string) => JsonObject | undefined | Promise<JsonObject | undefined>;

/** Messages between the replicas of one gateway, by Redis; in memory mode there is one replica, and all stays in the process. */
export interface ReplicaBus {
  /** The id of this process: random, lower-case letters and digits. */
  readonly replica: string;
  /** Receives the messages of one sort. Each sort has one handler. */
  on(kind: string, handler: BusHandler): void;
  /** Sends to one replica and does not wait. It never rejects. */
  send(to: string, kind: string, body: JsonObject): void;
  /** Sends to all other replicas and does not wait. It never rejects. */
  broadcast(kind: string, body: JsonObject): void;
  /** Sends to one replica and waits for the answer of its handler; undefined if none came in time. It never rejects. */
  ask(
    to: string,
    kind: string,
    body: JsonObject,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<JsonObject | undefined>;
  close(): void;
}

const MAX_REPLICA_HOST = 48;

/** The name of this process for operators: host and process id, such as `edge-7d9f8-1`. It is not unique for all time. */
export function replicaName({ host = hostname(), pid = process.pid } = {}): string {
  const short = host.split(".", 1)[0] ?? "";
  return `${short.replaceAll(/[^\w-]/g, "").slice(0, MAX_REPLICA_HOST) || "gateway"}-${pid}`;
}

type BusStores = { readonly mode: "memory" } | { readonly mode: "shared"; readonly redis: Redis };

export interface ReplicaBusOptions {
  readonly observer: Pick<Observer, "unexpected" | "log">;
  /** The id of this process. @default 16 random lower-case letters and digits */
  readonly replica?: string;
  /** How many questions may wait for an answer at a time; further ones get none. @default 4_096 */
  readonly maxAsks?: number;
  /** Monotonic time in ms. @default performance.now */
  readonly now?: () => number;
}

const BUS_VERSION = 1;
const ALL_REPLICAS = "recourse:replicas";
const BUS_ANSWER = "bus.answer";
const MAX_ASKS = 4_096;
/** Longer messages are not sent. Bodies have up to 6 million characters, which JSON may write as two each. */
const MAX_BUS_CHARS = 16_000_000;
/** How long the start waits until messages can be received. */
const LISTEN_MS = 2_000;
/** How often the log says that messages were lost. */
const LOST_MESSAGE_LOG_MS = 60_000;

interface BusMessage {
  readonly kind: string;
  readonly from: string;
  /** The replica it is for; undefined if it is for all. */
  readonly to: string | undefined;
  /** Names the question that is asked or answered; undefined if no answer is expected. */
  readonly ask: string | undefined;
  /** Undefined in an answer that says nothing. */
  readonly body: JsonObject | undefined;
}

/** A question that waits for its answer. */
interface OpenAsk {
  readonly to: string;
  readonly resolve: (body: JsonObject | undefined) => void;
}

/** Opens the bus of a process; with Redis, once it can be reached by the other replicas. */
export async function createReplicaBus(stores: BusStores, options: ReplicaBusOptions): Promise<ReplicaBus> {
  const redis = stores.mode === "shared" ? stores.redis : undefined;
  const bus = new Bus(redis, { replica: randomReplica(), maxAsks: MAX_ASKS, now: () => performance.now(), ...options });
  if (redis !== undefined) {
    const receive = (text: string) => bus.receive(text);
    const listening = [replicaChannel(bus.replica), ALL_REPLICAS].map((channel) => redis.listen(channel, receive));
    await race(Promise.all(listening), { ms: LISTEN_MS, sleep });
  }
  return bus;
}

class Bus implements ReplicaBus {
  readonly replica: string;
  /** Undefined if there is one replica. */
  readonly #redis: Redis | undefined;
  readonly #options: Required<ReplicaBusOptions>;
  readonly #handlers = new Map<string, BusHandler>();
  readonly #asks = new Map<string, OpenAsk>();
  #lastAsk = 0;
  #isClosed = false;
  #loggedMs = Number.NEGATIVE_INFINITY;

  constructor(redis: Redis | undefined, options: Required<ReplicaBusOptions>) {
    this.replica = options.replica;
    this.#redis = redis;
    this.#options = options;
  }

  on(kind: string, handler: BusHandler): void {
    if (kind === BUS_ANSWER || this.#handlers.has(kind)) throw new Error(`the bus has a handler for ${kind} already`);
    this.#handlers.set(kind, handler);
  }

  send(to: string, kind: string, body: JsonObject): void {
    inBackground("bus", this.#options.observer, this.#deliver({ kind, from: this.replica, to, ask: undefined, body }));
  }

  broadcast(kind: string, body: JsonObject): void {
    if (this.#redis === undefined) return;
    const message = { kind, from: this.replica, to: undefined, ask: undefined, body };
    inBackground("bus", this.#options.observer, this.#deliver(message));
  }

  async ask(
    to: string,
    kind: string,
    body: JsonObject,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<JsonObject | undefined> {
    if (this.#isClosed || this.#asks.size >= this.#options.maxAsks) return undefined;
    this.#lastAsk += 1;
    const ask = String(this.#lastAsk);
    const { promise, resolve } = Promise.withResolvers<JsonObject | undefined>();
    this.#asks.set(ask, { to, resolve });
    const sending = this.#deliver({ kind, from: this.replica, to, ask, body }).then((isSent) => {
      if (!isSent) resolve(undefined);
    });
    inBackground("bus", this.#options.observer, sending);
    try {
      const answer = await race(promise, { ms: timeoutMs, sleep, signal });
      return answer === TIMED_OUT || answer === ABORTED ? undefined : answer;
    } finally {
      this.#asks.delete(ask);
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#asks.values()) resolve(undefined);
    this.#asks.clear();
  }

  /** Takes a message of a channel. What is no message of the bus is ignored. */
  receive(text: string): void {
    const message = readBusMessage(text);
    if (message === undefined || message.from === this.replica) return;
    if (message.to === undefined || message.to === this.replica) this.#take(message);
  }

  /** True if the message may have arrived. */
  async #deliver(message: BusMessage): Promise<boolean> {
    const { to } = message;
    if (this.#isClosed) return false;
    if (to === this.replica) {
      this.#take(message);
      return true;
    }
    if (this.#redis === undefined) return false;
    const text = JSON.stringify({ v: BUS_VERSION, ...message });
    const channel = to === undefined ? ALL_REPLICAS : replicaChannel(to);
    const published = text.length > MAX_BUS_CHARS ? "too long" : await this.#redis.publish(channel, text);
    if (published === "failed" || published === "too long") this.#lost(message.kind, published);
    return published === "sent";
  }

  #take(message: BusMessage): void {
    if (this.#isClosed) return;
    const { kind, from, ask, body } = message;
    if (kind === BUS_ANSWER) {
      const open = ask === undefined ? undefined : this.#asks.get(ask);
      // Nobody answers for another replica.
      if (open?.to === from) open.resolve(body);
      return;
    }
    inBackground(`bus ${kind}`, this.#options.observer, this.#handle(message));
  }

  async #handle({ kind, from, ask, body = {} }: BusMessage): Promise<void> {
    let answer: JsonObject | undefined;
    try {
      answer = await this.#handlers.get(kind)?.(body, from);
    } finally {
      if (ask !== undefined) {
        const reply = { kind: BUS_ANSWER, from: this.replica, to: from, ask, body: answer };
        // Who asks a handler that fails, or whose answer cannot be sent, need not wait for the end of its time.
        if (!(await this.#deliver(reply)) && answer !== undefined) await this.#deliver({ ...reply, body: undefined });
      }
    }
  }

  #lost(kind: string, why: string): void {
    const { now, observer } = this.#options;
    if (now() - this.#loggedMs < LOST_MESSAGE_LOG_MS) return;
    this.#loggedMs = now();
    observer.log("warn", "A message to another replica could not be sent.", { kind, why });
  }
}

function readBusMessage(text: string): BusMessage | undefined {
  const read = parseJson(text, MAX_BUS_CHARS);
  const [kind, from] = [stringAt(read, "kind"), stringAt(read, "from")];
  if (!isObject(read) || read["v"] !== BUS_VERSION || kind === undefined || from === undefined) return undefined;
  return { kind, from, to: stringAt(read, "to"), ask: stringAt(read, "ask"), body: objectAt(read, "body") };
}

function replicaChannel(replica: string): string {
  return `recourse:replica:${replica}`;
}

const REPLICA_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** 80 random bits. */
function randomReplica(): string {
  return Array.from(randomBytes(16), (byte) => REPLICA_ALPHABET[byte % REPLICA_ALPHABET.length]).join("");
}
