import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { get, network, open, serving, textOf, told } from "../../test/exchanges.ts";
import { startUpstream } from "../../test/upstream.ts";

describe("an answer", () => {
  test("comes with status, headers and bytes, and the request as it was made", async () => {
    const upstream = await serving((_, response) => response.writeHead(201, { "x-kind": "good" }).end("done"));
    const ended = await network().send(
      get(`${upstream.url}/a?b=1`, { method: "POST", headers: { a: "1" }, body: "in" }),
    );
    expect(textOf(ended)).toBe("done");
    expect(ended).toMatchObject({ ok: true, reply: { status: 201, headers: { "x-kind": "good" } } });
    expect(upstream.hits).toMatchObject([{ method: "POST", target: "/a?b=1", headers: { a: "1" } }]);
    expect(upstream.hits[0]?.body.toString()).toBe("in");
  });

  test("that is informational is not the answer", async () => {
    const upstream = await serving((_, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" });
      response.end("later");
    });
    expect(textOf(await network().send(get(upstream.url)))).toBe("later");
  });
});

describe("time", () => {
  test("until the head is bounded", async () => {
    const upstream = await serving(() => {});
    expect(told(await network({ headersMs: 50 }).send(get(upstream.url)))).toEqual({ why: "late", sent: true });
  });

  test("between two pieces is bounded", async () => {
    const upstream = await serving((_, response) => response.writeHead(200).write("begun"));
    expect(told(await network({ bodyMs: 50 }).send(get(upstream.url)))).toEqual({ status: 200, flaw: "late" });
  });

  test("in all is bounded, although something comes again and again", async () => {
    const upstream = await serving((_, response) => {
      const timer = setInterval(() => response.write("."), 10);
      response.on("close", () => clearInterval(timer));
    });
    const ended = await network({ totalMs: 80 }).send(get(upstream.url));
    expect(told(ended)).toEqual({ status: 200, flaw: "late" });
  });

  test("of one call may be shorter", async () => {
    const upstream = await serving(() => {});
    expect(told(await network().send(get(upstream.url), { totalMs: 50 }))).toEqual({ why: "late", sent: true });
  });

  test("of one call may be longer, for its head too", async () => {
    const upstream = await serving((_, response) => setTimeout(() => response.end("at last"), 150));
    const short = network({ headersMs: 50, totalMs: 50 });
    expect(textOf(await short.send(get(upstream.url), { totalMs: 5_000 }))).toBe("at last");
  });

  test("ends when the caller no longer waits, and so does the request", async () => {
    const caller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const upstream = await serving((_, response) => {
      response.on("close", () => closed.resolve());
      caller.abort();
    });
    expect(told(await network().send(get(upstream.url), { signal: caller.signal }))).toEqual({
      why: "cancelled",
      sent: true,
    });
    await closed.promise;
    expect(upstream.hits).toHaveLength(1);
  });

  test("is over before it began for a caller who left before", async () => {
    const upstream = await serving((_, response) => response.end());
    const ended = await network().send(get(upstream.url), { signal: AbortSignal.abort() });
    expect(told(ended)).toEqual({ why: "cancelled", sent: false });
    expect(upstream.hits).toHaveLength(0);
  });
});

describe("a broken connection", () => {
  test("after the request is one that may have done something", async () => {
    const upstream = await serving((_, response) => response.socket?.resetAndDestroy());
    expect(told(await network().send(get(upstream.url)))).toEqual({ why: "lost", sent: true });
    expect(upstream.hits).toHaveLength(1);
  });

  test.each([
    ["with a length", { "content-length": "100" }],
    ["in chunks", {}],
  ])("in the middle of the body is a flaw: %s", async (_, headers) => {
    const upstream = await serving((_hit, response) => {
      response.writeHead(200, headers).write("half", () => response.socket?.destroy());
    });
    expect(told(await network().send(get(upstream.url)))).toEqual({ status: 200, flaw: "lost" });
  });

  test("that was never made sent nothing", async () => {
    const upstream = await startUpstream(() => {});
    await upstream.close();
    expect(told(await network().send(get(upstream.url)))).toEqual({ why: "unreachable", sent: false });
  });

  test("that speaks no HTTP cannot be read", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {}).resume();
      socket.end("220 mail.example ESMTP\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.unshift({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    const { port } = server.address() as { port: number };
    expect(told(await network().send(get(`http://127.0.0.1:${port}`)))).toMatchObject({ why: "unreadable" });
  });

  test("to a name that does not exist is a matter of set-up", async () => {
    const lookup = async () => {
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
    };
    expect(told(await network({ lookup }).send(get("http://nowhere.example")))).toEqual({
      why: "misconfigured",
      sent: false,
    });
  });
});
