// Each dialect is a value of its own: a bundle holds only the dialects that it imports.

export { closient } from "./closient/dialect.ts";
export { type DetectedFault, detect } from "./detect.ts";
export type { DecodeContext, Decoder, Dialect, EncodeContext } from "./dialect.ts";
export { erlmcp } from "./erlmcp/dialect.ts";
export { fastmcp } from "./fastmcp/dialect.ts";
export { http } from "./http/dialect.ts";
export type { HttpDecodeContext } from "./http/reply.ts";
export { mcp } from "./mcp/dialect.ts";
export { onx } from "./onx/dialect.ts";
export { platica } from "./platica/dialect.ts";
export type { PlaticaContext } from "./platica/encode.ts";
export { qaqnuz } from "./qaqnuz/dialect.ts";
export { sdk } from "./sdk/dialect.ts";
export { text } from "./text/dialect.ts";
