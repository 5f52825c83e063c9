import type { Socket } from "node:net";
import { sendRaw } from "@recourse/core/node";
import { type JsonObject, LATEST_HANDSHAKE_REVISION } from "@recourse/core/wire";
import { parseBounded } from "../recording/parse.ts";
import type { EraRevision } from "../recording/recording.ts";
import { headersFor, isResponse, messagesIn, type Session } from "../wire/messages.ts";
import { openSocket, openTls, urlPort } from "./connect.ts";
import type { DoctorContext } from "./diagnosis.ts";

/** One request over a connection of its own. */
interface SocketExchange {
  /** An open connection. It is closed afterwards. */
  readonly socket: Socket;
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long to wait for the end of the answer. */
  readonly ms: number;
  /** Stop reading a body that continues. @default a response among the messages */
  readonly enough?: (so: Pick<DoctorReply, "messages" | "body">) => boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Removes secrets from texts. */
  readonly clean: (text: string) => string;
}

const MAX_ANSWER_BODY = 16 * 1024 * 1024;
/** Messages of a stream that are kept; those that come after them say nothing new. */
const MAX_MESSAGES = 1_000;
const MAX_SHOWN_BODY = 4_000;

/** Sends a request and looks at everything that comes back, also at bytes that are not HTTP. It never rejects. */
export async function exchangeOverSocket(options: SocketExchange): Promise<HttpResult> {
  const { socket, method, url, headers, body, signal, now, clean } = options;
  const enough = options.enough ?? ((so) => so.messages.some(isResponse));
  const messages: JsonObject[] = [];
  const { how, ms, response, error, firstBytes } = await sendRaw({
    socket,
    method,
    url,
    headers: {
      host: url.host,
      ...headers,
      ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
      connection: "close",
    },
    body: body === undefined ? undefined : Buffer.from(body),
    timeoutMs: options.ms,
    signal,
    now,
    maxBytes: MAX_ANSWER_BODY,
    maxStreamText: MAX_SHOWN_BODY * 4,
    onEvent(data) {
      const room = MAX_MESSAGES - messages.length;
      if (room > 0) messages.push(...messagesIn(parseBounded(data)).slice(0, room));
    },
    isEnough: ({ text }) => enough({ messages, body: text }),
  });
  if (how === "broken" || how === "unsendable") {
    const isHttp = Buffer.from(firstBytes.subarray(0, 5)).toString("latin1") === "HTTP/";
    if (firstBytes.length > 0 && !isHttp) return { kind: "not-http", bytes: firstBytes, ms };
    return { kind: "closed", error: error?.code ?? error?.message ?? "", ms };
  }
  if (response === undefined) return { kind: "silent", ms };
  const { status, isStream, text, headersMs } = response;
  return {
    kind: "answer",
    status,
    headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, clean(String(value))])),
    body: clean(text.slice(0, MAX_SHOWN_BODY * 4)).slice(0, MAX_SHOWN_BODY),
    messages: isStream ? messages : messagesIn(parseBounded(text)),
    end: ANSWER_END[how],
    headersMs,
    ms,
  };
}

/** How the body of an answer ended. */
const ANSWER_END = {
  complete: "complete",
  enough: "complete",
  cut: "cut",
  "too-long": "open",
  late: "open",
  aborted: "open",
} as const;

/** One address of a name, and what became of connecting to it. */
export interface AddressAttempt {
  readonly address: string;
  readonly ms: number;
  /** The system's code if it did not work, such as `ECONNREFUSED`. */
  readonly error?: string;
}

/** What came back for one HTTP request. Secrets are already replaced. */
export type HttpResult =
  | DoctorReply
  /** Bytes came, but not HTTP. */
  | { readonly kind: "not-http"; readonly bytes: Uint8Array; readonly ms: number }
  /** The connection was closed before an answer. */
  | { readonly kind: "closed"; readonly error: string; readonly ms: number }
  /** Nothing came within the limit. */
  | { readonly kind: "silent"; readonly ms: number };

/** An HTTP answer. */
export interface DoctorReply {
  readonly kind: "answer";
  readonly status: number;
  /** Names are lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly body: string;
  /** JSON-RPC messages in it, of one body or of a stream of events. */
  readonly messages: readonly JsonObject[];
  /** Whether the body came to its end, was cut off, or was still open when the limit was reached. */
  readonly end: "complete" | "cut" | "open";
  /** When the headers came. */
  readonly headersMs: number;
  readonly ms: number;
}

/** The media type of an answer, without parameters. */
export function replyMediaType({ headers }: DoctorReply): string {
  return (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The response among the messages: the last one that has a result or an error. */
export function findResponse({ messages }: DoctorReply): JsonObject | undefined {
  return messages.findLast((message) => "result" in message || "error" in message);
}

/** A server behind one address, to which each request has a connection of its own. */
export interface HttpLink {
  /** Sends a message of an era. */
  post(message: JsonObject, how: PostOptions): Promise<HttpResult>;
  /** Opens a stream. */
  get(how: Pick<PostOptions, "url" | "session" | "ms" | "enough">): Promise<HttpResult>;
  /** Ends a session. */
  end(session: Session): Promise<HttpResult>;
}

/** How a message is sent. */
interface PostOptions {
  readonly revision: EraRevision;
  /** @default the address of the target */
  readonly url?: URL;
  readonly session?: Session;
  readonly ms?: number;
  readonly enough?: NonNullable<SocketExchange["enough"]>;
}

/** Sends requests to one network address. */
export function openLink(
  target: { readonly url: URL; readonly headers: Readonly<Record<string, string>>; readonly address: string },
  { timeoutMs, signal, now, clean }: DoctorContext,
): HttpLink {
  const send = async (
    request: Pick<SocketExchange, "method" | "headers" | "body" | "enough"> & Pick<PostOptions, "url" | "ms">,
  ): Promise<HttpResult> => {
    const { url = target.url, ms = timeoutMs, method, headers, body, enough } = request;
    const began = now();
    const failed = (error: string): HttpResult =>
      error === "ETIMEDOUT" ? { kind: "silent", ms: now() - began } : { kind: "closed", error, ms: now() - began };
    const tcp = await openSocket({ address: target.address, port: urlPort(url) }, { ms, signal });
    if (typeof tcp === "string") return failed(tcp);
    const tls = url.protocol === "https:" ? await openTls(tcp, url.hostname, { ms, signal }) : undefined;
    if (typeof tls === "string") return failed(tls);
    // Credentials never travel to a server that did not prove its name.
    if (tls !== undefined && tls.problems.length > 0) {
      tls.socket.destroy();
      return failed(tls.problems.join(", "));
    }
    return exchangeOverSocket({
      socket: tls?.socket ?? tcp,
      method,
      url,
      headers: { ...headers, ...target.headers },
      ms,
      signal,
      now,
      clean,
      ...(body !== undefined && { body }),
      ...(enough !== undefined && { enough }),
    });
  };
  return {
    post: (message, { revision, session = {}, ...how }) =>
      send({
        ...how,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headersFor(revision, message, session),
        },
        body: JSON.stringify(message),
      }),
    get: ({ session = {}, ...how }) =>
      send({
        ...how,
        method: "GET",
        headers: { accept: "text/event-stream", ...headersFor(LATEST_HANDSHAKE_REVISION, undefined, session) },
      }),
    end: (session) =>
      send({ method: "DELETE", headers: headersFor(LATEST_HANDSHAKE_REVISION, undefined, session), ms: 2_000 }),
  };
}
