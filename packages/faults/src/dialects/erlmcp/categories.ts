import type { Severity } from "../../fault/severity.ts";
import { access_denied } from "../../reasons/library/auth.ts";
import { failed as completion_failed } from "../../reasons/library/completion.ts";
import { internal, validation_failed } from "../../reasons/library/core.ts";
import { invalid_cursor } from "../../reasons/library/pagination.ts";
import { invalid_request, negotiation_failed } from "../../reasons/library/protocol.ts";
import { failed as task_failed } from "../../reasons/library/task.ts";
import { execution_failed } from "../../reasons/library/tool.ts";
import type { TableReason } from "../dialect.ts";

interface CodeRange {
  readonly from: number;
  readonly to: number;
  /** The reason of a code in the range that erlmcp does not define: the most general one of the category. */
  readonly reason: TableReason;
}

/** The thirteen categories and their ranges. */
export const ERROR_CATEGORIES = {
  jsonrpc: { from: -32700, to: -32600, reason: invalid_request },
  mcp_core: { from: -32010, to: -32001, reason: internal },
  content: { from: -32020, to: -32011, reason: validation_failed },
  resource: { from: -32030, to: -32021, reason: validation_failed },
  tool: { from: -32040, to: -32031, reason: execution_failed },
  prompt: { from: -32050, to: -32041, reason: internal },
  auth: { from: -32060, to: -32051, reason: access_denied },
  protocol: { from: -32070, to: -32061, reason: negotiation_failed },
  pagination: { from: -32080, to: -32071, reason: invalid_cursor },
  task: { from: -32090, to: -32081, reason: task_failed },
  progress: { from: -32100, to: -32091, reason: internal },
  completion: { from: -32113, to: -32110, reason: completion_failed },
  experimental: { from: 1090, to: 1099, reason: internal },
} as const satisfies Record<string, CodeRange>;

/** One of the thirteen categories. */
export type ErrorCategory = keyof typeof ERROR_CATEGORIES;

/** The severity of single codes, which wins over that of a range. */
const SEVERITY_BY_CODE: Readonly<Record<number, Severity>> = {
  [-32700]: "critical",
  [-32600]: "critical",
  [-32603]: "critical",
  [-32601]: "error",
  [-32602]: "error",
};

/** Returns the category whose range a code is in, or undefined. */
export function errorCategory(code: number): ErrorCategory | undefined {
  if (!Number.isInteger(code)) return undefined;
  const names = Object.keys(ERROR_CATEGORIES) as ErrorCategory[];
  return names.find((name) => code >= ERROR_CATEGORIES[name].from && code <= ERROR_CATEGORIES[name].to);
}

/** Checks whether a code is inside one of erlmcp's ranges, defined or not. */
export function validateErrorCode(code: number): boolean {
  return errorCategory(code) !== undefined;
}

/** Returns the severity of a code; `info` for every code that erlmcp does not rank. */
export function errorSeverity(code: number): Severity {
  const ranked = SEVERITY_BY_CODE[code];
  if (ranked !== undefined) return ranked;
  if (!Number.isInteger(code) || code > -32001 || code < -32080) return "info";
  return code >= -32010 ? "error" : "warning";
}
