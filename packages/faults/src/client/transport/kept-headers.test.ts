import { expect, test } from "vitest";
import { keptHeaders } from "./exchange.ts";

test("headers that say what to do are kept, and nothing that identifies", () => {
  const kept = {
    "retry-after": "30",
    "retry-after-ms": "30000",
    ratelimit: '"a";r=0;t=30',
    "ratelimit-policy": '"a";q=10;w=60',
    "x-ratelimit-remaining": "0",
    "x-rate-limit-reset": "30",
    "www-authenticate": "Bearer",
    "content-type": "text/html",
    date: "Tue, 28 Jul 2026 00:00:00 GMT",
  };
  const dropped = { "set-cookie": "a=b", "mcp-session-id": "secret", authorization: "x", "ratelimited-by": "y" };
  expect(keptHeaders(new Headers({ ...kept, ...dropped }))).toEqual(kept);
});

test("a value without end is not kept", () => {
  expect(keptHeaders(new Headers({ "www-authenticate": "x".repeat(2_049), date: "x".repeat(2_048) }))).toEqual({
    date: "x".repeat(2_048),
  });
});
