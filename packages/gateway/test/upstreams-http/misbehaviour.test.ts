import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { eventually } from "@recourse/test-kit/eventually";
import { describe, expect, it } from "vitest";
import type { UpstreamReply } from "../../src/call/upstream.ts";
import { FairPool } from "../../src/limits/fair-pool.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { sendJson, startRawServer } from "./support/raw-server.ts";
import { scope } from "./support/scope.ts";
import { callOf, MAX_ANSWER_BYTES, textOf, upstreamAt } from "./support/upstream.ts";

const keep = scope();
const OK = '{"jsonrpc":"2.0","id":7,"result":{}}';
const INVALID = "failed: protocol/invalid_result, possible";
const LOST = "failed: transport/connection_lost, possible";

function sendEvents(response: ServerResponse, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(text);
}

async function replyTo(answer: (response: ServerResponse) => void, more: object = {}): Promise<UpstreamReply> {
  const server = keep(await startRawServer(answer));
  const upstream = keep(upstreamAt(server.url));
  return upstream.send(callOf("search", "{}", more));
}

describe("an answer that is not one of the protocol", () => {
  it.each<[name: string, expected: string, answer: (response: ServerResponse) => void]>([
    ["202", INVALID, (response) => response.writeHead(202).end()],
    ["204", INVALID, (response) => response.writeHead(204).end()],
    ["an empty body", INVALID, (response) => sendJson(response, "")],
    ["a page", INVALID, (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>")],
    ["no content type", INVALID, (response) => response.writeHead(200).end(OK)],
    ["broken JSON", INVALID, (response) => sendJson(response, '{"jsonrpc":"2.0","id":7,"result":{"a":[1}')],
    ["JSON that is no object", INVALID, (response) => sendJson(response, `[${OK}]`)],
    ["another id", INVALID, (response) => sendJson(response, '{"jsonrpc":"2.0","id":8,"result":{}}')],
    ["the id as a string", INVALID, (response) => sendJson(response, '{"jsonrpc":"2.0","id":"7","result":{}}')],
    ["no id", INVALID, (response) => sendJson(response, '{"jsonrpc":"2.0","result":{}}')],
    ["two ids", INVALID, (response) => sendJson(response, '{"jsonrpc":"2.0","id":7,"id":8,"result":{}}')],
    ["result and error", INVALID, (response) => sendJson(response, '{"id":7,"result":{},"error":{"code":1}}')],
    ["a request", INVALID, (response) => sendJson(response, '{"id":7,"method":"ping"}')],
    [
      "a compressed body",
      INVALID,
      (response) =>
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipSync(OK)),
    ],
    ["no HTTP", INVALID, (response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n\r\n")],
    [
      "a stream without an answer",
      LOST,
      (response) => {
        sendEvents(response, 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
        response.end();
      },
    ],
    [
      "a stream whose answer is not ended",
      LOST,
      (response) => {
        sendEvents(response, `data: ${OK}\n`);
        response.end();
      },
    ],
    [
      "a stream with another id",
      LOST,
      (response) => {
        sendEvents(response, 'data: {"jsonrpc":"2.0","id":8,"result":{}}\n\n');
        response.end();
      },
    ],
    [
      "a stream of nonsense",
      LOST,
      (response) => {
        sendEvents(response, "data: nonsense\n\n: \n\ndata: [1]\n\n");
        response.end();
      },
    ],
    [
      "a stream that breaks",
      LOST,
      (response) => {
        sendEvents(response, "data: x");
        // What was sent before a reset may be lost with it.
        setTimeout(() => response.socket?.resetAndDestroy(), 50);
      },
    ],
    [
      "a body that is cut short",
      LOST,
      (response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
        response.write(OK, () => response.socket?.destroy());
      },
    ],
    ["a connection that is closed", LOST, (response) => response.socket?.destroy()],
    ["a connection that is reset", LOST, (response) => response.socket?.resetAndDestroy()],
    [
      "a redirect",
      "failed: core/misconfigured, none",
      (response) => response.writeHead(307, { location: "http://127.0.0.1:9/mcp" }).end(),
    ],
    [
      "a redirect after the work",
      "failed: core/misconfigured, possible",
      (response) => response.writeHead(303, { location: "http://127.0.0.1:9/mcp" }).end(),
    ],
  ])("%s is %s", async (_name, expected, answer) => {
    expect(textOf(await replyTo(answer))).toBe(expected);
  });
});

it("keeps the reason for the operator, and no address in the fault", async () => {
  const reply = await replyTo((response) => response.writeHead(202).end());
  expect(reply).toMatchObject({ kind: "failed", cause: new Error("HTTP status 202 without an answer") });
  expect(JSON.stringify(reply.kind === "failed" && reply.fault)).not.toContain("127.0.0.1");
});

describe("an answer that says what failed goes on as it is", () => {
  it.each([
    [500, "text/plain", "boom"],
    [404, "application/json", '{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"x"}}'],
    [400, "application/json", '{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"x"}}'],
    [429, "application/json", "{}"],
    [200, "application/json", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'],
  ])("%i %s %s", async (status, type, body) => {
    const reply = await replyTo((response) =>
      response.writeHead(status, { "content-type": type, "retry-after": "3" }).end(body),
    );
    expect(reply).toMatchObject({ kind: "answer", status });
    expect(textOf(reply)).toBe(body);
    expect(reply.kind === "answer" && reply.header("retry-after")).toBe("3");
  });
});

describe("streams", () => {
  it("bring notifications before their answer, and the rest is not read", async () => {
    const seen: string[] = [];
    const onNotification = (message: Buffer) => void seen.push(message.toString());
    const reply = await replyTo(
      (response) => {
        sendEvents(response, '\ufeffdata: {"jsonrpc":"2.0","method":"a"}\r\r');
        response.write(`data: {"jsonrpc":"2.0",\ndata: "id":7,"result":{"n":1e400}}\n\ndata: {"method":"b"}\n\n`);
      },
      { onNotification },
    );
    expect(textOf(reply)).toBe('{"jsonrpc":"2.0",\n"id":7,"result":{"n":1e400}}');
    expect(seen).toEqual(['{"jsonrpc":"2.0","method":"a"}']);
  });

  it("leave their connection to the next call where they end", async () => {
    const ports = new Set<number | undefined>();
    const server = keep(
      await startRawServer((response) => {
        ports.add(response.socket?.remotePort);
        sendEvents(response, `data: ${OK}\n\n`);
        setImmediate(() => response.end());
      }),
    );
    holdTime();
    const upstream = keep(upstreamAt(server.url));
    // The end of a stream can arrive after the next call has begun.
    for (let calls = 0; ports.size === calls; calls++) {
      expect(textOf(await upstream.send(callOf("search")))).toBe(OK);
      await eventually(() => expect(server.ended()).toBe(calls + 1));
    }
  });

  it("lose their connection where they do not end", async () => {
    holdTime();
    let isClosed = false;
    const reply = await replyTo((response) => {
      response.on("close", () => {
        isClosed = true;
      });
      sendEvents(response, `data: ${OK}\n\n`);
    });
    expect(textOf(reply)).toBe(OK);
    expect(isClosed).toBe(false);
    await pass(1_000);
    await eventually(() => expect(isClosed).toBe(true));
  });
});

describe("bounds", () => {
  it("an answer that is too large", async () => {
    const body = `{"jsonrpc":"2.0","id":7,"result":"${"x".repeat(MAX_ANSWER_BYTES)}"}`;
    const reply = await replyTo((response) => sendJson(response, body));
    expect(textOf(reply)).toBe("failed: tool/result_too_large, possible");
  });

  it("an event that never ends", async () => {
    const reply = await replyTo((response) => {
      sendEvents(response, "data: ");
      const timer = setInterval(() => response.write("x".repeat(65_536)), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(textOf(reply)).toBe("failed: tool/result_too_large, possible");
  });

  it("all answers under way together, also after failures", async () => {
    const memory = new FairPool({ capacity: 250_000, least: 10_000 });
    const large = `{"jsonrpc":"2.0","id":7,"result":"${"x".repeat(100_000)}"}`;
    const waiting: ServerResponse[] = [];
    let isRefused = false;
    const endAll = () => {
      for (const one of waiting.splice(0)) one.end(large.slice(-10));
    };
    const server = keep(
      await startRawServer((response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.write(large.slice(0, -10));
        waiting.push(response);
        if (isRefused) endAll();
      }),
    );
    const upstream = keep(upstreamAt(server.url, {}, { memory }));
    const replies = [1, 2, 3].map(() => upstream.send(callOf("search")));
    expect(textOf(await Promise.race(replies))).toBe("failed: core/overloaded, possible");
    isRefused = true;
    endAll();
    expect((await Promise.all(replies)).map(({ kind }) => kind)).toContain("answer");
    expect(memory.held).toBe(0);
  });
});

describe("time", () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ["no answer", () => {}],
    [
      "a head without a body",
      (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.flushHeaders();
      },
    ],
    [
      "a stream of notifications",
      (response) => {
        sendEvents(response, "");
        const timer = setInterval(() => response.write('data: {"method":"notifications/progress"}\n\n'), 20);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("%s in time", async (_name, answer) => {
    holdTime();
    const arrived = Promise.withResolvers<void>();
    const replying = replyTo(
      (response) => {
        answer(response);
        arrived.resolve();
      },
      { timeoutMs: 300 },
    );
    await arrived.promise;
    await pass(300);
    const reply = await replying;
    expect(textOf(reply)).toBe("failed: core/timeout, possible");
    expect(reply).toMatchObject({ fault: { params: { timeoutMs: 300 } } });
  });

  it("a caller that has gone before anything was sent", async () => {
    const server = keep(await startRawServer((response) => sendJson(response, OK)));
    const upstream = keep(upstreamAt(server.url));
    await upstream.ready(new AbortController().signal);
    const reply = await upstream.send(callOf("search", "{}", { signal: AbortSignal.abort() }));
    expect(textOf(reply)).toBe("failed: core/cancelled, none");
    expect(server.requests).toHaveLength(0);
  });

  it("a caller that goes closes the request", async () => {
    let isClosed = false;
    const caller = new AbortController();
    const reply = await replyTo(
      (response) => {
        response.on("close", () => {
          isClosed = true;
        });
        caller.abort();
      },
      { signal: caller.signal },
    );
    expect(textOf(reply)).toBe("failed: core/cancelled, possible");
    await expect.poll(() => isClosed).toBe(true);
  });
});

it("a notification is accepted with 202, and has no body", async () => {
  const reply = await replyTo((response) => response.writeHead(202).end(), {
    id: undefined,
    method: "notifications/x",
  });
  expect(reply).toMatchObject({ kind: "answer", status: 202 });
});
