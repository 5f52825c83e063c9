import { type Fault, ISSUE_RULES, type Issue, type Param } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import type { JsonObject } from "../../json/read.ts";
import { render } from "../../render/render.ts";
import { certaintyMembers, certaintyMeta } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import { wireSentence } from "../sentence.ts";
import { toDottedPath } from "./dotted-path.ts";
import {
  ONX_BY_KIND,
  ONX_BY_RULE,
  ONX_ROWS,
  ONX_RPC,
  ONX_RPC_BY_KIND,
  ONX_RPC_BY_REASON,
  type OnxRow,
  type OnxRpcCode,
} from "./table.ts";

/** A tool result with the error object, or a JSON-RPC error for a request that failed before a tool ran. */
export type OnxWire =
  | {
      readonly result: {
        readonly content: readonly [{ readonly type: "text"; readonly text: string }];
        readonly isError: true;
        readonly error: OnxError;
        readonly _meta?: JsonObject;
      };
    }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject } };

/** onX's error object. */
interface OnxError {
  readonly code: number;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: OnxDetails;
}

/** Optional facts in the error object. */
interface OnxDetails {
  readonly field?: string;
  readonly reason?: string;
  readonly suggestion?: string;
  readonly context?: JsonObject;
  readonly originalError?: string;
}

/** Writes a fault as onX's error object inside a tool result, or as a JSON-RPC error. */
export function encodeOnx(fault: Fault, context: EncodeContext = {}): OnxWire {
  const route = onxRouteFor(fault, context);
  if (typeof route === "number") {
    const field = onxFieldOf(fault.issues?.[0]);
    const data = { ...(field !== undefined && { field }), ...certaintyMembers(fault, ONX_RPC[route]) };
    return { error: { code: route, message: wireSentence(fault), ...(Object.keys(data).length > 0 && { data }) } };
  }
  const details = onxDetails(fault);
  const meta = certaintyMeta(certaintyMembers(fault, route.reason));
  return {
    result: {
      content: [{ type: "text", text: render(fault, { for: "model" }) }],
      isError: true,
      error: {
        code: route.code,
        message: wireSentence(fault),
        retryable: onxRetryable(fault, route),
        ...(Object.keys(details).length > 0 && { details }),
      },
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    },
  };
}

/** How a fault is written: as a row of the table, or with a JSON-RPC code. */
export function onxRouteFor(fault: Fault, context: EncodeContext): OnxRow | OnxRpcCode {
  const code = ONX_RPC_BY_REASON[fault.reason];
  if (code !== undefined) return code;
  const kind = knownKind(fault);
  // Only the result of a tool call can carry the error object.
  if ((context.method ?? "tools/call") !== "tools/call") return ONX_RPC_BY_KIND[kind] ?? -32603;
  const own = Object.values<OnxRow>(ONX_ROWS).find((row) => row.reason.id === fault.reason);
  const row = own ?? (kind === "invalid_input" ? rowOfSharedRule(fault) : undefined) ?? ONX_BY_KIND[kind];
  return row === "rpc" ? -32600 : row;
}

/** The row for issues that all break the same rule. */
function rowOfSharedRule(fault: Fault): OnxRow | undefined {
  const [first, ...rest] = fault.issues ?? [];
  return first && rest.every((issue) => issue.rule === first.rule) ? ONX_BY_RULE[first.rule] : undefined;
}

/** Whether the caller may retry: by the fault's advice, else by the row, else by the first move. */
export function onxRetryable(fault: Fault, row: OnxRow): boolean {
  return fault.retry?.allowed ?? row.retryable ?? fault.recourse[0].do === "retry";
}

/** The backend's identifier, from the params of the fault or of its nearest cause. */
export function originalErrorOf(fault: Fault): string | undefined {
  const own = fault.params?.["originalError"];
  if (typeof own === "string") return own;
  return fault.cause && originalErrorOf(fault.cause);
}

function onxDetails(fault: Fault): OnxDetails {
  const [issue] = fault.issues ?? [];
  const named = fault.params?.["field"];
  const field = issue ? onxFieldOf(issue) : typeof named === "string" && named !== "" ? named : undefined;
  const detailReason = onxDetailReason(fault, issue);
  const { originalError: _separate, ...params } = fault.params ?? {};
  const shown = Object.entries(params).filter(
    ([key, value]) => value !== null && !(key === "constraint" && value === detailReason),
  );
  const originalError = originalErrorOf(fault);
  return {
    ...(field !== undefined && { field }),
    ...(detailReason !== undefined && { reason: detailReason }),
    ...(shown.length > 0 && { context: Object.fromEntries<Param>(shown) }),
    ...(originalError !== undefined && { originalError }),
  };
}

/** The member `details.reason`: the rule of the issue, or the constraint where the rule is only `custom`. */
function onxDetailReason(fault: Fault, issue: Issue | undefined): string | undefined {
  const constraint = fault.params?.["constraint"];
  const isNamed = issue !== undefined && (issue.rule !== "custom" || issue.pointer === "");
  if (isNamed || typeof constraint !== "string" || constraint === "" || isIssueRule(constraint)) return issue?.rule;
  return constraint;
}

/** Checks whether a value is the name of an issue rule. */
export function isIssueRule(value: unknown): value is Issue["rule"] {
  return (ISSUE_RULES as readonly unknown[]).includes(value);
}

function onxFieldOf(issue: Issue | undefined): string | undefined {
  return issue === undefined || issue.pointer === "" ? undefined : toDottedPath(issue.pointer);
}
