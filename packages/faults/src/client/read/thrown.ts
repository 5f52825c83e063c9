import { detect } from "../../dialects/detect.ts";
import { isUnauthorized } from "../../dialects/sdk/local.ts";
import { stripped } from "../../dialects/sdk/protocol.ts";
import type { Fault } from "../../fault/fault.ts";
import { insufficient_scope } from "../../reasons/library/auth.ts";
import { timeout, unrecognised } from "../../reasons/library/core.ts";
import { invalid_result } from "../../reasons/library/protocol.ts";
import { connection_lost, exited, failed, unreachable } from "../../reasons/library/transport.ts";
import { peek, peekInteger, peekString } from "../../reasons/unknown/peek.ts";
import type { ReadContext } from "./context.ts";
import { failureOf, readHttpFailure } from "./http-failure.ts";

const LOCAL = { origin: { layer: "client" }, basis: "mapped" } as const;
const TRANSPORT = { origin: { layer: "transport" }, basis: "mapped" } as const;

/**
 * What the SDK threw. What the peer stated counts most, then what HTTP says, then the class of the SDK's error; who knows
 * nothing must assume that something may have happened.
 */
export function readThrown(error: unknown, context: ReadContext): Fault {
  const found = detect(error, context);
  if (found?.basis === "stated" || found?.fault.reason === insufficient_scope.id) return found.fault;
  // The SDK has read the refusal already, began a sign-in, and waits for its host to end it.
  if (found !== undefined && isUnauthorized(error)) return found.fault;
  const failure = failureOf(error, context.seen);
  if (failure !== undefined) return readHttpFailure(failure, context);
  if (found === undefined) return unrecognised.fault({}, LOCAL);
  if (found.fault.origin.layer === "server") return inDialect(error, context) ?? found.fault;
  return closer(found.fault, context);
}

/** An error that the server sent, read in the dialect that it is known to write. */
function inDialect(error: unknown, context: ReadContext): Fault | undefined {
  const code = peekInteger(error, "code");
  if (context.dialect === undefined || code === undefined) return undefined;
  const message = stripped(peekString(error, "message") ?? "").text;
  return context.dialect.decode({ error: { code, message, data: peek(error, "data") } }, context);
}

/** What this side alone could see, told more closely by what was watched. */
function closer(fault: Fault, { connection, seen }: ReadContext): Fault {
  if (fault.reason === connection_lost.id && connection?.exit !== undefined) {
    const { code } = connection.exit;
    return exited.fault(code === null ? {} : { exitCode: code }, TRANSPORT);
  }
  // The server did answer, but not in the protocol.
  if (fault.reason === failed.id && seen?.status !== undefined) return invalid_result.fault({}, LOCAL);
  // The SDK made several exchanges of one request, and only the last one did not get through.
  if (fault.reason === unreachable.id && (seen?.exchanges ?? 1) > 1) return connection_lost.fault({}, TRANSPORT);
  const never = seen?.phase === "connect" && seen.exchanges === 1;
  return never && fault.reason === timeout.id ? unreachable.fault({}, TRANSPORT) : fault;
}
