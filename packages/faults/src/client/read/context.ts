import type { Decoder } from "../../dialects/dialect.ts";
import type { HttpDecodeContext } from "../../dialects/http/context.ts";
import type { ConnectionSeen, Seen } from "../watch/watched.ts";

/** Everything that is known about an attempt besides how it ended. */
export interface ReadContext extends HttpDecodeContext {
  /** The wire that the server is known to write. */
  readonly dialect?: Decoder | undefined;
  /** What went over the wire. */
  readonly seen?: Seen | undefined;
  /** What is known of the connection as a whole. */
  readonly connection?: ConnectionSeen | undefined;
  /** Whether the request belonged to a session. */
  readonly session: boolean;
  /** How long an answer was waited for. */
  readonly limitMs: number;
}
