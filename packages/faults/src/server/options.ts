import type { Dialect } from "../dialects/dialect.ts";
import type { RuleGroup } from "../safety/tripwire.ts";
import type { Sink } from "./incidents/incident.ts";
import type { KeyStore } from "./keys/store.ts";

/** How a guarded server behaves. */
export interface GuardOptions {
  /** Where incidents go; the default writes to standard error. */
  readonly sink?: Sink;
  /** `quote` when the sentences that handlers throw are meant for the model. */
  readonly thrown?: "mask" | "quote";
  /** Groups of tripwire rules that do not apply to quoted sentences, such as `path` for a file server. */
  readonly allow?: readonly RuleGroup[];
  /** The wire that failures are written in, for all or by request; the default is MCP's own. */
  readonly dialect?:
    | Dialect<unknown>
    | ((request: { readonly method: string; readonly meta: object }) => Dialect<unknown>);
  /** Public name of this server in the origin of its faults. */
  readonly name?: string;
  /** Where the pages of the reasons are served. */
  readonly docsBase?: string;
  /** How long a tool may run where the caller names no deadline; none by default. */
  readonly deadlineMs?: number | ((tool: string) => number | undefined);
  /** Where idempotency keys are kept, such as `memoryKeys()`; without it keys are not honoured, and callers are told so. */
  readonly keys?: KeyStore;
  /** Who calls, from the `authInfo` of a request; by default its client with its subject, or with its token where it has none. */
  readonly caller?: (auth: unknown) => string;
  /** Tells a returned value that is a failure in disguise; by `answer` it is reported, answered with a fault, or left alone. */
  readonly looksFailed?: {
    readonly test?: (result: unknown) => boolean;
    readonly answer?: "report" | "fail" | "ignore";
  };
  /** Keep a record of the callers' own mistakes too, so that they get an incident. */
  readonly recorded?: boolean;
  /** Report faults that a tool did not declare. */
  readonly development?: boolean;
  /** Clock, in ms since 1970. */
  readonly now?: () => number;
  /** 16 random bytes for an id. */
  readonly random?: () => Uint8Array;
}

/** What a guarded server counted. */
export interface GuardCounts {
  /** Results that came after their deadline and were thrown away. */
  readonly late: number;
  /** Results that looked like failures. */
  readonly looksFailed: number;
  /** Faults that their tool had not declared. */
  readonly undeclared: number;
}
