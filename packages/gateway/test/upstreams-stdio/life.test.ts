// How children are found out about, shared, capped, and ended.
import { expect, test } from "vitest";
import { callOf, childAt, isRunning, textFrom, textOf, upstreamOf } from "./support/upstream.ts";

const never = new AbortController().signal;
const raw = (...args: readonly string[]) => childAt("raw-child.mjs", ...args);

test.each([
  ["refuses the newer message", []],
  ["ends because of the newer message", ["exit-on-discover"]],
  ["ignores the newer message", ["silent-on-discover"]],
])("a server of the older era that %s is initialised", async (_, flags) => {
  const upstream = upstreamOf(raw(...flags), {}, { discoverMs: 100 });
  await expect(upstream.ready(never)).resolves.toBe("2025-11-25");
  expect(upstream.about).toEqual({ capabilities: { tools: {} }, instructions: "raw" });
  await expect(textFrom(upstream, "seen")).resolves.toContain('"notifications/initialized"');
});

test("a child that never answers is ended after the time for its start, and nothing was sent", async () => {
  const upstream = upstreamOf(raw("mute"), {}, { discoverMs: 20, startMs: 300 });
  await expect(textFrom(upstream, "pid")).resolves.toBe("failed: transport/unreachable, none");
});

test("a call waits for the start no longer than its own time", async () => {
  const upstream = upstreamOf(raw("mute"), {}, { discoverMs: 20, startMs: 2_000 });
  await expect(textFrom(upstream, "pid", {}, { timeoutMs: 30 })).resolves.toBe("failed: transport/not_sent, none");
  await expect(upstream.ready(AbortSignal.abort())).resolves.toMatchObject({ kind: "cancelled", effect: "none" });
});

test("many first calls share one start", async () => {
  const upstream = upstreamOf(raw());
  const pids = await Promise.all(
    Array.from({ length: 20 }, (_, at) => textFrom(upstream, "pid", {}, { caller: { id: `c${at}`, tenant: "acme" } })),
  );
  expect(new Set(pids).size).toBe(1);
});

test("a restarted child of a known era is initialised at once", async () => {
  const upstream = upstreamOf(raw());
  await textFrom(upstream, "crash");
  await expect(textFrom(upstream, "seen")).resolves.toBe('["initialize","notifications/initialized","tools/call"]');
});

test("with a child for each caller, callers never share one; an idle child makes room, a busy one does not", async () => {
  const upstream = upstreamOf(raw(), { per: "caller", maxChildren: 2 });
  const pidOf = (caller: string) => textFrom(upstream, "pid", {}, { caller: { id: caller, tenant: "acme" } });
  const [one, two] = await Promise.all([pidOf("one"), pidOf("two")]);
  expect(one).not.toBe(two);
  await expect(pidOf("one")).resolves.toBe(one);
  const busy = new AbortController();
  const waits = ["one", "two"].map((id) =>
    upstream.send(callOf("wait", {}, { caller: { id, tenant: "acme" }, signal: busy.signal })),
  );
  await Promise.all([pidOf("one"), pidOf("two")]);
  const refused = await upstream.send(callOf("pid", {}, { caller: { id: "three", tenant: "acme" } }));
  expect(refused).toMatchObject({ kind: "failed", fault: { reason: "core/overloaded", effect: "none" } });
  busy.abort();
  for (const reply of await Promise.all(waits)) expect(textOf(reply)).toContain("core/cancelled");
  // Two was used last, so the child of one is ended before that of three is started.
  await pidOf("two");
  await expect(pidOf("three")).resolves.toMatch(/^\d+$/);
  expect(isRunning(Number(one))).toBe(false);
  expect(isRunning(Number(two))).toBe(true);
});

test("an idle child of a caller is ended after its time, and started again for the next call", async () => {
  const upstream = upstreamOf(raw(), { per: "caller", idleMs: 50 });
  const first = await textFrom(upstream, "pid");
  await expect.poll(() => isRunning(Number(first))).toBe(false);
  await expect(textFrom(upstream, "pid")).resolves.not.toBe(first);
});

test("closing ends children that leave by themselves, that ignore it, that start, and what they started", async () => {
  const polite = upstreamOf(raw());
  const deaf = upstreamOf(raw("deaf"), {}, { stop: { closeMs: 200, terminateMs: 200 } });
  const starting = upstreamOf(raw("mute"));
  const pids = [Number(await textFrom(polite, "pid")), Number(await textFrom(polite, "orphan"))];
  pids.push(Number(await textFrom(deaf, "pid")));
  const unanswered = starting.send(callOf("pid"));
  await Promise.all([polite.close(), deaf.close(), starting.close()]);
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  expect(textOf(await unanswered)).toBe("failed: transport/unreachable, none");
  await expect(textFrom(polite, "pid")).resolves.toContain("failed: core/overloaded, none");
});

test("calls leave no listeners behind", async () => {
  const upstream = upstreamOf(raw());
  const controller = new AbortController();
  const added: string[] = [];
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    added.push("+");
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    added.pop();
    remove(...args);
  };
  for (let calls = 0; calls < 50; calls++) await textFrom(upstream, "pid", {}, { signal });
  expect(added).toEqual([]);
});
