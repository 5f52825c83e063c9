// Each dialect is a value of its own: a bundle holds only the dialects that it imports.
import { closient } from "./closient/dialect.ts";
import { erlmcp } from "./erlmcp/dialect.ts";
import { http } from "./http/dialect.ts";
import { mcp } from "./mcp/dialect.ts";
import { onx } from "./onx/dialect.ts";
import { platica } from "./platica/dialect.ts";
import { qaqnuz } from "./qaqnuz/dialect.ts";

export type { ClosientContext, ClosientWire } from "./closient/dialect.ts";
export { closient } from "./closient/dialect.ts";
export { type DialectDefinition, defineDialect } from "./define.ts";
export { type DetectedFault, detect } from "./detect.ts";
export type {
  ClientContract,
  DecodeContext,
  Decoder,
  Dialect,
  DialectCodes,
  EncodeContext,
  TableReason,
  WireCode,
} from "./dialect.ts";
export type { ErlmcpDialect } from "./erlmcp/dialect.ts";
export { erlmcp } from "./erlmcp/dialect.ts";
export type { ErlmcpWire } from "./erlmcp/encode.ts";
export { fastmcp } from "./fastmcp/dialect.ts";
export type { HttpDecodeContext, HttpWire } from "./http/dialect.ts";
export { http } from "./http/dialect.ts";
export type { McpContext, McpWire } from "./mcp/dialect.ts";
export { mcp } from "./mcp/dialect.ts";
export { onx } from "./onx/dialect.ts";
export type { OnxWire } from "./onx/encode.ts";
export type { ExtensibleDialect, OwnCodes } from "./own-codes.ts";
export { platica } from "./platica/dialect.ts";
export type { PlaticaContext, PlaticaWire } from "./platica/encode.ts";
export type { QaqnuzContext, QaqnuzWire } from "./qaqnuz/dialect.ts";
export { qaqnuz } from "./qaqnuz/dialect.ts";
export { sdk } from "./sdk/dialect.ts";
export { text } from "./text/dialect.ts";

/** Every dialect that is both written and read, by its name. It loads all of them. */
export const DIALECTS = { mcp, http, closient, onx, erlmcp, qaqnuz, platica } as const;
export { ONX_ROWS } from "./onx/table.ts";
export { PLATICA_STATUSES } from "./platica/table.ts";
export { stripCodePrefix } from "./rpc.ts";
export { SDK_LOCAL_ERRORS } from "./sdk/errors.ts";
