import type { Dialect } from "../dialects/dialect.ts";
import { mcp } from "../dialects/mcp/mcp.ts";
import type { Fault } from "../fault/fault.ts";
import type { GuardOptions } from "./options.ts";
import type { PeerProtocol } from "./peer.ts";
import type { Place } from "./reporter.ts";
import { metaOf, revisionOf } from "./request.ts";

/** A JSON-RPC error for the SDK to send: it takes code, message and data of whatever is thrown. */
export class WireError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(error: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

interface Wire {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Writes a fault in the dialect of the request: a tool result is returned, a JSON-RPC error thrown. */
export function reply(
  fault: Fault,
  place: Place & { readonly outputSchema?: boolean },
  options: GuardOptions,
  protocol: PeerProtocol,
): Readonly<Record<string, unknown>> {
  const { method, tool, outputSchema } = place;
  const context = { method, tool, outputSchema, revision: revisionOf(protocol), docsBase: options.docsBase };
  const wire = dialectFor(place, options).encode(fault, context as object) as Wire;
  if (wire.error !== undefined) throw new WireError(wire.error);
  // Which kind of result it is stays the SDK's to say: it knows what its client speaks.
  const { resultType: _said, ...result } = wire.result ?? {};
  return result;
}

function dialectFor(place: Place, { dialect }: GuardOptions): Dialect<unknown> {
  if (dialect === undefined) return mcp as Dialect<unknown>;
  return typeof dialect === "function" ? dialect({ method: place.method, meta: metaOf(place.context) }) : dialect;
}
