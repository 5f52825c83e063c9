// One HTTP request that is treated badly, and the ways to put bytes on its connection.

import type { ServerResponse } from "node:http";
import type { JsonObject } from "@recourse/core/wire";
import type { PeerRequest } from "../json-rpc.ts";

type Completion = Promise<void> | void;

/** A way to misbehave: after the request was carried out, with the correct reply at hand, or before anything was done. */
export type Misbehaviour<Exchange> =
  | {
      readonly description: string;
      /** Whether the request is carried out first. */
      readonly commits: true;
      /** Sends something else in place of the correct reply. */
      act(exchange: Exchange, reply: JsonObject): Completion;
    }
  | {
      readonly description: string;
      /** Whether the request is carried out first. */
      readonly commits: false;
      /** Sends something in place of a reply. */
      act(exchange: Exchange): Completion;
    };

export interface RowBuilders<Exchange> {
  /** A misbehaviour after the request was carried out. */
  readonly afterCommit: (
    description: string,
    act: (exchange: Exchange, reply: JsonObject) => Completion,
  ) => Misbehaviour<Exchange>;
  /** A misbehaviour before anything was done. */
  readonly beforeCommit: (description: string, act: (exchange: Exchange) => Completion) => Misbehaviour<Exchange>;
}

export function rowBuilders<Exchange>(): RowBuilders<Exchange> {
  return {
    afterCommit: (description, act) => ({ description, commits: true, act }),
    beforeCommit: (description, act) => ({ description, commits: false, act }),
  };
}

export interface BadExchange {
  readonly request: PeerRequest;
  readonly response: ServerResponse;
  readonly url: URL;
  /** How long the misbehaviour takes, if it is about time. */
  readonly delayMs: number;
  readonly now: () => number;
  /** Aborted when the client has disconnected or the peer closes. */
  readonly signal: AbortSignal;
  /** Aborted when the client cancels the request. */
  readonly cancelled: AbortSignal;
}

export type HttpMisbehaviour = Misbehaviour<BadExchange>;

type ExchangeResponse = Pick<BadExchange, "response">;

export const { afterCommit, beforeCommit }: RowBuilders<BadExchange> = rowBuilders<BadExchange>();

export const JSON_TYPE = { "content-type": "application/json" } as const;
const STREAM_TYPE = { "content-type": "text/event-stream", "cache-control": "no-cache" } as const;

export function sendResponse(
  { response }: ExchangeResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = "",
): void {
  response.writeHead(status, headers).end(body);
}

export function openStream({ response }: ExchangeResponse): void {
  response.writeHead(200, STREAM_TYPE);
  response.flushHeaders();
}

export function streamEvent(message: JsonObject | string): string {
  return `event: message\ndata: ${typeof message === "string" ? message : JSON.stringify(message)}\n\n`;
}

/** Resets the connection: the client gets an error instead of an orderly end. */
export function resetConnection({ response }: ExchangeResponse): void {
  response.socket?.resetAndDestroy();
}

/** Writes bytes and waits until the system has them, so that what follows does not overtake them. */
export function writeFlushed({ response }: ExchangeResponse, bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve();
    else response.write(bytes, () => resolve());
  });
}
