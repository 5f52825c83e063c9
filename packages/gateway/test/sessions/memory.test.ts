import { request } from "undici";
import { describe, expect, it } from "vitest";
import { ACME, keyed, OTHER } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho, MODERN_META, modernHeaders, post } from "../support/post.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import { initialize, reasonIn, resultFor, send, terminate } from "./support.ts";

const ECHO = { name: "up__echo", arguments: {} };

async function start() {
  const upstream = await startStubUpstream();
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)] }));
  return { url: gateway.url, upstream };
}

describe("a session", () => {
  it("is given by initialize, and named by the calls after it", async () => {
    const { url } = await start();
    const session = await initialize(url, { key: ACME });
    expect(session).toMatch(/^[\x21-\x7e]{1,199}$/);
    expect(await resultFor(url, "tools/call", ECHO, { key: ACME, session })).toMatchObject({
      content: [{ text: "ok" }],
    });
    const told = await post(url, '{"jsonrpc":"2.0","method":"notifications/initialized"}', {
      "content-type": "application/json",
      "mcp-session-id": session,
      authorization: `Bearer ${ACME}`,
    });
    expect(told.status).toBe(202);
  });

  it("is ended by DELETE, and its client begins anew", async () => {
    const { url } = await start();
    const [session, other] = [await initialize(url, { key: ACME }), await initialize(url, { key: ACME })];
    const ended = await terminate(url, { key: ACME, session });
    expect([ended.status, ended.text]).toEqual([200, ""]);
    const refused = await send(url, "tools/call", ECHO, { key: ACME, session });
    expect([refused.status, reasonIn(refused)]).toEqual([404, "protocol/session_not_found"]);
    expect((await terminate(url, { key: ACME, session })).status).toBe(404);
    expect((await send(url, "tools/call", ECHO, { key: ACME, session: other })).status).toBe(200);
    expect(
      (await send(url, "tools/call", ECHO, { key: ACME, session: await initialize(url, { key: ACME }) })).status,
    ).toBe(200);
  });

  it.each([
    ["ended", (url: URL, session: string) => terminate(url, { key: ACME, session })],
    [
      "told its log level",
      (url: URL, session: string) => send(url, "logging/setLevel", { level: "debug" }, { key: ACME, session }),
    ],
  ])("counts against the limits where it is %s, since that is remembered for days", async (_, change) => {
    const upstream = await startStubUpstream();
    const key = { perSecond: 0.01, burst: 2 };
    const limits = { address: undefined, key, tenant: undefined, cost: undefined, tools: [], mode: "leased" } as const;
    const { url } = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)], limits }));
    const reasons: (string | undefined)[] = [];
    for (let count = 0; count < 3; count++) {
      const answer = await change(url, await initialize(url, { key: ACME }));
      reasons.push(answer.text === "" ? undefined : reasonIn(answer));
    }
    expect(reasons).toEqual([undefined, undefined, "core/rate_limited"]);
  });

  it("of another caller is not found, neither by calls nor by DELETE", async () => {
    const { url, upstream } = await start();
    const session = await initialize(url, { key: ACME });
    expect((await send(url, "tools/call", ECHO, { key: OTHER, session })).status).toBe(404);
    expect((await terminate(url, { key: OTHER, session })).status).toBe(404);
    expect(upstream.received).toEqual([]);
    expect((await send(url, "tools/call", ECHO, { key: ACME, session })).status).toBe(200);
  });

  it("that was invented is not found, and the refusal says nothing more", async () => {
    const { url, upstream } = await start();
    const session = await initialize(url, { key: ACME });
    const forged = await Promise.all(
      ["x", `${session}x`, session.slice(0, -1), session.replace("s1.", "s2."), "x".repeat(9_000)].map((one) =>
        send(url, "tools/call", ECHO, { key: ACME, session: one }),
      ),
    );
    const of = await terminate(url, { key: ACME, session: "x" });
    expect(new Set([...forged, of].map(({ status }) => status))).toEqual(new Set([404]));
    const stamped = /"at":"[^"]+"/g;
    expect(new Set([...forged, of].map(({ text }) => text.replace(stamped, ""))).size).toBe(1);
    expect(upstream.received).toEqual([]);
  });

  it("is not looked at before its caller is known", async () => {
    const { url } = await start();
    const session = await initialize(url, { key: ACME });
    expect((await send(url, "tools/call", ECHO, { session })).status).toBe(401);
    expect((await terminate(url, { session })).status).toBe(401);
  });

  it("means nothing in the newer era", async () => {
    const { url } = await start();
    const session = await initialize(url, { key: ACME });
    const headers = { ...modernHeaders("tools/call", "up__echo"), authorization: `Bearer ${ACME}` };
    const params = `{"name":"up__echo","arguments":{},"_meta":{${MODERN_META}}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    for (const id of ["invented", session])
      expect((await post(url, body, { ...headers, "mcp-session-id": id })).status).toBe(200);
    const modern = { "mcp-protocol-version": "2026-07-28" };
    expect((await terminate(url, { key: ACME, session, headers: modern })).status).toBe(405);
    expect((await send(url, "tools/call", ECHO, { key: ACME, session })).status).toBe(200);
  });

  it("is ended by a DELETE with a body too, but not by a page of another site or by two ids", async () => {
    const { url } = await start();
    const session = await initialize(url, { key: ACME });
    const headers = { authorization: `Bearer ${ACME}`, "mcp-session-id": session };
    const send = async (more: Record<string, string>, body = "") =>
      (await request(url, { method: "DELETE", headers: { ...headers, ...more }, body })).statusCode;
    expect(await send({ origin: "http://evil.example" })).toBe(403);
    expect(await send({ "mcp-session-id": `${session}, ${session}` })).toBe(400);
    expect(await send({ "content-type": "text/plain" }, "x".repeat(100_000))).toBe(200);
    expect(await send({})).toBe(404);
  });

  it("is not needed", async () => {
    const { url } = await start();
    expect((await send(url, "tools/call", ECHO, { key: ACME })).status).toBe(200);
    expect((await terminate(url, { key: ACME })).status).toBe(405);
  });

  it("refused ones count against the limit of their caller", async () => {
    const upstream = await startStubUpstream();
    const gateway = await startTestGateway(
      keyed({
        upstreams: [httpUpstream(upstream.url)],
        limits: {
          address: undefined,
          key: { perSecond: 0.01, burst: 3 },
          tenant: undefined,
          cost: undefined,
          tools: [],
          mode: "leased",
        },
      }),
    );
    const statuses: number[] = [];
    for (let at = 0; at < 60; at++) {
      statuses.push((await send(gateway.url, "ping", {}, { key: ACME, session: `invented-${at}` })).status);
      if (statuses.at(-1) === 429) break;
    }
    expect(statuses.slice(0, 3)).toEqual([404, 404, 404]);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("the log level of a session", () => {
  it("is stated to an upstream of the newer era, and only for calls of that session", async () => {
    const { url, upstream } = await start();
    const [session, other] = [await initialize(url, { key: ACME }), await initialize(url, { key: ACME })];
    expect(await resultFor(url, "logging/setLevel", { level: "warning" }, { key: ACME, session })).toEqual({});
    await resultFor(url, "tools/call", ECHO, { key: ACME, session });
    await resultFor(url, "tools/call", ECHO, { key: ACME, session: other });
    const stated = upstream.received.map(
      ({ text }) => JSON.parse(text).params._meta["io.modelcontextprotocol/logLevel"] as unknown,
    );
    expect(stated).toEqual(["warning", undefined]);
  });

  it.each([{}, { level: "loud" }, { level: 7 }])("%j is none", async (params) => {
    const { url } = await start();
    const session = await initialize(url, { key: ACME });
    const refused = await send(url, "logging/setLevel", params, { key: ACME, session });
    expect(reasonIn(refused)).toBe("protocol/invalid_params");
  });

  it("needs a session", async () => {
    const { url } = await start();
    const refused = await send(url, "logging/setLevel", { level: "info" }, { key: ACME });
    expect(reasonIn(refused)).toBe("protocol/method_not_found");
  });
});

describe("upstreams", () => {
  it("calls of the newer era cost no session", async () => {
    const upstream = await startStubUpstream();
    const gateway = await startTestGateway({ upstreams: [httpUpstream(upstream.url)] });
    expect((await callEcho(gateway.url)).status).toBe(200);
    expect(upstream.received[0]?.headers["mcp-session-id"]).toBeUndefined();
  });
});
