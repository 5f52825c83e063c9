// A client that sends what it is given and tells what came back, whatever it is: for probes and diagnoses of servers.
import { once } from "node:events";
import { type Agent, type ClientRequest, type IncomingHttpHeaders, request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { LineReader } from "../lines.ts";
import { SseReader } from "../sse.ts";
import type { Child } from "./child.ts";

/** One HTTP request, sent as it is. */
export interface RawRequest {
  readonly url: URL;
  readonly method: string;
  /** All headers: none is added, not even `host`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. @default none */
  readonly body?: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** Ends the request at once. */
  readonly signal: AbortSignal;
  /** Monotonic time in ms. */
  readonly now: () => number;
  /** Keeps the connection for further requests. @default the request has a connection of its own */
  readonly agent?: Agent | undefined;
  /** An open connection, which is closed afterwards. @default one is opened */
  readonly socket?: Socket | undefined;
  /** The most bytes of a body, and the most characters of its text. */
  readonly maxBytes: number;
  /** About how many characters of the text of a stream are kept; it may have no end. */
  readonly maxStreamText: number;
  readonly onEvent: (data: string) => void;
  /** Whether the rest of a stream is not needed. Asked when it begins, and after each piece. */
  readonly isEnough: (response: RawResponse) => boolean;
}

export interface RawResponse {
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly isStream: boolean;
  /** When the headers came, after the request began. */
  readonly headersMs: number;
  /** The text of its body so far. */
  readonly text: string;
  /** The length of its body so far. */
  readonly bytes: number;
}

export interface RawOutcome {
  /**
   * `complete`: the answer was read to its end. `enough`: the rest of a stream was not needed. `too-long`: its body is over the
   * limit. `cut`: its body broke off. `late`, `aborted`: the client stopped waiting. `broken`: the connection failed, or
   * what came is not HTTP. `unsendable`: the request could not be made.
   */
  readonly how: "complete" | "enough" | "too-long" | "cut" | "late" | "aborted" | "broken" | "unsendable";
  readonly ms: number;
  /** The answer, if it began. */
  readonly response: RawResponse | undefined;
  readonly error: NodeJS.ErrnoException | undefined;
  /** The first bytes that came over `socket`. */
  readonly firstBytes: Uint8Array;
}

const MAX_FIRST_BYTES = 512;
const EVENT_STREAM = /^text\/event-stream\b/i;
/** The connection cannot be used after these, even if others share it. */
const GIVEN_UP: ReadonlySet<RawOutcome["how"]> = new Set(["too-long", "late", "aborted"]);

/** Sends a request without following redirects. It never rejects. */
export function sendRaw(options: RawRequest): Promise<RawOutcome> {
  const { body, now, signal, agent, socket } = options;
  const began = now();
  return new Promise((resolve) => {
    let request: ClientRequest | undefined;
    let response: RawResponse | undefined;
    let firstBytes: Uint8Array = new Uint8Array();
    let isDone = false;
    const answered = Promise.withResolvers<void>();
    const finish = (how: RawOutcome["how"], error?: NodeJS.ErrnoException): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      answered.resolve();
      resolve({ how, ms: now() - began, response, error, firstBytes });
      // A shared connection stays open if the answer was read to its end.
      if (agent !== undefined && !GIVEN_UP.has(how)) return;
      request?.destroy();
      socket?.destroy();
    };
    const abort = (): void => finish("aborted");
    const timer = setTimeout(() => finish("late"), options.timeoutMs);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    socket?.on("data", (chunk: Buffer) => {
      const missing = MAX_FIRST_BYTES - firstBytes.length;
      if (missing > 0) firstBytes = Buffer.concat([firstBytes, chunk.subarray(0, missing)]);
    });
    try {
      request = startRequest(options);
    } catch (error) {
      finish("unsendable", error as Error);
      return;
    }
    request.on("error", (error) => finish("broken", error));
    request.on("response", (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      const isStream = EVENT_STREAM.test(headers["content-type"] ?? "");
      const read = { status, headers, isStream, headersMs: now() - began, text: "", bytes: 0 };
      response = read;
      const decoder = new TextDecoder();
      const events = new SseReader({ onEvent: ({ data }) => options.onEvent(eventText.decode(data)) });
      const { maxBytes, maxStreamText, isEnough } = options;
      if (isStream && isEnough(read)) finish("enough");
      incoming.on("data", (piece: Uint8Array) => {
        read.bytes += piece.length;
        const part = decoder.decode(piece, { stream: true });
        // A stream is read event by event; only its beginning is kept.
        if (read.text.length < (isStream ? maxStreamText : maxBytes)) read.text += part;
        if (isStream) events.push(piece);
        if (isStream && isEnough(read)) finish("enough");
        if (read.bytes <= maxBytes) return;
        finish("too-long");
        incoming.destroy();
      });
      incoming.on("end", () => finish(incoming.complete ? "complete" : "cut"));
      incoming.on("error", (error) => finish("cut", error));
    });
    void writeRawBody(request, body, { answered: answered.promise, isOver: () => isDone && agent === undefined });
  });
}

/** A byte order mark within a stream is part of the text. */
const eventText = new TextDecoder("utf-8", { ignoreBOM: true });

function startRequest({ url, method, headers, agent, socket }: RawRequest): ClientRequest {
  const path = `${url.pathname}${url.search}`;
  if (socket !== undefined)
    return plainRequest({ createConnection: () => socket, host: url.hostname, path, method, setHost: false, headers });
  const isTls = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return (isTls ? tlsRequest : plainRequest)({
    host,
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    path,
    method,
    agent: agent ?? false,
    // A foreign Host header must not change the certificate that is asked for.
    ...(isTls && isIP(host) === 0 ? { servername: host } : {}),
    setHost: false,
    headers,
  });
}

const BODY_PIECE_BYTES = 65_536;

interface BodyWriting {
  /** Resolved when the answer is there. */
  readonly answered: Promise<void>;
  /** Whether the rest of the body does not matter. */
  readonly isOver: () => boolean;
}

/**
 * Writes a body in pieces and lets answers be read between them: a server may refuse a long body early, and a broken pipe
 * would hide what it said. On a shared connection the rest of the body stands before the next request, so it is sent to
 * its end. Node does not tell any more then when there is room for it.
 */
async function writeRawBody(
  request: ClientRequest,
  bytes: Uint8Array | undefined,
  { answered, isOver }: BodyWriting,
): Promise<void> {
  for (let at = 0; bytes !== undefined && at < bytes.length && !request.destroyed; at += BODY_PIECE_BYTES) {
    const isFull = !request.write(bytes.subarray(at, at + BODY_PIECE_BYTES));
    if (isFull && !request.destroyed) {
      const waits = new AbortController();
      const { signal } = waits;
      const room = [once(request, "drain", { signal }), once(request, "close", { signal }), answered];
      await Promise.race(room).catch(() => {});
      waits.abort();
    }
    if (bytes.length > BODY_PIECE_BYTES) await setImmediate();
    if (isOver()) return;
  }
  request.end();
}

export interface RawProgramOptions {
  /** The longest line, in bytes. */
  readonly maxLineBytes: number;
  /** The most bytes of standard output; what comes after them is dropped. */
  readonly maxBytes: number;
  /** Receives each line of standard output, and its length in bytes. */
  readonly onLine: (text: string, size: number) => void;
  /** Receives the length of a line over the limit. @default such lines are ignored */
  readonly onTooLong?: (size: number) => void;
  /** Called once when the program writes more than is read. @default nothing is called */
  readonly onFlood?: () => void;
}

/** Talks to a program over its pipes, line by line. Returns a function that writes a line while the program listens. */
export function openPipes(child: Child, options: RawProgramOptions): (line: string | Uint8Array) => void {
  const { maxLineBytes, maxBytes, onLine, onTooLong, onFlood } = options;
  const lines = new LineReader({
    maxBytes: maxLineBytes,
    onLine: (line, size) => onLine(new TextDecoder().decode(line), size),
    ...(onTooLong !== undefined && { onTooLong }),
  });
  let bytes = 0;
  let isFlooded = false;
  child.stdout.on("data", (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes <= maxBytes) lines.push(piece);
    else if (!isFlooded) {
      isFlooded = true;
      onFlood?.();
    }
  });
  return (line) => {
    if (child.exit() !== undefined || child.stdin.writableEnded) return;
    if (typeof line !== "string") child.stdin.write(line);
    child.stdin.write(typeof line === "string" ? `${line}\n` : "\n");
  };
}
