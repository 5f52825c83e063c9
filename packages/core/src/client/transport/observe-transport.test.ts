import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import {
  type CallHandler,
  callWithRef,
  connectObserved,
  resultFor,
  serveCalls,
} from "../../../test/peers/client/observed/call-server.ts";
import { type ObserveTransportOptions, observeTransport } from "./observed-fetch.ts";
import type { ExchangeRecord, TransportObserver } from "./types.ts";

const MARK = { id: "call-1", attempt: 1 };
const BODY = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { _meta: { "recourse/call": MARK } },
});
const POST = { method: "POST", body: BODY, redirect: "manual" } as const;

const serve = async (onCall: CallHandler, onGet?: CallHandler) => (await serveCalls(onCall, onGet)).url;

/** A clock that advances by one with every look. */
function ticking(options: ObserveTransportOptions = {}): TransportObserver {
  let at = 0;
  return observeTransport({ ...options, testing: { clock: { now: () => (at += 1) } } });
}

const json: CallHandler = ({ id, response }) =>
  void response.writeHead(200, { "content-type": "application/json", "x-own": "1" }).end(resultFor(id));
const sse: CallHandler = ({ id, response }) =>
  void response.writeHead(200, { "content-type": "text/event-stream" }).end(`data: ${resultFor(id)}\n\n`);

describe.each(ERAS)("%s", (era) => {
  test.each([
    ["JSON", json],
    ["a stream", sse],
  ])("a success with %s is seen to its end, once", async (_name, play) => {
    const watched = ticking();
    const client = await connectObserved(era, await serve(play), watched);
    await callWithRef(era, client, MARK);
    // The client has its message before the end of the stream that brought it.
    let seen: ExchangeRecord | undefined;
    await expect.poll(() => (seen ??= watched.take(MARK))).toMatchObject({ exchanges: 1, status: 200 });
    expect(["body", "ended"]).toContain(seen?.phase);
    expect(seen?.headersMs).toBe((seen?.startedMs ?? 0) + 1);
    expect(seen).not.toHaveProperty("body");
    expect(seen?.headers).not.toHaveProperty("x-own");
    expect(watched.take(MARK)).toBeUndefined();
    expect(watched.connection()).toEqual({ stderr: [] });
  });

  test("an answered stream is not lost, and a wait for it can be ended", async () => {
    const watched = observeTransport();
    const client = await connectObserved(era, await serve(sse), watched);
    await callWithRef(era, client, MARK);
    await expect(watched.lost(MARK, AbortSignal.timeout(100))).rejects.toThrow("timeout");
  });

  test("a refused greeting is kept with the connection", async () => {
    const busy = () => Response.json({ error: "busy" }, { status: 503, headers: { "retry-after": "9" } });
    const watched = observeTransport({ fetch: async () => busy() });
    await expect(connectObserved(era, new URL("http://127.0.0.1:9/"), watched)).rejects.toThrow();
    expect(watched.connection().failed).toMatchObject({
      phase: "ended",
      exchanges: 1,
      status: 503,
      headers: { "retry-after": "9" },
      body: '{"error":"busy"}',
    });
  });
});

describe.each(["v1", "v2 legacy"] as const)("%s: a stream that was closed to be resumed", (era) => {
  const closed: CallHandler = ({ response }) =>
    void response.writeHead(200, { "content-type": "text/event-stream" }).end("id: e1\nretry: 10\ndata:\n\n");
  const options = {
    reconnectionOptions: {
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 10,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 2,
    },
  };

  /** Calls a server that closes its stream, and answers with `resumed` when the client comes back. */
  async function call(resumed: (turn: Parameters<CallHandler>[0], id: string | number) => void) {
    const watched = observeTransport();
    let asked: string | number = "";
    const url = await serve(
      (turn) => {
        asked = turn.id;
        closed(turn);
      },
      (turn) => {
        if (turn.request.headers["last-event-id"] === "e1") resumed(turn, asked);
        else turn.response.writeHead(405).end();
      },
    );
    const client = await connectObserved(era, url, watched, options);
    const stop = new AbortController();
    const answer = callWithRef(era, client, MARK);
    answer.catch(() => {});
    return { answer, lost: watched.lost(MARK, stop.signal), stop, watched };
  }

  test("is not lost when the answer comes later", async () => {
    const { answer, lost, stop, watched } = await call(({ response }, id) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`id: e2\ndata: ${resultFor(id)}\n\n`);
    });
    const first = await Promise.race([answer.then(() => "answer"), lost.then(() => "lost")]);
    expect(first).toBe("answer");
    stop.abort("over");
    await expect(lost).rejects.toBe("over");
    expect(watched.take(MARK)).toMatchObject({ phase: "ended", exchanges: 1 });
  });
});

test("a request that the SDK repeats by itself is counted, and the last exchange tells", async () => {
  let token = "old";
  const url = await serve((turn) => {
    if (turn.request.headers.authorization === "Bearer new") json(turn);
    else turn.response.writeHead(401, { "www-authenticate": "Bearer" }).end("no");
  });
  const watched = observeTransport();
  const authProvider = {
    token: async () => token,
    onUnauthorized: async () => {
      token = "new";
    },
  };
  const client = await connectObserved("v2 legacy", url, watched, { authProvider });
  await callWithRef("v2 legacy", client, MARK);
  expect(watched.take(MARK)).toMatchObject({ exchanges: 2, status: 200, phase: "ended" });
});

test("what fetch rejects with is passed on and kept as it is", async () => {
  const error = new TypeError("fetch failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) });
  const watched = ticking({ fetch: () => Promise.reject(error) });
  await expect(watched.fetch("http://127.0.0.1:9/", POST)).rejects.toBe(error);
  expect(watched.take(MARK)).toEqual({ phase: "connect", exchanges: 1, error, startedMs: 1, endedMs: 2 });
});

test("a refused connection after a redirect that was followed is no proof that nothing left", async () => {
  const error = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
  const watched = observeTransport({ fetch: () => Promise.reject(error) });
  await expect(watched.fetch("http://127.0.0.1:9/", { method: "POST", body: BODY })).rejects.toBe(error);
  expect(watched.take(MARK)?.phase).toBe("sent");
});

test("a long page is kept up to a limit, and read to its end by its reader", async () => {
  const page = "<p>no</p>".repeat(20_000);
  const watched = observeTransport({ fetch: async () => new Response(page, { status: 502 }) });
  expect(await (await watched.fetch("http://127.0.0.1:9/", POST)).text()).toBe(page);
  expect(watched.take(MARK)?.body).toBe(page.slice(0, 65_536));
});

test("an answer that breaks off is told by its phase", async () => {
  const begun = Promise.withResolvers<void>();
  const url = await serve(({ response, request }) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write('{"jsonrpc"');
    void begun.promise.then(() => request.socket.resetAndDestroy());
  });
  const noteHead: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    if (response.headers.get("content-length") === "100") begun.resolve();
    return response;
  };
  const watched = observeTransport({ fetch: noteHead });
  const client = await connectObserved("v1", url, watched);
  const error: unknown = await callWithRef("v1", client, MARK).catch((thrown: unknown) => thrown);
  const seen = watched.take(MARK);
  expect(seen).toMatchObject({ phase: "body", status: 200 });
  expect(seen?.error).toBe(error);
});

test("what is no MCP exchange passes unseen, and untouched", async () => {
  const answers = [new Response("token refused", { status: 400 }), new Response("not found", { status: 404 })];
  const waiting = [...answers];
  const watched = observeTransport({ fetch: async () => waiting.shift() ?? Response.error() });
  const token = { method: "POST", body: new URLSearchParams({ code: "secret" }) };
  expect(await watched.fetch("http://127.0.0.1:9/token", token)).toBe(answers[0]);
  expect(await watched.fetch("http://127.0.0.1:9/.well-known/oauth-protected-resource")).toBe(answers[1]);
  expect(watched.connection()).toEqual({ stderr: [] });
});
