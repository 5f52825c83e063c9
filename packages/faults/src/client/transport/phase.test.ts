import { createServer } from "node:net";
import { expect, test } from "vitest";
import { phaseOf } from "./exchange.ts";

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
  expect(phaseOf(error)).toBe(phase);
});

test("several addresses count as not reached only if none of them was", () => {
  const refused = coded("ECONNREFUSED", { syscall: "connect" });
  expect(phaseOf(failed(new AggregateError([refused, refused])))).toBe("connect");
  expect(phaseOf(failed(new AggregateError([refused, coded("ECONNRESET")])))).toBe("sent");
  expect(phaseOf(failed(new AggregateError([])))).toBe("sent");
});

test("causes that go in a circle end", () => {
  const error = new Error("round");
  error.cause = error;
  expect(phaseOf(error)).toBe("sent");
});

test("the platform's own errors are understood", async () => {
  const server = createServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const attempt = () =>
    fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "x" }).catch((error: unknown) => error);
  expect(phaseOf(await attempt())).toBe("sent");
  await new Promise((resolve) => server.close(resolve));
  expect(phaseOf(await attempt())).toBe("connect");
});
