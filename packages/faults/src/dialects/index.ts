// Each dialect is a value; a bundle holds only those that are imported.

export { closient } from "./closient/closient.ts";
export { type Detected, detect } from "./detect.ts";
export type { DecodeContext, Decoder, Dialect, EncodeContext } from "./dialect.ts";
export { erlmcp } from "./erlmcp/erlmcp.ts";
export { fastmcp } from "./fastmcp/fastmcp.ts";
export type { HttpDecodeContext } from "./http/context.ts";
export { http } from "./http/http.ts";
export { mcp } from "./mcp/mcp.ts";
export { onx } from "./onx/onx.ts";
export type { PlaticaContext } from "./platica/encode.ts";
export { platica } from "./platica/platica.ts";
export { qaqnuz } from "./qaqnuz/qaqnuz.ts";
export { sdk } from "./sdk/sdk.ts";
export { text } from "./text/text.ts";
