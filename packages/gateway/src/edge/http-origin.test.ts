// Requests to a caller before its answer: what was sent arrives, and what cannot be sent is said to be so.
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import { HttpOrigin } from "./http-origin.ts";

/** An origin on a real connection, and the response as its client gets it, unread. */
async function connect(accept: string) {
  const arrived = Promise.withResolvers<HttpOrigin>();
  const server = createServer((incoming, outgoing) => {
    const options = { path: "/mcp", proxies: [], maxRequestBytes: 1_000, awaitsContinue: false };
    arrived.resolve(new HttpOrigin(incoming, outgoing, options));
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  const sent = request(url, { method: "POST", headers: { accept } });
  sent.on("error", () => {});
  sent.end("{}");
  const response = once(sent, "response").then(([incoming]) => incoming as IncomingMessage);
  response.catch(() => {});
  return { origin: await arrived.promise, leave: () => sent.destroy(), response };
}

const BOTH = "application/json, text/event-stream";

describe("a question", () => {
  it("is sent as an event, and the answer follows on the same stream", async () => {
    const { origin, response } = await connect(BOTH);
    expect(origin.canAsk).toBe(true);
    expect(origin.ask(Buffer.from('{"a":\n1}'))).toBe(true);
    origin.stream?.end(Buffer.from("{}"));
    expect([origin.canAsk, origin.ask(Buffer.from("{}"))]).toEqual([false, false]);
    origin.notify(Buffer.from("{}"));
    const chunks: Buffer[] = [];
    for await (const chunk of await response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    expect(text).toBe('event: message\ndata: {"a": 1}\n\nevent: message\ndata: {}\n\n');
  });

  it("is not sent to a caller that reads no streams, or has its answer", async () => {
    const { origin } = await connect("application/json");
    expect([origin.canAsk, origin.ask(Buffer.from("{}"))]).toEqual([false, false]);
    const other = await connect(BOTH);
    other.origin.outgoing.writeHead(200).end("{}");
    expect([other.origin.canAsk, other.origin.ask(Buffer.from("{}"))]).toEqual([false, false]);
  });

  it("is not sent to a caller that has left, or whose call was ended", async () => {
    const { origin, leave } = await connect(BOTH);
    leave();
    await once(origin.signal, "abort");
    expect([origin.canAsk, origin.ask(Buffer.from("{}"))]).toEqual([false, false]);
    const other = await connect(BOTH);
    other.origin.abort();
    expect([other.origin.canAsk, other.origin.ask(Buffer.from("{}"))]).toEqual([false, false]);
  });

  it("is refused where the caller reads nothing, and none that was sent is lost", async () => {
    const { origin, response } = await connect(BOTH);
    const question = (at: number) => Buffer.from(JSON.stringify({ at, text: "a".repeat(200_000) }));
    let sent = 0;
    while (sent < 1_000 && origin.ask(question(sent))) sent += 1;
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(1_000);
    expect(origin.outgoing.writableLength).toBeLessThan(600_000);
    origin.stream?.end(Buffer.from("{}"));
    let text = "";
    for await (const chunk of await response) text += String(chunk);
    const read = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => (JSON.parse(data) as { at?: number }).at);
    expect(read).toEqual([...Array.from({ length: sent }, (_, at) => at), undefined]);
  });
});
