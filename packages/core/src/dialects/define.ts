import type { Fault } from "../fault/fault.ts";
import type { ForeignText } from "../reasons/thrown/to-fault.ts";
import { asReceived } from "../safety/show-line.ts";
import type { DecodeContext, Dialect, DialectCodes, EncodeContext } from "./dialect.ts";
import { markDecoded } from "./peer-fault.ts";

/** A dialect of your own. */
export interface DialectDefinition<Wire, Encode extends EncodeContext, Decode extends DecodeContext> {
  /** Name of the dialect: a lower-case letter, then lower-case letters, digits, `_` or `-`. */
  readonly name: string;
  /** Writes the part of a reply that carries the fault: `{ result }` for a tool that failed, or `{ error }`. */
  readonly encode: (fault: Fault, context: Encode) => Wire;
  /**
   * Reads the fault in any JSON value, and never throws: a whole message, or its result or error alone. Pass the context on
   * to the reason, as `reason.fault(params, { ...context, … })`, since it says how texts are filtered. Return undefined for
   * a success.
   */
  readonly decode: (wire: unknown, context: Decode) => Fault | undefined;
  /** Your codes, for tables and checks of them. @default none */
  readonly codes?: DialectCodes<Encode>;
  /** What callers may read of text that others wrote, unless an option of the kit says otherwise. @default the kit decides */
  readonly foreignText?: ForeignText;
}

/**
 * Makes a dialect of functions that write and read one wire. What it reads is marked as the words of the sender, so that it
 * is shown as a quotation and filtered before it leaves this program again. Hold it to the laws with `dialectLaws`. A
 * mistake in the definition throws a `TypeError`.
 *
 * @example
 * const plain = defineDialect({
 *   name: "plain",
 *   encode: (fault) => ({ error: { code: 1, message: fault.message, data: { effect: fault.effect } } }),
 *   decode: (wire, context) => readPlain(wire, context),
 * });
 */
export function defineDialect<
  Wire,
  Encode extends EncodeContext = EncodeContext,
  Decode extends DecodeContext = DecodeContext,
>(definition: DialectDefinition<Wire, Encode, Decode>): Dialect<Wire, Encode, Decode> {
  checkDialectDefinition(definition);
  const { name, codes, foreignText } = definition;
  const encode = (fault: Fault, context?: Encode): Wire => definition.encode(fault, context ?? ({} as Encode));
  const decode = createDecoder(definition.decode);
  return { name, encode, decode, ...(codes && { codes }), ...(foreignText && { foreignText }) };
}

/** The `decode` of a dialect: whatever it reads, the texts in the fault are those of the sender. */
export function createDecoder<Context extends DecodeContext>(
  read: (wire: unknown, context: Context) => Fault | undefined,
): (wire: unknown, context?: Context) => Fault | undefined {
  return (wire, context = {} as Context) => markDecoded(read(wire, asReceived(context)));
}

/** Programs without types leave things out. */
function checkDialectDefinition(definition: unknown): void {
  const given = { ...(definition as object | undefined) } as Record<string, unknown>;
  const name = given["name"];
  if (typeof name !== "string" || !/^[a-z][a-z0-9_-]{0,63}$/.test(name)) {
    throw new TypeError(`A dialect needs a name in lower case: "${name}" is not one.`);
  }
  const missing = ["encode", "decode"].find((member) => typeof given[member] !== "function");
  if (missing !== undefined) throw new TypeError(`${name}: \`${missing}\` is not a function.`);
}
