import type { Sink } from "@recourse/core/server";
import type { Telemetry } from "@recourse/core/telemetry";
import type { TestingOptions } from "@recourse/core/wire";
import type { Credential, Credentials } from "../credentials/credential.ts";
import type { NetworkOptions } from "../network/limits.ts";
import type { Operation } from "../operations/operation.ts";
import type { Errors, ServiceText } from "../reply/fault.ts";
import type { Annotations } from "../sdk.ts";

/** Options of `openapi`. */
export interface OpenapiOptions {
  /**
   * The base address of the API. @default the first server in the document, unless the document was fetched from another
   * origin
   */
  readonly server?: string | URL;
  /**
   * Further base addresses that requests may go to: for operations with a server of their own, and for documents that were
   * fetched from another origin. An entry is an address, or an origin for all addresses of it. @default []
   */
  readonly servers?: readonly string[];
  /**
   * The credential of every call: one for all security schemes that it suits, or one for each scheme by its name.
   * @default none
   */
  readonly credential?: Credentials;
  /** How much text of the API a caller sees when a call fails. @default "public" */
  readonly foreignText?: ServiceText;
  /**
   * Whether the API is yours and uses Recourse, so that faults in its error bodies are taken over whole, in its own words.
   * Of any other, kind and wait are believed. @default false
   */
  readonly speaksFaults?: boolean;
  /** Limits and rules for the requests to the API. @default {} */
  readonly network?: NetworkOptions;
  /** A prefix for the name of every tool. @default none */
  readonly prefix?: string;
  /** Decides which operations become tools. @default all */
  readonly include?: (operation: Operation) => boolean;
  /**
   * Receives failures that only an operator can correct, such as a refused key. It also receives the incidents of servers
   * that `register` guards. @default `stderrSink()`
   */
  readonly sink?: Sink;
  /**
   * Traces the requests to the API and passes the trace on to it; also for servers that `register` guards. Such as
   * `openTelemetry(api)` of `@recourse/faults/telemetry`. @default none
   */
  readonly telemetry?: Telemetry;
  /** The public name of the API, in the `origin` of its faults. @default none */
  readonly name?: string;
  /** Replaces time in tests. @default the platform's */
  readonly testing?: TestingOptions;
  /** Ends the loading of the document. @default none */
  readonly signal?: AbortSignal;
}

/** Options of one operation: what you know about it and its document does not say. */
export interface OperationOptions {
  /**
   * The header for an idempotency key. `false` sends no key although the document declares a header. @default the header
   * that the document declares
   */
  readonly idempotencyHeader?: string | false;
  /** Your reasons for HTTP statuses. @default {} */
  readonly errors?: Errors;
  /**
   * How much text of the API a caller sees when a call of this operation fails: the same values as for the whole bridge.
   * @default the `foreignText` of the bridge
   */
  readonly foreignText?: ServiceText;
  /** How long a call may take, in ms. @default the `deadlineMs` of the network */
  readonly deadlineMs?: number;
  /** Whether the operation is not a tool. @default false */
  readonly hidden?: boolean;
  /** The name of the tool. @default made from the `operationId`, or from method and path */
  readonly name?: string;
  /** The description of the tool. @default made from the document */
  readonly description?: string;
  /**
   * Annotations that the method does not imply, such as `readOnlyHint` for a `POST` that only reads. @default the
   * annotations of the method
   */
  readonly annotations?: Annotations;
}

/** Options for one call. */
export interface OperationCallOptions {
  /** Aborted when the caller no longer waits. @default none */
  readonly signal?: AbortSignal | undefined;
  /** The `_meta` of the MCP request. Its deadline and idempotency key are honoured. @default none */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** The headers of the caller's request, for credentials made with `forward`. @default none */
  readonly headers?: Headers | Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  /** The idempotency key: repeated calls with the same key have the effect of one. @default the key in `meta` */
  readonly idempotencyKey?: string | undefined;
  /**
   * An id of the caller. Equal keys of different callers are then sent to the service as different keys. @default none: all
   * calls have one caller
   */
  readonly caller?: string | undefined;
  /**
   * The credential of this call, in the places where that of the API would be sent. For servers that get a token for each
   * caller. @default the credential of the API
   */
  readonly credential?: Credential | undefined;
}
