import type { Fault } from "../../fault/fault.ts";
import type { GuardOptions } from "../options.ts";
import type { PeerProtocol } from "../peer.ts";
import { signalOf } from "../request/request.ts";
import { type ReplyPlace, reply, WireError } from "./reply.ts";

/** Each request has a signal of its own, however often the SDK copies the rest of its context. */
const aside = new WeakMap<AbortSignal, WireError>();

/**
 * Writes a fault from within the call of a tool, where the SDK makes a text of whatever is thrown: an error is set aside
 * until the call is over, and an empty result takes its place on the way.
 */
export function replyToCall(
  fault: Fault,
  place: ReplyPlace,
  options: GuardOptions,
  protocol: PeerProtocol,
): Readonly<Record<string, unknown>> {
  try {
    return reply(fault, place, options, protocol);
  } catch (error) {
    const signal = signalOf(place.context);
    if (!(error instanceof WireError) || signal === undefined) throw error;
    aside.set(signal, error);
    return { content: [], isError: true };
  }
}

/** The error that was set aside during a call. */
export function setAside(context: unknown): WireError | undefined {
  const signal = signalOf(context);
  return signal === undefined ? undefined : aside.get(signal);
}
