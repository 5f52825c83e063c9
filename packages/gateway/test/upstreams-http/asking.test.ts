// Servers of the official SDK that ask during a call.
import { eventually } from "@recourse/test-kit/eventually";
import { createRedisServer } from "@recourse/test-kit/redis";
import { beforeEach, describe, expect, it } from "vitest";
import { EVERY_ABILITY, fromFlags } from "../../src/call/abilities.ts";
import type { ServerAnswer, ServerRequest } from "../../src/call/server-request.ts";
import type { UpstreamRequest } from "../../src/call/upstream.ts";
import { openRedis, redisSessions } from "../../src/stores/redis.ts";
import { holdTime, pass, passUntil } from "../support/held-time.ts";
import { startAskingServer } from "./support/asking-servers.ts";
import { scope } from "./support/scope.ts";
import { callOf, textOf, upstreamAt } from "./support/upstream.ts";

const keep = scope();

const ANSWERS: Readonly<Record<string, string>> = {
  "elicitation/create": '{"action":"accept","content":{"size":42}}',
  "sampling/createMessage": '{"role":"assistant","content":{"type":"text","text":"Hello"},"model":"m"}',
  "roots/list": '{"roots":[{"uri":"file:///home"}]}',
};
const RESULTS: Readonly<Record<string, unknown>> = {
  elicit: { action: "accept", content: { size: 42 } },
  far_elicit: { action: "accept", content: { size: 42 } },
  far_sample: { role: "assistant", content: { type: "text", text: "Hello" }, model: "m" },
  far_roots: { roots: [{ uri: "file:///home" }] },
};

/** A caller that answers all that it is asked after some time of `holdTime`, and remembers it. */
function answering(waitMs = 0) {
  const asked: { readonly method: string; readonly params: unknown }[] = [];
  const onRequest = async ({ method, params }: ServerRequest): Promise<ServerAnswer> => {
    asked.push({ method, params: params === undefined ? undefined : JSON.parse(params.toString()) });
    if (waitMs > 0) await pass(waitMs);
    return { result: Buffer.from(ANSWERS[method] ?? "{}") };
  };
  return { asked, onRequest };
}

const plain = (name: string) => ({ params: Buffer.from(JSON.stringify({ name, arguments: {} })) });
const toolCall = (name: string, more: Partial<UpstreamRequest> = {}) =>
  callOf(name, "{}", { ...plain(name), abilities: EVERY_ABILITY, ...more });
const valueIn = (reply: Parameters<typeof textOf>[0]) => JSON.parse(JSON.parse(textOf(reply)).result.content[0].text);

describe.each(["v1", "v2"] as const)("SDK %s", (version) => {
  it.each(Object.keys(RESULTS))("%s reaches the caller of the call, and its answer the server", async (name) => {
    const server = keep(await startAskingServer[version]());
    const upstream = keep(upstreamAt(server.url.href, { era: "2025-11-25" }));
    const { asked, onRequest } = answering();
    expect(valueIn(await upstream.send(toolCall(name, { onRequest })))).toEqual(RESULTS[name]);
    expect(asked).toHaveLength(1);
    if (name.endsWith("elicit")) expect(asked[0]?.params).toMatchObject({ message: "Which size?" });
  });

  it("the time of the call stands still while the caller thinks", async () => {
    holdTime();
    const server = keep(await startAskingServer[version]());
    const upstream = keep(upstreamAt(server.url.href, { era: "2025-11-25" }));
    for (const name of ["elicit", "far_elicit"]) {
      const { onRequest } = answering(1_200);
      expect(valueIn(await upstream.send(toolCall(name, { onRequest, timeoutMs: 1_000 })))).toEqual(RESULTS[name]);
    }
  });
});

it("a server is told what this caller can be asked, and nobody else's session", async () => {
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href));
  const capabilities = async (session: string, flags: string) =>
    valueIn(await upstream.send(toolCall("capabilities", { session, abilities: fromFlags(flags) })));
  expect(await capabilities("a", "")).toEqual({});
  expect(await capabilities("b", "fr")).toEqual({ elicitation: { form: {} }, roots: { listChanged: true } });
  expect(await capabilities("c", "ust")).toEqual({ elicitation: { url: {} }, sampling: { tools: {} } });
  expect(await capabilities("d", "fustr")).toMatchObject({ elicitation: { form: {}, url: {} }, roots: {} });
});

it("a caller that cannot be asked has no stream, and its server is refused", async () => {
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href));
  expect(valueIn(await upstream.send(toolCall("elicit")))).toEqual({ failed: -32_601 });
  expect(server.seen.filter(({ method }) => method === "GET")).toEqual([]);
});

it("several questions of one call are open at a time", async () => {
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href));
  const { asked, onRequest: answer } = answering();
  const onRequest = async (request: ServerRequest) => {
    const given = await answer(request);
    await eventually(() => expect(asked).toHaveLength(2));
    return given;
  };
  const value = valueIn(await upstream.send(toolCall("both", { onRequest })));
  expect(value).toEqual([RESULTS["far_elicit"], RESULTS["far_roots"]]);
  expect(asked.map(({ method }) => method).toSorted()).toEqual(["elicitation/create", "roots/list"]);
});

it("a caller that leaves is asked no longer, and its server gets an answer", async () => {
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href));
  for (const name of ["elicit", "far_elicit"]) {
    const caller = new AbortController();
    const withdrawn = Promise.withResolvers<void>();
    const onRequest = (_: ServerRequest, signal: AbortSignal) => {
      signal.addEventListener("abort", () => withdrawn.resolve(), { once: true });
      setImmediate(() => caller.abort());
      return new Promise<never>(() => {});
    };
    const reply = await upstream.send(toolCall(name, { onRequest, signal: caller.signal }));
    expect(textOf(reply)).toBe("failed: core/cancelled, possible");
    await withdrawn.promise;
  }
});

it("the stream of a session is opened once, stays for a while, and is opened again for the next call", async () => {
  holdTime();
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href, {}, { lingerMs: 300 }));
  const { onRequest } = answering();
  await Promise.all([1, 2, 3].map(() => upstream.send(toolCall("far_elicit", { onRequest }))));
  await upstream.send(toolCall("far_elicit", { onRequest }));
  expect(server.streams()).toBe(1);
  expect(server.seen.filter(({ method }) => method === "GET")).toHaveLength(1);
  await pass(300);
  await eventually(() => expect(server.streams()).toBe(0));
  await upstream.send(toolCall("far_elicit", { onRequest }));
  expect(server.streams()).toBe(1);
  await upstream.close();
  await eventually(() => expect(server.streams()).toBe(0));
});

it("a session that was forgotten gets a new one with a stream of its own", async () => {
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href));
  const { onRequest } = answering();
  expect(valueIn(await upstream.send(toolCall("far_elicit", { onRequest })))).toEqual(RESULTS["far_elicit"]);
  server.forget();
  expect(valueIn(await upstream.send(toolCall("far_elicit", { onRequest })))).toEqual(RESULTS["far_elicit"]);
});

it("a session that its caller has ended is ended at the server, with its stream", async () => {
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href));
  const { onRequest } = answering();
  await upstream.send(toolCall("far_elicit", { onRequest, session: "mine" }));
  await upstream.send(toolCall("far_elicit", { onRequest, session: "other", abilities: fromFlags("f") }));
  expect(server.streams()).toBe(2);
  upstream.forget?.("mine");
  await expect.poll(() => server.streams()).toBe(1);
  await expect.poll(() => server.seen.filter(({ method }) => method === "DELETE")).toMatchObject([{ status: 200 }]);
  expect(valueIn(await upstream.send(toolCall("far_elicit", { onRequest, session: "mine" })))).toEqual(
    RESULTS["far_elicit"],
  );
});

it("the log level of a caller is set before its call, and messages reach the call", async () => {
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href));
  const levels = async (logLevel: string | undefined, session: string) => {
    const seen: string[] = [];
    const onNotification = (message: Buffer) => void seen.push(JSON.parse(message.toString()).params.level);
    await upstream.send(toolCall("log", { logLevel, session, onNotification }));
    return seen;
  };
  expect(await levels("error", "a")).toEqual(["error"]);
  expect(await levels("debug", "a")).toEqual(["debug", "error"]);
  expect(await levels("debug", "b")).toEqual(["debug", "error"]);
});

it("whoever follows a session gets what its server says beside its answers", async () => {
  holdTime();
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href, {}, { lingerMs: 100 }));
  const following = new AbortController();
  const seen: string[] = [];
  const strays: string[] = [];
  const address = { session: "a", caller: { id: "acme", tenant: "acme" }, abilities: fromFlags("") };
  upstream.follow?.(address, (message) => void seen.push(JSON.parse(message.toString()).method), following.signal);
  // The call waits for the stream of the session that it is in.
  await upstream.send(toolCall("capabilities", { ...address, onNotification: (one) => void strays.push(String(one)) }));
  await eventually(() => expect(server.streams()).toBe(1));
  await server.update();
  await eventually(() => expect(seen).toEqual(["notifications/resources/updated"]));
  following.abort();
  await pass(100);
  await eventually(() => expect(server.streams()).toBe(0));
  expect(strays).toEqual([]);
});

it("a notification of the caller goes to a session that is open, and opens none", async () => {
  const server = keep(await startAskingServer.v1());
  const upstream = keep(upstreamAt(server.url.href));
  const note = { method: "notifications/roots/list_changed", id: undefined, params: Buffer.from("{}") };
  await upstream.ready(new AbortController().signal);
  const posts = () => server.seen.filter(({ method }) => method === "POST").length;
  const before = posts();
  expect(await upstream.send(toolCall("", note))).toMatchObject({ kind: "answer", status: 202 });
  expect(posts()).toBe(before);
  await upstream.send(toolCall("capabilities"));
  const open = posts();
  expect(await upstream.send(toolCall("", note))).toMatchObject({ kind: "answer", status: 202 });
  expect(posts()).toBe(open + 1);
});

describe("two replicas that share a session", () => {
  beforeEach(holdTime);

  async function startReplicas() {
    const redis = keep(await createRedisServer({ durable: false }));
    const server = keep(await startAskingServer.v1());
    const replica = async () => {
      const opened = await openRedis({ urls: [redis.url], cluster: false, onError: () => {} });
      keep({ close: async () => opened.close() });
      const sessions = redisSessions({ redis: opened.redis, ttlMs: 60_000, onSwitch: () => {} });
      return keep(upstreamAt(server.url.href, {}, { sessions }));
    };
    return { server, one: await replica(), other: await replica() };
  }

  it("a question on the stream of the one is refused while the call is under way at the other", async () => {
    const { server, one, other } = await startReplicas();
    const mine = answering();
    const theirs = answering();
    expect(valueIn(await one.send(toolCall("far_elicit", { onRequest: mine.onRequest })))).toEqual(
      RESULTS["far_elicit"],
    );
    // The stream of the session is still at the first one.
    const unasked = await passUntil(other.send(toolCall("far_elicit", { onRequest: theirs.onRequest })));
    expect(valueIn(unasked)).toEqual({ failed: -32_601 });
    expect([mine.asked.length, theirs.asked.length]).toEqual([1, 0]);
    expect(server.streams()).toBe(1);
  });
});
