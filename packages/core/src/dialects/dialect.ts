import type { Fault } from "../fault/fault.ts";
import type { Severity } from "../fault/severity.ts";
import type { ForeignText } from "../reasons/thrown/to-fault.ts";
import type { FilterOptions } from "../safety/show-line.ts";

export type { TableReason } from "../reasons/types.ts";

/** The method of a message that was refused before any method ran. No tool has run, so no tool result answers it. */
export const EDGE_METHOD = "edge";

/** Facts about the reply that a fault is written into. Each dialect reads the members that it needs. */
export interface EncodeContext {
  /**
   * JSON-RPC method of the request, such as `tools/call`; `edge` for a message that was refused before any method ran.
   * @default none: most dialects write for a tool call
   */
  readonly method?: string | undefined;
  /** Name of the called tool. @default none */
  readonly tool?: string | undefined;
  /**
   * Whether the called tool has an output schema. With `false`, dialects of systems that put data of their own into a result write it to
   * `structuredContent` as well: some clients drop all members of a result that the protocol does not know.
   * @default unknown: nothing is written there
   */
  readonly outputSchema?: boolean | undefined;
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
  /**
   * Whether the sender is a server of yours that uses Recourse, so that a fault in its reply is taken over whole: its sentences
   * unchanged and unquoted, its candidates and links as next moves. Of any other sender, what it says is shown as a quotation.
   * @default false
   */
  readonly speaksFaults?: boolean | undefined;
}

/** What the document of a system says about the clients that call it. */
export interface ClientContract {
  /** The waits between attempts, which replace the defaults of a client's retry policy. */
  readonly policy: {
    /** The wait if a reply states none, in ms for each attempt made. */
    readonly stepMs: number;
    /** The least that a random part of a stated wait is computed from, in ms. */
    readonly baseMs: number;
    /** The same for a server that is overloaded or limits the rate of calls. */
    readonly overloadBaseMs: number;
    /** The maximum to which waits grow, in ms. */
    readonly maxBackoffMs: number;
  };
  /** The message of the error that `callWithRetry` throws in the end. */
  describe(tool: string, fault: Fault): string;
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
  /**
   * What the document of the system says about its clients. `recourse` takes the waits from it. `callWithRetry` keeps all of
   * it, and then no earlier call counts.
   * @default none
   */
  readonly contract?: ClientContract;
  /**
   * The severity at which a client of the system logs a code that ended its call. The `sink` of `recourse` gets it.
   * @default none: the kind decides
   */
  readonly clientSeverity?: (code: number) => Severity;
}

/** Writes and reads faults in the wire format of one system. All functions are pure. */
export interface Dialect<
  Wire,
  Encode extends EncodeContext = EncodeContext,
  Decode extends DecodeContext = DecodeContext,
> extends Decoder<Decode> {
  /** Writes the part of a reply that carries the fault. */
  encode(fault: Fault, context?: Encode): Wire;
  /** The codes of the system, for tables and checks of them. @default none: the wire has no codes */
  readonly codes?: DialectCodes<Encode>;
  /** The severity of a code, for systems that rank their codes. @default none: the kind decides */
  readonly errorSeverity?: (code: number) => Severity;
  /** The largest message of the system, in bytes. @default none: the kit decides */
  readonly maxMessageBytes?: number;
  /**
   * What the document of the system lets callers read of text that others wrote. It counts unless the option `foreignText` of
   * a kit, or of an upstream of the gateway, says something else.
   * @default none: the kit decides
   */
  readonly foreignText?: ForeignText;
  /**
   * Set for a system that answers every `tools/call` with an envelope: also one that fails before a tool is found, such as one
   * with arguments that are too large, and one that succeeds.
   * @default none: such calls are refused with an HTTP status, and a success says nothing
   */
  readonly envelope?: CallEnvelope;
}

/** The envelope that a system puts around the answers of tools. */
interface CallEnvelope {
  /** Its members in `_meta` of a result that is a success. */
  readonly success: Readonly<Record<string, unknown>>;
}

/** The code of a failure on a wire: a number, or a name in systems that have no numbers. */
export type WireCode = number | string;

/** The codes of a system. */
export interface DialectCodes<Encode extends EncodeContext = EncodeContext> {
  /** The code that a fault is written with; undefined if the wire has no place for one. */
  codeOf(fault: Fault, context?: Encode): WireCode | undefined;
  /** Every code that is written, as text, with the id of the reason that it is read as. */
  published(): Readonly<Record<string, string>>;
}
