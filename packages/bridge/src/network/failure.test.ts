import { expect, test } from "vitest";
import { failureOf } from "./failure.ts";
import { RefusedAddress } from "./lookup.ts";

const error = (code: string) => Object.assign(new Error("x"), { code });

test.each<[unknown, string, string]>([
  [new RefusedAddress(), "refused", "refused"],
  [error("ENOTFOUND"), "misconfigured", "misconfigured"],
  [error("CERT_HAS_EXPIRED"), "misconfigured", "misconfigured"],
  [error("ERR_TLS_CERT_ALTNAME_INVALID"), "misconfigured", "misconfigured"],
  [error("DEPTH_ZERO_SELF_SIGNED_CERT"), "misconfigured", "misconfigured"],
  [error("ECONNREFUSED"), "unreachable", "lost"],
  [error("EAI_AGAIN"), "unreachable", "lost"],
  [error("UND_ERR_CONNECT_TIMEOUT"), "unreachable", "lost"],
  [error("ECONNRESET"), "unreachable", "lost"],
  [error("UND_ERR_SOCKET"), "unreachable", "lost"],
  [error("UND_ERR_HEADERS_TIMEOUT"), "late", "late"],
  [error("HPE_INVALID_CONSTANT"), "unreadable", "unreadable"],
  [Object.assign(new Error("x"), { name: "HTTPParserError" }), "unreadable", "unreadable"],
  [error("UND_ERR_HEADERS_OVERFLOW"), "too_large", "too_large"],
  [error("UND_ERR_DESTROYED"), "closed", "closed"],
  [error("toString"), "unreachable", "lost"],
  [undefined, "unreachable", "lost"],
  ["text", "unreachable", "lost"],
])("%o before sending and after", (cause, before, after) => {
  expect(failureOf(cause, false)).toEqual({ why: before, sent: false, cause });
  expect(failureOf(cause, true)).toEqual({ why: after, sent: true, cause });
});
