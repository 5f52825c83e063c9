import { request } from "node:http";
import type { Socket } from "node:net";
import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import { parseBounded } from "../recording/parse-json.ts";
import { eventReader } from "../wire/events.ts";
import { isResponse, messagesIn } from "../wire/messages.ts";
import type { HttpAnswer, HttpSeen } from "./http-seen.ts";

/** One request over a connection of its own. */
export interface ExchangeOptions {
  /** An open connection. It is closed afterwards. */
  readonly socket: Socket;
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How long to wait for the end of the answer. */
  readonly ms: number;
  /** Stop reading a body that goes on. @default a response among the messages */
  readonly enough?: (so: Pick<HttpAnswer, "messages" | "body">) => boolean;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Removes secrets from texts. */
  readonly clean: (text: string) => string;
}

const MAX_BODY = 16 * 1024 * 1024;
/** Messages of a stream that are kept; those that come after them say nothing new. */
const MAX_MESSAGES = 1_000;
const MAX_SHOWN = 4_000;
const MAX_RAW = 512;

/** Sends a request and looks at everything that comes back, also at bytes that are not HTTP. It never rejects. */
export function exchange(options: ExchangeOptions): Promise<HttpSeen> {
  const { socket, method, url, headers, body, ms, signal, now, clean } = options;
  const enough = options.enough ?? (({ messages }) => messages.some(isResponse));
  const began = now();
  return new Promise((resolve) => {
    let raw = Buffer.alloc(0);
    let done = false;
    let giveUp: () => void = () => finish({ kind: "silent", ms: now() - began });
    const onAbort = (): void => giveUp();
    const timer = setTimeout(() => giveUp(), ms);
    const finish = (seen: HttpSeen): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve(seen);
      sent.destroy();
      socket.destroy();
    };
    socket.on("data", (chunk: Buffer) => {
      if (raw.length < MAX_RAW) raw = Buffer.concat([raw, chunk]).subarray(0, MAX_RAW);
    });
    const sent = request({
      createConnection: () => socket,
      method,
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      headers: {
        host: url.host,
        ...headers,
        ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
        connection: "close",
      },
    });
    signal.addEventListener("abort", onAbort, { once: true });
    sent.on("error", (error: NodeJS.ErrnoException) => {
      const http = raw.subarray(0, 5).toString("latin1") === "HTTP/";
      if (raw.length > 0 && !http) finish({ kind: "not-http", bytes: raw, ms: now() - began });
      else finish({ kind: "closed", error: error.code ?? error.message, ms: now() - began });
    });
    sent.on("response", (response) => {
      const headersMs = now() - began;
      const flat = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, clean(String(value))]),
      );
      const status = response.statusCode ?? 0;
      const decoder = new TextDecoder();
      const streamed = isStream(flat);
      const messages: JsonObject[] = [];
      // A stream is read event by event, and only its beginning is kept: it may have no end.
      const readEvents = eventReader((data) => {
        const room = MAX_MESSAGES - messages.length;
        if (room > 0) messages.push(...messagesIn(parseBounded(data)).slice(0, room));
      });
      let text = "";
      let length = 0;
      const answer = (end: HttpAnswer["end"]): HttpAnswer => ({
        kind: "answer",
        status,
        headers: flat,
        body: clean(text.slice(0, MAX_SHOWN * 4)).slice(0, MAX_SHOWN),
        messages: streamed ? messages : messagesIn(parseBounded(text)),
        end,
        headersMs,
        ms: now() - began,
      });
      giveUp = () => finish(answer("open"));
      const stopIfEnough = (): void => {
        if (streamed && enough({ messages, body: text })) finish(answer("complete"));
      };
      stopIfEnough();
      response.on("data", (chunk: Buffer) => {
        const part = decoder.decode(chunk, { stream: true });
        if (text.length < (streamed ? MAX_SHOWN * 4 : MAX_BODY)) text += part;
        if (streamed) readEvents(part);
        length += part.length;
        stopIfEnough();
        if (length >= MAX_BODY) finish(answer("open"));
      });
      response.on("end", () => finish(answer(response.complete ? "complete" : "cut")));
      response.on("error", () => finish(answer("cut")));
    });
    sent.end(body);
  });
}

function isStream(headers: Readonly<Record<string, string>>): boolean {
  return /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
}
