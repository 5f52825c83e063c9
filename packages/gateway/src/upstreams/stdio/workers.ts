import { randomBytes } from "node:crypto";
import type { Fault } from "@recourse/core";
import { type Child, type ChildExit, type StopWaits, startChild } from "@recourse/core/node";
import { LATEST_HANDSHAKE_REVISION, LATEST_REVISION, type Revision, sleep } from "@recourse/core/wire";
import type { Abilities } from "../../call/abilities.ts";
import { StdioConnection } from "./connection.ts";
import { notRunnable, unreachable } from "./exchange.ts";
import { type Agreement, type HandshakeOptions, shakeHands } from "./handshake.ts";
import type { ChildLog } from "./stderr-log.ts";

/** A child that lived this long has not crashed because of its start. */
const STABLE_MS = 10_000;
const FIRST_RESTART_MS = 250;
const MAX_RESTART_MS = 30_000;

/** When a child may be started again. After one crash at once, after more in a row later and later. */
export class BackOff {
  readonly #now: () => number;
  #failures = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  /** @param now Monotonic time in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  get restMs(): number {
    return Math.max(0, this.#notBefore - this.#now());
  }

  /** A child has ended, or could not be started, after this time. */
  failed(livedMs: number): void {
    this.#failures = livedMs >= STABLE_MS ? 1 : this.#failures + 1;
    const pauseMs = this.#failures < 2 ? 0 : FIRST_RESTART_MS * 2 ** (this.#failures - 2);
    this.#notBefore = this.#now() + Math.min(pauseMs, MAX_RESTART_MS);
  }
}

export interface WorkerOptions {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly handshake: Omit<HandshakeOptions, "first">;
  readonly maxLineBytes: number;
  readonly stop: StopWaits;
  readonly log: ChildLog;
  readonly isOwned: boolean;
  /** A request of a child could not be passed on, since calls of several sessions are under way. */
  readonly onUnclear: () => void;
  readonly onNotification: (method: string, message: Buffer) => void;
  /** A child has ended by itself, could not be started, or runs again. */
  readonly onSwitch: (state: "away" | "back", cause?: Error) => void;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

export interface RunningChild extends Agreement {
  readonly connection: StdioConnection;
}

/** Why there is no child. Nothing was sent. */
export interface StartFailure {
  readonly fault: Fault;
  readonly cause: Error;
  /** It was not tried, because of failures of before. @default false */
  readonly isOld?: boolean;
}

/** Calls wait this long for the next start. If it is later, they are refused with the time that is left. */
const MAX_WAIT_MS = 1_000;

const FLOOD_ERROR = new Error("the process wrote without end, and was ended");

/** Keeps one child running: it is started when it is needed first, and again after it has ended. */
export class StdioWorker {
  readonly #options: WorkerOptions;
  readonly #backOff: BackOff;
  #connected: RunningChild | undefined = undefined;
  #starting: Promise<RunningChild | StartFailure> | undefined = undefined;
  #child: Child | undefined = undefined;
  #known: Revision | undefined = undefined;
  #isStopped = false;
  /** What has to end before the first start. */
  readonly #after: Promise<unknown> | undefined;

  constructor(options: WorkerOptions, after?: Promise<unknown>) {
    this.#options = options;
    this.#after = after;
    this.#backOff = new BackOff(options.now);
  }

  get isConnected(): boolean {
    return this.#connected?.connection.isOpen === true;
  }

  /** The child. It waits only if the child has to be started. */
  connect(): RunningChild | Promise<RunningChild | StartFailure> {
    if (this.#connected !== undefined && this.isConnected) return this.#connected;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#child?.stop(this.#options.stop);
    await this.#starting;
  }

  async #start(): Promise<RunningChild | StartFailure> {
    const restMs = this.#backOff.restMs;
    if (restMs > MAX_WAIT_MS) {
      return {
        fault: unreachable(Math.ceil(restMs)),
        cause: new Error("the process ended too often; it is started later"),
        isOld: true,
      };
    }
    if (restMs > 0) await sleep(restMs);
    await this.#after;
    const beganMs = this.#options.now();
    let exit: ChildExit | undefined;
    // A server that ends because of the newer message gets only the older one.
    for (const first of this.#eras()) {
      const started = await this.#launch(first);
      if ("agreed" in started) return this.#accept(started.connection, started.agreed);
      exit = started.exit;
      if (this.#isStopped || exit.error !== undefined) break;
    }
    this.#backOff.failed(this.#options.now() - beganMs);
    const cause = exitCause(exit);
    if (!this.#isStopped) this.#options.onSwitch("away", cause);
    const fault = exit?.error === undefined ? unreachable(Math.ceil(this.#backOff.restMs)) : notRunnable();
    return { fault, cause };
  }

  #eras(): readonly Revision[] {
    return this.#known === undefined ? [LATEST_REVISION, LATEST_HANDSHAKE_REVISION] : [this.#known];
  }

  async #launch(
    first: Revision,
  ): Promise<{ readonly connection: StdioConnection; readonly agreed: Agreement } | { readonly exit: ChildExit }> {
    const { env, cwd, handshake, maxLineBytes, log, isOwned, onUnclear, onNotification } = this.#options;
    const [command, ...args] = this.#options.command;
    if (this.#isStopped) return { exit: { code: null, signal: null } };
    let child: Child;
    try {
      child = startChild({ command, args, env, cwd });
    } catch (error) {
      // The system refuses some programs at once, for example if it has no memory or no processes left.
      return { exit: { code: null, signal: null, error: error instanceof Error ? error : new Error(String(error)) } };
    }
    this.#child = child;
    log.follow(child.stderr);
    const connection = new StdioConnection({
      child,
      maxLineBytes,
      nonce: randomBytes(9).toString("base64url"),
      onStray: (remark) => log.line(remark),
      isOwned,
      onUnclear,
      onNotification,
      now: this.#options.now,
    });
    const agreed = await shakeHands(connection, { ...handshake, first });
    if (agreed !== undefined && connection.isOpen && !this.#isStopped) return { connection, agreed };
    return { exit: await child.stop(this.#options.stop) };
  }

  #accept(connection: StdioConnection, agreed: Agreement): RunningChild {
    const sinceMs = this.#options.now();
    const child = this.#child;
    this.#known = agreed.era;
    const connected = { ...agreed, connection };
    this.#connected = connected;
    this.#options.onSwitch("back");
    void connection.ended.then(async (exit) => {
      this.#connected = undefined;
      // Its pipes are broken, or it is gone: what is left of it is ended.
      const end = child?.stop(this.#options.stop);
      if (this.#isStopped) return;
      // A child that floods is as good as one that crashed at its start, however long it ran.
      this.#backOff.failed(connection.isFlooding ? 0 : this.#options.now() - sinceMs);
      this.#options.onSwitch("away", connection.isFlooding ? FLOOD_ERROR : exitCause(exit ?? (await end)));
    });
    return connected;
  }
}

export function exitCause(exit: ChildExit | undefined): Error {
  if (exit?.error !== undefined) return exit.error;
  const how = exit?.signal ?? exit?.code ?? "unknown";
  return new Error(`the process ended or did not answer (${how})`);
}

interface WorkersOptions {
  readonly worker: (owner: WorkerOwner) => WorkerOptions;
  readonly max: number;
  /** A child without calls is ended after this time; undefined if it is kept. */
  readonly idleMs: number | undefined;
}

export interface WorkerOwner {
  readonly key: string;
  /** The id of the caller: one that can be asked different things has several children. */
  readonly caller: string;
  readonly abilities: Abilities;
}

interface WorkerSlot {
  readonly caller: string;
  readonly worker: StdioWorker;
  active: number;
  timer: NodeJS.Timeout | undefined;
}

/** The children of an upstream by their owners: one for all callers, or one for each. */
export class Workers {
  readonly #options: WorkersOptions;
  /** The one that was used last stands last. */
  readonly #slots = new Map<string, WorkerSlot>();
  readonly #stopping = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Works with the child of an owner; undefined if all children are busy with calls of others. */
  async use<T>(owner: WorkerOwner, work: (worker: StdioWorker) => Promise<T>): Promise<T | undefined> {
    const slot = this.#slotFor(owner);
    if (slot === undefined) return undefined;
    clearTimeout(slot.timer);
    slot.active += 1;
    try {
      return await work(slot.worker);
    } finally {
      slot.active -= 1;
      if (slot.active === 0) this.#waitIdle(owner.key, slot);
    }
  }

  isRunning({ key }: WorkerOwner): boolean {
    return this.#slots.get(key)?.worker.isConnected === true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const [owner, slot] of this.#slots) void this.#drop(owner, slot);
    await Promise.all(this.#stopping);
  }

  #slotFor(owner: WorkerOwner): WorkerSlot | undefined {
    const { key } = owner;
    const known = this.#slots.get(key);
    if (known !== undefined) {
      this.#slots.delete(key);
      this.#slots.set(key, known);
      return known;
    }
    if (this.#isClosed) return undefined;
    const all = [...this.#slots];
    const own = all.filter(([, { caller }]) => caller === owner.caller);
    let ended: Promise<void> | undefined;
    if (all.length >= this.#options.max || own.length >= this.#maxOwn) {
      const idle = (own.length >= this.#maxOwn ? own : all).find(([, { active }]) => active === 0);
      if (idle === undefined) return undefined;
      ended = this.#drop(...idle);
    }
    // The place of a child is free when it has ended, so there are never more than the limit.
    const worker = new StdioWorker(this.#options.worker(owner), ended);
    const slot: WorkerSlot = { caller: owner.caller, worker, active: 0, timer: undefined };
    this.#slots.set(key, slot);
    return slot;
  }

  /** The most children of one caller: its sessions must not take the places of all others. */
  get #maxOwn(): number {
    const { max } = this.#options;
    return max < 4 ? 1 : Math.max(2, Math.floor(max / 4));
  }

  #waitIdle(owner: string, slot: WorkerSlot): void {
    const { idleMs } = this.#options;
    if (idleMs === undefined || this.#slots.get(owner) !== slot) return;
    slot.timer = setTimeout(() => this.#drop(owner, slot), idleMs).unref();
  }

  #drop(owner: string, { worker, timer }: WorkerSlot): Promise<void> {
    clearTimeout(timer);
    this.#slots.delete(owner);
    // A start that failed was reported to its call.
    const stopped = worker
      .stop()
      .catch(() => {})
      .finally(() => this.#stopping.delete(stopped));
    this.#stopping.add(stopped);
    return stopped;
  }
}
