import { detect } from "../../dialects/detect.ts";
import { readPeerFault } from "../../dialects/peer-fault.ts";
import { stripCodePrefix } from "../../dialects/rpc.ts";
import { sdk } from "../../dialects/sdk/dialect.ts";
import { isServerError } from "../../dialects/sdk/protocol-errors.ts";
import { peek, peekInteger, peekString } from "../../errors/peek.ts";
import type { Fault } from "../../fault/fault.ts";
import { FAULT_KEY } from "../../json/names.ts";
import { memberAt } from "../../json/read.ts";
import { faultInside } from "../../reasons/build-safely.ts";
import { timeout, unrecognised } from "../../reasons/library/core.ts";
import { invalid_result } from "../../reasons/library/protocol.ts";
import { connection_lost, exited, failed, unreachable } from "../../reasons/library/transport.ts";
import { isSdkError, isUnauthorizedError } from "../../sdk/errors.ts";
import { type ReadContext, wasNeverSent } from "./context.ts";
import { httpFailureOf, readHttpFailure } from "./read-http.ts";

const LOCAL = { origin: { layer: "client" }, basis: "mapped" } as const;
const TRANSPORT = { origin: { layer: "transport" }, basis: "mapped" } as const;

/**
 * What the SDK threw. A fault that the server states counts first, then what HTTP says, then the class of the error; where
 * nothing is known, something may have happened.
 */
export function readThrown(error: unknown, context: ReadContext): Fault {
  const stated = faultInside(error, context) ?? readPeerFault(memberAt(peek(error, "data"), FAULT_KEY), context);
  if (stated !== undefined) return stated;
  // The SDK has read the refusal already, began a sign-in, and waits for its host to finish it.
  const isSignIn = isUnauthorizedError(error) || isSdkError(error, "InsufficientScopeError");
  const failure = isSignIn ? undefined : httpFailureOf(error, context.record);
  if (failure !== undefined) return readHttpFailure(failure, context);
  const found = isSignIn ? sdk.decode(error, context) : (inDialect(error, context) ?? detect(error, context)?.fault);
  if (found?.origin.layer === "server") return found;
  // What `fetch` rejects with is a failure of the connection, also where the runtime does not say more.
  const isRejected = context.record?.error !== undefined;
  return closer(found ?? (isRejected ? failed.fault({}, TRANSPORT) : unrecognised.fault({}, LOCAL)), context);
}

/** An error that the server sent, read in the dialect that it is known to write. */
function inDialect(error: unknown, context: ReadContext): Fault | undefined {
  if (context.dialect === undefined || !isServerError(error)) return undefined;
  const code = peekInteger(error, "code");
  const message = stripCodePrefix(peekString(error, "message") ?? "").text;
  return context.dialect.decode({ error: { code, message, data: peek(error, "data") } }, context);
}

/** What only this side could see, made more exact by what the observer recorded. */
function closer(fault: Fault, context: ReadContext): Fault {
  const { connection, record } = context;
  if (fault.reason === connection_lost.id && connection?.exit !== undefined) {
    const { code } = connection.exit;
    return exited.fault(code === null ? {} : { exitCode: code }, TRANSPORT);
  }
  // The server did answer, but its answer broke off, or was not in the protocol.
  if (fault.reason === failed.id && record?.status !== undefined)
    return record.error === undefined ? invalid_result.fault({}, LOCAL) : connection_lost.fault({}, TRANSPORT);
  // The SDK made several exchanges of one request, and only the last one was not sent.
  if (fault.reason === unreachable.id && (record?.exchanges ?? 1) > 1) return connection_lost.fault({}, TRANSPORT);
  return wasNeverSent(context) && fault.reason === timeout.id ? unreachable.fault({}, TRANSPORT) : fault;
}
