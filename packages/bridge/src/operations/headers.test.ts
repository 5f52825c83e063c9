import { expect, it } from "vitest";
import { isCookieName, isHeaderName, isKeyHeader, isOwnHeader } from "./headers.ts";

it.each([
  "Authorization",
  "cookie",
  "Host",
  "Content-Type",
  "Content-Length",
  "content-encoding",
  "Connection",
  "Transfer-Encoding",
  "TE",
  "Upgrade",
  "Proxy-Authorization",
  "Keep-Alive",
  "Idempotency-Key",
  "X-Idempotency-Key",
  "X-HTTP-Method-Override",
  "X-Forwarded-For",
  "Sec-Fetch-Site",
  "Accept",
  "Accept-Encoding",
])("does not leave %s to a caller", (name) => {
  expect(isOwnHeader(name)).toBe(true);
});

it.each(["If-Match", "If-None-Match", "Accept-Language", "X-Request-Id", "Range", "Prefer"])("leaves %s", (name) => {
  expect(isOwnHeader(name)).toBe(false);
});

it("knows the headers for idempotency keys", () => {
  expect(isKeyHeader("idempotency-key")).toBe(true);
  expect(isKeyHeader("X-Request-Id")).toBe(false);
});

it("knows which names can be sent", () => {
  expect(["If-Match", "x_y"].every(isHeaderName)).toBe(true);
  expect(["a b", "a:b", "a\r\nb", "", "ü"].some(isHeaderName)).toBe(false);
  expect(["sid", "a.b-c"].every(isCookieName)).toBe(true);
  expect(["a=b", "a;b", "a b", "", "$x"].some(isCookieName)).toBe(false);
});
