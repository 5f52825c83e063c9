import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as client from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport as OldMemory } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sdk } from "./dialect.ts";

const read = (wire: unknown) => sdk.decode(wire);
const reasonOf = (wire: unknown) => read(wire)?.reason;
const caught = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe("over real connections", () => {
  it("knows a closed port: the request was never sent", async () => {
    const web = createServer();
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`);
    await new Promise((resolve) => web.close(resolve));
    for (const work of [
      () => new client.Client({ name: "c", version: "1" }).connect(new client.StreamableHTTPClientTransport(url)),
      () => new OldClient({ name: "c", version: "1" }).connect(new OldTransport(url) as never),
    ]) {
      expect(read(await caught(work))).toMatchObject({ kind: "unavailable", effect: "none", basis: "mapped" });
    }
  });

  it("knows HTTP failures of a real server", async () => {
    const web = createServer((_, response) => response.writeHead(429, { "retry-after": "3" }).end("slow down"));
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const url = new URL(`http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`);
    try {
      const modern = new client.Client({ name: "c", version: "1" });
      expect(reasonOf(await caught(() => modern.connect(new client.StreamableHTTPClientTransport(url))))).toBe(
        "core/rate_limited",
      );
      const old = new OldClient({ name: "c", version: "1" });
      expect(reasonOf(await caught(() => old.connect(new OldTransport(url) as never)))).toBe("core/rate_limited");
    } finally {
      web.close();
    }
  });

  it("knows a connection that was reset: the request may have arrived", async () => {
    const web = createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
    try {
      const error = await caught(() => fetch(url, { method: "POST", body: "{}" }));
      expect(read(error)).toMatchObject({ reason: "transport/connection_lost", effect: "possible" });
    } finally {
      web.close();
    }
  });

  it("knows the errors of version 1's server and client together", async () => {
    const tools = new OldServer({ name: "s", version: "1" });
    tools.registerTool("slow", {}, () => new Promise(() => {}));
    tools.registerTool("add", { inputSchema: { n: z.number() } }, () => ({ content: [] }));
    const [near, far] = OldMemory.createLinkedPair();
    const old = new OldClient({ name: "c", version: "1" });
    await tools.connect(far);
    await old.connect(near);
    expect(read(await old.callTool({ name: "nope", arguments: {} }))).toMatchObject({
      reason: "tool/not_found",
      params: { tool: "nope" },
      basis: "mapped",
    });
    expect(read(await old.callTool({ name: "add", arguments: { n: "x" } }))).toMatchObject({
      reason: "tool/invalid_arguments",
      params: { tool: "add" },
      effect: "none",
    });
    const slow = () => old.callTool({ name: "slow", arguments: {} }, undefined, { timeout: 20 });
    expect(read(await caught(slow))).toMatchObject({ reason: "core/timeout", params: { timeoutMs: 20 } });
    const stop = AbortSignal.abort();
    const aborted = () => old.callTool({ name: "slow", arguments: {} }, undefined, { signal: stop });
    expect(reasonOf(await caught(aborted))).toBe("core/cancelled");
    const closing = caught(() => old.callTool({ name: "slow", arguments: {} }));
    await old.close();
    expect(read(await closing)).toMatchObject({ reason: "transport/connection_lost", effect: "possible" });
    expect(reasonOf(await caught(() => old.callTool({ name: "slow", arguments: {} })))).toBe("transport/not_connected");
  });
});
