import { describe, expect, it } from "vitest";
import { paramHeaders } from "../../src/upstreams/http/headers.ts";
import { scope } from "./support/scope.ts";
import { cancelled, startV1, startV1Stateless, startV2, waiting } from "./support/sdk-servers.ts";
import { callOf, textOf, upstreamAt } from "./support/upstream.ts";

const keep = scope();
const signal = new AbortController().signal;
const TOKEN =
  '{"progressToken":"p1","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"g","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}';
const withToken = (name: string) => Buffer.from(`{"name":"${name}","arguments":{},"_meta":${TOKEN}}`);
/** What a caller of the older era sends. */
const plain = (name: string, args = "{}") => Buffer.from(`{"name":"${name}","arguments":${args}}`);

describe("version 2", () => {
  it("is spoken to in the newer era, as found out or as configured", async () => {
    const server = keep(await startV2());
    for (const era of ["auto", "2026-07-28"] as const) {
      const upstream = keep(upstreamAt(server.url.href, { era }));
      await expect(upstream.ready(signal)).resolves.toBe("2026-07-28");
      expect(upstream.about).toMatchObject({ capabilities: { tools: {} }, instructions: "Ask." });
      const reply = await upstream.send(callOf("echo", '{"text":"ä"}', { id: '"a b"' }));
      const message = JSON.parse(textOf(reply));
      expect(message).toMatchObject({ id: "a b", result: { content: [{ text: "ä" }], resultType: "complete" } });
    }
  });

  it("accepts a name that a header cannot carry", async () => {
    const upstream = keep(upstreamAt(keep(await startV2()).url.href));
    expect(textOf(await upstream.send(callOf("grüße 1", "{}", { method: "prompts/get" })))).toContain("hallo");
  });

  it("gets the arguments that it wants in headers", async () => {
    const upstream = keep(upstreamAt(keep(await startV2()).url.href));
    const call = callOf("region", '{"region":"Zürich"}');
    expect(await upstream.send(call)).toMatchObject({ kind: "answer", status: 400 });
    const schema = { properties: { region: { type: "string", "x-mcp-header": "Region" } } };
    const headers = paramHeaders(schema, { region: "Zürich" });
    expect(textOf(await upstream.send({ ...call, headers }))).toContain('"text":"Zürich"');
  });

  it("sends notifications before its answer", async () => {
    const upstream = keep(upstreamAt(keep(await startV2()).url.href));
    const seen: unknown[] = [];
    const onNotification = (message: Buffer) => seen.push(JSON.parse(message.toString()));
    const reply = await upstream.send(callOf("progress", "{}", { params: withToken("progress"), onNotification }));
    expect(JSON.parse(textOf(reply))).toMatchObject({ id: 7, result: { content: [{ text: "done" }] } });
    expect(seen).toMatchObject([{ params: { progress: 1 } }, { params: { progress: 2 } }]);
  });

  it("is cancelled when the caller goes", async () => {
    const upstream = keep(upstreamAt(keep(await startV2()).url.href));
    const caller = new AbortController();
    waiting.length = 0;
    cancelled.length = 0;
    const reply = upstream.send(callOf("wait", "{}", { signal: caller.signal }));
    await expect.poll(() => waiting).toEqual(["v2"]);
    caller.abort();
    expect(textOf(await reply)).toBe("failed: core/cancelled, possible");
    await expect.poll(() => cancelled).toEqual(["v2"]);
  });

  it("is spoken to in the older era where that is configured", async () => {
    const upstream = keep(upstreamAt(keep(await startV2()).url.href, { era: "2025-11-25" }));
    await expect(upstream.ready(signal)).resolves.toBe("2025-11-25");
    const reply = await upstream.send(callOf("echo", "{}", { params: plain("echo", '{"text":"x"}') }));
    expect(JSON.parse(textOf(reply))).toMatchObject({ id: 7, result: { content: [{ text: "x" }] } });
  });
});

describe.each([{ json: true }, { json: false }])("version 1 with sessions, %j", (options) => {
  it("has a session for each session of a caller", async () => {
    const server = keep(await startV1(options));
    const upstream = keep(upstreamAt(server.url.href));
    await expect(upstream.ready(signal)).resolves.toBe("2025-11-25");
    expect(upstream.about).toMatchObject({ capabilities: { tools: {} }, instructions: "Ask." });
    const count = async (session: string) => {
      const reply = await upstream.send(callOf("count", "{}", { params: plain("count"), session }));
      return JSON.parse(textOf(reply)).result.content[0].text as string;
    };
    const counts = await Promise.all(["one", "two", "one", "three", "one", "two"].map(count));
    expect([counts[0], counts[2], counts[4]].toSorted()).toEqual(["1", "2", "3"]);
    expect([counts[1], counts[5]].toSorted()).toEqual(["1", "2"]);
    expect(counts[3]).toBe("1");
    // One of its own, in which the gateway found out the era.
    expect(server.opened()).toBe(1 + 3);
    await upstream.close();
    expect(server.sessions.size).toBe(0);
  });

  it("gets a new session where it has forgotten the old one, and serves the call once", async () => {
    const server = keep(await startV1(options));
    const upstream = keep(upstreamAt(server.url.href));
    const count = () => upstream.send(callOf("count", "{}", { params: plain("count"), id: '"x"' }));
    expect(textOf(await count())).toContain('"text":"1"');
    expect(textOf(await count())).toContain('"text":"2"');
    server.forget();
    const replies = await Promise.all([count(), count(), count()]);
    expect(replies.map((reply) => JSON.parse(textOf(reply)).result.content[0].text).toSorted()).toEqual([
      "1",
      "2",
      "3",
    ]);
    expect(JSON.parse(textOf(await count()))).toMatchObject({ id: "x" });
    expect(server.opened()).toBe(1 + 2);
  });

  it("gets the type of its results for callers of the newer era only", async () => {
    const upstream = keep(upstreamAt(keep(await startV1(options)).url.href));
    const params = plain("echo", '{"text":"x"}');
    const older = JSON.parse(textOf(await upstream.send(callOf("echo", "{}", { params }))));
    expect(older.result).toEqual({ content: [{ type: "text", text: "x" }] });
    const newer = JSON.parse(textOf(await upstream.send(callOf("echo", "{}", { params, revision: "2026-07-28" }))));
    expect(newer.result).toEqual({ resultType: "complete", content: [{ type: "text", text: "x" }] });
  });

  it("is cancelled when the caller goes", async () => {
    const upstream = keep(upstreamAt(keep(await startV1(options)).url.href));
    const caller = new AbortController();
    waiting.length = 0;
    cancelled.length = 0;
    const reply = upstream.send(callOf("wait", "{}", { params: plain("wait"), signal: caller.signal }));
    await expect.poll(() => waiting).toEqual(["v1"]);
    caller.abort();
    expect(textOf(await reply)).toBe("failed: core/cancelled, possible");
    await expect.poll(() => cancelled).toEqual(["v1"]);
  });
});

it("version 1 with streams sends notifications, and its requests are answered", async () => {
  const upstream = keep(upstreamAt(keep(await startV1({ json: false })).url.href));
  const seen: unknown[] = [];
  const onNotification = (message: Buffer) => seen.push(JSON.parse(message.toString()));
  const params = withToken("progress");
  expect(textOf(await upstream.send(callOf("progress", "{}", { params, onNotification })))).toContain("done");
  expect(seen).toMatchObject([{ params: { progressToken: "p1", progress: 1 } }, { params: { progress: 2 } }]);
  const asked = await upstream.send(callOf("ask", "{}", { params: plain("ask") }));
  expect(textOf(asked)).toContain("answered, refused -32601");
});

it("version 1 without sessions is initialised once", async () => {
  const server = keep(await startV1Stateless());
  const upstream = keep(upstreamAt(server.url.href));
  await expect(upstream.ready(signal)).resolves.toBe("2025-11-25");
  const before = server.opened();
  for (const session of ["one", "two", "one"]) {
    const reply = await upstream.send(callOf("echo", "{}", { params: plain("echo", '{"text":"x"}'), session }));
    expect(JSON.parse(textOf(reply))).toMatchObject({ id: 7, result: { content: [{ text: "x" }] } });
  }
  expect(server.opened() - before).toBe(3);
});
