// Each dialect is a value of its own: a bundle holds only the dialects that it imports.

export { closient } from "./closient/dialect.ts";
export type { DialectCodes, ExtensibleCodes, ExtensibleDialect, FoundCode, OwnCode, WireCode } from "./codes.ts";
export { type DialectDefinition, defineDialect } from "./define.ts";
export { type DetectedFault, detect } from "./detect.ts";
export type { ClientContract, DecodeContext, Decoder, Dialect, EncodeContext } from "./dialect.ts";
export { erlmcp } from "./erlmcp/dialect.ts";
export { extendDialect } from "./extend.ts";
export type { CodeOfYours, DialectExtension, FixedValue } from "./extension.ts";
export { fastmcp } from "./fastmcp/dialect.ts";
export { http } from "./http/dialect.ts";
export type { HttpDecodeContext } from "./http/reply.ts";
export { mcp } from "./mcp/dialect.ts";
export { onx } from "./onx/dialect.ts";
export { platica } from "./platica/dialect.ts";
export type { PlaticaContext } from "./platica/encode.ts";
export {
  type CodeChanges,
  type CodeProblem,
  checkPublishedCodes,
  type DialectWithCodes,
  type PublishedCodes,
} from "./published-codes.ts";
export { qaqnuz } from "./qaqnuz/dialect.ts";
export { sdk } from "./sdk/dialect.ts";
export { text } from "./text/dialect.ts";
