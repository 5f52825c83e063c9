import type { Errors } from "../answer/errors.ts";
import type { TextMode } from "../answer/reply-fault.ts";
import type { Credentials } from "../credentials/choose.ts";
import type { NetworkOptions } from "../network/limits.ts";
import type { Annotations, Operation } from "../operations/operation.ts";
import type { AlertSink } from "./alerts.ts";

/** How an API becomes tools. */
export interface OpenapiOptions {
  /** The base address. Without it the first one in the document counts, unless the document came from another origin. */
  readonly server?: string | URL;
  /** Base addresses in the document that may be used besides: of single operations, or of a document from elsewhere. */
  readonly servers?: readonly string[];
  /** What proves to the API who calls: one for all schemes that it fits, or one for each scheme by name. */
  readonly credential?: Credentials;
  /** How much of the API's own words a caller sees when it fails; `declared`, so none, unless told. */
  readonly text?: TextMode;
  readonly network?: NetworkOptions;
  /** Stands before the name of every tool. */
  readonly prefix?: string;
  /** Which operations become tools; all unless told. */
  readonly include?: (operation: Operation) => boolean;
  /** Hears of what only an operator can mend; also where incidents go if the bridge guards the server. */
  readonly sink?: AlertSink;
  /** Public name of the API, in the origin of its faults. */
  readonly name?: string;
  /** Clock, in ms since 1970. */
  readonly now?: () => number;
  readonly signal?: AbortSignal;
}

/** What an author knows about one operation and its document does not say. */
export interface OperationOptions {
  /** The header that takes an idempotency key; `false` where the document names one in vain. */
  readonly key?: string | false;
  /** Reasons for statuses that mean something of their own here. */
  readonly errors?: Errors;
  readonly text?: TextMode;
  /** How long a call may take in all, in the place of the network's own limit. */
  readonly timeoutMs?: number;
  /** It is no tool. */
  readonly hidden?: boolean;
  /** Another name for its tool. */
  readonly name?: string;
  /** Another description for its tool. */
  readonly description?: string;
  /** What its method does not promise, such as a `POST` that only reads. */
  readonly annotations?: Annotations;
}

/** What a call may be told. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The `_meta` of the request: its deadline and its key count. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Headers of the caller's request, for credentials that are forwarded. */
  readonly headers?: Headers | Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  /** The key that makes repetitions of this call one call. */
  readonly key?: string | undefined;
  /** Who calls, so that keys of different callers never meet. */
  readonly caller?: string | undefined;
}
