// The formats in which failures travel: of MCP, of HTTP, of the SDKs and of plain text. Five systems are in `@recourse/dialects`.
export type {
  ClientContract,
  DecodeContext,
  Decoder,
  DetectedFault,
  Dialect,
  DialectCodes,
  DialectDefinition,
  EncodeContext,
  ExtensibleDialect,
  HttpDecodeContext,
  HttpWire,
  McpContext,
  McpWire,
  OwnCodes,
  TableReason,
  WireCode,
} from "@recourse/core/dialects";
export { defineDialect, detect, fastmcp, http, mcp, sdk, text } from "@recourse/core/dialects";
