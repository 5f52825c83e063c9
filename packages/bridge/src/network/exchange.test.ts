import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { openUpstream, serve } from "@recourse/test-kit/fixtures";
import { holdTimers } from "@recourse/test-kit/held-timers";
import type { UpstreamAnswer } from "@recourse/test-kit/loopback";
import { describe, expect, test } from "vitest";
import { ask, createTestNetwork, get, replyText, summaryOf } from "../../test/test-network.ts";
import { AddressNotAllowed } from "./addresses.ts";
import { toExchangeFailure } from "./exchange.ts";

/** A server that need not speak HTTP. */
const startRaw = async (greet: (socket: Socket) => void) =>
  (await serve(createServer((socket) => greet(socket.on("error", () => {}))))).href;

describe("an answer", () => {
  test("has status, headers and bytes, and the service gets the request unchanged", async () => {
    const upstream = await openUpstream((_, response) => response.writeHead(201, { "x-kind": "good" }).end("done"));
    const ended = await createTestNetwork().send(
      get(`${upstream.url}/a?b=1`, { method: "POST", headers: { a: "1" }, body: "in" }),
    );
    expect(replyText(ended)).toBe("done");
    expect(ended).toMatchObject({ ok: true, reply: { status: 201, headers: { "x-kind": "good" } } });
    expect(upstream.hits).toMatchObject([{ method: "POST", target: "/a?b=1", headers: { a: "1" } }]);
    expect(upstream.hits[0]?.body.toString()).toBe("in");
  });

  test("that is informational is skipped", async () => {
    const { text } = await ask((_, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" });
      response.end("later");
    });
    expect(text).toBe("later");
  });

  test("that switches protocols is a failure, since nobody asked for it", async () => {
    const url = await startRaw((socket) => {
      const head = "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n";
      socket.once("data", () => socket.write(head));
    });
    const ended = await createTestNetwork().send(get(url));
    expect(summaryOf(ended)).toEqual({ code: "connection_lost", sent: true });
  });
});

describe("time", () => {
  const HOUR_MS = 3_600_000;

  /** Resolves when the client has received the head of an answer. */
  function headArrived(): Promise<void> {
    const channel = "undici:request:headers";
    return new Promise((resolve) => {
      const note = () => {
        unsubscribe(channel, note);
        resolve();
      };
      subscribe(channel, note);
    });
  }

  test("until the head is limited", async () => {
    expect((await ask(() => {}, { headersTimeoutMs: 50 })).summary).toEqual({ code: "timeout", sent: true });
  });

  test("between two pieces of the body is limited", async () => {
    const { summary } = await ask((_, response) => response.writeHead(200).write("begun"), { bodyTimeoutMs: 50 });
    expect(summary).toEqual({ status: 200, bodyError: "timeout" });
  });

  test("in total is limited, also while data arrives", async () => {
    const upstream = await openUpstream((_, response) => {
      const timer = setInterval(() => response.write("."), 10);
      response.on("close", () => clearInterval(timer));
    });
    using deadline = holdTimers(HOUR_MS);
    const arrived = headArrived();
    const ending = createTestNetwork({ deadlineMs: HOUR_MS }).send(get(upstream.url));
    await arrived;
    deadline.fire();
    expect(summaryOf(await ending)).toEqual({ status: 200, bodyError: "timeout" });
  });

  test("of one call may be shorter", async () => {
    using limit = holdTimers(HOUR_MS);
    const { summary } = await ask(() => limit.fire(), {}, { timeoutMs: HOUR_MS });
    expect(summary).toEqual({ code: "timeout", sent: true });
  });

  test("of one call may be longer, also for the head", async () => {
    // Longer than the limits of the network.
    const late: UpstreamAnswer = (_, response) => setTimeout(() => response.end("at last"), 150);
    const { text } = await ask(late, { headersTimeoutMs: 50, deadlineMs: 50 }, { timeoutMs: HOUR_MS });
    expect(text).toBe("at last");
  });

  test("ends when the caller gives up, and so does the request", async () => {
    const caller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const leave: UpstreamAnswer = (_, response) => {
      response.on("close", () => closed.resolve());
      caller.abort();
    };
    const { summary, hits } = await ask(leave, {}, { signal: caller.signal });
    expect(summary).toEqual({ code: "cancelled", sent: true });
    await closed.promise;
    expect(hits).toHaveLength(1);
  });

  test("is not sent for a caller who gave up before", async () => {
    const { summary, hits } = await ask((_, response) => response.end(), {}, { signal: AbortSignal.abort() });
    expect(summary).toEqual({ code: "cancelled", sent: false });
    expect(hits).toHaveLength(0);
  });
});

describe("a broken connection", () => {
  test("after the request was sent may have had an effect", async () => {
    const { summary, hits } = await ask((_, response) => response.socket?.resetAndDestroy());
    expect(summary).toEqual({ code: "connection_lost", sent: true });
    expect(hits).toHaveLength(1);
  });

  test.each([
    ["with a length", { "content-length": "100" }],
    ["in chunks", {}],
  ])("in the middle of the body is a body error: %s", async (_, headers) => {
    const { summary } = await ask((_hit, response) => {
      response.writeHead(200, headers).write("half", () => response.socket?.destroy());
    });
    expect(summary).toEqual({ status: 200, bodyError: "connection_lost" });
  });

  test("that failed before the request sent nothing", async () => {
    const upstream = await openUpstream(() => {});
    await upstream.close();
    expect(summaryOf(await createTestNetwork().send(get(upstream.url)))).toEqual({ code: "unreachable", sent: false });
  });

  test("that is not HTTP is unreadable", async () => {
    const url = await startRaw((socket) => socket.resume().end("220 mail.example ESMTP\r\n"));
    expect(summaryOf(await createTestNetwork().send(get(url)))).toMatchObject({ code: "unreadable" });
  });

  test("to a host name that does not exist is a misconfiguration", async () => {
    const lookup = async () => {
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    };
    expect(summaryOf(await createTestNetwork({ lookup }).send(get("http://nowhere.example")))).toEqual({
      code: "misconfigured",
      sent: false,
    });
  });
});

test("an answer may be as large as the limit", async () => {
  const { summary } = await ask((_, response) => response.end(Buffer.alloc(1_000)), { maxResponseBytes: 1_000 });
  expect(summary).toEqual({ status: 200, bodyError: undefined });
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
] as const)("a reply is decompressed from %s", async (encoding, pack) => {
  const body = pack("unpacked");
  const { text } = await ask((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body));
  expect(text).toBe("unpacked");
});

const error = (code: string) => Object.assign(new Error("x"), { code });

test.each<[unknown, string, string]>([
  [new AddressNotAllowed(), "address_not_allowed", "address_not_allowed"],
  [error("ENOTFOUND"), "misconfigured", "misconfigured"],
  [error("CERT_HAS_EXPIRED"), "misconfigured", "misconfigured"],
  [error("ERR_TLS_CERT_ALTNAME_INVALID"), "misconfigured", "misconfigured"],
  [error("DEPTH_ZERO_SELF_SIGNED_CERT"), "misconfigured", "misconfigured"],
  [error("ECONNREFUSED"), "unreachable", "connection_lost"],
  [error("EAI_AGAIN"), "unreachable", "connection_lost"],
  [error("UND_ERR_CONNECT_TIMEOUT"), "unreachable", "connection_lost"],
  [error("ECONNRESET"), "unreachable", "connection_lost"],
  [error("UND_ERR_SOCKET"), "unreachable", "connection_lost"],
  [error("UND_ERR_HEADERS_TIMEOUT"), "timeout", "timeout"],
  [error("HPE_INVALID_CONSTANT"), "unreadable", "unreadable"],
  [Object.assign(new Error("x"), { name: "HTTPParserError" }), "unreadable", "unreadable"],
  [error("UND_ERR_HEADERS_OVERFLOW"), "too_large", "too_large"],
  [error("UND_ERR_DESTROYED"), "closed", "closed"],
  [error("toString"), "unreachable", "connection_lost"],
  [undefined, "unreachable", "connection_lost"],
  ["text", "unreachable", "connection_lost"],
])("%o before sending and after", (cause, before, after) => {
  expect(toExchangeFailure(cause, false)).toEqual({ code: before, sent: false, cause });
  expect(toExchangeFailure(cause, true)).toEqual({ code: after, sent: true, cause });
});
