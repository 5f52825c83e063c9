import type { Engine } from "../retry/index.ts";
import type { Connection } from "./connection.ts";
import type { Hints } from "./hints.ts";
import type { RecourseOptions } from "./options.ts";
import type { Method } from "./peer.ts";
import type { ClientLike } from "./types.ts";

/** What is asked of the server. */
export interface Request {
  readonly method: Method;
  /** The name of the tool, resource or prompt. */
  readonly name: string;
  readonly params: object;
}

/** What all calls of one client share. */
export interface Shared<C extends ClientLike> {
  readonly options: RecourseOptions<C>;
  readonly connection: Connection<C>;
  readonly engine: Engine;
  readonly hints: Hints;
  readonly deadlineMs: number;
  /** Spans of time: it never goes back. */
  readonly clock: () => number;
  /** Points in time, in ms since 1970. */
  readonly now: () => number;
  readonly mint: () => string;
}
