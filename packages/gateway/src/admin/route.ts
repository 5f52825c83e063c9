import type { z } from "@hono/zod-openapi";
import type { Fault } from "@recourse/core";
import { core, protocol } from "@recourse/core/reasons";
import type { RequestHead } from "../call/head.ts";
import type { AuditEntry } from "../changes/audit.ts";
import type { AdminRole } from "../config/types.ts";
import type { OpenConsole } from "../console/open-console.ts";
import type { OperatorLine } from "../console/sessions.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import { errorCode } from "../stores/store-error.ts";
import type { AdminParts } from "./parts.ts";

/** Where every path of the API begins. */
export const BASE_PATH = "/admin/v1";

/** The operator who sent a request. */
export interface Operator {
  /** The id of the key. */
  readonly id: string;
  readonly role: AdminRole;
  /** How the request was authenticated: by the key itself, or by a session of the console. */
  readonly via: "key" | "session";
  /** When the session ends at the latest, as ISO 8601. @default there is no session */
  readonly endsAt?: string;
}

/** A request that passed all checks. */
interface AdminRequest<Values = Readonly<Record<string, unknown>>> {
  /** Undefined if a route needs no key. */
  readonly operator: Operator | undefined;
  /** Parameters of path and query, and members of the body. */
  readonly values: Values;
}

/** The answer of a handler that does not do what it was asked for. */
export class Refusal {
  readonly fault: Fault;
  /** Text about it, if the sentence of the fault is not enough. */
  readonly sentence: string | undefined;

  constructor(fault: Fault, { sentence }: { readonly sentence?: string } = {}) {
    this.fault = fault;
    this.sentence = sentence;
  }
}

/** The part of a route that says what it is, and what it takes. */
interface RouteHead<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodObject> {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below `/admin/v1`; names in braces are parameters. */
  readonly path: string;
  /** The name of the operation in the document. */
  readonly id: string;
  /** The least role that may use it; undefined: no key is needed. */
  readonly role: AdminRole | undefined;
  readonly summary: string;
  /** More than the summary says. @default nothing */
  readonly description?: string;
  /** Parameters in the path. @default none */
  readonly params?: Params;
  /** Parameters in the query; none of them is required. @default none */
  readonly query?: Query;
  /** The members of the body. @default no body */
  readonly body?: Body;
  /** Status of a success. @default 200 */
  readonly status?: 201;
  readonly answer: z.ZodObject;
  /** What of an answer its `ETag` is made from: who has the answer already gets 304. @default it has no `ETag` */
  readonly tagged?: (answer: object) => object;
  /** Leaves the route out of the document. @default it is in the document */
  readonly isUnlisted?: true;
}

/** One route of the API: all that is checked, documented and done. */
export interface AdminRoute extends RouteHead<z.ZodObject, z.ZodObject, z.ZodObject> {
  /** Gives the answer. It rejects if a store is down. */
  readonly handle: (request: AdminRequest, parts: AdminParts) => object | Promise<object>;
}

/** What a route without a part has in its place. */
type NoMembers = z.ZodObject<Record<never, never>>;

/** Describes a route. Its handler knows the types of what was sent. */
export function defineRoute<
  Params extends z.ZodObject = NoMembers,
  Query extends z.ZodObject = NoMembers,
  Body extends z.ZodObject = NoMembers,
>(
  route: RouteHead<Params, Query, Body> & {
    readonly handle: (
      request: AdminRequest<z.output<Params> & z.output<Query> & z.output<Body>>,
      parts: AdminParts,
    ) => object | Promise<object>;
  },
): AdminRoute {
  return route as unknown as AdminRoute;
}

interface ListAnswer<T> {
  readonly items: readonly T[];
  /** What `before` has to be to get the page after this one. */
  readonly next: string | null;
}

/** A page of rows that a store has cut. It was asked for one more than the page has, so that the end is known. */
export function pageOfRows<T>(rows: readonly T[], limit: number, keyOf: (row: T) => string): ListAnswer<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? keyOf(last) : null };
}

/** A page of a list that is there as a whole. */
export function pageOfAll<T>(
  all: readonly T[],
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
  keyOf: (row: T) => string,
): ListAnswer<T> | Refusal {
  const from = before === undefined ? 0 : all.findIndex((row) => keyOf(row) === before) + 1;
  if (before !== undefined && from === 0) return NO_SUCH_PAGE;
  return pageOfRows(all.slice(from, from + limit + 1), limit, keyOf);
}

/** What no schema can refuse. */
const NO_SUCH_PAGE = new Refusal(
  protocol.invalid_params.fault(
    {},
    { issues: [{ pointer: "/before", rule: "custom", expected: "the `next` of another page" }] },
  ),
);

/** A change that was begun failed: nobody knows whether it was made. */
export class UncertainChangeError extends Error {
  override readonly name = "UncertainChangeError";

  constructor(cause: unknown) {
    super("A change was begun and failed.", { cause });
  }
}

interface OperatorChange {
  /** What is done, such as `approval.approve`. */
  readonly action: string;
  /** What it is done to. */
  readonly target: string;
  /** What else the audit keeps. @default nothing */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly make: () => Promise<object>;
}

/**
 * Makes a change that the audit knows. The entry is written first: without it nothing is changed. If the change is then
 * refused or fails, a second entry says so.
 */
export async function makeChange(
  { operator }: Pick<AdminRequest, "operator">,
  { controls: { audit }, observer }: AdminParts,
  { action, target, facts: known = {}, make }: OperatorChange,
): Promise<object> {
  if (audit === undefined || operator === undefined)
    return new Refusal(core.misconfigured.fault({}, { effect: "none" }));
  const facts = operator.via === "session" ? { ...known, via: "console" } : known;
  const entry: AuditEntry = { by: operator.id, action, target, facts };
  await audit.record(entry);
  const end = async (outcome: "done" | "refused" | "failed") => {
    observer.log("info", "An operator made a change.", { by: operator.id, action, target, outcome });
    if (outcome === "done") return;
    await audit.record({ ...entry, facts: { ...facts, outcome } }).catch((error: unknown) => {
      observer.log("error", "The audit does not know that a change was not made.", {
        ...{ by: operator.id, action, target, outcome, code: errorCode(error) },
      });
    });
  };
  try {
    const made = await make();
    await end(made instanceof Refusal ? "refused" : "done");
    return made;
  } catch (error) {
    await end("failed");
    throw new UncertainChangeError(error);
  }
}

/** Facts about a request that the app gets beside the request itself. */
export interface AdminBindings {
  readonly origin: HttpOrigin;
  readonly parts: AdminParts;
  readonly checkSource: (head: RequestHead) => Fault | undefined;
  readonly checkOperator: (head: RequestHead) => Operator | { readonly refused: Fault };
  readonly checkKey: (key: string, address: string) => OperatorLine | { readonly refused: Fault };
  readonly console: OpenConsole | undefined;
  /** Clock in ms. */
  readonly monotonic: () => number;
}

/** What the handlers of the app know about a request. */
export interface AdminEnv {
  Bindings: AdminBindings;
  Variables: { startedMs: number; operator: Operator | undefined; route: AdminRoute | undefined };
}
