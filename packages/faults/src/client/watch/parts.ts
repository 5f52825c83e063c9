import type { Attempts } from "./attempts.ts";
import type { Exchange } from "./exchange.ts";
import type { FetchLike } from "./watched.ts";

/** What the watched fetch works with. */
export interface Parts {
  readonly fetch: FetchLike;
  readonly now: () => number;
  /** How often the SDK's transport tries to resume a stream. */
  readonly resumptions: number;
  readonly attempts: Attempts;
  /** The last exchange that failed and belonged to no call. */
  failed?: Exchange;
}

/** The arguments of `fetch`. */
export interface Request {
  readonly url: string | URL;
  readonly init: RequestInit;
}
