import { describe, expect, it, test } from "vitest";
import { phaseOf } from "../client/transport/exchange.ts";
import { sdk } from "../dialects/sdk/dialect.ts";
import { toFault } from "../index.ts";
import { fetchFaultOf } from "./fetch-errors.ts";

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
  expect(phaseOf(error)).toBe(what === "Bun 1.4, refused" ? "connect" : "sent");
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
      expect(phaseOf(error)).toBe("sent");
  });

  it("has to be the whole text or the beginning that the runtime writes", () => {
    for (const text of ["We got: Network connection lost.", "client error (Connect): x", "constructor", ""])
      expect(fetchFaultOf(new Error(text))).toBeUndefined();
    expect(fetchFaultOf(undefined)).toBeUndefined();
  });
});
