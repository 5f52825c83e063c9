import { rpcErrorOf } from "../../dialects/wire.ts";
import type { Fault } from "../../fault/fault.ts";
import { internal } from "../../reasons/library/core.ts";
import { result_unsendable } from "../../reasons/library/tool.ts";
import type { Reporter } from "../incidents/reporter.ts";
import type { GuardOptions } from "../options.ts";
import type { PeerRequest, PeerServer } from "../peer.ts";
import { faultOfError } from "./own-errors.ts";
import { type ReplyPlace, reply, WireError, Written } from "./reply.ts";
import { unsendable } from "./unsendable.ts";

type Message = Readonly<Record<string, unknown>>;

/** Errors that were written here; a transport that is used again looks at them more than once. */
const ours = new WeakSet<object>();

function opened({ error }: Written): object {
  ours.add(error);
  return error;
}

/** The last look at what goes out: an error that nobody here has written, and a result that cannot be sent, are said anew. */
export function guardSending(peer: PeerServer, options: GuardOptions, reporter: Reporter): void {
  const protocol = peer.server;
  const connect = protocol.connect.bind(protocol);
  protocol.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, more) => send(outgoing(message), more);
    return connect(transport);
  };

  // What the SDK refuses by itself it refuses at once, so the request at hand is the one that was refused.
  let taken: PeerRequest | undefined;
  const take = protocol._onrequest?.bind(protocol);
  if (take !== undefined) {
    protocol._onrequest = (request, extra) => {
      taken = request;
      try {
        return take(request, extra);
      } finally {
        taken = undefined;
      }
    };
  }

  function outgoing(message: unknown): unknown {
    if (typeof message !== "object" || message === null) return message;
    if ("error" in message) return withFault(message as Message);
    const cause = unsendable(message);
    return cause === undefined ? message : instead(message as Message, cause);
  }

  function withFault(message: Message): Message {
    const error = rpcErrorOf(message["error"]);
    if (error === undefined || ours.has(message["error"] as object)) return message;
    // The SDK changes some codes on their way; what was written in a dialect goes out as it was written.
    if (error.data instanceof Written) return { ...message, error: opened(error.data) };
    const fault = faultOfError(error, taken);
    const cause = new Error(`JSON-RPC ${error.code}: ${error.message}`);
    const context = { _meta: taken?.params?.["_meta"] };
    return answered(message, fault, cause, { method: taken?.method ?? "unknown", context, asError: true });
  }

  function instead(message: Message, cause: unknown): Message {
    const result = message["result"] as Readonly<Record<string, unknown>>;
    const ofTool = "content" in result;
    const place = { method: ofTool ? "tools/call" : "unknown", context: undefined };
    return answered(message, (ofTool ? result_unsendable : internal).fault(), cause, place);
  }

  /** The message with a fault in the place of what it said. */
  function answered(message: Message, fault: Fault, cause: unknown, place: ReplyPlace): Message {
    const { result, error: _said, ...envelope } = message;
    try {
      const written = reply(reporter.release(fault, cause, place), place, options, protocol);
      // The SDK has already said what kind of result it is, and its clients insist on it.
      const { resultType } = (result ?? {}) as { readonly resultType?: unknown };
      return { ...envelope, result: { ...(resultType !== undefined && { resultType }), ...written } };
    } catch (thrown) {
      if (!(thrown instanceof WireError)) throw thrown;
      return { ...envelope, error: opened(thrown.data) };
    }
  }
}
