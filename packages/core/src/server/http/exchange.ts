import { writeStderr } from "../../platform/streams.ts";
import { metaIn, type Received } from "../../wire/headers.ts";
import { type JsonObject, memberAt, objectAt, stringAt } from "../../wire/json.ts";
import { readableId } from "../../wire/message.ts";
import type { PendingFailure } from "../reporter.ts";
import type { HandlerOptions } from "./options.ts";

/** One request at the HTTP edge, and what is known about it so far. */
export interface EdgeExchange {
  readonly request: Request;
  /** The second argument of the handler. */
  readonly extra: unknown;
  readonly options: HandlerOptions;
  readonly startedMs: number;
  /** The body, once it is read. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly text?: string;
  /** What the body says, once it is parsed. */
  readonly message?: unknown;
  readonly auth?: unknown;
}

/** The end of an exchange, before the handler or after it. */
export interface EdgeRefusal extends PendingFailure {
  /** The HTTP status, if it is not the one of the fault. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of a call that is answered with a result, as its dialect demands of every call. @default an error answers it */
  readonly callId?: string | number;
  /** The fault contains text that was not written here, so it is checked for the credentials of the request. */
  readonly foreign?: boolean;
}

export function isEdgeRefusal(outcome: EdgeExchange | EdgeRefusal): outcome is EdgeRefusal {
  return "fault" in outcome;
}

/** Whether the body has to be read here: others have none, or it was parsed before it came here. */
export function readsBody({ request, extra }: EdgeExchange): boolean {
  return request.method === "POST" && memberAt(extra, "parsedBody") === undefined;
}

export function exchangeMessage({ message, extra }: EdgeExchange): unknown {
  return message === undefined ? memberAt(extra, "parsedBody") : message;
}

/** The id of a single request; batches, notifications and answers have none to echo. */
export function exchangeId(exchange: EdgeExchange): string | number | undefined {
  return readableId(exchangeMessage(exchange));
}

export function exchangeMethod(exchange: EdgeExchange): string | undefined {
  return stringAt(exchangeMessage(exchange), "method");
}

/** The `_meta` of the message. */
export function exchangeMeta(exchange: EdgeExchange): JsonObject | undefined {
  return metaIn(exchangeMessage(exchange));
}

export function exchangeTool(exchange: EdgeExchange): string | undefined {
  return exchangeMethod(exchange) === "tools/call"
    ? stringAt(objectAt(exchangeMessage(exchange), "params"), "name")
    : undefined;
}

export function receivedMessage(exchange: EdgeExchange): Received {
  const { headers } = exchange.request;
  return { header: (name) => headers.get(name), message: exchangeMessage(exchange) };
}

const said = new Set<string>();
const MAX_SAID = 100;

/** Tells the operator something about the setup, each sentence once in a process. */
export function warnOnce(key: string, text: string): void {
  if (said.has(key) || said.size >= MAX_SAID) return;
  said.add(key);
  writeStderr(`recourse: ${text}\n`);
}

/** Lets every sentence be printed again, for tests whose files share a process. */
export function forgetWarnings(): void {
  said.clear();
}
