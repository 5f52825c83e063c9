import type { Annotations } from "../sdk.ts";
import type { AdapterFail, FaultSpecs } from "./adapter-error.ts";

/** How a backend is opened and closed. Each function gets a signal that is aborted when its time is up. */
export interface Lifecycle<Config, Backend> {
  /** Opens the backend. It runs when the first call needs the backend, and again after a start that failed. */
  initialise(config: Config, signal: AbortSignal): Backend | Promise<Backend>;
  /** Closes the backend. @default nothing is closed */
  close?(backend: Backend, signal: AbortSignal): unknown;
}

/** What a handler gets besides the arguments of the call. */
export interface CallContext<Backend, Faults extends FaultSpecs = FaultSpecs> {
  /** What `initialise` returned. */
  readonly backend: Backend;
  /**
   * Makes the error for a declared failure; throw what it returns. An identifier that is not declared, or params that do
   * not fit its slots, do not compile.
   *
   * @example
   * throw fail("SOLD_OUT", { left: 2 });
   */
  readonly fail: AdapterFail<Faults>;
  /** Aborted when time is up, when the caller gives up, and when the adapter closes. */
  readonly signal: AbortSignal;
  /** How long this call may take, in ms. */
  readonly deadlineMs: number;
  /** The key that the caller chose; undefined if it sent none. Different callers may choose the same key. */
  readonly idempotencyKey: string | undefined;
  /** The context that the SDK passes to handlers, unchanged. */
  readonly request: unknown;
}

/** The arguments that a schema describes: the output of a Standard Schema, or the outputs of a raw shape of such schemas. */
export type ArgumentsOf<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : Schema extends Readonly<Record<string, { readonly "~standard": unknown }>>
    ? { [K in keyof Schema]: ArgumentsOf<Schema[K]> }
    : Readonly<Record<string, unknown>>;

/** One tool of an adapter. */
export interface ToolSpec<Schema, Backend, Faults extends FaultSpecs = FaultSpecs> {
  /** A name for people. @default none */
  readonly title?: string;
  /** What the tool does, for the model. */
  readonly description: string;
  /**
   * The schema of the arguments, in a form that the SDK of your server takes. It is passed to the SDK unchanged.
   * @default the tool takes no arguments
   */
  readonly inputSchema?: Schema;
  /** The schema of the structured result. It is passed to the SDK unchanged. @default none */
  readonly outputSchema?: object;
  /**
   * Hints for hosts. They also decide about failures: a tool with `readOnlyHint` changed nothing when it fails, and a call
   * of a tool with `idempotentHint` may be repeated. @default {}
   */
  readonly annotations?: Annotations;
  /**
   * How long one call may take, in ms. A shorter deadline of the caller counts first. @default the `deadlineMs` of the
   * adapter
   */
  readonly deadlineMs?: number;
  /** The declared failures that this tool can have; they are listed in its `_meta`. @default all failures of the adapter */
  readonly fails?: readonly (keyof Faults & string)[];
  /** Does the work. It runs once for each call and is never repeated by the adapter. */
  handler(args: ArgumentsOf<Schema>, context: CallContext<Backend, Faults>): object | Promise<object>;
}

/** Any tool, as the adapter handles it. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments and the backend were typed where the tool was written.
export type AnyTool = ToolSpec<any, any>;

/** A set of tools over one backend. */
export interface AdapterSpec<Config, Backend, Schemas, Faults extends FaultSpecs> {
  /** The domain of the adapter's reasons: lower-case letters, digits and `_`. */
  readonly name: string;
  /** Every failure that callers can act on, by its identifier. */
  readonly faults: Faults;
  /** How the backend is opened and closed. */
  readonly lifecycle: Lifecycle<Config, Backend>;
  /** The tools by their names. */
  readonly tools: { readonly [K in keyof Schemas]: ToolSpec<Schemas[K], Backend, Faults> };
}
