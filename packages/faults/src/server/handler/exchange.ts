import { isJson, memberAt, objectAt, stringAt } from "../../dialects/wire.ts";
import type { Fault } from "../../fault/fault.ts";
import type { HandlerOptions } from "./options.ts";

/** One request on its way through the edge, and what is known about it so far. */
export interface Exchange {
  readonly request: Request;
  /** The second argument of the handler. */
  readonly extra: unknown;
  readonly options: HandlerOptions;
  readonly startedMs: number;
  /** The body, once it was read. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly text?: string;
  /** What the body says, once it was parsed. */
  readonly message?: unknown;
  readonly auth?: unknown;
}

/** The end of an exchange before or after the handler: what goes out, and what only the operator sees. */
export interface Refusal {
  readonly refused: Fault;
  readonly cause?: unknown;
  /** HTTP status where it is not the one of the fault. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The fault has text in it that was not written here, so the secrets of the request are looked for. */
  readonly foreign?: boolean;
}

/** One check at the edge: the exchange, perhaps with something more known about it, or its end. */
export type Step = (exchange: Exchange) => Exchange | Refusal | Promise<Exchange | Refusal>;

/** Whether the exchange is over. */
export function isRefusal(outcome: Exchange | Refusal): outcome is Refusal {
  return "refused" in outcome;
}

/** Whether the body is still to be read here: others have none, or somebody before us parsed it. */
export function readsBody({ request, extra }: Exchange): boolean {
  return request.method === "POST" && parsedBefore(extra) === undefined;
}

/** The message that somebody before us parsed. */
function parsedBefore(extra: unknown): unknown {
  return memberAt(extra, "parsedBody");
}

/** The message of the exchange, whoever parsed it. */
export function messageOf({ message, extra }: Exchange): unknown {
  return message === undefined ? parsedBefore(extra) : message;
}

/** The id of a single request; batches, notifications and answers have none that could be echoed. */
export function idOf(exchange: Exchange): string | number | undefined {
  const message = messageOf(exchange);
  if (!isJson(message) || stringAt(message, "method") === undefined) return undefined;
  const id = memberAt(message, "id");
  return typeof id === "string" || (typeof id === "number" && Number.isFinite(id)) ? id : undefined;
}

/** The method of the message. */
export function methodOf(exchange: Exchange): string | undefined {
  return stringAt(messageOf(exchange), "method");
}

/** The `_meta` of the message. */
export function metaOf(exchange: Exchange): unknown {
  return objectAt(objectAt(messageOf(exchange), "params"), "_meta");
}

/** The tool that the message calls. */
export function toolOf(exchange: Exchange): string | undefined {
  return methodOf(exchange) === "tools/call" ? stringAt(objectAt(messageOf(exchange), "params"), "name") : undefined;
}
