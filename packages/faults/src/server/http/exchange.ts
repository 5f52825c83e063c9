import { type JsonObject, memberAt, objectAt, stringAt } from "../../json/read.ts";
import { readableId } from "../message.ts";
import type { Failure } from "../reporter.ts";
import type { HandlerOptions } from "./options.ts";
import { metaIn, type Received } from "./received.ts";

/** One request at the HTTP edge, and what is known about it so far. */
export interface Exchange {
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
export interface Refusal extends Failure {
  /** HTTP status where it is not the one of the fault. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of a call that is answered with a result, as its dialect demands of every call. @default an error answers it */
  readonly callId?: string | number;
  /** The fault contains text that was not written here, so it is checked for the credentials of the request. */
  readonly foreign?: boolean;
}

/** Whether the exchange is over. */
export function isRefusal(outcome: Exchange | Refusal): outcome is Refusal {
  return "fault" in outcome;
}

/** Whether the body has to be read here: others have none, or it was parsed before it came here. */
export function readsBody({ request, extra }: Exchange): boolean {
  return request.method === "POST" && memberAt(extra, "parsedBody") === undefined;
}

/** The message of the exchange, whether it was parsed here or before. */
export function messageOf({ message, extra }: Exchange): unknown {
  return message === undefined ? memberAt(extra, "parsedBody") : message;
}

/** The id of a single request; batches, notifications and answers have none to echo. */
export function idOf(exchange: Exchange): string | number | undefined {
  return readableId(messageOf(exchange));
}

/** The JSON-RPC method of the message. */
export function methodOf(exchange: Exchange): string | undefined {
  return stringAt(messageOf(exchange), "method");
}

/** The `_meta` of the message. */
export function metaOf(exchange: Exchange): JsonObject | undefined {
  return metaIn(messageOf(exchange));
}

/** The tool that the message calls. */
export function toolOf(exchange: Exchange): string | undefined {
  return methodOf(exchange) === "tools/call" ? stringAt(objectAt(messageOf(exchange), "params"), "name") : undefined;
}

/** The message of the exchange with its headers. */
export function receivedOf(exchange: Exchange): Received {
  const { headers } = exchange.request;
  return { header: (name) => headers.get(name), message: messageOf(exchange) };
}
