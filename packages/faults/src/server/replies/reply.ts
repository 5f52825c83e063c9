import type { Dialect } from "../../dialects/dialect.ts";
import type { RpcError } from "../../dialects/envelope.ts";
import { mcp } from "../../dialects/mcp/dialect.ts";
import { parseRevision } from "../../dialects/mcp/table.ts";
import type { Fault } from "../../fault/fault.ts";
import { metaOf } from "../../sdk/context.ts";
import type { SdkProtocol } from "../../sdk/server.ts";
import type { GuardOptions } from "../options.ts";
import type { Place } from "../reporter.ts";

/** The `error` member of a JSON-RPC answer. */
export type WireForm = Pick<RpcError, "code"> & Partial<RpcError>;

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
  readonly outputSchema?: boolean;
  /** The answer is an error already, so it cannot become a tool result. */
  readonly asError?: true;
  /** The code that the protocol fixes for this very case; dialects other than `mcp` have their own codes. */
  readonly code?: number;
}

interface Wire {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: WireForm;
}

/** Writes a fault in the dialect of the request: returns a tool result, or throws a JSON-RPC error. */
export function reply(
  fault: Fault,
  place: ReplyPlace,
  options: GuardOptions,
  protocol: SdkProtocol,
): Readonly<Record<string, unknown>> {
  const { tool, outputSchema } = place;
  const isCall = place.method === "tools/call" && place.asError !== true;
  const method = isCall || place.method !== "tools/call" ? place.method : "unknown";
  const revision = parseRevision(protocol._negotiatedProtocolVersion);
  const context = { method, tool, outputSchema, revision, docsBase: options.docsBase } as object;
  const own = writeInDialect(fault, place, options, context);
  // Only a tool can fail with a result. A dialect that has neither a result nor an error, such as `http`, does not fit.
  const fits = own?.error !== undefined || (isCall && own?.result !== undefined);
  const { error, result } = fits ? (own as Wire) : (mcp.encode(fault, context) as Wire);
  if (error !== undefined) throw new WireError(fits ? error : { ...error, code: place.code ?? error.code });
  // The SDK adds the type of the result itself: it knows what its client understands.
  const { resultType: _type, ...rest } = result ?? {};
  return rest;
}

/** What the chosen dialect writes; undefined where none is chosen or it fails. */
function writeInDialect(fault: Fault, place: Place, options: GuardOptions, context: object): Wire | undefined {
  try {
    const { dialect, now = Date.now } = options;
    const chosen =
      typeof dialect === "function" ? dialect({ method: place.method, meta: metaOf(place.context) }) : dialect;
    if (chosen === undefined || chosen === (mcp as Dialect<unknown>)) return undefined;
    // A system may demand a time where the fault must not have one of its own, as on refused credentials.
    return chosen.encode(fault, { ...context, at: new Date(now()).toISOString() }) as Wire | undefined;
  } catch {
    return undefined;
  }
}
