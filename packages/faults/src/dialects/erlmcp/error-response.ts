import { cleanName, cleanParams, cleanText } from "../../fault/clean.ts";
import { MAX, type Param, type Scalar } from "../../fault/fault.ts";
import type { JsonObject } from "../../json/read.ts";
import { validateErrorCode } from "./categories.ts";
import { erlmcpRowOfCode } from "./table.ts";

/** A string literal type stays unchanged. A string that is built at run time becomes `never`, which no value fits. */
type Literal<M extends string> = M extends unknown
  ? Record<never, never> extends Record<M, unknown>
    ? never
    : M
  : never;

/** A complete JSON-RPC reply with an error. */
export interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject | string };
}

/**
 * Writes a complete error reply. An unknown id is left out.
 * The message has to be a literal in the source, because a text built at run time may contain anything. Values go to
 * `data`, where the secret and pattern filters remove what must not be shown.
 *
 * It throws a TypeError where the code is not an integer inside one of erlmcp's ranges.
 */
export function createErrorResponse<const M extends string>(
  id: string | number | undefined,
  code: number,
  message: M & Literal<M>,
  data?: string | Readonly<Record<string, Param>>,
): ErrorResponse {
  if (!validateErrorCode(code)) throw new TypeError(`${code} is not a code of erlmcp.`);
  const sentence = cleanName(message, MAX.message) ?? erlmcpRowOfCode(code)?.message ?? "Internal error";
  const shown = typeof data === "string" ? cleanText(data, MAX.quote) : cleanMembers(data);
  return {
    jsonrpc: "2.0",
    ...(id !== undefined && { id }),
    error: { code, message: sentence, ...(shown !== undefined && { data: shown }) },
  };
}

function cleanMembers(data: unknown): JsonObject | undefined {
  const shown: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(cleanParams(data) ?? {})) {
    if (Array.isArray(param)) shown[name] = param.filter(isCleanScalar);
    else if (isCleanScalar(param as Scalar)) shown[name] = param;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}

function isCleanScalar(value: Scalar): boolean {
  return value !== null && (typeof value !== "string" || value === "" || cleanText(value, MAX.paramText) !== undefined);
}
