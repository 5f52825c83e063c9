import type { Dialect } from "../dialect.ts";
import { decode } from "./decode.ts";
import { encode, type PlaticaContext, type PlaticaWire } from "./encode.ts";
import { keeps } from "./keeps.ts";

/** Platica: the answer of a REST API as a failed tool result; JSON-RPC errors for requests that cannot be carried out. */
export const platica: Dialect<PlaticaWire, PlaticaContext> = { name: "platica", encode, decode, keeps };
