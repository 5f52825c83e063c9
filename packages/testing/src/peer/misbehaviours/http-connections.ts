// Misbehaviours of the connection: the reply is lost, late, cut off, repeated, or sent in the wrong way.
import type { JsonObject } from "@recourse/core/wire";
import { untilAborted, wait } from "../clock.ts";
import {
  afterCommit,
  type BadExchange,
  beforeCommit,
  type HttpMisbehaviour,
  JSON_TYPE,
  openStream,
  resetConnection,
  sendResponse,
  streamEvent,
  writeFlushed,
} from "./http-exchange.ts";
import { UNKNOWN_ID } from "./replies.ts";

const gatewayPage = (status: number, title: string) => (exchange: BadExchange) =>
  sendResponse(
    exchange,
    status,
    { "content-type": "text/html" },
    `<html><head><title>${status} ${title}</title></head><body></body></html>`,
  );

/** The effect may have happened, and the client gets no answer that says so. */
const LOST = {
  "lost-socket": afterCommit("Carries the call out, then destroys the socket.", resetConnection),
  "lost-stream": afterCommit("Carries the call out, then ends an event stream without an answer.", (exchange) => {
    openStream(exchange);
    exchange.response.end();
  }),
  "lost-stream-reset": afterCommit("Carries the call out, then resets an open event stream.", async (exchange) => {
    openStream(exchange);
    await writeFlushed(exchange, ": working\n\n");
    resetConnection(exchange);
  }),
  "lost-502": afterCommit("Carries the call out, then a gateway answers 502.", gatewayPage(502, "Bad Gateway")),
  "lost-504": afterCommit("Carries the call out, then a gateway answers 504.", gatewayPage(504, "Gateway Timeout")),
  "lost-silence": afterCommit("Carries the call out and never answers.", ({ signal }) => untilAborted(signal)),
  "dropped-socket": beforeCommit("Destroys the socket before anything is done.", resetConnection),
  "dropped-silence": beforeCommit("Never does anything and never answers.", ({ signal }) => untilAborted(signal)),
} as const satisfies Record<string, HttpMisbehaviour>;

/** Announces a whole body and sends half of it. */
async function sendHalf(exchange: BadExchange, reply: JsonObject): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(reply));
  exchange.response.writeHead(200, { ...JSON_TYPE, "content-length": bytes.length });
  await writeFlushed(exchange, bytes.subarray(0, Math.ceil(bytes.length / 2)));
}

/** The reply comes late, or only in part. */
const SLOW = {
  "slow-headers": afterCommit("Answers correctly, but late.", async (exchange, reply) => {
    await wait(exchange.delayMs, exchange.signal);
    sendResponse(exchange, 200, JSON_TYPE, JSON.stringify(reply));
  }),
  "slow-body": afterCommit("Sends the headers at once and the body in small pieces.", async (exchange, reply) => {
    const bytes = Buffer.from(JSON.stringify(reply));
    exchange.response.writeHead(200, JSON_TYPE);
    const size = Math.ceil(bytes.length / 8);
    for (let at = 0; at < bytes.length && !exchange.signal.aborted; at += size) {
      await writeFlushed(exchange, bytes.subarray(at, at + size));
      await wait(exchange.delayMs / 8, exchange.signal);
    }
    exchange.response.end();
  }),
  "slow-stream": afterCommit("Keeps an event stream alive with comments, then answers.", async (exchange, reply) => {
    openStream(exchange);
    for (let beat = 0; beat < 4 && !exchange.signal.aborted; beat++) {
      await writeFlushed(exchange, ": still here\n\n");
      await wait(exchange.delayMs / 4, exchange.signal);
    }
    exchange.response.end(streamEvent(reply));
  }),
  "stalled-head": afterCommit("Sends the headers and never a body.", async ({ response, signal }) => {
    response.writeHead(200, JSON_TYPE);
    response.flushHeaders();
    await untilAborted(signal);
  }),
  "stalled-body": afterCommit("Sends half of the body, then nothing more.", async (exchange, reply) => {
    await sendHalf(exchange, reply);
    await untilAborted(exchange.signal);
  }),
  "stalled-stream": afterCommit("Opens an event stream, then sends nothing.", async (exchange) => {
    openStream(exchange);
    await untilAborted(exchange.signal);
  }),
  "half-close": afterCommit("Sends half of the body and ends the connection in order.", async (exchange, reply) => {
    await sendHalf(exchange, reply);
    exchange.response.socket?.end();
  }),
  "reset-mid-body": afterCommit("Sends half of the body and resets the connection.", async (exchange, reply) => {
    await sendHalf(exchange, reply);
    resetConnection(exchange);
  }),
  "reset-mid-stream": afterCommit("Sends half of an event and resets the connection.", async (exchange, reply) => {
    openStream(exchange);
    const text = streamEvent(reply);
    await writeFlushed(exchange, text.slice(0, text.length / 2));
    resetConnection(exchange);
  }),
} as const satisfies Record<string, HttpMisbehaviour>;

function sendEvents(exchange: BadExchange, messages: readonly (JsonObject | string)[]): void {
  openStream(exchange);
  exchange.response.end(messages.map(streamEvent).join(""));
}

/** More than one answer, or an answer after the cancellation. */
const REPEATED = {
  "answers-twice": afterCommit("Answers the same request twice.", (exchange, reply) =>
    sendEvents(exchange, [reply, reply]),
  ),
  "answers-other-first": afterCommit("Answers an unknown request first, then the right one.", (exchange, reply) =>
    sendEvents(exchange, [{ ...reply, id: UNKNOWN_ID }, reply]),
  ),
  "changes-its-mind": afterCommit("Answers, then sends an error for the same request.", (exchange, reply) =>
    sendEvents(exchange, [
      reply,
      { jsonrpc: "2.0", id: reply["id"], error: { code: -32603, message: "Internal error" } },
    ]),
  ),
  "late-after-cancel": afterCommit("Waits for the cancellation and answers after it.", async (exchange, reply) => {
    await Promise.race([untilAborted(exchange.cancelled), untilAborted(exchange.signal)]);
    if (!exchange.signal.aborted) sendResponse(exchange, 200, JSON_TYPE, JSON.stringify(reply));
  }),
} as const satisfies Record<string, HttpMisbehaviour>;

/** The wrong status, content type or event for a correct reply. */
const MISDELIVERED = {
  "accepted-202": afterCommit("Answers a request as if it were a notification.", (exchange) =>
    sendResponse(exchange, 202, {}),
  ),
  "no-content-204": afterCommit("Answers 204 without a body.", (exchange) => sendResponse(exchange, 204, {})),
  "text-plain": afterCommit("Sends the correct reply as plain text.", (exchange, reply) =>
    sendResponse(exchange, 200, { "content-type": "text/plain" }, JSON.stringify(reply)),
  ),
  "no-content-type": afterCommit("Sends the correct reply without a content type.", (exchange, reply) =>
    sendResponse(exchange, 200, {}, JSON.stringify(reply)),
  ),
  "stream-not-json": afterCommit("Sends an event that is not JSON.", (exchange) =>
    sendEvents(exchange, ["Sorry, something went wrong here."]),
  ),
  "stream-wrong-id": afterCommit("Sends an event with the id of an unknown request.", (exchange, reply) =>
    sendEvents(exchange, [{ ...reply, id: UNKNOWN_ID }]),
  ),
} as const satisfies Record<string, HttpMisbehaviour>;

export const HTTP_CONNECTIONS = {
  ...LOST,
  ...SLOW,
  ...REPEATED,
  ...MISDELIVERED,
} as const satisfies Record<string, HttpMisbehaviour>;
