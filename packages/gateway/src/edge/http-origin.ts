import type { IncomingMessage, ServerResponse } from "node:http";
import type { Fault } from "@recourse/core";
import type { BodyReading, CallOrigin } from "../call/call.ts";
import { Departure } from "../call/ending.ts";
import type { RequestHead } from "../call/head.ts";
import { onOneLine } from "../call/json-edit.ts";
import { BODY_MS, readRequestBody } from "./body.ts";
import { callerAddress, type Proxies } from "./caller-address.ts";
import { pageHeaders } from "./cors.ts";

interface OriginOptions {
  readonly path: string;
  readonly proxies: Proxies;
  readonly maxRequestBytes: number;
  /** How long a body may take. @default 30_000 */
  readonly bodyTimeoutMs?: number | undefined;
  /** The client waits to be asked for its body. */
  readonly awaitsContinue: boolean;
}

export class HttpOrigin implements CallOrigin {
  readonly head: RequestHead;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly departure = new Departure();
  readonly #options: OriginOptions;
  #stopping: AbortController | undefined;
  #isStopped = false;
  #stream: EventStream | undefined;
  #bodyTooSlow = false;
  #hasAsked = false;
  #onNotification: ((message: Buffer) => void) | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, options: OriginOptions) {
    this.head = new HttpHead(incoming, options);
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.#options = options;
    outgoing.on("close", () => this.#closed());
    // What is written after the caller has left is lost, and that is all.
    outgoing.on("error", ignoreError);
  }

  get signal(): AbortSignal {
    return this.departure.signal;
  }

  get stopped(): AbortSignal {
    this.#stopping ??= new AbortController();
    if (this.#isStopped) this.#stopping.abort();
    return this.#stopping.signal;
  }

  get isBodyTooSlow(): boolean {
    return this.#bodyTooSlow;
  }

  /** The client was never asked for the body it announced, so nobody knows whether it still sends it. */
  get isBodyUnasked(): boolean {
    return this.#options.awaitsContinue && !this.#hasAsked;
  }

  /** The stream that the answer goes into, if notifications were sent before it. */
  get stream(): EventStream | undefined {
    return this.#stream;
  }

  /** Runs once nothing of the answer is held any longer: the caller has read it, or is gone. */
  whenClosed(run: () => void): void {
    if (this.outgoing.closed) run();
    else this.outgoing.once("close", run);
  }

  readBody({ observer, hold }: BodyReading = {}): Promise<Buffer | Fault> {
    const { maxRequestBytes: maxBytes, bodyTimeoutMs: timeoutMs = BODY_MS, awaitsContinue } = this.#options;
    if (awaitsContinue) {
      this.#hasAsked = true;
      this.outgoing.writeContinue();
    }
    const onSlow = () => {
      this.#bodyTooSlow = true;
    };
    return readRequestBody(this.incoming, { maxBytes, timeoutMs, onSlow, observer, hold });
  }

  allowPage(allowedOrigin: string): void {
    for (const [name, value] of Object.entries(pageHeaders(allowedOrigin))) this.outgoing.setHeader(name, value);
  }

  notify(message: Buffer): void {
    if (this.#onNotification === undefined) this.#openStream()?.notify(message);
    else this.#onNotification(message);
  }

  answerEarly(message: Buffer, onNotification: (message: Buffer) => void): boolean {
    const { outgoing } = this;
    if (this.departure.aborted || outgoing.destroyed || outgoing.writableEnded) return false;
    this.#onNotification = onNotification;
    if (this.#stream !== undefined) {
      this.#stream.end(message);
      return true;
    }
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": String(message.length) });
    // A caller that does not read a large answer must not keep it in memory forever.
    if (message.length > COPIED) outgoing.setTimeout(UNREAD_MS, () => outgoing.destroy());
    outgoing.end(message);
    return true;
  }

  get canAsk(): boolean {
    const { outgoing } = this;
    if (this.departure.aborted || outgoing.destroyed || outgoing.writableEnded) return false;
    return this.#stream !== undefined || (!outgoing.headersSent && EventStream.isAccepted(this.head.header("accept")));
  }

  ask(message: Buffer): boolean {
    return this.canAsk && this.#openStream()?.notify(message) === true;
  }

  openStream(): ((message: Buffer) => boolean) | undefined {
    const stream = this.#openStream();
    if (stream === undefined) return undefined;
    this.outgoing.flushHeaders();
    return (message) => stream.notify(message);
  }

  /** The stream of the answer; undefined if the caller reads none, or has got its answer. */
  #openStream(): EventStream | undefined {
    if (this.#stream !== undefined) return this.#stream;
    if (this.outgoing.headersSent || !EventStream.isAccepted(this.head.header("accept"))) return undefined;
    this.#stream = new EventStream(this.outgoing);
    return this.#stream;
  }

  abort(): void {
    this.departure.abort();
  }

  stop(): void {
    this.abort();
    this.#isStopped = true;
    this.#stopping?.abort();
  }

  #closed(): void {
    this.#stream?.stop();
    if (!this.outgoing.writableFinished) this.abort();
  }
}

function ignoreError(): void {
  // The close of the response tells all that is needed.
}

export class HttpHead implements RequestHead {
  readonly #incoming: IncomingMessage;
  readonly #proxies: Proxies;
  #address: string | undefined;
  readonly method: string;
  readonly path: string;

  constructor(incoming: IncomingMessage, { path, proxies }: Pick<OriginOptions, "path" | "proxies">) {
    this.#incoming = incoming;
    this.#proxies = proxies;
    this.method = incoming.method ?? "GET";
    this.path = path;
  }

  get names(): readonly string[] {
    return Object.keys(this.#incoming.headers);
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return typeof value === "string" ? value : value?.[0];
  }

  get address(): string {
    this.#address ??= callerAddress(this.#incoming.socket.remoteAddress ?? "", this, this.#proxies);
    return this.#address;
  }

  get localAddress(): string | undefined {
    return this.#incoming.socket.localAddress;
  }

  get connection(): object {
    return this.#incoming.socket;
  }
}

/** Intermediaries close connections on which nothing happens. */
const STREAM_KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = Buffer.from(": still at work\n\n");
/** What a caller that does not read may leave in memory. Notifications beyond it are dropped; the answer never is. */
const MAX_UNREAD_BYTES = 256 * 1_024;

export const UNREAD_MS = 60_000;

/** Messages up to this length are copied before they are written. */
const COPIED = 64 * 1_024;
const FIELD = Buffer.from("event: message\ndata: ");
const END = Buffer.from("\n\n");

/** An answer as a stream of server-sent events. */
class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #timer: NodeJS.Timeout;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
    outgoing.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    this.#timer = setInterval(() => {
      if (!outgoing.writableNeedDrain) outgoing.write(KEEP_ALIVE);
    }, STREAM_KEEP_ALIVE_MS).unref();
  }

  static isAccepted(accept: string | undefined): boolean {
    return accept?.includes("text/event-stream") === true;
  }

  /** Sends a message before the answer; false if the stream has ended, or the caller has left too much unread. */
  notify(message: Buffer): boolean {
    const { destroyed, writableEnded, writableLength } = this.#outgoing;
    if (destroyed || writableEnded || writableLength > MAX_UNREAD_BYTES) return false;
    this.#write(message);
    return true;
  }

  /** Sends the answer, and ends the stream. */
  end(message: Buffer): void {
    this.stop();
    if (this.#outgoing.destroyed) return;
    this.#write(message);
    // A caller that does not read must not keep the answer in memory forever.
    this.#outgoing.setTimeout(UNREAD_MS, () => this.#outgoing.destroy());
    this.#outgoing.end();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  close(): void {
    this.stop();
    if (!this.#outgoing.destroyed) this.#outgoing.end();
  }

  #write(message: Buffer): void {
    const line = onOneLine(message);
    if (line.length <= COPIED) {
      // A small message may be part of a large read, which would wait with it.
      this.#outgoing.write(Buffer.concat([FIELD, line, END]));
      return;
    }
    this.#outgoing.cork();
    this.#outgoing.write(FIELD);
    this.#outgoing.write(line);
    this.#outgoing.write(END);
    this.#outgoing.uncork();
  }
}
