import type { Dialect, EncodeContext } from "../dialect.ts";
import type { HttpDecodeContext } from "./context.ts";
import { decode } from "./decode.ts";
import { encode, type HttpWire } from "./encode.ts";
import { keeps } from "./keeps.ts";

/** HTTP: writes RFC 9457 with Retry-After and RateLimit; reads any reply of any service. */
export const http: Dialect<HttpWire, EncodeContext, HttpDecodeContext> = { name: "http", encode, decode, keeps };
