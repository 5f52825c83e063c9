import type { Decoder } from "../../dialects/dialect.ts";
import type { HttpDecodeContext } from "../../dialects/http/reply.ts";
import type { ConnectionRecord, ExchangeRecord } from "../transport/types.ts";

/** What is known about an attempt besides how it ended. */
export interface ReadContext extends HttpDecodeContext {
  /** The dialect that the server is known to write. */
  readonly dialect?: Decoder | undefined;
  /** What the observer recorded of the attempt. */
  readonly record?: ExchangeRecord | undefined;
  /** What the observer recorded of the connection. */
  readonly connection?: ConnectionRecord | undefined;
  /** Whether the request belonged to a session. */
  readonly session: boolean;
  /** How long an answer was waited for. */
  readonly limitMs: number;
}

/** No byte of the request left this machine, so it had no effect. */
export function wasNeverSent({ record }: ReadContext): boolean {
  return record?.phase === "connect" && record.exchanges === 1;
}
