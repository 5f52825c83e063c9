import { describe, expect, it, test } from "vitest";
import { rejectionPhase } from "../client/transport/exchange.ts";
import { sdk } from "../dialects/sdk/dialect.ts";
import { toFault } from "../reasons/index.ts";
import { findSystemFault, readFetchFault, readSystemFault } from "./system-codes.ts";

const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
const fetchFailed = (cause: unknown) => new TypeError("fetch failed", { cause });

// One table: a code means the same on every side. What follows from it differs by the side that looks.
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
  expect(readSystemFault(coded(code))).toEqual({ failure, unsent });
  expect(rejectionPhase(fetchFailed(coded(code)))).toBe(unsent ? "connect" : "sent");
  expect(toFault(coded(code)).reason).toBe(atServer);
  const read = sdk.decode(fetchFailed(coded(code)));
  expect(read?.reason).toBe(atClient);
  if (unsent) expect(read?.effect).toBe("none");
  else expect(read?.effect).not.toBe("none");
});

test("the system call says what a code alone does not", () => {
  expect(readSystemFault(coded("EHOSTUNREACH", { syscall: "connect" }))).toEqual({
    failure: "unreachable",
    unsent: true,
  });
  expect(readSystemFault(coded("ETIMEDOUT", { syscall: "read" }))).toEqual({ failure: "timeout", unsent: false });
  expect(readSystemFault(coded("E_NEW", { syscall: "getaddrinfo" }))).toEqual({ failure: "unreachable", unsent: true });
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

const denied = (text: string) => new TypeError("fetch failed", { cause: new Error(text) });
const DENO_URL = "error sending request for url (http://127.0.0.1:9/)";
const DENO_FROM = "error sending request from 127.0.0.1:8 for http://127.0.0.1:9/ (127.0.0.1:9)";
const bun = (code: string) =>
  Object.assign(new Error("Unable to connect."), { code, path: "http://127.0.0.1:9/", errno: 0 });
const workerd = (text: string) => Object.assign(new Error(text), { remote: true, retryable: true });

// As the runtimes threw them: Bun 1.2, 1.3 and 1.4, Deno 2.9, workerd 2026-07, Chromium 156. Firefox and Safari were not run.
test.each<[what: string, error: Error, atClient: string, effect: string, atServer: string]>([
  ["Bun 1.3, refused", bun("ConnectionRefused"), "transport/failed", "possible", "core/unavailable"],
  ["Bun 1.4, refused", bun("ECONNREFUSED"), "transport/unreachable", "none", "core/unavailable"],
  ["Bun, lost", bun("ECONNRESET"), "transport/connection_lost", "possible", "core/unavailable"],
  [
    "Deno, refused",
    denied(`${DENO_URL}: client error (Connect): tcp connect error: Connection refused (os error 111)`),
    "transport/failed",
    "possible",
    "core/unavailable",
  ],
  [
    "Deno, unknown host",
    denied(`${DENO_URL}: client error (Connect): dns error: failed to lookup address information`),
    "transport/failed",
    "possible",
    "core/unavailable",
  ],
  [
    "Deno, certificate",
    denied(`${DENO_URL}: client error (Connect): invalid peer certificate: UnknownIssuer`),
    "core/misconfigured",
    "none",
    "core/misconfigured",
  ],
  [
    "Deno, closed",
    denied(`${DENO_FROM}: client error (SendRequest): connection closed before message completed`),
    "transport/connection_lost",
    "possible",
    "core/unavailable",
  ],
  [
    "Deno, reset",
    denied("Connection reset by peer (os error 104)"),
    "transport/connection_lost",
    "possible",
    "core/unavailable",
  ],
  [
    "Deno, lost within a body",
    new TypeError("error reading a body from connection"),
    "transport/connection_lost",
    "possible",
    "core/unavailable",
  ],
  ["workerd, refused or lost", workerd("Network connection lost."), "transport/failed", "possible", "core/unavailable"],
  ["Chromium", new TypeError("Failed to fetch"), "transport/failed", "possible", "core/unavailable"],
  [
    "Firefox",
    new TypeError("NetworkError when attempting to fetch resource."),
    "transport/failed",
    "possible",
    "core/unavailable",
  ],
  ["Safari", new TypeError("Load failed"), "transport/failed", "possible", "core/unavailable"],
])("%s", (what, error, atClient, effect, atServer) => {
  expect(sdk.decode(error)).toMatchObject({ reason: atClient, effect });
  expect(rejectionPhase(error)).toBe(what === "Bun 1.4, refused" ? "connect" : "sent");
  expect(toFault(error)).toMatchObject({ reason: atServer });
});

describe("the text of a failure", () => {
  it("does not count where the error has a code", () => {
    const error = Object.assign(new Error("Network connection lost."), { code: "E_OTHER" });
    expect(toFault(error).reason).toBe("core/internal");
  });

  it("never proves that nothing was sent: Deno and Bun 1.2 send again by themselves, and report only the last try", () => {
    const refused = denied(`${DENO_URL}: client error (Connect): tcp connect error: Connection refused (os error 111)`);
    for (const error of [refused, bun("ConnectionRefused"), new TypeError("Failed to fetch")])
      expect(rejectionPhase(error)).toBe("sent");
  });

  it("has to be the whole text or the beginning that the runtime writes", () => {
    for (const text of ["We got: Network connection lost.", "client error (Connect): x", "constructor", ""])
      expect(readFetchFault(new Error(text))).toBeUndefined();
    expect(readFetchFault(undefined)).toBeUndefined();
  });
});
