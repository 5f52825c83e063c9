import type { Fault } from "../fault/fault.ts";
import type { AnyReason } from "../reasons/define.ts";
import type { Rest } from "../reasons/sparing.ts";
import type { Nets } from "../safety/nets.ts";

/** What encoding may be told about the reply that the fault goes into; a dialect uses what it needs. */
export interface EncodeContext {
  /** JSON-RPC method of the request, such as `tools/call`. */
  readonly method?: string | undefined;
  /** Name of the tool that was called. */
  readonly tool?: string | undefined;
  /** Where pages about errors are served. */
  readonly docsBase?: string | undefined;
  /** ISO time of this occurrence, for wires that demand one; the fault's own time wins. */
  readonly at?: string | undefined;
}

/** What decoding may be told about where a wire came from. */
export interface DecodeContext extends Nets {
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
}

/** A reader of failures: all there is to a wire that is only ever received. */
export interface Decoder<Decode extends DecodeContext = DecodeContext> {
  readonly name: string;
  /** The fault in any JSON, or undefined when it is a success or nothing of this dialect; never throws. */
  decode(wire: unknown, context?: Decode): Fault | undefined;
}

/**
 * One wire shape: a pure pair of functions, and an honest statement of what survives it.
 * `decode(encode(fault))` equals `keeps(fault)`.
 */
export interface Dialect<
  Wire,
  Encode extends EncodeContext = EncodeContext,
  Decode extends DecodeContext = DecodeContext,
> extends Decoder<Decode> {
  /** The part of a reply that carries the fault. */
  encode(fault: Fault, context?: Encode): Wire;
  /** What is left of a fault after it went over this wire. */
  keeps(fault: Fault, context?: Encode): Fault;
}

/** A reason in a table of a dialect: params are checked by its slots when it is built. */
export interface TableReason extends AnyReason {
  // biome-ignore lint/suspicious/noExplicitAny: each reason takes its own params; its slots refuse what does not fit.
  fault(params?: any, rest?: Rest): Fault;
}
