import type { Severity } from "../../fault/severity.ts";
import type { ExtensibleDialect } from "../codes.ts";
import { createDecoder } from "../decoder.ts";
import { type ErrorCategory, errorCategory, errorSeverity, validateErrorCode } from "./categories.ts";
import { erlmcpCodes } from "./codes.ts";
import { decodeErlmcp } from "./decode.ts";
import { type ErlmcpWire, encodeErlmcp } from "./encode.ts";
import { createErrorResponse } from "./error-response.ts";
import { erlmcpAfterRoundTrip } from "./round-trip.ts";
import { ERLMCP_DEFAULTS } from "./table.ts";

/** The `erlmcp` dialect, with the helper functions that erlmcp has for its codes. */
export interface Erlmcp extends ExtensibleDialect<ErlmcpWire> {
  /** Checks whether a code is inside one of erlmcp's ranges, defined or not. */
  readonly validateErrorCode: (code: number) => boolean;
  /** Returns the category whose range a code is in, or undefined. */
  readonly errorCategory: (code: number) => ErrorCategory | undefined;
  /** Returns the severity of a code; `info` for every code that erlmcp does not rank. */
  readonly errorSeverity: (code: number) => Severity;
  /** Writes a complete error reply. The message has to be a literal. */
  readonly createErrorResponse: typeof createErrorResponse;
  /** erlmcp's limits, and its wait after a rate limit. */
  readonly defaults: typeof ERLMCP_DEFAULTS;
}

/**
 * erlmcp: top-level JSON-RPC errors with a code for each failure and its facts in `data`.
 * MCP revision 2026-07-28 does not allow most of these codes, so write them only for peers that expect them.
 *
 * The reason of the code, params that have a member in `data`, a wait in whole seconds, one rate limit, the argument
 * that a member names, effect and basis survive a round trip; a message other than the fixed one and the list of issues
 * become a quote; advice against retrying, other limits, origin, attempts, cause, ids and time are lost.
 *
 * @example
 * import { tool } from "@recourse/faults";
 * import { erlmcp } from "@recourse/faults/dialects";
 *
 * const { fault } = tool.timeout({ tool: "search", timeoutMs: 30_000 });
 * const wire = erlmcp.encode(fault);
 * // { error: { code: -32032, message: "Tool execution timeout", data: { tool: "search", timeout_ms: 30000 } } }
 * erlmcp.decode(wire)?.params; // { tool: "search", timeoutMs: 30000 }
 */
export const erlmcp: Erlmcp = {
  name: "erlmcp",
  encode: encodeErlmcp,
  decode: createDecoder(decodeErlmcp),
  afterRoundTrip: erlmcpAfterRoundTrip,
  codes: erlmcpCodes,
  validateErrorCode,
  errorCategory,
  errorSeverity,
  clientSeverity: (code) => (errorSeverity(code) === "critical" ? "critical" : "error"),
  maxMessageBytes: ERLMCP_DEFAULTS.maxMessageBytes,
  createErrorResponse,
  defaults: ERLMCP_DEFAULTS,
};
