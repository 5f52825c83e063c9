import type { IncomingMessage } from "node:http";
import type { Fault } from "@recourse/core";
import { content, core, protocol } from "@recourse/core/reasons";
import type { BodyReading } from "../call/call.ts";

export const BODY_MS = 30_000;
/** How much of a refused body is read away, so that the connection can be used again. */
export const MAX_DISCARDED = 32 * 1_024 * 1_024;
const MAX_DISCARDING_MS = 2_000;

export function announcedLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/** The body did not come in time. HTTP has a status for it that no kind has. */
export const TOO_SLOW_STATUS = 408;

interface BodyOptions extends BodyReading {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Called before the fault if time was the reason. */
  readonly onSlow: () => void;
}

/** Reads a whole body; a fault if it is too large, too slow, or broken off. It rejects only if the observer throws. */
export function readRequestBody(incoming: IncomingMessage, options: BodyOptions): Promise<Buffer | Fault> {
  return new Promise((resolve, reject) => new BodyReader(incoming, options, { resolve, reject }));
}

interface Settle {
  resolve(outcome: Buffer | Fault): void;
  reject(error: unknown): void;
}

/**
 * Its listeners stay where they are when the body has ended, and do nothing more: removing them from a request that is
 * over costs more than leaving them. An error after the end does not matter, but without a listener it would end the
 * process.
 */
class BodyReader {
  readonly #options: BodyOptions;
  readonly #settle: Settle;
  #timer: NodeJS.Timeout | undefined = undefined;
  #pieces: Buffer[] = [];
  #size = 0;
  #isEnded = false;

  constructor(incoming: IncomingMessage, options: BodyOptions, settle: Settle) {
    this.#options = options;
    this.#settle = settle;
    const onGone = () => this.#gone();
    incoming.on("data", (piece: Buffer) => this.#take(piece));
    incoming.on("end", () => this.#whole());
    incoming.on("error", onGone);
    incoming.on("close", onGone);
    process.nextTick(watchBody, this, incoming);
  }

  /** Starts the time, unless all of the body came with the head and only has to be handed on. */
  watch({ complete }: IncomingMessage): void {
    if (!complete && !this.#isEnded) this.#timer = setTimeout(bodyLate, this.#options.timeoutMs, this);
  }

  late(): void {
    const { timeoutMs, onSlow } = this.#options;
    onSlow();
    this.#end(core.timeout.fault({ timeoutMs }, { effect: "none" }));
  }

  #take(piece: Buffer): void {
    if (this.#isEnded) return;
    const { maxBytes, observer, hold } = this.#options;
    this.#size += piece.length;
    try {
      observer?.take(piece);
    } catch (error) {
      this.#end(protocol.bad_request.fault(), error);
      return;
    }
    if (this.#size <= maxBytes) {
      const fault = hold?.(piece.length);
      if (fault === undefined) this.#pieces.push(piece);
      else this.#end(fault);
    } else if (observer === undefined || this.#size > MAX_DISCARDED) this.#refuse();
    else this.#pieces = [];
  }

  #refuse(): void {
    this.#end(content.message_too_large.fault({ maxSize: this.#options.maxBytes }));
  }

  #whole(): void {
    if (this.#isEnded) return;
    if (this.#size > this.#options.maxBytes) {
      this.#refuse();
      return;
    }
    const [first] = this.#pieces;
    this.#end(this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces, this.#size));
  }

  #gone(): void {
    if (!this.#isEnded) this.#end(protocol.bad_request.fault());
  }

  #end(outcome: Buffer | Fault, thrown?: unknown): void {
    this.#isEnded = true;
    this.#pieces = [];
    clearTimeout(this.#timer);
    if (thrown === undefined) this.#settle.resolve(outcome);
    else this.#settle.reject(thrown);
  }
}

function bodyLate(reader: BodyReader): void {
  reader.late();
}

function watchBody(reader: BodyReader, incoming: IncomingMessage): void {
  reader.watch(incoming);
}

/** Reads the rest of a body away; a sender that does not stop soon loses its connection. */
export function discardRequestBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  let size = 0;
  const timer = setTimeout(() => incoming.socket.destroy(), MAX_DISCARDING_MS);
  const done = () => clearTimeout(timer);
  incoming.on("data", (piece: Buffer) => {
    size += piece.length;
    if (size > MAX_DISCARDED) incoming.socket.destroy();
  });
  incoming.once("end", done).once("close", done).on("error", done);
  incoming.resume();
}
