// What a misbehaviour on stdin and stdout has in hand.
import type { Json } from "../../../dialects/wire.ts";
import type { Ask } from "../message.ts";
import { type Misbehaviour, type Rows, rowsFor } from "../misbehaviour.ts";

/** One request that is about to be treated badly. */
export interface StdioTurn {
  readonly ask: Ask;
  readonly ms: number;
  /** Ends when the client closes stdin. */
  readonly signal: AbortSignal;
  /** Ends when the client says that it no longer wants the answer. */
  readonly cancelled: AbortSignal;
  /** Writes bytes to stdout as they are. */
  readonly out: (bytes: string | Uint8Array) => Promise<void>;
  /** Writes lines to stderr. */
  readonly complain: (...lines: readonly string[]) => Promise<void>;
  readonly closeOut: () => void;
  readonly exit: (how: number | "SIGKILL") => void;
}

/** A way to misbehave on stdin and stdout. */
export type StdioMisbehaviour = Misbehaviour<StdioTurn>;

export const { after, before }: Rows<StdioTurn> = rowsFor<StdioTurn>();

/** One message as a line. */
export function line(message: Json): string {
  return `${JSON.stringify(message)}\n`;
}
