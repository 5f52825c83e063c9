import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as TlsAgent, request as tlsRequest } from "node:https";
import { isIP } from "node:net";
import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import { parseBounded } from "../recording/parse-json.ts";
import type { Answer, HttpPart } from "../recording/recording.ts";
import { eventReader } from "./events.ts";
import { LIMITS } from "./limits.ts";
import { answersId, answersNobody, isResponse, isServerRequest, type MessageId, messagesIn } from "./messages.ts";

/** One HTTP request, sent as it is. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** The id that the answer has to have. An error without an id is an answer too. */
  readonly id?: MessageId | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Keeps the connection for the next request. @default a connection of its own */
  readonly connection?: Connection | undefined;
  /** Called with requests of the server in the stream. */
  readonly onServerRequest?: ((message: JsonObject) => void) | undefined;
}

/** A connection that several requests share. */
export interface Connection {
  readonly agent: PlainAgent;
  close(): void;
}

/** Opens a connection lazily: the first request dials, the next one finds it open. */
export function keepConnection(url: URL): Connection {
  const agent = new (url.protocol === "https:" ? TlsAgent : PlainAgent)({ keepAlive: true, maxSockets: 1 });
  return { agent, close: () => agent.destroy() };
}

/** Sends a request without following redirects and tells what came back. It never rejects. */
export function sendHttp(options: HttpRequest): Promise<Answer & { readonly code?: string }> {
  const { body, now, signal } = options;
  const began = now();
  const strays: JsonObject[] = [];
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  return new Promise((resolve) => {
    let request: ClientRequest | undefined;
    let isDone = false;
    const answered = Promise.withResolvers<void>();
    const finish = (answer: Answer & { readonly code?: string }): void => {
      if (isDone) return;
      isDone = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      answered.resolve();
      // A shared connection stays open if the answer was read to its end.
      if (options.connection === undefined) request?.destroy();
      resolve(answer);
    };
    const ms = (): number => now() - began;
    const giveUp = (answer: Answer): void => {
      finish(answer);
      request?.destroy();
    };
    const abort = (): void => giveUp({ kind: "inconclusive", ms: ms(), because: "You ended the probe." });
    const timer = setTimeout(() => giveUp({ kind: "silent", ms: ms(), strays }), options.timeoutMs);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const fail = (error: NodeJS.ErrnoException): void => {
      const code = error.code ?? "";
      const wasSending = (bytes?.length ?? 0) > 65_536 && /^(?:EPIPE|ECONNRESET|ECONNABORTED)$/.test(code);
      finish(
        wasSending
          ? {
              kind: "inconclusive",
              ms: ms(),
              because: `The connection broke while a long body was sent (${code}).`,
              code,
            }
          : { kind: "closed", ms: ms(), code },
      );
    };
    try {
      request = start(options, bytes?.length);
    } catch (error) {
      finish({ kind: "inconclusive", ms: ms(), because: `The request could not be sent: ${String(error)}` });
      return;
    }
    request.on("error", fail);
    request.on("response", (response) =>
      read(response, {
        id: options.id,
        strays,
        onServerRequest: options.onServerRequest,
        done: (rest) => finish({ ...rest, ms: ms() } as Answer),
        fail,
      }),
    );
    void write(request, bytes, {
      answered: answered.promise,
      isOver: () => isDone && options.connection === undefined,
    });
  });
}

const PIECE = 65_536;

interface Writing {
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
async function write(
  request: ClientRequest,
  bytes: Uint8Array | undefined,
  { answered, isOver }: Writing,
): Promise<void> {
  for (let at = 0; bytes !== undefined && at < bytes.length && !request.destroyed; at += PIECE) {
    const isFull = !request.write(bytes.subarray(at, at + PIECE));
    if (isFull && !request.destroyed) {
      const waits = new AbortController();
      const { signal } = waits;
      const room = [once(request, "drain", { signal }), once(request, "close", { signal }), answered];
      await Promise.race(room).catch(() => {});
      waits.abort();
    }
    if (bytes.length > PIECE) await setImmediate();
    if (isOver()) return;
  }
  request.end();
}

function start({ url, method, headers, connection }: HttpRequest, length: number | undefined): ClientRequest {
  const isTls = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return (isTls ? tlsRequest : plainRequest)({
    host,
    port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    method,
    agent: connection?.agent ?? false,
    // A foreign Host header must not change the certificate that is asked for.
    ...(isTls && isIP(host) === 0 ? { servername: host } : {}),
    setHost: false,
    headers: {
      host: url.host,
      ...(length === undefined ? {} : { "content-length": String(length) }),
      ...headers,
    },
  });
}

interface Reading {
  readonly id: MessageId | undefined;
  readonly strays: JsonObject[];
  readonly onServerRequest: HttpRequest["onServerRequest"];
  readonly done: (answer: Unfinished) => void;
  readonly fail: (error: NodeJS.ErrnoException) => void;
}
type Unfinished = { readonly text: string; readonly bytes: number; readonly http: HttpPart } & (
  | { readonly kind: "message"; readonly message: JsonObject }
  | { readonly kind: "body" }
);

function read(response: IncomingMessage, { id, strays, onServerRequest, done, fail }: Reading): void {
  const streamed = /^text\/event-stream\b/i.test(response.headers["content-type"] ?? "");
  const http: HttpPart = { status: response.statusCode ?? 0, headers: headersOf(response), streamed };
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const answers = (message: JsonObject): boolean =>
    (id !== undefined && answersId(message, id)) || answersNobody(message);
  const end = (): void => {
    const message = streamed ? undefined : messagesIn(parseBounded(text)).find(answers);
    const arrived = { text: text.slice(0, LIMITS.answerText), bytes, http };
    done(message === undefined ? { kind: "body", ...arrived } : { kind: "message", message, ...arrived });
  };
  const readEvents = eventReader((data) => {
    for (const message of messagesIn(parseBounded(data))) {
      if (answers(message)) {
        done({ kind: "message", message, text: text.slice(0, LIMITS.answerText), bytes, http });
        return;
      }
      if (isServerRequest(message)) onServerRequest?.(message);
      else if (isResponse(message) && strays.length < LIMITS.strays) strays.push(message);
    }
  });
  response.on("data", (piece: Uint8Array) => {
    bytes += piece.length;
    const part = decoder.decode(piece, { stream: true });
    // A stream is read event by event; only its beginning is kept.
    if (text.length < (streamed ? LIMITS.answerText : LIMITS.answerBytes)) text += part;
    if (streamed) readEvents(part);
    if (bytes > LIMITS.answerBytes) {
      end();
      response.destroy();
    }
  });
  response.on("end", end);
  response.on("error", fail);
}

function headersOf(response: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  return headers;
}
