import { sleep } from "@recourse/faults/internal-do-not-use";
import { withSpans } from "../../json/members.ts";
import type { Span } from "../../json/skip.ts";
import { type Envelope, findEnvelope } from "../json-spans.ts";
import type { Child, Exit } from "./child.ts";
import { type Ended, idAtEnds, lineOf, type Outgoing, replyTo } from "./exchange.ts";
import { LineSplitter } from "./lines.ts";
import { mintToken, tokenSpan } from "./progress.ts";

/** Options of a `StdioConnection`. */
export interface ConnectionOptions {
  readonly child: Child;
  /** The longest line that is read. */
  readonly maxLineBytes: number;
  /** What is unguessable in the progress tokens of this connection. */
  readonly nonce: string;
  /** Receives a remark about what the child wrote. */
  readonly onStray: (remark: string) => void;
  /** Receives notifications that belong to no call. */
  readonly onNotification: (method: string, message: Buffer) => void;
}

interface Pending {
  readonly outgoing: Outgoing;
  /** The caller's progress token, as JSON. */
  readonly token: string | undefined;
  end(ended: Ended): void;
}

/** Bytes that may wait to be read by the child; further messages are refused. */
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** What was written before the end of a child may still be in its pipe. */
const DRAIN_MS = 250;

/** JSON-RPC with a child, one message per line. Ids and progress tokens are the connection's own, so callers never meet. */
export class StdioConnection {
  readonly #options: ConnectionOptions;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #isOpen = true;
  /** Resolves when no more answers can come. */
  readonly ended: Promise<Exit | undefined>;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { child, maxLineBytes } = options;
    const splitter = new LineSplitter(maxLineBytes, {
      onLine: (line) => this.#arrive(line),
      onTooLong: ({ head, tail, bytes }) => this.#arriveTooLong(idAtEnds(head, tail), bytes),
    });
    child.stdout.on("data", (piece: Buffer) => splitter.push(piece));
    const drained = new Promise<void>((resolve) => child.stdout.once("close", resolve).once("end", resolve));
    const broken = new Promise<undefined>((resolve) => {
      child.stdin.once("error", () => resolve(undefined));
      void drained.then(() => resolve(undefined));
    });
    const exited = child.exited.then(async (exit) => {
      await Promise.race([drained, sleep(DRAIN_MS)]);
      return exit;
    });
    this.ended = Promise.race([exited, broken]).then((exit) => this.#end(exit));
  }

  /** Whether messages can be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** How many messages wait for their answers. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Sends a message, and waits for its answer. It never rejects. */
  exchange(outgoing: Outgoing): Promise<Ended> {
    const { method, timeoutMs, signal } = outgoing;
    if (signal?.aborted === true) return Promise.resolve({ how: "aborted" });
    if (!this.#isOpen) return Promise.resolve({ how: "unsent", why: "closed" });
    const { stdin } = this.#options.child;
    if (stdin.writableLength > MAX_QUEUED_BYTES) return Promise.resolve({ how: "unsent", why: "full" });
    this.#lastId += 1;
    const id = this.#lastId;
    const { params, token } = mintToken(outgoing.params, `${this.#options.nonce}-${id}`);
    return new Promise<Ended>((resolve) => {
      const giveUp = (how: "late" | "aborted"): void => {
        this.#cancel(id, method);
        end({ how });
      };
      const onAbort = (): void => giveUp("aborted");
      const timer = setTimeout(() => giveUp("late"), timeoutMs);
      const end = (ended: Ended): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#pending.delete(id);
        resolve(ended);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, { outgoing, token, end });
      stdin.write(lineOf(id, method, params));
    });
  }

  /** Sends a notification; false where it cannot be sent. */
  notify(method: string, params: Buffer): boolean {
    const { stdin } = this.#options.child;
    if (!this.#isOpen || stdin.writableLength > MAX_QUEUED_BYTES) return false;
    stdin.write(lineOf(undefined, method, params));
    return true;
  }

  /** Cancels the call that a caller made with this id, where there is one. */
  cancel(from: { readonly session: string; readonly id: string }): void {
    for (const [id, { outgoing, end }] of this.#pending) {
      if (outgoing.from?.session !== from.session || outgoing.from.id !== from.id) continue;
      this.#cancel(id, outgoing.method);
      end({ how: "aborted" });
      return;
    }
  }

  #cancel(id: number, method: string): void {
    // The protocol forbids to cancel the handshake.
    if (method !== "initialize") this.notify("notifications/cancelled", Buffer.from(`{"requestId":${id}}`));
  }

  #end(exit: Exit | undefined): Exit | undefined {
    this.#isOpen = false;
    for (const { end } of [...this.#pending.values()]) end({ how: "lost", exit });
    return exit;
  }

  #arrive(line: Buffer): void {
    const envelope = findEnvelope(line);
    if (envelope === undefined) this.#options.onStray(`a line that is not a message: ${line.toString("utf8", 0, 500)}`);
    else if (envelope.method === undefined) this.#arriveResponse(line, envelope);
    else this.#arriveFromServer(line, envelope.method, envelope.id);
  }

  #arriveResponse(body: Buffer, envelope: Envelope): void {
    const text = envelope.id === undefined ? "" : body.toString("latin1", envelope.id.start, envelope.id.end);
    const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    const pending = this.#pending.get(id);
    const isResponse = (envelope.result === undefined) !== (envelope.error === undefined);
    if (pending !== undefined && isResponse) pending.end({ how: "answered", body, envelope });
    // The answer to a call that was given up is nothing to remark on.
    else if (id === 0 || id > this.#lastId || !isResponse) this.#options.onStray("a response to no message");
  }

  #arriveFromServer(message: Buffer, methodSpan: Span, id: Span | undefined): void {
    const method = nameIn(message, methodSpan);
    if (method === undefined) {
      this.#options.onStray("a message whose method is not a text");
    } else if (id !== undefined) {
      const { stdin } = this.#options.child;
      if (this.#isOpen && stdin.writableLength <= MAX_QUEUED_BYTES)
        stdin.write(replyTo(method, message.toString("utf8", id.start, id.end)));
    } else if (method === "notifications/progress") {
      this.#arriveProgress(message);
    } else {
      this.#options.onNotification(method, message);
    }
  }

  /** Progress belongs to the caller whose call has the token. */
  #arriveProgress(message: Buffer): void {
    const span = tokenSpan(message);
    const minted = span === undefined ? undefined : nameIn(message, span);
    const prefix = `${this.#options.nonce}-`;
    if (span === undefined || minted?.startsWith(prefix) !== true) return;
    const pending = this.#pending.get(Number(minted.slice(prefix.length)));
    if (pending?.token !== undefined) pending.outgoing.onNotification?.(withSpans(message, [span], pending.token));
  }

  #arriveTooLong(id: number | undefined, bytes: number): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined) this.#options.onStray(`a line of ${bytes} bytes`);
    else pending.end({ how: "too_large", bytes });
  }
}

/** The text in a span of JSON. */
function nameIn(bytes: Buffer, { start, end }: Span): string | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
