import { mcp } from "../../dialects/mcp/dialect.ts";
import { parseRevision } from "../../dialects/mcp/table.ts";
import type { Fault } from "../../fault/fault.ts";
import { metaOf } from "../../sdk/context.ts";
import type { SdkProtocol } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import type { Place } from "../reporter.ts";
import { rememberSent } from "../sent-faults.ts";
import type { Wire, WireForm } from "./checked-wire.ts";
import { type DialectRequest, writeInDialect } from "./dialect-choice.ts";

/**
 * An error that this kit wrote. It travels through the SDK as the `data` of an error, which the SDK does not look into, so
 * that the kit recognises it when it is sent.
 */
export class WrittenError {
  readonly error: WireForm;

  constructor(error: WireForm) {
    this.error = error;
  }

  /** Where it is sent without the kit, it becomes the data that it stands for. */
  toJSON(): unknown {
    return this.error.data;
  }
}

/** A JSON-RPC error for the SDK to send: the SDK takes code, message and data of whatever is thrown. */
export class WireError extends Error {
  readonly code: number;
  readonly data: WrittenError;

  constructor(error: WireForm) {
    super(error.message);
    this.code = error.code;
    this.data = new WrittenError(error);
  }
}

/** Where a failure is answered. */
export interface ReplyPlace extends Place {
  /** Whether the tool has an output schema. */
  readonly outputSchema?: boolean | undefined;
  /** The template of the resource that was read. */
  readonly uriTemplate?: string | undefined;
  /** The answer is an error already, so it cannot become a tool result. */
  readonly asError?: true;
  /** The answer is a tool result already, so it cannot become an error. */
  readonly asResult?: true;
  /** The code that the protocol fixes for this very case; dialects other than `mcp` have their own codes. */
  readonly code?: number;
}

/** Writes a fault in the dialect of the request: returns a tool result, or throws a JSON-RPC error. */
export function reply(
  fault: Fault,
  place: ReplyPlace,
  options: GuardOptions,
  protocol: SdkProtocol,
): Readonly<Record<string, unknown>> {
  const { error, result } = writeReply(fault, place, options, protocol);
  if (error !== undefined) throw new WireError(error);
  // The SDK adds the type of the result itself: it knows what its client understands.
  const { resultType: _type, ...rest } = result ?? {};
  return rest;
}

/** The answer for a fault, in the dialect of the request. */
export function writeReply(
  fault: Fault,
  place: ReplyPlace,
  options: GuardOptions,
  protocol: Pick<SdkProtocol, "_negotiatedProtocolVersion">,
): Wire {
  const { tool, outputSchema, uriTemplate } = place;
  const isCall = place.method === "tools/call" && place.asError !== true;
  const method = isCall || place.method !== "tools/call" ? place.method : "unknown";
  const revision = parseRevision(protocol._negotiatedProtocolVersion);
  const context = { method, tool, outputSchema, uriTemplate, revision, docsBase: options.docsBase } as object;
  // A system may demand a time where the fault must not have one of its own, as on refused credentials.
  const at = new Date((options.now ?? Date.now)()).toISOString();
  const own = writeInDialect(fault, options.dialect, requestOf(place), { ...context, at });
  if (own?.error !== undefined && place.asResult !== true) {
    // The HTTP edge of this process must not take the code of a dialect for one of MCP.
    rememberSent(own.error);
    return own;
  }
  // Only a tool can fail with a result. A dialect that has neither a result nor an error, such as `http`, does not fit.
  if (isCall && own?.result !== undefined) return own;
  const { error, result } = mcp.encode(fault, context) as Wire;
  return error === undefined ? { result: result ?? {} } : { error: { ...error, code: place.code ?? error.code } };
}

/** What a dialect is chosen by. */
export function requestOf({ method, context }: Place): DialectRequest {
  return { method, meta: metaOf(context) };
}
