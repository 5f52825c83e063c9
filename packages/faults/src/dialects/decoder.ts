import type { Fault } from "../fault/fault.ts";
import { asReceived } from "../safety/received-text.ts";
import type { DecodeContext } from "./dialect.ts";
import { markDecoded } from "./peer-fault.ts";

/** The `decode` of a dialect: whatever it reads, the texts in the fault are those of the sender. */
export function createDecoder<Context extends DecodeContext>(
  read: (wire: unknown, context: Context) => Fault | undefined,
): (wire: unknown, context?: Context) => Fault | undefined {
  return (wire, context = {} as Context) => markDecoded(read(wire, asReceived(context)));
}
