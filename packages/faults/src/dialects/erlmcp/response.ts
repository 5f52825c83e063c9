import { cleanName, cleanParams, cleanText } from "../../fault/clean.ts";
import { MAX, type Param, type Scalar } from "../../fault/fault.ts";
import type { Json } from "../wire.ts";
import { rowOf } from "./table.ts";

/** Keeps a text that stands in the source as it is; of one that is put together at run time nothing is left. */
type Literal<M extends string> = M extends unknown
  ? Record<never, never> extends Record<M, unknown>
    ? never
    : M
  : never;

/** A whole JSON-RPC reply with an error. */
export interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly error: { readonly code: number; readonly message: string; readonly data?: Json | string };
}

/**
 * Writes a whole error reply; an id that is not known is left out.
 * The message has to stand in the source as a literal, since text that was put together may hold anything; values go to
 * `data`, where both nets look at them and drop what must not be shown.
 */
export function createErrorResponse<const M extends string>(
  id: string | number | undefined,
  code: number,
  message: M & Literal<M>,
  data?: string | Readonly<Record<string, Param>>,
): ErrorResponse {
  const sentence = cleanName(message, MAX.message) ?? rowOf(code)?.message ?? "Internal error";
  const shown = typeof data === "string" ? cleanText(data, MAX.quote) : shownMembers(data);
  return {
    jsonrpc: "2.0",
    ...(id !== undefined && { id }),
    error: { code, message: sentence, ...(shown !== undefined && { data: shown }) },
  };
}

function shownMembers(data: unknown): Json | undefined {
  const shown: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(cleanParams(data) ?? {})) {
    if (Array.isArray(param)) shown[name] = param.filter(isShown);
    else if (isShown(param as Scalar)) shown[name] = param;
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}

function isShown(value: Scalar): boolean {
  return value !== null && (typeof value !== "string" || value === "" || cleanText(value, MAX.paramText) !== undefined);
}
