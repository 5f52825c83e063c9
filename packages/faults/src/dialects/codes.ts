// Where a system keeps its codes on the wire. Dialects can be extended, checked and documented by it.
import type { Fault } from "../fault/fault.ts";
import type { Effect } from "../fault/kinds.ts";
import { isObject, type JsonObject } from "../json/read.ts";
import type { DecodeContext, Dialect, EncodeContext } from "./dialect.ts";

/** The code of a failure on a wire: a number, or a name in systems that have no numbers. */
export type WireCode = number | string;

/** The codes of a system. */
export interface DialectCodes<Encode extends EncodeContext = EncodeContext> {
  /** The code that a fault is written with; undefined where the wire has no place for one. */
  codeOf(fault: Fault, context?: Encode): WireCode | undefined;
  /**
   * Every code that is written, as text, with the id of the reason that it is read as. Behind the number of an extended code
   * stand its fixed members: `4001 {"originalError":"ORDER_NOT_FOUND"}`.
   */
  published(): Readonly<Record<string, string>>;
}

/** A code of your own, ready to be written. */
export interface OwnCode {
  /** The number. */
  readonly code: number;
  /** Name of the code, for wires that write names too. */
  readonly name: string;
  /** Title of the code, for wires that write titles too. @default made from the name */
  readonly title?: string | undefined;
  /** HTTP status, for wires that write one too. @default that of the kind of the reason */
  readonly status?: number | undefined;
  /** The members beside those of the system. */
  readonly fields: JsonObject;
  /** The effect to state. @default none: the code implies it */
  readonly effect?: Effect | undefined;
}

/** A code that was found in a reply. */
export interface FoundCode {
  /** The number; undefined in forms that have only the name. */
  readonly code: number | undefined;
  /** The name; undefined in forms that have none. */
  readonly name?: string | undefined;
  /** The object that holds the members of your own, beside those of the system. */
  readonly fields: unknown;
  /** The reply with a code of the system instead, and without the members of your own. */
  restore(code: number, fields: readonly string[]): unknown;
}

/** The codes of a system that leaves room for more. `extendDialect` adds your own. */
export interface ExtensibleCodes<Wire, Encode extends EncodeContext = EncodeContext> extends DialectCodes<Encode> {
  /** The code that a fault is written with; undefined where the wire has no place for one. */
  codeOf(fault: Fault, context?: Encode): number | undefined;
  /** The ranges that codes may be in, each from its lowest to its highest code. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  /** Members that the system itself writes or reads where fields of your own would stand. */
  readonly reserved: readonly string[];
  /** Members of your own that the wire keeps as texts only. @default none */
  readonly texts?: readonly string[];
  /** The name of each code, where the wire writes names. @default none */
  readonly names?: Readonly<Record<string, string>>;
  /** Finds the code in a reply of any shape. It never throws. */
  find(wire: unknown): FoundCode | undefined;
  /** Replaces the code in what the dialect wrote, and adds members. */
  replace(wire: Wire, own: OwnCode): Wire;
}

/** A dialect that `extendDialect` can add codes to. */
export interface ExtensibleDialect<
  Wire,
  Encode extends EncodeContext = EncodeContext,
  Decode extends DecodeContext = DecodeContext,
> extends Dialect<Wire, Encode, Decode> {
  /** Where this system keeps its codes. */
  readonly codes: ExtensibleCodes<Wire, Encode>;
}

/** An object without some of its members. Empty for any other value. */
export function withoutMembers(from: unknown, names: readonly string[]): JsonObject {
  if (!isObject(from)) return {};
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
}
