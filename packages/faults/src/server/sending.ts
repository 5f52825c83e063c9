import { internal } from "../reasons/library/core.ts";
import { result_unsendable } from "../reasons/library/tool.ts";
import type { GuardOptions } from "./options.ts";
import type { PeerServer } from "./peer.ts";
import { reply, type WireError } from "./reply.ts";
import type { Reporter } from "./reporter.ts";

type Message = { readonly id?: unknown; readonly jsonrpc?: unknown; readonly result?: unknown };

/**
 * Sends another answer when one cannot be sent: a result with a BigInt or a cycle in it fails inside the transport, which
 * takes no second answer, and the caller would wait for ever. So it is looked at before.
 */
export function guardSending(peer: PeerServer, options: GuardOptions, reporter: Reporter): void {
  const protocol = peer.server;
  const connect = protocol.connect.bind(protocol);
  protocol.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, more) => {
      const cause = isOpen(message) ? unsendable(message) : undefined;
      return send(cause === undefined ? message : instead(message as Message, cause), more);
    };
    return connect(transport);
  };

  function instead(message: Message, cause: unknown): Message {
    const ofTool = typeof message.result === "object" && message.result !== null && "content" in message.result;
    const place = { method: ofTool ? "tools/call" : "unknown", context: undefined };
    const fault = reporter.release((ofTool ? result_unsendable : internal).fault(), cause, place);
    const { result, ...envelope } = message;
    // The SDK has already said what kind of result it is, and its clients insist on it.
    const { resultType } = result as { readonly resultType?: unknown };
    try {
      return {
        ...envelope,
        result: { ...(resultType !== undefined && { resultType }), ...reply(fault, place, options, protocol) },
      };
    } catch (thrown) {
      const { code, message: text, data } = thrown as WireError;
      return { ...envelope, error: { code, message: text, data } } as Message;
    }
  }
}

/**
 * Tells whether an answer has a part that anything could be in. Content is checked by the SDK and is by far the largest
 * part, so a plain tool result costs nothing here.
 */
function isOpen(message: unknown): boolean {
  if (typeof message !== "object" || message === null || !("result" in message)) return false;
  const { result } = message;
  if (typeof result !== "object" || result === null) return false;
  return !("content" in result) || "structuredContent" in result || "_meta" in result;
}

/** Why JSON cannot say an answer, or undefined when it can. */
function unsendable(message: unknown): unknown {
  try {
    JSON.stringify(message);
    return undefined;
  } catch (cause) {
    return cause;
  }
}
