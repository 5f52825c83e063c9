import { randomBytes } from "node:crypto";
import type { Fault } from "@recourse/faults";
import { sleep } from "@recourse/faults/internal-do-not-use";
import type { Era } from "../upstream.ts";
import { BackOff } from "./back-off.ts";
import { type Child, type Exit, type StopWaits, startChild } from "./child.ts";
import { StdioConnection } from "./connection.ts";
import { notRunnable, unreachable } from "./faults.ts";
import { type Agreed, type HandshakeOptions, shakeHands } from "./handshake.ts";
import type { ChildLog } from "./stderr-log.ts";

/** What all children of an upstream have in common. */
export interface WorkerOptions {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly handshake: Omit<HandshakeOptions, "first">;
  readonly maxLineBytes: number;
  /** A child that sends more than it may for so long is ended. */
  readonly floodMs: number;
  readonly stop: StopWaits;
  readonly log: ChildLog;
  readonly onNotification: (method: string, message: Buffer) => void;
  /** A child has ended by itself, could not be started, or runs again. */
  readonly onSwitch: (state: "away" | "back", cause?: Error) => void;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** A child that runs. */
export interface Connected extends Agreed {
  readonly connection: StdioConnection;
}

/** Why there is no child. Nothing was sent. */
export interface NotStarted {
  readonly fault: Fault;
  readonly cause: Error;
  /** It was not tried, because of failures of before. @default false */
  readonly isOld?: boolean;
}

/** Calls wait this long for the next start; where it is further away they are refused with the time that is left. */
const MAX_WAIT_MS = 1_000;

const FLOODED = new Error("the process wrote without end, and was ended");

/** Keeps one child running: it is started when it is needed first, and again after it has ended. */
export class StdioWorker {
  readonly #options: WorkerOptions;
  readonly #backOff: BackOff;
  #connected: Connected | undefined = undefined;
  #starting: Promise<Connected | NotStarted> | undefined = undefined;
  #child: Child | undefined = undefined;
  #known: Era | undefined = undefined;
  #isStopped = false;
  /** What has to end before the first start. */
  readonly #after: Promise<unknown> | undefined;

  constructor(options: WorkerOptions, after?: Promise<unknown>) {
    this.#options = options;
    this.#after = after;
    this.#backOff = new BackOff(options.now);
  }

  /** The child. It waits only where the child has to be started. */
  connect(): Connected | Promise<Connected | NotStarted> {
    if (this.#connected?.connection.isOpen === true) return this.#connected;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** Ends the child. It is not started again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#child?.stop(this.#options.stop);
    await this.#starting;
  }

  async #start(): Promise<Connected | NotStarted> {
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
    let exit: Exit | undefined;
    // A server that ends because of the newer message gets only the older one.
    for (const first of this.#eras()) {
      const started = await this.#launch(first);
      if ("agreed" in started) return this.#accept(started.connection, started.agreed);
      exit = started.exit;
      if (this.#isStopped || exit.error !== undefined) break;
    }
    this.#backOff.failed(this.#options.now() - beganMs);
    const cause = causeOf(exit);
    if (!this.#isStopped) this.#options.onSwitch("away", cause);
    const fault = exit?.error === undefined ? unreachable(Math.ceil(this.#backOff.restMs)) : notRunnable();
    return { fault, cause };
  }

  #eras(): readonly Era[] {
    return this.#known === undefined ? ["2026-07-28", "2025-11-25"] : [this.#known];
  }

  async #launch(
    first: Era,
  ): Promise<{ readonly connection: StdioConnection; readonly agreed: Agreed } | { readonly exit: Exit }> {
    const { command, env, cwd, handshake, maxLineBytes, log, onNotification } = this.#options;
    if (this.#isStopped) return { exit: { code: null, signal: null } };
    let child: Child;
    try {
      child = startChild({ command, env, cwd });
    } catch (error) {
      // The system refuses some programs at once, for example where it has no memory or no processes left.
      return { exit: { code: null, signal: null, error: error instanceof Error ? error : new Error(String(error)) } };
    }
    this.#child = child;
    log.follow(child.stderr);
    const connection = new StdioConnection({
      child,
      maxLineBytes,
      nonce: randomBytes(9).toString("base64url"),
      onStray: (remark) => log.line(remark),
      onNotification,
      floodMs: this.#options.floodMs,
      now: this.#options.now,
    });
    const agreed = await shakeHands(connection, { ...handshake, first });
    if (agreed !== undefined && connection.isOpen && !this.#isStopped) return { connection, agreed };
    return { exit: await child.stop(this.#options.stop) };
  }

  #accept(connection: StdioConnection, agreed: Agreed): Connected {
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
      this.#options.onSwitch("away", connection.isFlooding ? FLOODED : causeOf(exit ?? (await end)));
    });
    return connected;
  }
}

/** How a child ended, for the operator. */
export function causeOf(exit: Exit | undefined): Error {
  if (exit?.error !== undefined) return exit.error;
  const how = exit?.signal ?? exit?.code ?? "unknown";
  return new Error(`the process ended or did not answer (${how})`);
}
