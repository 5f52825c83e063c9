import type { Fault } from "@recourse/core";
import { auth, core } from "@recourse/core/reasons";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NO_ABILITIES } from "../call/abilities.ts";
import { Call, type CallOrigin } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import { streamPool } from "../limits/shares.ts";
import { OpenStreams } from "../sessions/open-streams.ts";
import { CallerStreams } from "./caller-streams.ts";
import { Feeds } from "./feeds.ts";
import { createIdentity } from "./own-results.ts";
import type { View } from "./view.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const ADA = { id: "ada", tenant: "acme", tools: ["*"] } as unknown as Caller;

function world() {
  const pool = streamPool(16);
  const open = new OpenStreams();
  const streams = new CallerStreams({
    pool,
    open,
    all: [],
    feeds: new Feeds(),
    createView: () => ({}) as View,
    findOwner: () => undefined,
    listsVersion: () => pool,
    identity: createIdentity({ name: "test" }, false),
    now: () => performance.now(),
    observer: { unexpected() {} },
  });
  return { pool, open, streams };
}

function callOf(nonce: string, origin: Partial<CallOrigin> = {}) {
  const left = new AbortController();
  const written: string[] = [];
  const call = new Call(
    {
      head: { header: () => undefined } as unknown as CallOrigin["head"],
      signal: left.signal,
      readBody: () => Promise.resolve(Buffer.alloc(0)),
      notify() {},
      openStream: () => (message) => written.push(message.toString()) > 0,
      ...origin,
    },
    0,
  );
  call.caller = ADA;
  call.session = { nonce, revision: "2025-11-25", abilities: NO_ABILITIES, expiresMs: 0 };
  return { call, written, leave: () => left.abort() };
}

async function isOver(work: Promise<unknown>): Promise<boolean> {
  let over = false;
  void work.finally(() => {
    over = true;
  });
  await vi.advanceTimersByTimeAsync(1);
  return over;
}

describe("a stream", () => {
  it("is one of the caller's share until it ends, and a message goes to one stream of its session", async () => {
    const { pool, open, streams } = world();
    const [first, second] = [callOf("n1"), callOf("n1")];
    const serving = [first, second].map(({ call }) => streams.serve(call, []));
    expect(pool.heldBy(ADA)).toBe(2);
    expect(open.send("n1", Buffer.from("hello"))).toBe(true);
    expect([first.written, second.written]).toEqual([[], ["hello"]]);
    second.leave();
    expect(await serving[1]).toBe(undefined);
    expect(open.send("n1", Buffer.from("again"))).toBe(true);
    expect(first.written).toEqual(["again"]);
    streams.close();
    expect(await serving[0]).toBe(undefined);
    expect([pool.heldBy(ADA), open.has("n1")]).toEqual([0, false]);
  });

  it("leaves what its session follows to the next one, for a while, and holds no share meanwhile", async () => {
    const { pool, open, streams } = world();
    const first = callOf("n1");
    const serving = streams.serve(first.call, []);
    const stream = { send: () => false, end() {} };
    const { uris } = open.open("n1", stream);
    uris.add("doc://one");
    open.close("n1", stream);
    first.leave();
    await serving;
    expect([pool.heldBy(ADA), open.has("n1"), uris.size]).toEqual([0, false, 1]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([open.size, uris.size]).toEqual([0, 0]);
  });

  it.each([
    ["ends within a minute when the caller's key is no longer good", auth.unauthorized.fault(), true],
    ["stays while it cannot be known whether the key is good", core.unavailable.fault(), false],
  ])("%s", async (_what, fault, ends) => {
    const { streams } = world();
    let answer: Fault | undefined;
    const serving = streams.serve(callOf("n1").call, [() => answer]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await isOver(serving)).toBe(false);
    answer = fault;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await isOver(serving)).toBe(ends);
    streams.close();
    await serving;
  });

  it("that is opened after the end of the configuration ends at once", async () => {
    const { pool, streams } = world();
    streams.close();
    expect(await isOver(streams.serve(callOf("n1").call, []))).toBe(true);
    expect(pool.held).toBe(0);
  });
});
