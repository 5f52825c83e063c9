import type { Dialect } from "../dialect.ts";
import { type ErrorCategory, type ErrorSeverity, errorCategory, errorSeverity, validateErrorCode } from "./codes.ts";
import { decode } from "./decode.ts";
import { type ErlmcpWire, encode } from "./encode.ts";
import { keeps } from "./keeps.ts";
import { createErrorResponse } from "./response.ts";
import { DEFAULTS } from "./table.ts";

/** The dialect, with the helpers that the system has for its codes. */
export interface Erlmcp extends Dialect<ErlmcpWire> {
  /** Tells whether a code lies in one of the ranges, defined or not. */
  readonly validateErrorCode: (code: number) => boolean;
  /** The category whose range a code lies in, or undefined. */
  readonly errorCategory: (code: number) => ErrorCategory | undefined;
  /** The severity of a code; `info` for all that the system does not rank. */
  readonly errorSeverity: (code: number) => ErrorSeverity;
  /** Writes a whole error reply, whose message is a literal. */
  readonly createErrorResponse: typeof createErrorResponse;
  /** What holds where nobody says otherwise. */
  readonly defaults: typeof DEFAULTS;
}

/**
 * erlmcp: top-level JSON-RPC errors, with a code for each failure and its facts in `data`.
 * Opt-in: MCP revision 2026-07-28 does not allow most of these codes at the top level, so write it only for peers that
 * speak it.
 */
export const erlmcp: Erlmcp = {
  name: "erlmcp",
  encode,
  decode,
  keeps,
  validateErrorCode,
  errorCategory,
  errorSeverity,
  createErrorResponse,
  defaults: DEFAULTS,
};
