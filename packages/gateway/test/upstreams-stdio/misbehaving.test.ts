// A child that crashes, babbles, is silent or answers wrongly.
import { expect, test } from "vitest";
import { holdTime, pass } from "../support/held-time.ts";
import { recorder } from "../support/recorder.ts";
import { callOf, childAt, isRunning, MAX_ANSWER_BYTES, textFrom, textOf, upstreamOf } from "./support/upstream.ts";

const never = new AbortController().signal;
const raw = (...args: readonly string[]) => childAt("raw-child.mjs", ...args);

test("the bytes of an answer come as they were written, with the caller's id in place", async () => {
  const upstream = upstreamOf(raw());
  const reply = await upstream.send(callOf("exact", {}, { id: "12345678901234567890", revision: "2026-07-28" }));
  expect(reply.kind === "answer" && reply.body.toString()).toBe(
    '{ "jsonrpc" : "2.0", "result" : {"resultType":"complete","n":12345678901234567890,"x":1e400,"u":"\\u00e9"} , "id" : 12345678901234567890 }',
  );
});

test("params on several lines go out on one, with every value as it was sent", async () => {
  const upstream = upstreamOf(raw());
  const params = Buffer.from('{\r\n  "name": "echo",\n  "arguments": {"n": 12345678901234567890,\n "s": "a\\nb"}\n}');
  expect(textOf(await upstream.send(callOf("echo", {}, { params })))).toMatch(
    /^\{"jsonrpc":"2\.0","id":\d+,"method":"tools\/call","params":\{ {4}"name": "echo", {3}"arguments": \{"n": 12345678901234567890, {2}"s": "a\\nb"\} \}\}$/,
  );
});

test("lines that are no messages are skipped and logged, the answer after them counts", async () => {
  const observer = recorder();
  const upstream = upstreamOf(raw(), {}, { observer });
  await expect(textFrom(upstream, "garbage")).resolves.toBe("after garbage");
  expect(observer.lines[0]).toBe('a line that is not a message: listening on http://localhost:1 {"upstream":"files"}');
  expect(observer.lines).toHaveLength(5);
});

test("responses to other ids, to none, or with both outcomes are skipped", async () => {
  const observer = recorder();
  const upstream = upstreamOf(raw(), {}, { observer });
  await expect(textFrom(upstream, "wrong")).resolves.toBe("right");
  expect(observer.lines).toHaveLength(4);
});

test.each([true, false])(
  "an answer over the limit ends its call at once, and the child goes on (id last: %s)",
  async (idLast) => {
    const upstream = upstreamOf(raw());
    const reply = await upstream.send(callOf("huge", { idLast }));
    expect(reply).toMatchObject({
      kind: "failed",
      fault: { reason: "tool/result_too_large", effect: "possible", params: { maxSize: MAX_ANSWER_BYTES } },
    });
    await expect(textFrom(upstream, "pid")).resolves.toMatch(/^\d+$/);
  },
);

test("a crash ends every call under way as lost, and the next call starts the child again", async () => {
  const observer = recorder();
  const upstream = upstreamOf(raw(), {}, { observer });
  const first = await textFrom(upstream, "pid");
  const waiting = upstream.send(callOf("silent"));
  const crashed = await upstream.send(callOf("crash"));
  expect(textOf(await waiting)).toBe("failed: transport/connection_lost, possible");
  expect(textOf(crashed)).toBe("failed: transport/connection_lost, possible");
  const second = await textFrom(upstream, "pid");
  expect(second).not.toBe(first);
  expect(isRunning(Number(first))).toBe(false);
  expect(observer.switches).toEqual(["upstream files away", "upstream files back"]);
  expect(observer.lines.join()).toContain("the process ended or did not answer (3)");
});

test("a child that closes its output is ended, and its calls are lost", async () => {
  const upstream = upstreamOf(raw("deaf"), {}, { stop: { closeMs: 200, terminateMs: 200 } });
  const pid = Number(await textFrom(upstream, "pid"));
  await expect(textFrom(upstream, "closed")).resolves.toBe("failed: transport/connection_lost, possible");
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("crashes in a row make the next start wait; then calls are refused with the time that is left", async () => {
  holdTime();
  const upstream = upstreamOf(raw("crash-at-start"));
  const faults: unknown[] = [];
  for (const restMs of [0, 0, 250, 500, 1_000, 0]) {
    const answered = upstream.send(callOf("pid"));
    await pass(restMs);
    const reply = await answered;
    faults.push(reply.kind === "failed" && reply.fault);
  }
  for (const fault of faults) expect(fault).toMatchObject({ reason: "transport/unreachable", effect: "none" });
  expect(faults.at(-1)).toMatchObject({ recourse: [{ do: "retry", afterMs: expect.any(Number) }] });
  await expect(upstream.ready(never)).resolves.toMatchObject({ reason: "transport/unreachable", effect: "none" });
});

test("a command that cannot be run: nothing was sent, and waiting does not help", async () => {
  const observer = recorder();
  const upstream = upstreamOf(["/nowhere/at-all"], {}, { observer });
  await expect(upstream.ready(never)).resolves.toMatchObject({ reason: "core/misconfigured", effect: "none" });
  const reply = await upstream.send(callOf("pid"));
  expect(reply).toMatchObject({ kind: "failed", fault: { effect: "none" }, cause: { code: "ENOENT" } });
  expect(observer.switches).toEqual(["upstream files away"]);
});

test("silence ends at the time limit: the child is asked to cancel, and its late answer is for nobody", async () => {
  const observer = recorder();
  const upstream = upstreamOf(raw(), {}, { observer });
  await textFrom(upstream, "pid");
  await expect(textFrom(upstream, "wait", {}, { timeoutMs: 50 })).resolves.toBe("failed: core/timeout, possible");
  await expect(textFrom(upstream, "release")).resolves.toBe("released");
  await expect(textFrom(upstream, "seen")).resolves.toContain('"notifications/cancelled"');
  expect(observer.lines).toEqual([]);
});

test("a caller that leaves cancels its call; one that has left sends nothing", async () => {
  const upstream = upstreamOf(raw());
  await textFrom(upstream, "pid");
  const leaving = new AbortController();
  const waiting = upstream.send(callOf("wait", {}, { signal: leaving.signal }));
  await textFrom(upstream, "pid");
  leaving.abort();
  expect(textOf(await waiting)).toBe("failed: core/cancelled, possible");
  await expect(textFrom(upstream, "crash", {}, { signal: leaving.signal })).resolves.toContain("core/cancelled");
  await expect(textFrom(upstream, "seen")).resolves.toMatch(/"notifications\/cancelled","tools\/call"\]$/);
});

test("a cancellation by a caller reaches its own call only", async () => {
  const upstream = upstreamOf(raw());
  await textFrom(upstream, "pid");
  const mine = upstream.send(callOf("wait", {}, { id: "1", session: "one" }));
  const other = upstream.send(callOf("wait", {}, { id: "1", session: "two" }));
  const note = {
    method: "notifications/cancelled",
    target: undefined,
    id: undefined,
    params: Buffer.from('{"requestId":1}'),
  };
  const sent = await upstream.send(callOf("", {}, { ...note, parsed: { requestId: 1 }, session: "one" }));
  expect(sent).toMatchObject({ kind: "answer", status: 202 });
  expect(textOf(await mine)).toBe("failed: core/cancelled, possible");
  await textFrom(upstream, "release");
  expect(textOf(await other)).toBe("late");
});

test("requests of the child are answered where nobody can be asked: a ping with a result, all else as unknown", async () => {
  const upstream = upstreamOf(raw());
  const replies = JSON.parse(await textFrom(upstream, "ask")) as string[];
  expect(replies.map((line) => JSON.parse(line))).toEqual([
    { jsonrpc: "2.0", id: expect.any(Number), result: {} },
    { jsonrpc: "2.0", id: "a", error: { code: -32601, message: expect.stringContaining("could be asked") } },
  ]);
});

test("progress reaches the caller of its call with the caller's token, and a forged token nobody", async () => {
  const upstream = upstreamOf(raw());
  const call = async (who: string) => {
    const got: unknown[] = [];
    const onNotification = (message: Buffer) => void got.push(JSON.parse(message.toString()).params);
    const minted = await textFrom(
      upstream,
      "progress",
      { who, forged: 7 },
      { meta: { progressToken: 7 }, onNotification },
    );
    return { got, minted };
  };
  const [one, two] = await Promise.all([call("one"), call("two")]);
  expect(one.got).toEqual([{ progressToken: 7, progress: 1, message: "one" }]);
  expect(two.got).toEqual([{ progressToken: 7, progress: 1, message: "two" }]);
  expect(one.minted).not.toBe(two.minted);
});

test("other notifications go to the gateway, none to a caller", async () => {
  const got: string[] = [];
  const onNotification = (name: string, method: string) => void got.push(`${name} ${method}`);
  const upstream = upstreamOf(raw(), {}, { onNotification });
  const toCaller: Buffer[] = [];
  await textFrom(upstream, "changed", {}, { onNotification: (message) => void toCaller.push(message) });
  expect(got).toEqual(["files notifications/tools/list_changed"]);
  expect(toCaller).toEqual([]);
});

test("standard error is logged: few lines, short, without secrets", async () => {
  const observer = recorder();
  const upstream = upstreamOf(raw(), { environment: { SECRET: "correct-horse-battery" } }, { observer });
  await textFrom(upstream, "stderr");
  await expect.poll(() => observer.lines.join("\n")).toContain("starting");
  expect(observer.lines.length).toBeLessThanOrEqual(20);
  const text = observer.lines.join("\n");
  expect(text).not.toContain("correct-horse");
  expect(text).not.toContain("sk-live");
});

test("a child gets its folder, a small environment, and the variables of the file", async () => {
  process.env["GATEWAY_TEST_CANARY"] = "1";
  const upstream = upstreamOf(raw(), { environment: { SHOP: "x" }, cwd: "/" });
  await expect(textFrom(upstream, "cwd")).resolves.toBe("/");
  const names = Object.keys(JSON.parse(await textFrom(upstream, "env")));
  delete process.env["GATEWAY_TEST_CANARY"];
  expect(names).toEqual(expect.arrayContaining(["PATH", "SHOP"]));
  expect(names).not.toContain("GATEWAY_TEST_CANARY");
});
