import { detect, detectInBody } from "../dialects/detect.ts";
import type { Decoder } from "../dialects/dialect.ts";
import { decodeHttpWith, type HttpDecodeContext, type HttpReading } from "../dialects/http/dialect.ts";
import { decodeEmbeddedFault } from "../dialects/mcp/dialect.ts";
import { markDecoded, readPeerFault } from "../dialects/peer-fault.ts";
import { stripCodePrefix } from "../dialects/rpc.ts";
import { sdk } from "../dialects/sdk/dialect.ts";
import { isServerError, type SdkRow } from "../dialects/sdk/errors.ts";
import { peek, peekInteger, peekString } from "../errors/peek.ts";
import { amendFault } from "../fault/amend.ts";
import type { Fault } from "../fault/fault.ts";
import { faultInside } from "../reasons/build-safely.ts";
import { STATUS_MEANINGS } from "../reasons/http/statuses.ts";
import { cancelled, internal, misconfigured, timeout, unrecognised } from "../reasons/library/core.ts";
import { invalid_result, session_not_found } from "../reasons/library/protocol.ts";
import { connection_lost, exited, failed, http_failed, unreachable } from "../reasons/library/transport.ts";
import { asReceived, limitReading } from "../safety/show-line.ts";
import { isSdkError, isUnauthorizedError } from "../sdk/errors.ts";
import { memberAt } from "../wire/json.ts";
import { FAULT_KEY } from "../wire/names.ts";
import { type AttemptEnding, type FailedHttpAnswer, findHttpFailure } from "./send.ts";
import type { ConnectionRecord, ExchangeRecord } from "./transport/types.ts";

/** What is known about an attempt besides how it ended. */
export interface AttemptContext extends HttpDecodeContext {
  readonly dialect?: Decoder | undefined;
  readonly record?: ExchangeRecord | undefined;
  readonly connection?: ConnectionRecord | undefined;
  readonly session: boolean;
  readonly limitMs: number;
}

/** The fault of an attempt; undefined when its answer is a success after all. A reply is decoded once. */
export function readAttemptFailure(ending: AttemptEnding, given: AttemptContext): Fault | undefined {
  return limitReading(() => readEnding(ending, asReceived(given)));
}

function readEnding(ending: AttemptEnding, context: AttemptContext): Fault | undefined {
  switch (ending.how) {
    case "answered":
      return readResultFailure(ending.result, context);
    case "threw":
      return readThrownError(ending.error, context);
    case "aborted":
      return cancelled.fault({}, { ...BY_CLIENT, effect: wasNeverSent(context) ? "none" : "possible" });
    case "late":
      if (wasNeverSent(context)) return unreachable.fault({}, BY_TRANSPORT);
      return timeout.fault({ timeoutMs: Math.round(context.limitMs) }, BY_CLIENT);
    case "lost":
      return connection_lost.fault({}, BY_TRANSPORT);
    default:
      return ending satisfies never;
  }
}

/** A fault that the server states counts first, then the dialect that it is known to write, then any that is known. */
function readResultFailure(result: unknown, context: AttemptContext): Fault | undefined {
  return (
    decodeEmbeddedFault(result, context) ?? context.dialect?.decode(result, context) ?? detect(result, context)?.fault
  );
}

/**
 * What the SDK threw. A fault that the server states counts first, then what HTTP says, then the class of the error; if
 * nothing is known, something may have happened.
 */
export function readThrownError(error: unknown, context: AttemptContext): Fault {
  const stated = faultInside(error, context) ?? readPeerFault(memberAt(peek(error, "data"), FAULT_KEY), context);
  if (stated !== undefined) return stated;
  // The SDK has read the refusal already, began a sign-in, and waits for its host to finish it.
  const isSignIn = isUnauthorizedError(error) || isSdkError(error, "InsufficientScopeError");
  const failure = isSignIn ? undefined : findHttpFailure(error, context.record);
  if (failure !== undefined) return readHttpFailure(failure, context);
  const found = isSignIn ? sdk.decode(error, context) : (inDialect(error, context) ?? detect(error, context)?.fault);
  if (found?.origin.layer === "server") return found;
  // What `fetch` rejects with is a failure of the connection, even if the runtime does not say more.
  const isRejected = context.record?.error !== undefined;
  return closer(
    found ?? (isRejected ? failed.fault({}, MAPPED_BY_TRANSPORT) : unrecognised.fault({}, MAPPED_BY_CLIENT)),
    context,
  );
}

function inDialect(error: unknown, context: AttemptContext): Fault | undefined {
  if (context.dialect === undefined || !isServerError(error)) return undefined;
  const code = peekInteger(error, "code");
  const message = stripCodePrefix(peekString(error, "message") ?? "").text;
  return context.dialect.decode({ error: { code, message, data: peek(error, "data") } }, context);
}

/** What only this side could see, made more exact by what the observer recorded. */
function closer(fault: Fault, context: AttemptContext): Fault {
  const { connection, record } = context;
  if (fault.reason === connection_lost.id && connection?.exit !== undefined) {
    const { code } = connection.exit;
    return exited.fault(code === null ? {} : { exitCode: code }, MAPPED_BY_TRANSPORT);
  }
  // The server did answer, but its answer broke off, or was not in the protocol.
  if (fault.reason === failed.id && record?.status !== undefined)
    return record.error === undefined
      ? invalid_result.fault({}, MAPPED_BY_CLIENT)
      : connection_lost.fault({}, MAPPED_BY_TRANSPORT);
  // The SDK made several exchanges of one request, and only the last one was not sent.
  if (fault.reason === unreachable.id && (record?.exchanges ?? 1) > 1)
    return connection_lost.fault({}, MAPPED_BY_TRANSPORT);
  return wasNeverSent(context) && fault.reason === timeout.id ? unreachable.fault({}, MAPPED_BY_TRANSPORT) : fault;
}

/** No byte of the request left this machine, so it had no effect. */
function wasNeverSent({ record }: AttemptContext): boolean {
  return record?.phase === "connect" && record.exchanges === 1;
}

/** Reads a failed HTTP answer of the server itself, or of a proxy in front of it. */
export function readHttpFailure(failure: FailedHttpAnswer, context: AttemptContext): Fault {
  const stated = decodeEmbeddedFault(failure, context) ?? context.dialect?.decode(failure, context);
  if (stated !== undefined) return stated;
  const found = detectInBody(failure, context)?.fault;
  if (found !== undefined && !VAGUE_REASONS.includes(found.reason)) return found;
  const overrideFor: HttpReading["overrideFor"] = (status, kind) => {
    const isDetailed = DETAILED_STATUSES.includes(status) || kind === "overloaded";
    return isDetailed ? undefined : { ...statusRow(status, context.session), origin: TRANSPORT_ORIGIN };
  };
  const read = decodeHttpWith(failure, context, { overrideFor, believesFaults: true });
  if (read !== undefined)
    return markDecoded(read.basis === "stated" ? read : amendFault(read, { origin: TRANSPORT_ORIGIN }));
  const { reason, effect } = statusRow(failure.status, context.session);
  const details = { origin: TRANSPORT_ORIGIN, basis: "mapped", ...(effect !== undefined && { effect }) } as const;
  return reason.fault({ status: failure.status }, details);
}

/** What a status means at the address of an MCP server, where only the protocol is served. */
function statusRow(status: number, session: boolean): SdkRow {
  // A server that has forgotten a session answers with this status; without a session the address is wrong.
  if (status === 404) return session ? { reason: session_not_found } : { reason: misconfigured, effect: "none" };
  return { reason: STATUS_MEANINGS[status]?.server ?? http_failed };
}

/** Statuses whose headers and body say more than the status: refusals and limits. */
const DETAILED_STATUSES = [401, 403, 408, 425, 429, 509, 529];

/** Reasons of codes that servers use for anything, so that the status says more. */
const VAGUE_REASONS: readonly string[] = [internal.id, unrecognised.id];

const TRANSPORT_ORIGIN = { layer: "transport" } as const;

const MAPPED_BY_CLIENT = { origin: { layer: "client" }, basis: "mapped" } as const;
const MAPPED_BY_TRANSPORT = { origin: { layer: "transport" }, basis: "mapped" } as const;

const BY_CLIENT = { origin: { layer: "client" } } as const;
const BY_TRANSPORT = { origin: { layer: "transport" } } as const;
