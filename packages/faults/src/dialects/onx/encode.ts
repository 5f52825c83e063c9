import { type Fault, ISSUE_RULES, type Issue, type Param } from "../../fault/fault.ts";
import type { JsonObject } from "../../json/read.ts";
import { attribute } from "../../render/attribute.ts";
import { describeNextMoves } from "../../render/next-move.ts";
import { render } from "../../render/render.ts";
import { carriedMembers, carriedMeta } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import { type ErrorData, errorAsData } from "../error-object.ts";
import { wireSentence } from "../sentence.ts";
import { toDottedPath } from "./dotted-path.ts";
import { KIND_KEY, NEXT_KEY, WAIT_NAME } from "./names.ts";
import { type OnxRoute, onxRouteFor, originalErrorOf } from "./route.ts";
import { ONX_RPC } from "./table.ts";

/** A tool result with the error object, or a JSON-RPC error for a request that failed before a tool ran. */
export type OnxWire =
  | {
      readonly result: ErrorData<OnxError> & {
        readonly content: readonly [{ readonly type: "text"; readonly text: string }];
        readonly isError: true;
        readonly error: OnxError;
        readonly _meta: JsonObject;
      };
    }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: JsonObject } };

/** onX's error object. */
interface OnxError {
  readonly code: number;
  readonly message: string;
  readonly retryable: boolean;
  readonly details: OnxDetails;
}

/** Facts in the error object. */
interface OnxDetails {
  readonly field?: string;
  readonly reason?: string;
  readonly suggestion: string;
  readonly context?: JsonObject;
  readonly originalError?: string;
}

/** Writes a fault as onX's error object inside a tool result, or as a JSON-RPC error. */
export function encodeOnx(fault: Fault, context: EncodeContext = {}): OnxWire {
  const route = onxRouteFor(fault, context);
  if (typeof route === "number") {
    const field = onxFieldOf(fault.issues?.[0]);
    const data = { ...(field !== undefined && { field }), ...carriedMembers(fault, ONX_RPC[route]) };
    return { error: { code: route, message: wireSentence(fault), ...(Object.keys(data).length > 0 && { data }) } };
  }
  const { code, retryable } = route;
  const error = { code, message: wireSentence(fault), retryable, details: onxDetails(fault, route) };
  return {
    result: {
      content: [{ type: "text", text: render(fault, { for: "model" }) }],
      isError: true,
      ...errorAsData(error, context),
      error,
      _meta: onxMeta(fault, route),
    },
  };
}

/** Members of `_meta` for readers of Recourse: what the error object has no member for. */
function onxMeta(fault: Fault, { code, row }: OnxRoute): JsonObject {
  return {
    ...(code !== row.code && { [KIND_KEY]: row.reason.kind }),
    [NEXT_KEY]: fault.recourse,
    ...carriedMeta(carriedMembers(fault, row.reason)),
  };
}

/** The wait before a retry, in ms. */
export function onxWaitOf({ retry, recourse }: Fault): number | undefined {
  return retry?.afterMs ?? recourse.find((move) => move.do === "retry")?.afterMs;
}

function onxDetails(fault: Fault, { retryable }: OnxRoute): OnxDetails {
  const [issue] = fault.issues ?? [];
  const named = fault.params?.["field"];
  const field = issue ? onxFieldOf(issue) : typeof named === "string" && named !== "" ? named : undefined;
  const detailReason = onxDetailReason(fault, issue);
  const { originalError: _separate, [WAIT_NAME]: _wait, ...params } = fault.params ?? {};
  const shown = Object.entries(params).filter(
    ([key, value]) => value !== null && !(key === "constraint" && value === detailReason),
  );
  const originalError = originalErrorOf(fault);
  const waitMs = retryable ? onxWaitOf(fault) : undefined;
  if (waitMs !== undefined) shown.push([WAIT_NAME, waitMs]);
  return {
    ...(field !== undefined && { field }),
    ...(detailReason !== undefined && { reason: detailReason }),
    suggestion: describeNextMoves(attribute(fault).moves),
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
