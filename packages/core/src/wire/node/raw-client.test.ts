import { createServer, type RequestListener } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { serve } from "@recourse/test-kit/fixtures";
import { describe, expect, test } from "vitest";
import { hostEnvironment, startChild } from "./child.ts";
import { openPipes, type RawRequest, sendRaw } from "./raw-client.ts";

/** Sends a request; what a stream brings is in `events`. */
async function send(url: URL, options: Partial<RawRequest> = {}) {
  const events: string[] = [];
  const outcome = await sendRaw({
    url,
    method: "POST",
    headers: { host: url.host },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    now: () => performance.now(),
    maxBytes: 10_000,
    maxStreamText: 10_000,
    onEvent: (data) => events.push(data),
    isEnough: () => false,
    ...options,
  });
  return { ...outcome, events };
}

async function sendTo(listener: RequestListener, options?: Partial<RawRequest>) {
  return send(await serve(listener), options);
}

const STREAM = { "content-type": "text/event-stream" };

describe("a request ends", () => {
  test("with a whole answer", async () => {
    const { how, response } = await sendTo((_, out) => out.writeHead(418, { "x-a": ["1", "2"] }).end("tea"));
    expect(how).toBe("complete");
    expect(response).toMatchObject({ status: 418, text: "tea", bytes: 3, isStream: false, headers: { "x-a": "1, 2" } });
  });

  test("with the part of a stream that was needed", async () => {
    const open: RequestListener = (_, out) => out.writeHead(200, STREAM).write("data: one\n\ndata: two\n\n");
    const { how, events } = await sendTo(open, { isEnough: ({ text }) => text.includes("two") });
    expect(how).toBe("enough");
    expect(events).toEqual(["one", "two"]);
    expect((await sendTo((_, out) => out.writeHead(200, STREAM).flushHeaders(), { isEnough: () => true })).how).toBe(
      "enough",
    );
  });

  test("when its body is too long, breaks off, or does not come", async () => {
    expect((await sendTo((_, out) => out.end("x".repeat(20_000)))).how).toBe("too-long");
    const cut = await sendTo((_, out) => {
      out.writeHead(200, { "content-length": "9" }).write("half");
      setImmediate(() => out.destroy());
    });
    expect(cut).toMatchObject({ how: "cut", response: { status: 200, text: "half" }, error: { code: "ECONNRESET" } });
    const late = await sendTo((_, out) => out.writeHead(200).write("half"), { timeoutMs: 200 });
    expect(late).toMatchObject({ how: "late", response: { text: "half" } });
    expect(await sendTo(() => {}, { timeoutMs: 50 })).toMatchObject({ how: "late", response: undefined });
    expect((await sendTo(() => {}, { signal: AbortSignal.abort() })).how).toBe("aborted");
  });

  test("without a server, or with a header that cannot be sent", async () => {
    const server = createServer();
    const url = await serve(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await send(url)).toMatchObject({ how: "broken", error: { code: "ECONNREFUSED" } });
    expect((await send(url, { headers: { host: "a\nb" } })).how).toBe("unsendable");
  });

  test("with bytes that are not HTTP, over a connection that was open", async () => {
    const url = await serve(createTcpServer((socket) => socket.end("SSH-2.0-x\r\n")));
    const socket = connect(Number(url.port), url.hostname);
    const { how, firstBytes } = await send(url, { socket });
    expect(how).toBe("broken");
    expect(Buffer.from(firstBytes).toString()).toBe("SSH-2.0-x\r\n");
    expect(socket.destroyed).toBe(true);
  });
});

test("a program is read line by line, up to a limit, and is written to while it listens", async () => {
  const script = `process.stdin.once("data", (line) => {
    process.stdout.write("got " + line + "\\n" + "x".repeat(30) + "\\r\\nend\\r\\n");
    process.stdin.once("data", () => process.stdout.write("y".repeat(10_000)));
  })`;
  const env = hostEnvironment(process.env);
  const child = startChild({ command: process.execPath, args: ["-e", script], env });
  const seen: unknown[] = [];
  const flooded = Promise.withResolvers<void>();
  const write = openPipes(child, {
    maxLineBytes: 20,
    maxBytes: 5_000,
    onLine: (text, size) => seen.push([text, size]),
    onTooLong: (size) => seen.push(size),
    onFlood: flooded.resolve,
  });
  write("one");
  await expect.poll(() => seen).toEqual([["got one", 7], 31, ["end", 4]]);
  write(Buffer.from("two"));
  await flooded.promise;
  await child.stop({ closeMs: 30_000 });
  write("nobody listens");
});
