import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer, type Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFinding } from "./table.ts";
import { toFault } from "./to-fault.ts";

function reasonOf(value: unknown, isAborted = false): string | undefined {
  const meaning = readFinding(value, { callerTexts: [], isAborted, ownPackage: undefined })?.meaning;
  return meaning !== undefined && "accident" in meaning ? meaning.accident.reason.id : undefined;
}
/** What an abort is if the caller asked for it. */
const abortReason = (value: unknown) => reasonOf(value, true);
const caught = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe("codes", () => {
  // Every code is in the table of the system's failures: here is one of each failure.
  it.each([
    ["ECONNREFUSED", "core/unavailable"],
    ["ENOTFOUND", "core/misconfigured"],
    ["CERT_HAS_EXPIRED", "core/misconfigured"],
    ["ETIMEDOUT", "core/timeout"],
    ["ERR_CANCELED", "core/timeout"],
    ["EMFILE", "core/overloaded"],
    ["ENOSPC", "core/misconfigured"],
    ["HPE_INVALID_CONSTANT", "core/upstream_failed"],
    ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "rest/response_too_large"],
  ])("%s is %s", (code, reason) => {
    expect(reasonOf({ code })).toBe(reason);
    expect(reasonOf(Object.assign(new Error("private"), { code }))).toBe(reason);
  });

  it.each([
    "ENOENT",
    "EACCES",
    "UND_ERR",
    "",
    "constructor",
    "toString",
    "__proto__",
    "econnrefused",
    "XCERT_",
    "CERT",
  ])("%s is not recognised", (code) => {
    expect(reasonOf({ code })).toBeUndefined();
  });

  it.each([
    [null],
    [undefined],
    ["ECONNREFUSED"],
    [7],
    [{}],
    [{ code: 7 }],
    [{ code: ["ECONNREFUSED"] }],
    [{ name: "Error" }],
  ])("%s is not recognised", (value) => {
    expect(reasonOf(value)).toBeUndefined();
  });
});

describe("real errors", () => {
  let server: Server;
  let closedPort: number;
  const agent = new Agent({ headersTimeout: 60, bodyTimeout: 60 });
  const address = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  beforeAll(async () => {
    server = createHttpServer((incoming, response) => {
      if (incoming.url === "/reset") incoming.socket.destroy();
      if (incoming.url === "/short") {
        response.writeHead(200, { "content-length": "100" });
        response.write("part", () => incoming.socket.destroy());
      }
      if (incoming.url === "/body") response.writeHead(200).write("part");
      if (incoming.url === "/garbage") incoming.socket.end("this is no HTTP\r\n\r\n");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const unused = createServer().listen(0, "127.0.0.1");
    await once(unused, "listening");
    closedPort = (unused.address() as AddressInfo).port;
    unused.close();
    await once(unused, "close");
  });

  afterAll(async () => {
    await agent.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });

  it("a file that is not there is a bug of the server", async () => {
    const error = await caught(() => readFile("/nonexistent/private-name"));
    expect(error).toMatchObject({ code: "ENOENT" });
    expect(reasonOf(error)).toBeUndefined();
    const fault = toFault(error);
    expect(fault.reason).toBe("core/internal");
    expect(JSON.stringify(fault)).not.toContain("private-name");
  });

  it("a fetch that failed, by its cause", async () => {
    const error = await caught(() => fetch(`http://127.0.0.1:${closedPort}/`));
    expect(error).toMatchObject({ message: "fetch failed" });
    expect(toFault(error)).toMatchObject({ reason: "core/unavailable", effect: "none", basis: "mapped" });
    expect(JSON.stringify(toFault(error))).not.toContain(String(closedPort));
  });

  it("a body that does not come in time", async () => {
    const error = await caught(async () => (await request(address("/body"), { dispatcher: agent })).body.text());
    expect(error).toMatchObject({ code: "UND_ERR_BODY_TIMEOUT" });
    expect(reasonOf(error)).toBe("core/timeout");
  });

  it("a connection that is lost before the answer", async () => {
    const error = await caught(() => request(address("/reset"), { dispatcher: agent }));
    expect(error).toMatchObject({ code: "UND_ERR_SOCKET" });
    expect(reasonOf(error)).toBe("core/unavailable");
  });

  it("an answer that is not HTTP", async () => {
    const error = await caught(() => request(address("/garbage"), { dispatcher: agent }));
    expect(error).toMatchObject({ name: "HTTPParserError" });
    expect(reasonOf(error)).toBe("core/upstream_failed");
  });

  it("a request that is aborted", async () => {
    const signal = AbortSignal.abort();
    const error = await caught(() => request(address("/silent"), { dispatcher: agent, signal }));
    expect(toFault(error).reason).toBe("core/timeout");
    expect(toFault(error, { signal }).reason).toBe("core/cancelled");
    expect(toFault(error, { signal: new AbortController().signal }).reason).toBe("core/timeout");
  });
});

describe("aborts and timeouts", () => {
  it("knows what platforms throw on an abort", async () => {
    const controller = new AbortController();
    controller.abort();
    expect(abortReason(controller.signal.reason)).toBe("core/cancelled");
    expect(abortReason(await caught(() => fetch("http://127.0.0.1:1/", { signal: controller.signal })))).toBe(
      "core/cancelled",
    );
    // It is aborted before it begins.
    const error = await caught(() => sleep(1_000, undefined, { signal: controller.signal }));
    expect(error).toMatchObject({ code: "ABORT_ERR" });
    expect(abortReason(error)).toBe("core/cancelled");
    expect(abortReason(new DOMException("x", "AbortError"))).toBe("core/cancelled");
  });

  it("knows what platforms throw on a timeout", async () => {
    const signal = AbortSignal.timeout(1);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    expect(abortReason(signal.reason)).toBe("core/timeout");
    expect(abortReason(new DOMException("x", "TimeoutError"))).toBe("core/timeout");
  });

  it.each([
    ["AbortError", "core/cancelled"],
    ["CanceledError", "core/cancelled"],
    ["CancelledError", "core/cancelled"],
    ["TimeoutError", "core/timeout"],
    ["Error", undefined],
    ["constructor", undefined],
    ["", undefined],
  ])("reads the name %s", (name, reason) => {
    expect(abortReason({ name })).toBe(reason);
    expect(abortReason(Object.assign(new Error("x"), { name }))).toBe(reason);
  });

  it("trusts the platform and not a property of the error", () => {
    const error = Object.defineProperty(new DOMException("x", "TimeoutError"), "name", { value: "AbortError" });
    expect(abortReason(error)).toBe("core/timeout");
  });

  it("works where there is no DOMException", () => {
    const kept = globalThis.DOMException;
    try {
      Reflect.deleteProperty(globalThis, "DOMException");
      expect(abortReason({ name: "AbortError" })).toBe("core/cancelled");
    } finally {
      Object.defineProperty(globalThis, "DOMException", { value: kept, configurable: true, writable: true });
    }
  });
});
