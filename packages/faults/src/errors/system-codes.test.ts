import { expect, test } from "vitest";
import { phaseOf } from "../client/transport/exchange.ts";
import { sdk } from "../dialects/sdk/dialect.ts";
import { toFault } from "../index.ts";
import { findSystemFault, systemFaultOf } from "./system-codes.ts";

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
const fetchFailed = (cause: unknown) => new TypeError("fetch failed", { cause });

// One table: whoever looks at a code, it means the same. What follows from it differs by the side that looks.
test.each([
  ["CERT_NOT_YET_VALID", "certificate", true, "core/misconfigured", "core/misconfigured"],
  ["CERT_REVOKED", "certificate", true, "core/misconfigured", "core/misconfigured"],
  ["HOSTNAME_MISMATCH", "certificate", true, "core/misconfigured", "core/misconfigured"],
  ["ECONNREFUSED", "unreachable", true, "core/unavailable", "transport/unreachable"],
  ["EAI_FAIL", "unreachable", true, "core/unavailable", "transport/unreachable"],
  ["ENOTFOUND", "unknown_host", true, "core/misconfigured", "transport/unreachable"],
  ["ECONNRESET", "lost", false, "core/unavailable", "transport/connection_lost"],
  ["EHOSTUNREACH", "unreachable", false, "core/unavailable", "transport/connection_lost"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout", false, "core/timeout", "core/timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout", true, "core/timeout", "transport/unreachable"],
  ["HPE_INVALID_CONSTANT", "bad_reply", false, "core/upstream_failed", "protocol/invalid_result"],
])("%s is %s", (code, failure, unsent, atServer, atClient) => {
  expect(systemFaultOf(coded(code))).toEqual({ failure, unsent });
  expect(phaseOf(fetchFailed(coded(code)))).toBe(unsent ? "connect" : "sent");
  expect(toFault(coded(code)).reason).toBe(atServer);
  const read = sdk.decode(fetchFailed(coded(code)));
  expect(read?.reason).toBe(atClient);
  if (unsent) expect(read?.effect).toBe("none");
  else expect(read?.effect).not.toBe("none");
});

test("the system call says what a code alone does not", () => {
  expect(systemFaultOf(coded("EHOSTUNREACH", { syscall: "connect" }))).toEqual({
    failure: "unreachable",
    unsent: true,
  });
  expect(systemFaultOf(coded("ETIMEDOUT", { syscall: "read" }))).toEqual({ failure: "timeout", unsent: false });
  expect(systemFaultOf(coded("E_NEW", { syscall: "getaddrinfo" }))).toEqual({ failure: "unreachable", unsent: true });
});

test("after attempts on several addresses, nothing was sent only if none of them got a byte", () => {
  const refused = coded("ECONNREFUSED", { syscall: "connect" });
  expect(findSystemFault(fetchFailed(new AggregateError([refused, refused])))?.unsent).toBe(true);
  expect(findSystemFault(fetchFailed(new AggregateError([refused, coded("ECONNRESET")])))?.unsent).toBe(false);
  expect(findSystemFault(fetchFailed(new AggregateError([refused, new Error("odd")])))?.unsent).toBe(false);
});

test("an error without a code, or with the name of an object method as code, is not known", () => {
  for (const error of [undefined, "ECONNREFUSED", {}, coded("constructor"), new Error("connect ECONNREFUSED")])
    expect(findSystemFault(error)).toBeUndefined();
  const round = new Error("round");
  round.cause = round;
  expect(findSystemFault(round)).toBeUndefined();
});
