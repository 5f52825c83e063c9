// What a test opens for itself, closed when it ends. They are functions, since `test.each` passes no fixtures.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { startUpstream, type TestUpstream, type UpstreamAnswer } from "./loopback.ts";
import { connectHttpPair, connectPair, type SdkPair } from "./sdk-pairs.ts";

interface Closeable {
  close(): unknown;
}

const open: Closeable[] = [];

/**
 * Closes it when the test ends, in the order in which things were opened: a client waits for what a service still owes it. A
 * hook of a module would belong to the first of the test files that share it.
 */
export function closeAfterTest<T extends Closeable>(one: T): T {
  if (open.length === 0)
    onTestFinished(async () => {
      for (const next of open.splice(0)) await next.close();
    });
  open.push(one);
  return one;
}

/** Serves HTTP with a listener, or whatever a server speaks, on a free port of 127.0.0.1. */
export async function serve(what: RequestListener | Server): Promise<URL> {
  const server = typeof what === "function" ? createServer(what) : what;
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeAfterTest({
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

/** A scripted service, which records its requests. */
export async function openUpstream(answer: UpstreamAnswer): Promise<TestUpstream> {
  return closeAfterTest(await startUpstream(answer));
}

/** A client of the SDK over HTTP, and a server that `build` equips. */
export async function openPair(...how: Parameters<typeof connectPair>): Promise<SdkPair> {
  return closeAfterTest(await connectPair(...how));
}

/** A client of the SDK over HTTP, and the servers that `make` creates. */
export async function openHttpPair(...how: Parameters<typeof connectHttpPair>): Promise<SdkPair> {
  return closeAfterTest(await connectHttpPair(...how));
}

/** A client of the SDK that talks to a server of version 2 in memory. */
export async function connectInMemory(server: { connect(transport: never): Promise<void> }): Promise<Client> {
  const client = closeAfterTest(new Client({ name: "client", version: "1.0.0" }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far as never), client.connect(near)]);
  return client;
}
