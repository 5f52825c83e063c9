import type { RetryEngine } from "../retry/index.ts";
import type { ClientLike, Method } from "../sdk/client.ts";
import type { ClientConnection } from "./connection.ts";
import type { RecourseOptions } from "./options.ts";
import type { ToolHints, ToolLookup } from "./tool-list.ts";

export interface McpRequest {
  readonly method: Method;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly params: object;
}

export interface ClientState<C extends ClientLike> {
  readonly options: RecourseOptions<C>;
  readonly connection: ClientConnection<C>;
  readonly engine: RetryEngine;
  readonly hints: ToolHints;
  readonly deadlineMs: number;
  /** How long this side waits for one answer by its own settings. */
  readonly answerMs: number;
  /** For lengths of time: it never goes back. */
  readonly monotonic: () => number;
  /** For points in time, in ms since 1970. */
  readonly now: () => number;
  readonly createId: () => string;
  readonly lookup: ToolLookup;
  /** The server does not know whose keys these are, so `autoIdempotency` sends none. */
  autoKeysRefused?: boolean;
}
