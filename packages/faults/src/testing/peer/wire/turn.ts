// What a misbehaviour has in hand, and the few ways to put bytes on a connection.
import type { ServerResponse } from "node:http";
import type { Json } from "../../../dialects/wire.ts";
import type { Ask } from "../message.ts";
import { type Misbehaviour, type Rows, rowsFor } from "../misbehaviour.ts";

/** One request that is about to be treated badly. */
export interface Turn {
  readonly ask: Ask;
  readonly response: ServerResponse;
  /** Address of the peer itself. */
  readonly url: URL;
  /** How long to wait, where the misbehaviour is about time. */
  readonly ms: number;
  readonly now: () => number;
  /** Ends when the client has gone or the peer closes. */
  readonly signal: AbortSignal;
  /** Ends when the client says that it no longer wants the answer. */
  readonly cancelled: AbortSignal;
}

/** A way to misbehave over HTTP. */
export type HttpMisbehaviour = Misbehaviour<Turn>;

export const { after, before }: Rows<Turn> = rowsFor<Turn>();

export const JSON_TYPE = { "content-type": "application/json" } as const;
const STREAM_TYPE = { "content-type": "text/event-stream", "cache-control": "no-cache" } as const;

/** Sends a whole response. */
export function answer(
  { response }: Pick<Turn, "response">,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = "",
): void {
  response.writeHead(status, headers).end(body);
}

/** Begins an event stream, with its first bytes on the way. */
export function openStream({ response }: Pick<Turn, "response">): void {
  response.writeHead(200, STREAM_TYPE);
  response.flushHeaders();
}

/** One message of an event stream. */
export function event(message: Json | string): string {
  return `event: message\ndata: ${typeof message === "string" ? message : JSON.stringify(message)}\n\n`;
}

/** Ends the connection so that the client notices: no more bytes, and no polite end. */
export function reset({ response }: Pick<Turn, "response">): void {
  response.socket?.resetAndDestroy();
}

/** Resolves when the bytes were handed to the system, so that what follows does not overtake them. */
export function flushed({ response }: Pick<Turn, "response">, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.write(bytes, () => resolve());
  });
}
