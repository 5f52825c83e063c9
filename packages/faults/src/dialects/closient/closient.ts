import type { Dialect } from "../dialect.ts";
import { decode } from "./decode.ts";
import { type ClosientContext, type ClosientWire, encode } from "./encode.ts";
import { keeps } from "./keeps.ts";

/** Closient: a JSON-RPC-shaped error inside the tool result, whose data is an RFC 9457 document. */
export const closient: Dialect<ClosientWire, ClosientContext> = { name: "closient", encode, decode, keeps };
