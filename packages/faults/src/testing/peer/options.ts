import type { ScriptOptions } from "./script.ts";
import type { Limits } from "./surface/limits.ts";
import type { PeerDialect } from "./surface/refusal.ts";

/** What a peer may be told, whatever it is served on. */
export interface CoreOptions<Name extends string> extends ScriptOptions<Name> {
  /** Whether idempotency keys are honoured, and announced. */
  readonly keys?: boolean;
  /** The wire of its honest refusals: `mcp` unless told. */
  readonly dialect?: PeerDialect;
  readonly limits?: Partial<Limits>;
  /** How long the misbehaviours that are about time take; 200 ms unless told. */
  readonly ms?: number;
  readonly now?: () => number;
}
