import type { Fault } from "@recourse/faults";
import type { AdminRole } from "../config/types.ts";
import type { AdminParts } from "./start-admin.ts";
import type { Values } from "./values.ts";

/** A JSON Schema of a parameter, a body or an answer. */
export type Schema = Readonly<Record<string, unknown>>;

/** Where every path of the API begins. */
export const BASE_PATH = "/admin/v1";

/** The operator who sent a request. */
export interface Operator {
  /** The id of the key. */
  readonly id: string;
  readonly role: AdminRole;
}

/** A request that passed all checks. */
export interface AdminRequest {
  /** Undefined where a route is open to everybody. */
  readonly operator: Operator | undefined;
  /** Parameters of path and query, and members of the body. */
  readonly values: Values;
}

/** The answer of a handler that does not do what it was asked for. */
export class Refusal {
  readonly fault: Fault;
  constructor(fault: Fault) {
    this.fault = fault;
  }
}

/** One route of the API: all that is checked, documented and done. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path below `/admin/v1`; names in braces are parameters. */
  readonly path: string;
  /** The name of the operation in the document. */
  readonly id: string;
  /** The least role that may use it; undefined: open to everybody, without a key. */
  readonly role: AdminRole | undefined;
  readonly summary: string;
  /** More than the summary says. @default nothing */
  readonly description?: string;
  /** Schemas of the parameters in the path. @default none */
  readonly params?: Readonly<Record<string, Schema>>;
  /** Schemas of the parameters in the query; none of them is required. @default none */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Schema of the body. @default no body */
  readonly body?: Schema;
  /** Status of a success. @default 200 */
  readonly status?: 201;
  /** Schema of the answer. */
  readonly answer: Schema;
  /** Leaves the route out of the document. @default it is in the document */
  readonly isUnlisted?: true;
  /** Gives the answer. It rejects where a store is away. */
  readonly handle: (request: AdminRequest, parts: AdminParts) => object | Promise<object>;
}
