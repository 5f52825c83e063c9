import { rpcErrorOf } from "../../dialects/envelope.ts";
import { internal } from "../../reasons/library/core.ts";
import { result_unsendable } from "../../reasons/library/tool.ts";
import type { SdkRequest, SdkServer } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import type { Failure, Reporter } from "../reporter.ts";
import { encodingErrorOf } from "./encoding-error.ts";
import { faultOfRpcError } from "./map-rpc-error.ts";
import { type ReplyPlace, reply, WireError, WrittenError } from "./reply.ts";

type Message = Readonly<Record<string, unknown>>;

/** Errors that this kit wrote; a transport that is used twice sees them more than once. */
const ours = new WeakSet<object>();

function opened({ error }: WrittenError): object {
  ours.add(error);
  return error;
}

/** Checks every message before it is sent: errors that this kit did not write and results that JSON cannot encode become faults. */
export function guardReplies(server: SdkServer, options: GuardOptions, reporter: Reporter): void {
  const protocol = server.server;
  const connect = protocol.connect.bind(protocol);
  protocol.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, more) => send(checked(message), more);
    return connect(transport);
  };

  // The SDK's own refusals are sent while a request is received, so the request at hand is the one that is refused.
  let received: SdkRequest | undefined;
  let receivedMs: number | undefined;
  const receive = protocol._onrequest?.bind(protocol);
  if (receive !== undefined) {
    protocol._onrequest = (request, extra) => {
      received = request;
      receivedMs = reporter.now();
      try {
        return receive(request, extra);
      } finally {
        received = undefined;
        receivedMs = undefined;
      }
    };
  }

  function checked(message: unknown): unknown {
    if (typeof message !== "object" || message === null) return message;
    if ("error" in message) return withFault(message as Message);
    const cause = encodingErrorOf(message);
    return cause === undefined ? message : instead(message as Message, cause);
  }

  function withFault(message: Message): Message {
    const error = rpcErrorOf(message["error"]);
    if (error === undefined || ours.has(message["error"] as object)) return message;
    // The SDK changes some codes; an error in a dialect is sent as the dialect wrote it.
    if (error.data instanceof WrittenError) return { ...message, error: opened(error.data) };
    const failure = {
      fault: faultOfRpcError(error, received),
      cause: new Error(`JSON-RPC ${error.code}: ${error.message}`),
      textHidden: received === undefined,
    };
    const context = { _meta: received?.params?.["_meta"] };
    return answered(message, failure, {
      method: received?.method ?? "unknown",
      context,
      asError: true,
      startedMs: receivedMs,
    });
  }

  function instead(message: Message, cause: unknown): Message {
    const result = message["result"] as Readonly<Record<string, unknown>>;
    const isTool = "content" in result;
    const place = { method: isTool ? "tools/call" : "unknown", context: undefined };
    return answered(message, { fault: (isTool ? result_unsendable : internal).fault(), cause }, place);
  }

  /** The message with a fault in place of what it said. */
  function answered(message: Message, failure: Failure, place: ReplyPlace): Message {
    const { result, error: _error, ...envelope } = message;
    try {
      const written = reply(reporter.finalize(failure, place), place, options, protocol);
      // The SDK has already set the type of the result, and its clients insist on it.
      const { resultType } = (result ?? {}) as { readonly resultType?: unknown };
      return { ...envelope, result: { ...(resultType !== undefined && { resultType }), ...written } };
    } catch (thrown) {
      if (!(thrown instanceof WireError)) throw thrown;
      return { ...envelope, error: opened(thrown.data) };
    }
  }
}
