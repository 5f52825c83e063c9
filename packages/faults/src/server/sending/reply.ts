import type { Dialect } from "../../dialects/dialect.ts";
import { mcp } from "../../dialects/mcp/mcp.ts";
import type { RpcError } from "../../dialects/wire.ts";
import type { Fault } from "../../fault/fault.ts";
import type { Place } from "../incidents/reporter.ts";
import type { GuardOptions } from "../options.ts";
import type { PeerProtocol } from "../peer.ts";
import { metaOf, revisionOf } from "../request/request.ts";

/** The error of a JSON-RPC answer. */
export type WireForm = Pick<RpcError, "code"> & Partial<RpcError>;

/** An error that was written here, in the place of its data: the SDK hands that on unopened, so the error is known again. */
export class Written {
  readonly error: WireForm;

  constructor(error: WireForm) {
    this.error = error;
  }

  /** Where nobody opens it, it is what it stands for. */
  toJSON(): unknown {
    return this.error.data;
  }
}

/** A JSON-RPC error for the SDK to send: it takes code, message and data of whatever is thrown. */
export class WireError extends Error {
  readonly code: number;
  readonly data: Written;

  constructor(error: WireForm) {
    super(error.message);
    this.code = error.code;
    this.data = new Written(error);
  }
}

/** Where a failure is answered. */
export interface ReplyPlace extends Place {
  /** Whether the tool has an output schema. */
  readonly outputSchema?: boolean;
  /** The answer is an error already, so it can no longer be a result. */
  readonly asError?: true;
  /** The code that the protocol fixes for this very case; other dialects have their own. */
  readonly code?: number;
}

const PROTOCOLS = mcp as Dialect<unknown>;

interface Wire {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: WireForm;
}

/** Writes a fault in the dialect of the request: a tool result is returned, a JSON-RPC error thrown. */
export function reply(
  fault: Fault,
  place: ReplyPlace,
  options: GuardOptions,
  protocol: PeerProtocol,
): Readonly<Record<string, unknown>> {
  const { tool, outputSchema } = place;
  const isCall = place.method === "tools/call" && place.asError !== true;
  const method = isCall || place.method !== "tools/call" ? place.method : "unknown";
  const context = { method, tool, outputSchema, revision: revisionOf(protocol), docsBase: options.docsBase } as object;
  const own = ownWire(fault, place, options, context);
  // Nothing but a tool can fail with a result, and a wire that has neither, as that of HTTP, is no answer here.
  const fits = own?.error !== undefined || (isCall && own?.result !== undefined);
  const { error, result } = fits ? (own as Wire) : (mcp.encode(fault, context) as Wire);
  if (error !== undefined) throw new WireError(fits ? error : { ...error, code: place.code ?? error.code });
  // Which kind of result it is stays the SDK's to say: it knows what its client speaks.
  const { resultType: _said, ...rest } = result ?? {};
  return rest;
}

/** What another dialect makes of it; one that fails must not take the answer with it. */
function ownWire(fault: Fault, place: Place, options: GuardOptions, context: object): Wire | undefined {
  try {
    const { method } = place;
    const { dialect, now = Date.now } = options;
    const chosen = typeof dialect === "function" ? dialect({ method, meta: metaOf(place.context) }) : dialect;
    if (chosen === undefined || chosen === PROTOCOLS) return undefined;
    // A system may demand a time where the fault must not have one of its own, as on refused credentials.
    return chosen.encode(fault, { ...context, at: new Date(now()).toISOString() }) as Wire | undefined;
  } catch {
    return undefined;
  }
}
