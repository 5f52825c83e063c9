import type { Fault, FilterOptions } from "@recourse/core";
import { DIALECTS, detect } from "@recourse/core/dialects";
import { type AttemptContext, decodeEmbeddedFault, REQUEST_ID_HEADERS, readHttpFailure } from "@recourse/core/proxy";
import { core, protocol } from "@recourse/core/reasons";
import type { JsonObject } from "@recourse/core/wire";
import type { UpstreamReply } from "../call/upstream.ts";
import type { DialectName } from "../config/types.ts";

/** Headers of an answer that say something about a failure. */
const TELLING_HEADERS = [
  "content-type",
  "date",
  "retry-after",
  "retry-after-ms",
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-rate-limit-limit",
  "x-rate-limit-remaining",
  "x-rate-limit-reset",
  "x-should-retry",
  "www-authenticate",
  "traceparent",
  ...REQUEST_ID_HEADERS,
];

/** The headers of an answer as the decoders read them. */
function tellingHeaders(header: (name: string) => string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of TELLING_HEADERS) {
    const value = header(name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

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

/** The failure in a result that says nothing of one; undefined if no dialect recognises it. */
export function decodeHiddenFailure(result: JsonObject, given: FailureContext): Fault | undefined {
  return decodeKnown(result, readContext(given));
}

/** The fault of an answer with another status than 200. */
export function decodeStatus(reply: UpstreamReply & { readonly kind: "answer" }, given: FailureContext): Fault {
  const { status, body } = reply;
  const failure = { status, headers: tellingHeaders((name) => reply.header(name)), body: body.toString() };
  if (status < 300) return protocol.invalid_result.fault({}, { basis: "mapped" });
  return readHttpFailure(failure, readContext(given));
}

function decodeKnown(wire: JsonObject, context: AttemptContext): Fault | undefined {
  return decodeEmbeddedFault(wire, context) ?? context.dialect?.decode(wire, context) ?? detect(wire, context)?.fault;
}

/** The gateway shows upstreams its own credential, never that of the caller. */
function readContext({ dialect, ...context }: FailureContext): AttemptContext {
  return {
    ...context,
    dialect: dialect === undefined ? undefined : DIALECTS[dialect],
    credential: "own",
    httpMethod: "POST",
    session: false,
  };
}
