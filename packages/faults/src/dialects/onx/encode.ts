import { type Fault, type Issue, type Param, RULES } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { render } from "../../render/render.ts";
import { certaintyMeta, certaintyOf } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import { proseOf } from "../prose.ts";
import type { Json } from "../wire.ts";
import { toPath } from "./path.ts";
import { BY_KIND, BY_RULE, ROWS, type Row, RPC, RPC_BY_KIND, RPC_BY_REASON, type RpcCode } from "./table.ts";

/** A tool result that carries the error object, or a JSON-RPC error for what failed before a tool ran. */
export type OnxWire =
  | {
      readonly result: {
        readonly content: readonly [{ readonly type: "text"; readonly text: string }];
        readonly isError: true;
        readonly error: ErrorResponse;
        readonly _meta?: Json;
      };
    }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: Json } };

/** The system's error object. */
interface ErrorResponse {
  readonly code: number;
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: Details;
}

/** What the error object may tell besides. */
interface Details {
  readonly field?: string;
  readonly reason?: string;
  readonly suggestion?: string;
  readonly context?: Json;
  readonly originalError?: string;
}

/** How a fault goes out: as a row of the table, or as a JSON-RPC code. */
export function routeFor(fault: Fault, context: EncodeContext): Row | RpcCode {
  const code = RPC_BY_REASON[fault.reason];
  if (code !== undefined) return code;
  const kind = knownKind(fault);
  // Only the result of a tool call can carry the error object.
  if ((context.method ?? "tools/call") !== "tools/call") return RPC_BY_KIND[kind] ?? -32603;
  const own = Object.values<Row>(ROWS).find((row) => row.reason.id === fault.reason);
  const row = own ?? (kind === "invalid_input" ? ruleRow(fault) : undefined) ?? BY_KIND[kind];
  return row === "rpc" ? -32600 : row;
}

function ruleRow(fault: Fault): Row | undefined {
  const [first, ...rest] = fault.issues ?? [];
  return first && rest.every((issue) => issue.rule === first.rule) ? BY_RULE[first.rule] : undefined;
}

/** Whether the caller may repeat: the peer's word, the habit of the code, or what the next move says. */
export function retryableOf(fault: Fault, row: Row): boolean {
  return fault.retry?.allowed ?? row.retryable ?? fault.recourse[0].do === "retry";
}

/** The backend's own identifier, of the fault or of what caused it. */
export function originalErrorOf(fault: Fault): string | undefined {
  const own = fault.params?.["originalError"];
  if (typeof own === "string") return own;
  return fault.cause && originalErrorOf(fault.cause);
}

/** Writes a fault as the system's error object inside a tool result, or as a JSON-RPC error. */
export function encode(fault: Fault, context: EncodeContext = {}): OnxWire {
  const route = routeFor(fault, context);
  if (typeof route === "number") {
    const field = pathOf(fault.issues?.[0]);
    const data = { ...(field !== undefined && { field }), ...certaintyOf(fault, RPC[route]) };
    return { error: { code: route, message: proseOf(fault), ...(Object.keys(data).length > 0 && { data }) } };
  }
  const details = detailsOf(fault);
  const meta = certaintyMeta(certaintyOf(fault, route.reason));
  return {
    result: {
      content: [{ type: "text", text: render(fault, { for: "model" }) }],
      isError: true,
      error: {
        code: route.code,
        message: proseOf(fault),
        retryable: retryableOf(fault, route),
        ...(Object.keys(details).length > 0 && { details }),
      },
      ...(Object.keys(meta).length > 0 && { _meta: meta }),
    },
  };
}

function detailsOf(fault: Fault): Details {
  const [issue] = fault.issues ?? [];
  const named = fault.params?.["field"];
  const field = issue ? pathOf(issue) : typeof named === "string" && named !== "" ? named : undefined;
  const word = wordOf(fault, issue);
  const { originalError: _apart, ...params } = fault.params ?? {};
  const shown = Object.entries(params).filter(
    ([key, value]) => value !== null && !(key === "constraint" && value === word),
  );
  const originalError = originalErrorOf(fault);
  return {
    ...(field !== undefined && { field }),
    ...(word !== undefined && { reason: word }),
    ...(shown.length > 0 && { context: Object.fromEntries<Param>(shown) }),
    ...(originalError !== undefined && { originalError }),
  };
}

/** The short word for programs: the rule, or the constraint where the rule says nothing. */
function wordOf(fault: Fault, issue: Issue | undefined): string | undefined {
  const constraint = fault.params?.["constraint"];
  const told = issue !== undefined && (issue.rule !== "custom" || issue.pointer === "");
  if (told || typeof constraint !== "string" || constraint === "" || isRule(constraint)) return issue?.rule;
  return constraint;
}

/** Tells whether a word is the name of a rule. */
export function isRule(word: unknown): word is Issue["rule"] {
  return (RULES as readonly unknown[]).includes(word);
}

function pathOf(issue: Issue | undefined): string | undefined {
  return issue === undefined || issue.pointer === "" ? undefined : toPath(issue.pointer);
}
