import { expect, it } from "vitest";
import { holdsCredential, isCookieName, isHeaderName, isIdempotencyHeader, isReservedHeader } from "./headers.ts";

it.each(
  `Authorization cookie Host Content-Type Content-Length content-encoding Connection Transfer-Encoding TE Upgrade
  Proxy-Authorization Keep-Alive Idempotency-Key X-Idempotency-Key X-HTTP-Method-Override X-Forwarded-For X-Forwarded
  X-Original-URL X-Rewrite-URL X-Original-Host X-HTTP-Host-Override X-Host True-Client-IP CF-Connecting-IP
  X-Envoy-Original-Path X-Middleware-Subrequest Sec-Fetch-Site Accept Accept-Encoding`.split(/\s+/),
)("reserves %s", (name) => {
  expect(isReservedHeader(name)).toBe(true);
});

it.each(["If-Match", "If-None-Match", "Accept-Language", "X-Request-Id", "Range", "Prefer"])("leaves %s", (name) => {
  expect(isReservedHeader(name)).toBe(false);
});

it.each(
  `X-Auth-Token X-AuthToken X-Api-Key apikey X-Access-Token Private-Token X-Vault-Token token X-Amz-Security-Token
  X-CSRF-Token X-Client-Secret X-Password X-Session-Id X-Authenticated-User Remote-User Ocp-Apim-Subscription-Key`.split(
    /\s+/,
  ),
)("takes %s for a credential", (name) => {
  expect(holdsCredential(name)).toBe(true);
});

it.each(["X-Author", "X-Page-Token", "X-Continuation-Token", "X-Partition-Key", "X-Sort-Keys", "If-Match"])(
  "does not take %s for a credential",
  (name) => {
    expect(holdsCredential(name)).toBe(false);
  },
);

it("recognises the headers for idempotency keys", () => {
  expect(isIdempotencyHeader("idempotency-key")).toBe(true);
  expect(isIdempotencyHeader("X-Request-Id")).toBe(false);
});

it("recognises names that can be sent", () => {
  expect(["If-Match", "x_y"].every(isHeaderName)).toBe(true);
  expect(["a b", "a:b", "a\r\nb", "", "ü"].some(isHeaderName)).toBe(false);
  expect(["sid", "a.b-c"].every(isCookieName)).toBe(true);
  expect(["a=b", "a;b", "a b", "", "$x"].some(isCookieName)).toBe(false);
});
