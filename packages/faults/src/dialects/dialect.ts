import type { Fault } from "../fault/fault.ts";
import type { ReasonOptions } from "../reasons/build-safely.ts";
import type { AnyReason } from "../reasons/reason-type.ts";
import type { FilterOptions } from "../safety/filter-line.ts";

/** Facts about the reply that a fault is written into. Each dialect reads the members that it needs. */
export interface EncodeContext {
  /** JSON-RPC method of the request, such as `tools/call`. @default none: most dialects write for a tool call */
  readonly method?: string | undefined;
  /** Name of the called tool. @default none */
  readonly tool?: string | undefined;
  /** Base URL of the pages about your reasons, for wires that link to them. @default none: a URN names the reason */
  readonly docsBase?: string | undefined;
  /** ISO time of the failure, for wires that carry one. The time in the fault wins. @default none */
  readonly at?: string | undefined;
}

/** Facts about where a wire came from. */
export interface DecodeContext extends FilterOptions {
  /** JSON-RPC method of the request, such as `resources/read`. @default none */
  readonly method?: string | undefined;
  /** Name of the called tool. @default none */
  readonly tool?: string | undefined;
}

/** Reads the failures of one system. Some systems are only read and never written. */
export interface Decoder<Decode extends DecodeContext = DecodeContext> {
  /** Name of the dialect, as `detect` reports it. */
  readonly name: string;
  /**
   * Reads the fault in any JSON value. It never throws.
   * Returns undefined for a success and for a value that is not written in this dialect.
   */
  decode(wire: unknown, context?: Decode): Fault | undefined;
}

/** Writes and reads faults in the wire format of one system. All functions are pure. */
export interface Dialect<
  Wire,
  Encode extends EncodeContext = EncodeContext,
  Decode extends DecodeContext = DecodeContext,
> extends Decoder<Decode> {
  /** Writes the part of a reply that carries the fault. */
  encode(fault: Fault, context?: Encode): Wire;
  /** Predicts the fault that `decode(encode(fault))` returns, so it shows what this wire loses. */
  afterRoundTrip(fault: Fault, context?: Encode): Fault;
}

/** A member of a tool result in which a system reports a failure without `isError`. */
export interface FailureMember {
  /** The object that has the member: the result itself, or one of its members. */
  readonly in: "result" | "structuredContent" | "_meta";
  /** Name of the member. */
  readonly name: string;
}

/** A reason in the table of a dialect. Its slots check the params when the fault is built. */
export interface TableReason extends AnyReason {
  // biome-ignore lint/suspicious/noExplicitAny: each reason takes its own params; its slots refuse what does not fit.
  fault(params?: any, rest?: ReasonOptions): Fault;
}
