import { LineReader, type Span, sleep } from "@recourse/wire";
import { type Child, type ChildExit, withSpans } from "@recourse/wire/node";
import { asBuffer, type Envelope, findEnvelope, readProgress, replaceProgressToken } from "../message.ts";
import { PacedReading } from "../pace.ts";
import { encodeLine, encodeReply, LineEnds, type Outgoing, type StdioEnding } from "./exchange.ts";

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
  /** A child that sends more than it may for so long is given up. */
  readonly floodMs: number;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

interface PendingCall {
  readonly outgoing: Outgoing;
  /** The caller's progress token, as JSON. */
  readonly token: string | undefined;
  end(ended: StdioEnding): void;
}

/** Bytes that may wait to be read by the child; further messages are refused. */
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** What was written before the end of a child may still be in its pipe. */
const PIPE_DRAIN_MS = 250;
/** Calls that were given up and may still be answered; older ones are forgotten. */
const MAX_GIVEN_UP = 10_000;

/** JSON-RPC with a child, one message per line. Ids and progress tokens are the connection's own, so callers never meet. */
export class StdioConnection {
  readonly #options: ConnectionOptions;
  readonly #pending = new Map<number, PendingCall>();
  readonly #givenUp = new Set<number>();
  readonly #reading: PacedReading;
  #lastId = 0;
  #isOpen = true;
  #isFlooding = false;
  /** Resolves when no more answers can come. */
  readonly ended: Promise<ChildExit | undefined>;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { child, maxLineBytes } = options;
    const ends = new LineEnds();
    const lines = new LineReader({
      maxBytes: maxLineBytes,
      onLine: (line) => this.#arrive(asBuffer(line)),
      onExcess: (piece) => ends.add(piece),
      onTooLong: (bytes) => this.#arriveTooLong(ends.takeId(), bytes),
    });
    const flooded = Promise.withResolvers<undefined>();
    const run = () => {
      this.#isFlooding = true;
      flooded.resolve(undefined);
    };
    // Whatever a child writes, at most the child is ended by it.
    const unreadable = Promise.withResolvers<undefined>();
    const onUnreadable = (error: unknown) => {
      options.onStray(`something that cannot be read: ${String(error)}`);
      unreadable.resolve(undefined);
    };
    const flood = { afterMs: options.floodMs, run };
    this.#reading = new PacedReading({ stream: child.stdout, lines, now: options.now, flood, onUnreadable });
    const drained = new Promise<void>((resolve) => child.stdout.once("close", resolve).once("end", resolve));
    const broken = new Promise<undefined>((resolve) => {
      child.stdin.once("error", () => resolve(undefined));
      void drained.then(() => resolve(undefined));
    });
    const exited = child.exited.then(async (exit) => {
      await Promise.race([drained, sleep(PIPE_DRAIN_MS)]);
      return exit;
    });
    this.ended = Promise.race([exited, broken, flooded.promise, unreadable.promise]).then((exit) => this.#end(exit));
  }

  /** Whether messages can be sent. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether it ended because the child sent without end. */
  get isFlooding(): boolean {
    return this.#isFlooding;
  }

  /** How many messages wait for their answers. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Sends a message, and waits for its answer. It never rejects. */
  exchange(outgoing: Outgoing): Promise<StdioEnding> {
    const { method, timeoutMs, signal } = outgoing;
    if (signal?.aborted === true) return Promise.resolve({ how: "aborted" });
    if (!this.#isOpen) return Promise.resolve({ how: "unsent", why: "closed" });
    const { stdin } = this.#options.child;
    if (stdin.writableLength > MAX_QUEUED_BYTES) return Promise.resolve({ how: "unsent", why: "full" });
    this.#lastId += 1;
    const id = this.#lastId;
    const { params, token } = replaceProgressToken(outgoing.params, `${this.#options.nonce}-${id}`);
    return new Promise<StdioEnding>((resolve) => {
      const giveUp = (how: "late" | "aborted"): void => {
        this.#giveUp(id, method);
        end({ how });
      };
      const onAbort = (): void => giveUp("aborted");
      const timer = setTimeout(() => giveUp("late"), timeoutMs);
      const end = (ended: StdioEnding): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#pending.delete(id);
        resolve(ended);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#pending.set(id, { outgoing, token, end });
      stdin.write(encodeLine(id, method, params));
    });
  }

  /** Sends a notification; false where it cannot be sent. */
  notify(method: string, params: Buffer): boolean {
    const { stdin } = this.#options.child;
    if (!this.#isOpen || stdin.writableLength > MAX_QUEUED_BYTES) return false;
    stdin.write(encodeLine(undefined, method, params));
    return true;
  }

  /** Cancels the call that a caller made with this id, where there is one. */
  cancel(from: { readonly session: string; readonly id: string }): void {
    for (const [id, { outgoing, end }] of this.#pending) {
      if (outgoing.from?.session !== from.session || outgoing.from.id !== from.id) continue;
      this.#giveUp(id, outgoing.method);
      end({ how: "aborted" });
      return;
    }
  }

  #giveUp(id: number, method: string): void {
    this.#givenUp.add(id);
    if (this.#givenUp.size > MAX_GIVEN_UP) this.#givenUp.delete(this.#givenUp.values().next().value ?? 0);
    // The protocol forbids to cancel the handshake.
    if (method !== "initialize") this.notify("notifications/cancelled", Buffer.from(`{"requestId":${id}}`));
  }

  #end(exit: ChildExit | undefined): ChildExit | undefined {
    this.#isOpen = false;
    for (const { end } of [...this.#pending.values()]) end({ how: "lost", exit });
    return exit;
  }

  /** Nothing that a child writes may end the process, whatever goes wrong while it is read. */
  #arrive(line: Buffer): void {
    try {
      this.#sort(line);
    } catch (error) {
      this.#options.onStray(`a message that cannot be read: ${String(error)}`);
    }
  }

  #sort(line: Buffer): void {
    const envelope = findEnvelope(line);
    if (envelope !== undefined && envelope.method === undefined) {
      this.#arriveResponse(line, envelope);
      return;
    }
    this.#reading.countUnasked(line.length);
    if (envelope?.method !== undefined) this.#arriveFromServer(line, envelope.method, envelope.id);
    else this.#options.onStray(`a line that is not a message: ${line.toString("utf8", 0, 500)}`);
  }

  #arriveResponse(body: Buffer, envelope: Envelope): void {
    const text = envelope.id === undefined ? "" : body.toString("latin1", envelope.id.start, envelope.id.end);
    const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    const pending = this.#pending.get(id);
    const isResponse = (envelope.result === undefined) !== (envelope.error === undefined);
    if (pending !== undefined && isResponse) {
      pending.end({ how: "answered", body, envelope });
      return;
    }
    // The answer to a call that was given up was asked for once.
    if (isResponse && this.#givenUp.delete(id)) return;
    this.#reading.countUnasked(body.length);
    if (id === 0 || id > this.#lastId || !isResponse) this.#options.onStray("a response to no message");
  }

  #arriveFromServer(message: Buffer, methodSpan: Span, id: Span | undefined): void {
    const method = textInSpan(message, methodSpan);
    if (method === undefined) {
      this.#options.onStray("a message whose method is not a text");
    } else if (id !== undefined) {
      const { stdin } = this.#options.child;
      if (this.#isOpen && stdin.writableLength <= MAX_QUEUED_BYTES)
        stdin.write(encodeReply(method, message.toString("utf8", id.start, id.end)));
    } else if (method === "notifications/progress") {
      this.#arriveProgress(message);
    } else {
      this.#options.onNotification(method, message);
    }
  }

  /** Progress belongs to the caller whose call has the token. */
  #arriveProgress(message: Buffer): void {
    const progress = readProgress(message);
    const prefix = `${this.#options.nonce}-`;
    if (typeof progress?.token !== "string" || !progress.token.startsWith(prefix)) return;
    const { outgoing, token } = this.#pending.get(Number(progress.token.slice(prefix.length))) ?? {};
    if (token !== undefined) outgoing?.onNotification?.(withSpans(message, [progress.span], token));
  }

  #arriveTooLong(id: number | undefined, bytes: number): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined) this.#options.onStray(`a line of ${bytes} bytes`);
    else pending.end({ how: "too_large", bytes });
  }
}

/** The text in a span of JSON. */
function textInSpan(bytes: Buffer, { start, end }: Span): string | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8", start, end));
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
