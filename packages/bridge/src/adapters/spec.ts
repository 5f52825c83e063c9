import type { AnyReason, Effect, Recourse, RetryWord, StatedKind } from "@recourse/faults";

/** A slot of a sentence, such as `slot.integer`. */
type AnySlot = AnyReason["slots"][string];

/** What an adapter declares about one of its failures. */
export interface FaultSpec {
  readonly kind: StatedKind;
  /** One sentence for the model; `{name}` stands for the slot of that name, `[…]` for a part that goes without its value. */
  readonly text: string;
  readonly slots?: Readonly<Record<string, AnySlot>>;
  /** The backend's word on repeating. */
  readonly retry?: RetryWord;
  /** Whether the backend changed anything before it failed so. */
  readonly effect?: Effect;
  /** The next moves, where they differ from those of the kind. */
  readonly recourse?: readonly Recourse[];
}

/** How a backend comes, how it is asked whether it works, and how it goes; each gets a signal that ends it in time. */
export interface Lifecycle<Config, Backend> {
  /** Opens the backend; called once, when the first call needs it, and again later when it failed. */
  initialise(config: Config, signal: AbortSignal): Backend | Promise<Backend>;
  /** Rejects when the backend does not work. */
  health(backend: Backend, signal: AbortSignal): unknown;
  /** Gives back what `initialise` took. */
  close?(backend: Backend, signal: AbortSignal): unknown;
}

/** What a tool gets besides its arguments. */
export interface CallContext<Backend> {
  readonly backend: Backend;
  /** Aborted when time is up, when the caller gives up, and when the adapter closes. */
  readonly signal: AbortSignal;
  /** How long this call may take. */
  readonly timeoutMs: number;
  /** The caller's idempotency key, for a backend that takes one. */
  readonly key: string | undefined;
  /** The context of the request as the SDK hands it on. */
  readonly request: unknown;
}

/** The arguments that a schema gives: of a Standard Schema its output, of a raw shape of such schemas their outputs. */
export type ArgumentsOf<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : Schema extends Readonly<Record<string, { readonly "~standard": unknown }>>
    ? { [K in keyof Schema]: ArgumentsOf<Schema[K]> }
    : Readonly<Record<string, unknown>>;

/** One tool of an adapter. */
export interface ToolSpec<Schema, Backend, Identifier extends string = string> {
  readonly title?: string;
  readonly description: string;
  /** A schema of the kind that the server's SDK takes; it is passed on as it is. */
  readonly inputSchema?: Schema;
  readonly outputSchema?: object;
  /** A tool that only reads changed nothing when it fails; an idempotent one may be repeated. */
  readonly annotations?: ToolAnnotations;
  /** How long one call may take; it also stays below the deadline of the request. */
  readonly timeoutMs?: number;
  /** The declared failures that this tool can have; all of the adapter's unless told. */
  readonly fails?: readonly Identifier[];
  /** Does the work; it runs once for each call and is never repeated here. */
  handler(args: ArgumentsOf<Schema>, context: CallContext<Backend>): object | Promise<object>;
}

/** What a host is told about a tool. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The failures of an adapter by their identifiers. */
export type FaultSpecs = Readonly<Record<string, FaultSpec>>;

/** A tool whatever it takes, as the adapter itself handles it. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments and the backend were typed where the tool was written.
export type AnyTool = ToolSpec<any, any>;

/** A set of tools over one backend. */
export interface AdapterSpec<Config, Backend, Schemas, Faults extends FaultSpecs> {
  /** The domain of its reasons: lower case letters, digits and `_`. */
  readonly name: string;
  /** Every failure that a tool may throw by its identifier. */
  readonly faults: Faults;
  readonly lifecycle: Lifecycle<Config, Backend>;
  readonly tools: { readonly [K in keyof Schemas]: ToolSpec<Schemas[K], Backend, keyof Faults & string> };
}
