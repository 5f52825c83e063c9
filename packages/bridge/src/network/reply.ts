import type { Flaw } from "./failure.ts";

/** Headers of an answer by their names in lower case. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;

/** An answer of which at least the head came. */
export interface Reply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** Unpacked; empty where it is flawed. */
  readonly body: Uint8Array;
  /** The body did not come, or not whole. */
  readonly flaw?: Flaw;
}
