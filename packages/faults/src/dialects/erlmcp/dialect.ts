import { isObject, type JsonObject } from "@recourse/wire";
import { cleanName, cleanParams, cleanText } from "../../fault/clean.ts";
import { FAULT_LIMITS, type Limit, type Param, type Scalar } from "../../fault/fault.ts";
import type { Severity } from "../../fault/severity.ts";
import { createDecoder } from "../define.ts";
import { type EncodeContext, type ExtensibleCodes, type ExtensibleDialect, withoutMembers } from "../dialect.ts";
import { splitReply } from "../envelope.ts";
import { applyLosses, type Losses } from "../losses.ts";
import { decodeErlmcp } from "./decode.ts";
import {
  type ErlmcpWire,
  encodeErlmcp,
  erlmcpDetailFor,
  erlmcpMessageFor,
  erlmcpParamsFor,
  erlmcpRowFor,
  wholeSeconds,
} from "./encode.ts";
import { erlmcpQuote, issueFromMembers } from "./members.ts";
import {
  ERLMCP_DEFAULTS,
  ERLMCP_ROWS,
  ERROR_CATEGORIES,
  type ErlmcpRow,
  type ErrorCategory,
  erlmcpRowOfCode,
  errorCategory,
  errorSeverity,
  validateErrorCode,
} from "./table.ts";

/** The number is the code of the JSON-RPC error, and fields of your own are members of its `data`. */
const erlmcpCodes: ExtensibleCodes<ErlmcpWire, EncodeContext> = {
  codeOf: (fault, context = {}) => erlmcpRowFor(fault, context).code,
  published: () => Object.fromEntries(ERLMCP_ROWS.map((row) => [row.code, row.reason.id])),
  get ranges() {
    return Object.values(ERROR_CATEGORIES).map(({ from, to }) => [from, to] as const);
  },
  get reserved() {
    const members = ERLMCP_ROWS.flatMap((row) => ("members" in row ? Object.keys(row.members) : []));
    return [...members, "details", "retry_after", "unit", "effect", "basis", "incident"];
  },
  find(wire) {
    const { error } = splitReply(wire);
    if (error === undefined) return undefined;
    const { code, message, data } = error;
    return {
      code,
      fields: data,
      restore: (to, fields) => ({
        error: { code: to, message, data: isObject(data) ? withoutMembers(data, fields) : data },
      }),
    };
  },
  replace({ error }, { code, fields, effect }) {
    const members = { ...fields, ...(effect && { effect }) };
    if (Object.keys(members).length === 0) return { error: { ...error, code } };
    const data = typeof error.data === "string" ? { details: error.data } : error.data;
    return { error: { ...error, code, data: { ...data, ...members } } };
  },
};

/** A string literal type stays unchanged. A string that is built at run time becomes `never`, which no value fits. */
type Literal<M extends string> = M extends unknown
  ? Record<never, never> extends Record<M, unknown>
    ? never
    : M
  : never;

/** A complete JSON-RPC reply with an error. */
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
  for (const [name, param] of Object.entries(cleanParams(data) ?? {})) {
    const clean = Array.isArray(param) ? param.flatMap((item) => cleanDatum(item) ?? []) : cleanDatum(param as Scalar);
    if (clean !== undefined) shown[name] = clean;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}

function cleanDatum(value: Scalar): Scalar | undefined {
  if (typeof value === "string" && value !== "") return cleanText(value, FAULT_LIMITS.paramText);
  return value ?? undefined;
}

/** Kinds that share a code become one; messages of its own and issues become a quote. */
const ERLMCP_LOSSES: Losses<ErlmcpRow> = {
  row: erlmcpRowFor,
  quote: (fault, row, context) =>
    erlmcpQuote(erlmcpMessageFor(fault, row, context), erlmcpDetailFor(fault, row, context), row.reason.id),
  params: erlmcpParamsFor,
  narrowed: {
    issues(fault, row, context) {
      const params = erlmcpParamsFor(fault, row, context);
      const issue = issueFromMembers(row, (name) => params[name]);
      return issue && [issue];
    },
    retry: ({ retry }) =>
      retry?.allowed === true && retry.afterMs !== undefined
        ? { allowed: true, afterMs: wholeSeconds(retry.afterMs) * 1_000 }
        : undefined,
    afterMs: (_fault, { reason }) => (reason.kind === "rate_limited" ? ERLMCP_DEFAULTS.retryAfterMs : undefined),
    limits(fault, row, context) {
      const { limit, windowMs } = erlmcpParamsFor(fault, row, context);
      if (row.reason.kind !== "rate_limited" || (limit ?? windowMs) === undefined) return undefined;
      return [{ ...(limit !== undefined && { quota: limit }), ...(windowMs !== undefined && { windowMs }) } as Limit];
    },
  },
};

/** The `erlmcp` dialect, with the helper functions that erlmcp has for its codes. */
export interface ErlmcpDialect extends ExtensibleDialect<ErlmcpWire> {
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
export const erlmcp: ErlmcpDialect = {
  name: "erlmcp",
  encode: encodeErlmcp,
  decode: createDecoder(decodeErlmcp),
  afterRoundTrip: (fault, context = {}) => applyLosses(ERLMCP_LOSSES, fault, context),
  codes: erlmcpCodes,
  validateErrorCode,
  errorCategory,
  errorSeverity,
  clientSeverity: (code) => (errorSeverity(code) === "critical" ? "critical" : "error"),
  maxMessageBytes: ERLMCP_DEFAULTS.maxMessageBytes,
  createErrorResponse,
  defaults: ERLMCP_DEFAULTS,
};
