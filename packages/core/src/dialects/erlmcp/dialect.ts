import { cleanName, cleanText, FAULT_MEMBERS } from "../../fault/clean.ts";
import { FAULT_LIMITS, type Param, type Scalar } from "../../fault/fault.ts";
import type { Severity } from "../../fault/severity.ts";
import type { JsonObject } from "../../wire/json.ts";
import { createDecoder } from "../define.ts";
import { addOwnCodes, type ExtensibleDialect, type OwnCode, type OwnCodes } from "../own-codes.ts";
import { decodeErlmcp } from "./decode.ts";
import { type ErlmcpWire, encodeErlmcp, erlmcpRowFor } from "./encode.ts";
import {
  ERLMCP_DEFAULTS,
  ERLMCP_ROWS,
  ERROR_CATEGORIES,
  type ErrorCategory,
  erlmcpRowOfCode,
  errorCategory,
  errorSeverity,
  validateErrorCode,
} from "./table.ts";

/** A string literal type stays unchanged. A string that is built at run time becomes `never`, which no value fits. */
type Literal<M extends string> = M extends unknown
  ? Record<never, never> extends Record<M, unknown>
    ? never
    : M
  : never;

interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject | string };
}

/**
 * Writes a complete error reply. An unknown id is left out.
 * The message has to be a literal in the source, because a text built at run time may contain anything. Values go to
 * `data`, where the secret and pattern filters remove what must not be shown.
 *
 * It throws a TypeError if the code is not an integer inside one of erlmcp's ranges.
 */
function createErrorResponse<const M extends string>(
  id: string | number | undefined,
  code: number,
  message: M & Literal<M>,
  data?: string | Readonly<Record<string, Param>>,
): ErrorResponse {
  if (!validateErrorCode(code)) throw new TypeError(`${code} is not a code of erlmcp.`);
  const sentence = cleanName(message, FAULT_LIMITS.message) ?? erlmcpRowOfCode(code)?.message ?? "Internal error";
  const shown = typeof data === "string" ? cleanText(data, FAULT_LIMITS.quote) : cleanMembers(data);
  return {
    jsonrpc: "2.0",
    ...(id !== undefined && { id }),
    error: { code, message: sentence, ...(shown !== undefined && { data: shown }) },
  };
}

function cleanMembers(data: unknown): JsonObject | undefined {
  const shown: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(FAULT_MEMBERS.params.clean(data) ?? {})) {
    const clean = Array.isArray(param) ? param.flatMap((item) => cleanDatum(item) ?? []) : cleanDatum(param as Scalar);
    if (clean !== undefined) shown[name] = clean;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}

function cleanDatum(value: Scalar): Scalar | undefined {
  if (typeof value === "string" && value !== "") return cleanText(value, FAULT_LIMITS.paramText);
  return value ?? undefined;
}

/** The `erlmcp` dialect, with the helper functions that erlmcp has for its codes. */
export interface ErlmcpDialect extends ExtensibleDialect<ErlmcpWire> {
  /** The same dialect with codes of your own, as every extensible dialect has it. */
  with(own: OwnCodes): ErlmcpDialect;
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
 * import { tool } from "@recourse/faults/reasons";
 * import { erlmcp } from "@recourse/dialects/erlmcp";
 *
 * const { fault } = tool.timeout({ tool: "search", timeoutMs: 30_000 });
 * const wire = erlmcp.encode(fault);
 * // { error: { code: -32032, message: "Tool execution timeout", data: { tool: "search", timeout_ms: 30000 } } }
 * erlmcp.decode(wire)?.params; // { tool: "search", timeoutMs: 30000 }
 */
export const erlmcp: ErlmcpDialect = /* @__PURE__ */ createErlmcp([]);

function createErlmcp(own: readonly OwnCode[]): ErlmcpDialect {
  const name = "erlmcp";
  const published = () => Object.fromEntries([...ERLMCP_ROWS, ...own].map(({ code, reason }) => [code, reason.id]));
  return {
    name,
    encode: (fault, context = {}) => encodeErlmcp(fault, context, own),
    decode: createDecoder((wire, context) => decodeErlmcp(wire, context, own)),
    codes: { codeOf: (fault, context = {}) => erlmcpRowFor(fault, context, own).code, published },
    with(added) {
      const ranges = Object.values(ERROR_CATEGORIES).map(({ from, to }) => [from, to] as const);
      return createErlmcp(addOwnCodes({ name, ranges, published: published(), own }, added));
    },
    validateErrorCode,
    errorCategory,
    errorSeverity,
    clientSeverity: (code) => (errorSeverity(code) === "critical" ? "critical" : "error"),
    maxMessageBytes: ERLMCP_DEFAULTS.maxMessageBytes,
    createErrorResponse,
    defaults: ERLMCP_DEFAULTS,
  };
}
