import { createServer } from "node:net";
import { expect, test } from "vitest";
import { answerForm, pickHeaders, rejectionPhase } from "./exchange.ts";

test.each([
  [200, "application/json", "json"],
  [200, "Application/JSON; charset=utf-8", "json"],
  [200, "text/event-stream", "stream"],
  [202, "application/json", "accepted"],
  [200, "text/html", "refusal"],
  [200, "application/json-seq", "refusal"],
  [200, "constructor", "refusal"],
  [200, undefined, "refusal"],
  [308, "text/html", "redirect"],
  [400, "application/json", "refusal"],
  [503, "text/event-stream", "refusal"],
] as const)("%i with %s is %s", (status, type, form) => {
  const headers = new Headers(type === undefined ? {} : { "content-type": type });
  expect(answerForm(new Response(null, { status, headers }))).toBe(form);
});

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
  expect(pickHeaders(new Headers({ ...kept, ...dropped }))).toEqual(kept);
});

test("a value without end is not kept", () => {
  expect(pickHeaders(new Headers({ "www-authenticate": "x".repeat(2_049), date: "x".repeat(2_048) }))).toEqual({
    date: "x".repeat(2_048),
  });
});

const failed = (cause: object) => new TypeError("fetch failed", { cause });
const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

test.each([
  ["a refused connection", failed(coded("ECONNREFUSED", { syscall: "connect" })), "connect"],
  ["a name that nobody knows", failed(coded("ENOTFOUND", { syscall: "getaddrinfo" })), "connect"],
  ["a connection that takes too long", failed(coded("UND_ERR_CONNECT_TIMEOUT")), "connect"],
  ["a certificate that is too old", failed(coded("CERT_HAS_EXPIRED")), "connect"],
  ["an unreachable host, while connecting", failed(coded("EHOSTUNREACH", { syscall: "connect" })), "connect"],
  ["an unreachable host, while reading", failed(coded("EHOSTUNREACH", { syscall: "read" })), "sent"],
  ["a time-out of the system, while reading", failed(coded("ETIMEDOUT", { syscall: "read" })), "sent"],
  ["a reset connection", failed(coded("ECONNRESET", { syscall: "read" })), "sent"],
  ["a closed socket", failed(coded("UND_ERR_SOCKET")), "sent"],
  ["headers that never came", failed(coded("UND_ERR_HEADERS_TIMEOUT")), "sent"],
  ["a code that nobody knows", failed(coded("E_NEW")), "sent"],
  ["a code that every object has", failed(coded("constructor")), "sent"],
  ["a plain error", new Error("connect ECONNREFUSED"), "sent"],
  ["no error at all", undefined, "sent"],
])("%s", (_name, error, phase) => {
  expect(rejectionPhase(error)).toBe(phase);
});

test("several addresses count as not reached only if none of them was", () => {
  const refused = coded("ECONNREFUSED", { syscall: "connect" });
  expect(rejectionPhase(failed(new AggregateError([refused, refused])))).toBe("connect");
  expect(rejectionPhase(failed(new AggregateError([refused, coded("ECONNRESET")])))).toBe("sent");
  expect(rejectionPhase(failed(new AggregateError([])))).toBe("sent");
});

test("causes that go in a circle end", () => {
  const error = new Error("round");
  error.cause = error;
  expect(rejectionPhase(error)).toBe("sent");
});

test("the platform's own errors are understood", async () => {
  const server = createServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const attempt = () =>
    fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "x" }).catch((error: unknown) => error);
  expect(rejectionPhase(await attempt())).toBe("sent");
  await new Promise((resolve) => server.close(resolve));
  expect(rejectionPhase(await attempt())).toBe("connect");
});
