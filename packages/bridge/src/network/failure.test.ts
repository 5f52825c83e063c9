import { expect, test } from "vitest";
import { AddressNotAllowed } from "./addresses.ts";
import { toExchangeFailure } from "./failure.ts";

const error = (code: string) => Object.assign(new Error("x"), { code });

test.each<[unknown, string, string]>([
  [new AddressNotAllowed(), "address_not_allowed", "address_not_allowed"],
  [error("ENOTFOUND"), "misconfigured", "misconfigured"],
  [error("CERT_HAS_EXPIRED"), "misconfigured", "misconfigured"],
  [error("ERR_TLS_CERT_ALTNAME_INVALID"), "misconfigured", "misconfigured"],
  [error("DEPTH_ZERO_SELF_SIGNED_CERT"), "misconfigured", "misconfigured"],
  [error("ECONNREFUSED"), "unreachable", "connection_lost"],
  [error("EAI_AGAIN"), "unreachable", "connection_lost"],
  [error("UND_ERR_CONNECT_TIMEOUT"), "unreachable", "connection_lost"],
  [error("ECONNRESET"), "unreachable", "connection_lost"],
  [error("UND_ERR_SOCKET"), "unreachable", "connection_lost"],
  [error("UND_ERR_HEADERS_TIMEOUT"), "timeout", "timeout"],
  [error("HPE_INVALID_CONSTANT"), "unreadable", "unreadable"],
  [Object.assign(new Error("x"), { name: "HTTPParserError" }), "unreadable", "unreadable"],
  [error("UND_ERR_HEADERS_OVERFLOW"), "too_large", "too_large"],
  [error("UND_ERR_DESTROYED"), "closed", "closed"],
  [error("toString"), "unreachable", "connection_lost"],
  [undefined, "unreachable", "connection_lost"],
  ["text", "unreachable", "connection_lost"],
])("%o before sending and after", (cause, before, after) => {
  expect(toExchangeFailure(cause, false)).toEqual({ code: before, sent: false, cause });
  expect(toExchangeFailure(cause, true)).toEqual({ code: after, sent: true, cause });
});
