// Children that ask during a call.
import { eventually } from "@recourse/test-kit/eventually";
import { describe, expect, test } from "vitest";
import { fromFlags } from "../../src/call/abilities.ts";
import type { ServerAnswer, ServerRequest } from "../../src/call/server-request.ts";
import type { Upstream } from "../../src/call/upstream.ts";
import { holdTime, pass, passUntil } from "../support/held-time.ts";
import { callOf, childAt, textFrom, upstreamOf } from "./support/upstream.ts";

const raw = () => childAt("raw-child.mjs");
const sdk = (version: string) => childAt("asking-child.mjs", version);
const abilities = fromFlags("fusr");
const PER_CALLER = { per: "caller", maxChildren: 4 } as const;

const ANSWERS: Readonly<Record<string, string>> = {
  "elicitation/create": '{"action":"accept",\n"content":{"size":42}}',
  "sampling/createMessage": '{"role":"assistant","content":{"type":"text","text":"Hello"},"model":"m"}',
  "roots/list": '{"roots":[{"uri":"file:///home"}]}',
};
const RESULTS: Readonly<Record<string, unknown>> = {
  elicit: { action: "accept", content: { size: 42 } },
  sample: { role: "assistant", content: { type: "text", text: "Hello" }, model: "m" },
  roots: { roots: [{ uri: "file:///home" }] },
};

/** A caller that answers all that it is asked after some time of `holdTime`, and remembers it. */
function answering(waitMs = 0) {
  const asked: string[] = [];
  const onRequest = async ({ method, params }: ServerRequest): Promise<ServerAnswer> => {
    asked.push(`${method} ${params?.toString() ?? ""}`);
    if (waitMs > 0) await pass(waitMs);
    return { result: Buffer.from(ANSWERS[method] ?? "{}") };
  };
  return { asked, onRequest };
}

/** Nobody answers; the signals of what was asked. */
function silent() {
  const signals: AbortSignal[] = [];
  const onRequest = (_: ServerRequest, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>(() => {});
  };
  return { signals, onRequest };
}

describe.each(["v1", "v2"])("SDK %s", (version) => {
  test.each(Object.keys(RESULTS))("%s reaches the caller of the call, and its answer the child", async (name) => {
    const upstream = upstreamOf(sdk(version), PER_CALLER);
    const { asked, onRequest } = answering();
    const value = await textFrom(upstream, name, {}, { abilities, onRequest });
    expect(JSON.parse(value)).toEqual(RESULTS[name]);
    expect(asked).toHaveLength(1);
  });

  test("the time of the call stands still while its caller thinks", async () => {
    holdTime();
    const upstream = upstreamOf(sdk(version));
    await upstream.ready(new AbortController().signal);
    const { onRequest } = answering(1_500);
    const value = await textFrom(upstream, "elicit", {}, { onRequest, timeoutMs: 1_000 });
    expect(JSON.parse(value)).toEqual(RESULTS["elicit"]);
    const late = textFrom(upstream, "wait", {}, { onRequest, timeoutMs: 500 });
    await expect(passUntil(late)).resolves.toContain("core/timeout");
  });
});

test("a shared child is told what any caller may be asked, but never roots; one of a caller what this caller can", async () => {
  const told = async (upstream: ReturnType<typeof upstreamOf>, flags: string) =>
    JSON.parse(await textFrom(upstream, "capabilities", {}, { abilities: fromFlags(flags) }));
  const shared = { elicitation: { form: {}, url: {} }, sampling: {} };
  expect(await told(upstreamOf(sdk("v1")), "r")).toEqual(shared);
  const owned = upstreamOf(sdk("v1"), PER_CALLER);
  expect(await told(owned, "")).toEqual({});
  expect(await told(owned, "fr")).toEqual({ elicitation: { form: {} }, roots: { listChanged: true } });
});

test.each(["v1", "v2"])("a shared child cannot ask for roots, whatever it was told: SDK %s", async (version) => {
  const { asked, onRequest } = answering();
  const call = { abilities, onRequest };
  const shared = upstreamOf(sdk(version));
  expect(JSON.parse(await textFrom(shared, "roots", {}, call))).toHaveProperty("failed");
  const lines = ["roots/list", "roots\\u002flist"].map(
    (method, id) => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`,
  );
  const replies = JSON.parse(await textFrom(upstreamOf(raw()), "say", { lines, replies: 2 }, call)) as string[];
  expect(replies.map((line) => JSON.parse(line))).toMatchObject([
    { id: 0, error: { code: -32_601 } },
    { id: 1, error: { code: -32_601 } },
  ]);
  expect(asked).toEqual([]);
});

test("a shared child that works for two sessions asks neither, and the operator is told once what to do", async () => {
  const logged: string[] = [];
  const observer = { log: (_level: string, text: string) => void logged.push(text), switched: () => {} };
  const upstream = upstreamOf(sdk("v1"), {}, { observer });
  await upstream.ready(new AbortController().signal);
  const mine = answering();
  const theirs = answering();
  const waiting = textFrom(upstream, "wait", {}, { session: "theirs", onRequest: theirs.onRequest });
  for (let count = 0; count < 2; count++) {
    const value = await textFrom(upstream, "elicit", {}, { session: "mine", onRequest: mine.onRequest });
    expect(JSON.parse(value)).toMatchObject({ failed: -32_601, message: expect.stringContaining("several sessions") });
  }
  await textFrom(upstream, "release", {}, { session: "theirs" });
  await waiting;
  expect([mine.asked, theirs.asked]).toEqual([[], []]);
  expect(logged.filter((text) => text.includes("per: caller"))).toHaveLength(1);
  // The only one that is left can be asked again.
  const value = await textFrom(upstream, "elicit", {}, { session: "mine", onRequest: mine.onRequest });
  expect(JSON.parse(value)).toEqual(RESULTS["elicit"]);
});

test("what a shared child asks because of a call that was given up reaches no other caller", async () => {
  const upstream = upstreamOf(raw());
  const caller = new AbortController();
  const first = textFrom(upstream, "silent", {}, { session: "first", signal: caller.signal });
  await textFrom(upstream, "pid");
  caller.abort();
  await expect(first).resolves.toContain("core/cancelled");
  const { asked, onRequest } = answering();
  // The child has not answered the first one, and asks because of it.
  const lines = ['{"jsonrpc":"2.0","id":"late","method":"elicitation/create","params":{"message":"for the first"}}'];
  const call = { session: "second", onRequest };
  const replies = JSON.parse(await textFrom(upstream, "say", { lines, replies: 1 }, call)) as string[];
  expect(asked).toEqual([]);
  expect(replies.map((line) => JSON.parse(line))).toMatchObject([{ id: "late", error: { code: -32_601 } }]);
});

test("messages of the gateway itself do not keep a caller from being asked", async () => {
  const upstream = upstreamOf(sdk("v1"));
  const own = { id: "upstream\nfiles", tenant: "upstream\nfiles" };
  const waiting = textFrom(upstream, "wait", {}, { session: "catalog", caller: own });
  const { onRequest } = answering();
  expect(JSON.parse(await textFrom(upstream, "elicit", {}, { onRequest }))).toEqual(RESULTS["elicit"]);
  await textFrom(upstream, "release");
  await waiting;
});

test("the newest call is asked, and only its time stands still", async () => {
  holdTime();
  const upstream = upstreamOf(raw());
  await upstream.ready(new AbortController().signal);
  const older = answering();
  const { signals, onRequest } = silent();
  const first = textFrom(upstream, "silent", {}, { onRequest: older.onRequest, timeoutMs: 400 });
  const caller = new AbortController();
  const second = textFrom(upstream, "depend", {}, { onRequest, timeoutMs: 400, signal: caller.signal });
  await eventually(() => expect(signals).toHaveLength(1));
  await pass(400);
  await expect(first).resolves.toContain("core/timeout");
  await pass(300);
  expect([older.asked, signals.map(({ aborted }) => aborted)]).toEqual([[], [false]]);
  caller.abort();
  await expect(second).resolves.toContain("core/cancelled");
  expect(signals[0]?.aborted).toBe(true);
  // Nothing is left open: the child was told that nobody answers.
  const seen = JSON.parse(await textFrom(upstream, "say", { lines: [], replies: 1 })) as string[];
  expect(seen.map((line) => JSON.parse(line))).toMatchObject([{ id: "depends", error: { code: -32_603 } }]);
});

/** What the tool `say` of `raw-child.mjs` takes. */
interface SayArguments {
  readonly lines: readonly string[];
  readonly replies: number;
}

describe("a child that asks against the rules", () => {
  const start = () => upstreamOf(raw(), {}, { maxAnswerBytes: 4 * 1_048_576 });
  /** Makes a child say something, and gives what has come back to it, once that is so many messages. */
  const say = async (upstream: Upstream, args: SayArguments, more: Parameters<typeof callOf>[2] = {}) => {
    const replies = JSON.parse(await textFrom(upstream, "say", { ...args }, more)) as string[];
    return replies.map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
  };
  const question = (id: number | string) => JSON.stringify({ jsonrpc: "2.0", id, method: "sampling/createMessage" });

  test("too often: 32 are passed on", async () => {
    const { asked, onRequest } = answering();
    const lines = Array.from({ length: 50 }, (_, id) => question(id));
    const replies = await say(start(), { lines, replies: 50 }, { onRequest });
    expect(asked).toHaveLength(32);
    expect(replies.filter(({ error }) => error?.code === -32_601)).toHaveLength(18);
  });

  test("twice with one id, with too long a question, with params that are no object", async () => {
    const upstream = start();
    const { asked, onRequest: answer } = answering();
    const refused = Promise.withResolvers<void>();
    const onRequest = async (request: ServerRequest) => {
      const given = await answer(request);
      await refused.promise;
      return given;
    };
    const lines = [
      question(1),
      question(1),
      `{"jsonrpc":"2.0","id":2,"method":"x","params":{"t":"${"x".repeat(1_048_576)}"}}`,
      '{"jsonrpc":"2.0","id":3,"method":"x","params":7}',
    ];
    const all = say(upstream, { lines, replies: 4 }, { onRequest });
    const refusals = [
      [1, -32_602],
      [2, -32_602],
      [3, -32_602],
    ];
    // This call cannot be asked: the child's questions stay those of the other one.
    const come = await say(upstream, { lines: [], replies: 3 });
    expect(come.map(({ id, error }) => [id, error?.code])).toEqual(refusals);
    refused.resolve();
    expect((await all).map(({ id, error }) => [id, error?.code])).toEqual([...refusals, [1, undefined]]);
    expect(asked).toEqual(["sampling/createMessage "]);
  });

  test("and withdraws it", async () => {
    const upstream = start();
    const { signals, onRequest } = silent();
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
    await say(upstream, { lines: [question(1), cancel], replies: 0 }, { onRequest });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    // What is sent to a child arrives in order, so an answer to the question would have come before this one.
    const ping = '{"jsonrpc":"2.0","id":2,"method":"ping"}';
    expect(await say(upstream, { lines: [ping], replies: 1 })).toMatchObject([{ id: 2 }]);
  });

  test("and ends: the call is lost, and nobody is asked any longer", async () => {
    const upstream = upstreamOf(raw());
    const { signals, onRequest } = silent();
    const asked = textFrom(upstream, "depend", {}, { onRequest });
    await expect.poll(() => signals.length).toBe(1);
    void textFrom(upstream, "crash", {}, {});
    await expect(asked).resolves.toContain("connection_lost");
    expect(signals[0]?.aborted).toBe(true);
  });
});

test("the log of a caller's own child reaches its newest call, as loud as the caller wants it", async () => {
  const upstream = upstreamOf(sdk("v1"), PER_CALLER);
  const levels = async (logLevel: string | undefined) => {
    const seen: string[] = [];
    const onNotification = (message: Buffer) => void seen.push(JSON.parse(message.toString()).params.level);
    await textFrom(upstream, "log", {}, { logLevel, onNotification });
    return seen;
  };
  expect(await levels(undefined)).toEqual(["debug", "error"]);
  expect(await levels("error")).toEqual(["error"]);
  expect(await levels("debug")).toEqual(["debug", "error"]);
});

test.each([
  ["shared", {}],
  ["of its own", PER_CALLER],
])("a stream of changes of another session keeps nobody from being asked: a child that is %s", async (_, config) => {
  const upstream = upstreamOf(raw(), config);
  const leaving = new AbortController();
  const listen = {
    method: "subscriptions/listen",
    target: undefined,
    params: Buffer.from("{}"),
    signal: leaving.signal,
  };
  const listening = upstream.send(callOf("", {}, { ...listen, session: "theirs" }));
  const { asked, onRequest } = answering();
  const seen: string[] = [];
  const onNotification = (message: Buffer) => void seen.push(JSON.parse(message.toString()).params.data);
  const lines = [
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"mine"}}',
    '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}',
  ];
  const mine = { session: "mine", onRequest, onNotification };
  await textFrom(upstream, "say", { lines, replies: 1 }, mine);
  expect(asked).toHaveLength(1);
  leaving.abort();
  await listening;
  await textFrom(upstream, "say", { lines, replies: 2 }, mine);
  expect(asked).toHaveLength(2);
  // What a shared child logs may be about any caller.
  expect(seen).toEqual(config === PER_CALLER ? ["mine", "mine"] : []);
});

test("the log of a shared child reaches no caller", async () => {
  const seen: string[] = [];
  const others: string[] = [];
  const onNotification = (_name: string, method: string) => void others.push(method);
  const upstream = upstreamOf(sdk("v1"), {}, { onNotification });
  await textFrom(upstream, "log", {}, { logLevel: "error", onNotification: (one) => void seen.push(String(one)) });
  expect(seen).toEqual([]);
  expect(others).toEqual(["notifications/message", "notifications/message"]);
});

test.each([
  ["shared", {}],
  ["of its own", PER_CALLER],
])("whoever follows a child that is %s gets what belongs to no call", async (_, config) => {
  const upstream = upstreamOf(sdk("v1"), config);
  const following = new AbortController();
  const seen: string[] = [];
  const address = { session: "a", caller: { id: "acme", tenant: "acme" } };
  upstream.follow?.(address, (message) => void seen.push(JSON.parse(message.toString()).method), following.signal);
  await textFrom(upstream, "update", {}, address);
  await textFrom(upstream, "update", {}, { ...address, caller: { id: "other", tenant: "acme" } });
  const expected = config === PER_CALLER ? 1 : 2;
  expect(seen).toEqual(Array(expected).fill("notifications/resources/updated"));
  following.abort();
  await textFrom(upstream, "update", {}, address);
  expect(seen).toHaveLength(expected);
});

test("a child that is followed is not ended for want of calls", async () => {
  holdTime();
  const upstream = upstreamOf(raw(), { per: "caller", maxChildren: 2, idleMs: 100 });
  const following = new AbortController();
  upstream.follow?.(callOf("pid"), () => {}, following.signal);
  const pid = await textFrom(upstream, "pid");
  await pass(400);
  await expect(textFrom(upstream, "pid")).resolves.toBe(pid);
  following.abort();
  await pass(400);
  await expect(textFrom(upstream, "pid")).resolves.not.toBe(pid);
});

test("a notification starts no child, and that of changed roots does not reach a shared one", async () => {
  const note = { method: "notifications/roots/list_changed", id: undefined, params: Buffer.from("{}") };
  for (const config of [{}, PER_CALLER]) {
    const upstream = upstreamOf(raw(), config);
    expect(await upstream.send(callOf("", {}, note))).toMatchObject({ kind: "answer", status: 202 });
    await textFrom(upstream, "pid");
    await upstream.send(callOf("", {}, note));
    const seen = await textFrom(upstream, "seen");
    expect(seen.includes("roots/list_changed")).toBe(config === PER_CALLER);
  }
});
