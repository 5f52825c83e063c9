// One HTTP request that is treated badly, and the ways to put bytes on its connection.
import type { ServerResponse } from "node:http";
import type { JsonObject } from "../../../json/read.ts";
import type { PeerRequest } from "../json-rpc.ts";
import { type Misbehaviour, type RowBuilders, rowBuilders } from "./misbehaviour.ts";

/** One request over HTTP that is about to be treated badly. */
export interface HttpExchange {
  readonly request: PeerRequest;
  readonly response: ServerResponse;
  /** The address of the peer itself. */
  readonly url: URL;
  /** How long the misbehaviour takes, if it is about time. */
  readonly delayMs: number;
  readonly now: () => number;
  /** Aborted when the client has disconnected or the peer closes. */
  readonly signal: AbortSignal;
  /** Aborted when the client cancels the request. */
  readonly cancelled: AbortSignal;
}

/** A way to misbehave over HTTP. */
export type HttpMisbehaviour = Misbehaviour<HttpExchange>;

type Connection = Pick<HttpExchange, "response">;

export const { afterCommit, beforeCommit }: RowBuilders<HttpExchange> = rowBuilders<HttpExchange>();

export const JSON_TYPE = { "content-type": "application/json" } as const;
const STREAM_TYPE = { "content-type": "text/event-stream", "cache-control": "no-cache" } as const;

/** Sends a whole response. */
export function sendResponse(
  { response }: Connection,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = "",
): void {
  response.writeHead(status, headers).end(body);
}

/** Begins an event stream and sends its headers. */
export function openStream({ response }: Connection): void {
  response.writeHead(200, STREAM_TYPE);
  response.flushHeaders();
}

/** One event of an event stream. */
export function streamEvent(message: JsonObject | string): string {
  return `event: message\ndata: ${typeof message === "string" ? message : JSON.stringify(message)}\n\n`;
}

/** Resets the connection: the client gets an error instead of an orderly end. */
export function resetConnection({ response }: Connection): void {
  response.socket?.resetAndDestroy();
}

/** Writes bytes and waits until the system has them, so that what follows does not overtake them. */
export function writeFlushed({ response }: Connection, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.write(bytes, () => resolve());
  });
}
