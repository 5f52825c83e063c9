// A caller that opens a stream and does not read it.
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { expect, it, onTestFinished } from "vitest";
import { HttpOrigin } from "../../src/edge/http-origin.ts";

const HEAD = "GET /mcp HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\n\r\n";

it("takes no more memory than its bound, and gets messages again once it reads", async () => {
  const opened = Promise.withResolvers<{ write: (message: Buffer) => boolean; outgoing: ServerResponse }>();
  const server = createServer((incoming, outgoing) => {
    const origin = new HttpOrigin(incoming, outgoing, {
      path: "/mcp",
      proxies: [],
      maxRequestBytes: 1_024,
      awaitsContinue: false,
    });
    const write = origin.openStream();
    if (write !== undefined) opened.resolve({ write, outgoing });
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  const socket = connect(Number(url.port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.write(HEAD);
  socket.pause();
  const { write, outgoing } = await opened.promise;
  const message = Buffer.from(JSON.stringify({ text: "x".repeat(16_000) }));
  let written = 0;
  for (let count = 0; count < 10_000; count++) {
    if (write(message)) written += 1;
    if (count % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(5_000);
  expect(outgoing.writableLength).toBeLessThan(256 * 1_024 + 2 * message.length);
  socket.resume();
  await expect.poll(() => write(message)).toBe(true);
});
