import type { Dialect } from "../dialect.ts";
import { decode } from "./decode.ts";
import { encode, type OnxWire } from "./encode.ts";
import { keeps } from "./keeps.ts";

/** onX: a positive code, a word on retrying and details inside the tool result; JSON-RPC errors before a tool runs. */
export const onx: Dialect<OnxWire> = { name: "onx", encode, decode, keeps };
