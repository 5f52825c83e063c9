import { asRpcError, type RpcError } from "../../dialects/envelope.ts";
import { internal } from "../../reasons/library/core.ts";
import { result_unsendable } from "../../reasons/library/tool.ts";
import { keepingMoment, type SdkRequest, type SdkServer } from "../../sdk/server.ts";
import { bareError, bareResult, type LateReporter, NotLoadedError } from "../first-failure.ts";
import { LateFailure, type PendingFailure, type ReplyPlace, reply, WireError, WrittenError } from "./reply.ts";

type OutgoingMessage = Readonly<Record<string, unknown>>;

/** The request that the SDK is just receiving, if any. */
interface ReceivedRequest {
  readonly request: SdkRequest | undefined;
  readonly startedMs: number | undefined;
}

/** Errors that this kit wrote; a transport that is used twice sees them more than once. */
const ours = new WeakSet<object>();

function opened({ error }: WrittenError): object {
  ours.add(error);
  return error;
}

/** Checks every message before it is sent: errors that this kit did not write and results that JSON cannot encode become faults. */
export function guardReplies(server: SdkServer, reporter: LateReporter): void {
  const protocol = server.server;
  const connect = protocol.connect.bind(protocol);
  protocol.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, more) => {
      const out = checked(message);
      if (!(out instanceof Promise)) return send(out, more);
      const sendLater = keepingMoment(transport);
      return out.then((written) => sendLater(() => send(written, more)));
    };
    return connect(transport);
  };

  // The SDK's own refusals are sent while a request is received, so the request at hand is the one that is refused.
  let received: SdkRequest | undefined;
  let receivedMs: number | undefined;
  const receive = protocol._onrequest?.bind(protocol);
  if (receive !== undefined) {
    protocol._onrequest = (request, extra) => {
      received = request;
      receivedMs = reporter.monotonic();
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
    if ("error" in message) return withFault(message as OutgoingMessage);
    const cause = findEncodingError(message);
    return cause === undefined ? message : instead(message as OutgoingMessage, cause);
  }

  function withFault(message: OutgoingMessage): OutgoingMessage | Promise<OutgoingMessage> {
    const error = asRpcError(message["error"]);
    if (error === undefined || ours.has(message["error"] as object)) return message;
    // The SDK changes some codes; an error in a dialect is sent as the dialect wrote it.
    if (error.data instanceof WrittenError) return { ...message, error: opened(error.data) };
    if (error.data instanceof LateFailure) return answered(message, error.data.failure, error.data.place);
    return ofSdk(message, error, { request: received, startedMs: receivedMs });
  }

  async function ofSdk(
    message: OutgoingMessage,
    error: RpcError,
    { request, startedMs }: ReceivedRequest,
  ): Promise<OutgoingMessage> {
    const failure = async () => ({
      fault: (await reporter.load()).code.faultOfRpcError(error, request),
      cause: new Error(`JSON-RPC ${error.code}: ${error.message}`),
      textHidden: request === undefined,
    });
    const context = { _meta: request?.params?.["_meta"] };
    return answered(message, failure, { method: request?.method ?? "unknown", context, asError: true, startedMs });
  }

  function instead(message: OutgoingMessage, cause: unknown): Promise<OutgoingMessage> {
    const result = message["result"] as Readonly<Record<string, unknown>>;
    const isTool = "content" in result;
    const place = { method: isTool ? "tools/call" : "unknown", context: undefined };
    return answered(message, { fault: (isTool ? result_unsendable : internal).fault(), cause }, place);
  }

  async function answered(
    message: OutgoingMessage,
    failure: PendingFailure | (() => Promise<PendingFailure>),
    place: ReplyPlace,
  ): Promise<OutgoingMessage> {
    const { result, error: _error, ...envelope } = message;
    try {
      const pending = typeof failure === "function" ? await failure() : failure;
      const written = reply((await reporter.finish(pending, place)).wire);
      // The SDK has already set the type of the result, and its clients insist on it.
      const { resultType } = (result ?? {}) as { readonly resultType?: unknown };
      return { ...envelope, result: { ...(resultType !== undefined && { resultType }), ...written } };
    } catch (thrown) {
      if (thrown instanceof NotLoadedError) {
        return result === undefined ? { ...envelope, error: bareError() } : { ...envelope, result: bareResult() };
      }
      if (!(thrown instanceof WireError)) throw thrown;
      return { ...envelope, error: opened(thrown.data) };
    }
  }
}

/** The longest string of V8; no other common engine has a lower limit. */
const MAX_STRING = 0x1fffffe8;
/** Below this, no escape can make the JSON of plain text exceed the limit. */
const SAFE_STRING = Math.floor(MAX_STRING / 6) - 65_536;

/**
 * Why JSON cannot encode an answer; undefined if it can. A BigInt, a cycle or more text than a string can hold would throw
 * inside the transport, which takes no second answer, and the caller would wait for its whole timeout.
 */
export function findEncodingError(message: object): unknown {
  if (!("result" in message)) return undefined;
  const { result } = message;
  // A result may have getters, which may throw whenever they are read.
  try {
    const length = textLength(result);
    if (length > MAX_STRING) throw new RangeError("the result is longer than a string can be");
    JSON.stringify(length > SAFE_STRING ? result : uncertainParts(result));
    return undefined;
  } catch (cause) {
    return cause;
  }
}

/**
 * The parts of an answer that JSON may not be able to encode. Content blocks of strings are by far the largest part and
 * always encode, so they are left out, and a plain result costs almost nothing here.
 */
function uncertainParts(result: unknown): unknown {
  if (typeof result !== "object" || result === null || !("content" in result)) return result;
  const { content, ...rest } = result;
  return [rest, Array.isArray(content) ? content.filter(isUncertain) : content];
}

function isUncertain(block: unknown): boolean {
  return typeof block !== "object" || block === null || Object.values(block).some((part) => typeof part !== "string");
}

/** The length of the strings in the content blocks of a result, or in those of a resource. */
function textLength(result: unknown): number {
  if (typeof result !== "object" || result === null) return 0;
  let length = 0;
  for (const list of Object.values(result)) {
    if (typeof list === "string") length += list.length;
    if (!Array.isArray(list)) continue;
    for (const block of list) {
      if (typeof block !== "object" || block === null) continue;
      for (const part of Object.values(block)) if (typeof part === "string") length += part.length;
    }
  }
  return length;
}
