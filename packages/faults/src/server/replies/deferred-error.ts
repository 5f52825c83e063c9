import type { Fault } from "../../fault/fault.ts";
import { signalOf } from "../../sdk/context.ts";
import type { SdkProtocol } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import { type ReplyPlace, reply, WireError } from "./reply.ts";

/** Each request has a signal of its own, however often the SDK copies the rest of its context. */
const deferred = new WeakMap<AbortSignal, WireError>();

/**
 * Writes a fault from within a tool call, where the SDK turns whatever is thrown into text. A JSON-RPC error is therefore
 * deferred until the call is over, and an empty result takes its place meanwhile.
 */
export function replyToCall(
  fault: Fault,
  place: ReplyPlace,
  options: GuardOptions,
  protocol: SdkProtocol,
): Readonly<Record<string, unknown>> {
  try {
    return reply(fault, place, options, protocol);
  } catch (error) {
    const signal = signalOf(place.context);
    if (!(error instanceof WireError) || signal === undefined) throw error;
    deferred.set(signal, error);
    return { content: [], isError: true };
  }
}

/** The error that was deferred during a call. */
export function deferredError(context: unknown): WireError | undefined {
  const signal = signalOf(context);
  return signal === undefined ? undefined : deferred.get(signal);
}
