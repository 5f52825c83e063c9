import type { Dialect } from "../dialects/dialect.ts";
import type { Sink, Telemetry } from "../incidents/incident.ts";
import type { ForeignText } from "../reasons/thrown/to-fault.ts";
import type { RuleGroup } from "../safety/rules/rule.ts";
import type { TestingOptions } from "../wire/clock.ts";
import type { CallerRule } from "./idempotency/caller.ts";
import type { IdempotencyStore } from "./idempotency/store.ts";

/** A request whose time is limited. */
export interface DeadlineTarget {
  /** JSON-RPC method, such as `tools/call`. */
  readonly method: string;
  /** Name of the tool, for `tools/call`. */
  readonly tool?: string | undefined;
}

/** How a guarded server treats calls with an idempotency key. */
export interface GuardIdempotencyOptions {
  /** Where keys are kept, such as `memoryIdempotency()`. @default none: keys are not honoured, and callers can see that */
  readonly store?: IdempotencyStore;
  /**
   * Whether your tools honour keys themselves: each tool that changes something keeps the key with what it did, or does no harm
   * when it runs twice. The server announces it to clients, which then repeat a call whose outcome is not known.
   * @default false, unless there is a `store`
   */
  readonly honoursKeys?: boolean;
  /**
   * Names the caller that a key belongs to, from the `authInfo` and the headers of a request. A call with a key whose caller
   * has no name is refused.
   * @default subject, issuer, tenant and client in `authInfo`, or its token if it has no subject; over stdio and in memory
   * there is one caller
   */
  readonly caller?: CallerRule;
  /**
   * Tells whether a tool passes the key on to a service that honours it. Such a call runs again if it is unknown how it
   * ended.
   * @default no tool does
   */
  readonly forwardsKey?: (tool: string) => boolean;
}

/** Options of `guard`. A number out of range throws a `RangeError` that names the option. */
export interface GuardOptions {
  /** Receives incidents. @default `stderrSink()` */
  readonly sink?: Sink;
  /** Traces requests, as a part of the caller's trace; `openTelemetry(api)` of `/telemetry`. @default none */
  readonly telemetry?: Telemetry;
  /**
   * What callers may read of text that neither you nor Recourse wrote. Whatever is shown is filtered and marked as a
   * quotation; the rest goes only to your log. Sentences that your code throws, and failures that a handler returns with
   * `isError`, are sent without what a rule finds in them.
   * - `hide`: nothing. Every returned failure is replaced, and thrown sentences are hidden.
   * - `public`: errors that handlers throw and that their author made for the caller (protocol errors -32600, -32601, -32602
   *   and -32002 of the MCP SDK; 4xx errors of http-errors, Koa, Express, Fastify, Hono, Boom, tRPC and GraphQL; FastMCP's
   *   `UserError`), what another MCP server said in a fault that you pass on, and what a service said about a mistake of the
   *   caller.
   * - `quote`: the text of every thrown error, and of every fault that you pass on.
   * @default "public", or what the dialect says (`hide` for `qaqnuz`)
   */
  readonly foreignText?: ForeignText;
  /** Groups of filter rules to skip for quoted and returned text, such as `["path"]` for a file server. @default none */
  readonly allow?: readonly RuleGroup[];
  /**
   * Whether faults in results that your handlers pass on from other servers are believed as a whole. Say so only if these
   * are servers of yours that use Recourse; of any other, kind and wait are believed.
   * @default false
   */
  readonly speaksFaults?: boolean;
  /** The wire that failures are written in, for all requests or chosen by request. @default the `mcp` dialect */
  readonly dialect?: DialectChoice;
  /** Public name of this server, in the origin of its faults. @default none */
  readonly name?: string;
  /** Base URL of the pages about your reasons. @default none */
  readonly docsBase?: string;
  /**
   * How long a request may take, in ms, for all requests or chosen by request. A caller's own deadline also counts, if it is
   * shorter. The signal that your handler gets is aborted when time is up.
   * @default no limit
   */
  readonly deadlineMs?: number | ((target: DeadlineTarget) => number | undefined);
  /**
   * Whether the arguments of a call are checked against the input schema that the server lists, before a handler of your own
   * for `tools/call` runs. The tools that you register on an `McpServer` are always checked, by the SDK.
   * @default false: your handler checks them
   */
  readonly checkArguments?: boolean;
  /** How calls with an idempotency key are treated. @default keys are not honoured */
  readonly idempotency?: GuardIdempotencyOptions;
  /** What to do about a result that looks like a failure but is not marked as one, such as `{ "success": false }`. @default reported */
  readonly looksFailed?: {
    /** Tells such a result. @default a built-in rule */
    readonly test?: (result: unknown) => boolean;
    /** `report` it as an incident, `fail` the call with a fault, or `ignore` it. @default "report" */
    readonly answer?: "report" | "fail" | "ignore";
  };
  /** Also report mistakes of callers, such as wrong arguments, as incidents. @default false */
  readonly reportCallerErrors?: boolean;
  /** Replaces time and incident ids in tests. @default the platform's */
  readonly testing?: TestingOptions;
}

/** What a guarded server has counted. */
export interface GuardStats {
  /** Results that came after their deadline and were dropped. */
  readonly late: number;
  /** Results that looked like failures. */
  readonly looksFailed: number;
}

/** A request whose failures are written in some dialect. */
export interface DialectRequest {
  /** JSON-RPC method, such as `tools/call`; `edge` for a message that was refused before its method was known. */
  readonly method: string;
  /** The `_meta` of the request. */
  readonly meta: object;
}

export type DialectChoice = Dialect<unknown> | ((request: DialectRequest) => Dialect<unknown>);
