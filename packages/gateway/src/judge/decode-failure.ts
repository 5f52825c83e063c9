import { core, type Fault, type FilterOptions, protocol } from "@recourse/faults";
import { closient, type Decoder, detect, erlmcp, mcp, onx, platica, qaqnuz } from "@recourse/faults/dialects";
import {
  decodeEmbeddedFault,
  type JsonObject,
  type ReadContext,
  readHttpFailure,
} from "@recourse/faults/internal-do-not-use";
import type { DialectName } from "../config/types.ts";
import type { UpstreamReply } from "../upstreams/upstream.ts";
import { tellingHeaders } from "./headers.ts";

const DECODERS = { mcp, closient, onx, erlmcp, qaqnuz, platica } as const satisfies Readonly<
  Record<DialectName, Decoder>
>;

/** What the decoders are given about a call. */
export interface FailureContext extends FilterOptions {
  readonly method: string;
  /** The name that the caller uses for the tool. */
  readonly tool: string | undefined;
  readonly dialect: DialectName | undefined;
  /** The upstream is the operator's own, and its faults are taken over whole. */
  readonly speaksFaults: boolean;
  readonly limitMs: number;
  /** Time of the answer, in ms since 1970. */
  readonly now: number;
}

/** The fault in a JSON-RPC error, or in a result that is marked as a failure. */
export function decodeFailure(message: JsonObject, given: FailureContext): Fault {
  const context = readContext(given);
  return decodeKnown(message, context) ?? core.unrecognised.fault({}, { basis: "mapped" });
}

/** The failure in a result that says nothing of one; undefined where no dialect recognises it. */
export function decodeUnmarked(result: JsonObject, given: FailureContext): Fault | undefined {
  return decodeKnown(result, readContext(given));
}

/** The fault of an answer with another status than 200. */
export function decodeStatus(reply: UpstreamReply & { readonly kind: "answer" }, given: FailureContext): Fault {
  const { status, body } = reply;
  const failure = { status, headers: tellingHeaders((name) => reply.header(name)), body: body.toString() };
  if (status < 300) return protocol.invalid_result.fault({}, { basis: "mapped" });
  return readHttpFailure(failure, readContext(given));
}

function decodeKnown(wire: JsonObject, context: ReadContext): Fault | undefined {
  return decodeEmbeddedFault(wire, context) ?? context.dialect?.decode(wire, context) ?? detect(wire, context)?.fault;
}

/** The gateway shows upstreams its own credential, never that of the caller. */
function readContext({ dialect, ...context }: FailureContext): ReadContext {
  return {
    ...context,
    dialect: dialect === undefined ? undefined : DECODERS[dialect],
    credential: "own",
    httpMethod: "POST",
    session: false,
  };
}
