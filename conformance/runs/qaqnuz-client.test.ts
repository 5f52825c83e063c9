// The client kit with the dialect of qaqnuz, against servers of the official SDK over HTTP.

import { connectPair, ERAS, type Era } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { callWithRetry, recourse } from "../../packages/core/src/client/index.ts";
import { qaqnuz } from "../../packages/core/src/dialects/index.ts";
import { FaultError } from "../../packages/core/src/index.ts";

interface Hint {
  readonly retry_after_ms?: number;
  readonly max_attempts?: number;
  readonly backoff?: "fixed" | "exponential";
  readonly jitter?: number;
}

/** A failed answer as the document shows it: the flag and the sentence. */
const said = (text: string) => ({ isError: true, content: [{ type: "text", text }] });
/** The same with the envelope beside it, so that class and hint can be read. */
const answer = (error_class: string, retry_hint?: Hint) => ({
  ...said(`It was ${error_class}.`),
  structuredContent: { error_class, sanitized_error: `It was ${error_class}.`, ...(retry_hint && { retry_hint }) },
});
const SENT = { content: [{ type: "text", text: "sent" }] };

/** A server whose tool `send` gives these answers one after the other, then succeeds. It notes when each call came. */
async function answering(answers: readonly object[], era: Era = "v1") {
  const came: number[] = [];
  const pair = await connectPair(era, (server) => {
    server.registerTool("send", {}, () => {
      came.push(performance.now());
      return (answers[came.length - 1] ?? SENT) as never;
    });
    return server;
  });
  return {
    client: pair.client as never,
    calls: () => came.length,
    /** The time between one call and the next. */
    gaps: () => came.slice(1).map((at, index) => at - (came[index] ?? 0)),
    [Symbol.asyncDispose]: () => pair.close(),
  };
}

const times = (count: number, one: object): readonly object[] => Array.from({ length: count }, () => one);
const failureOf = (call: Promise<unknown>): Promise<FaultError> =>
  call.then(
    () => expect.unreachable("the call succeeded"),
    (thrown: unknown) => thrown as FaultError,
  );

/** Calls the tool with injected sleep and randomness and returns the waits. */
async function waitsOf(answers: readonly object[], options: { random?: number; repeatable?: boolean } = {}) {
  await using server = await answering(answers);
  const waits: number[] = [];
  const sleep = async (ms: number) => void waits.push(ms);
  const mcp = recourse(server.client, {
    server: { dialect: qaqnuz },
    testing: { random: () => options.random ?? 0.5, clock: { sleep } },
  });
  const { repeatable } = options;
  const outcome = await mcp.call("send", {}, repeatable === undefined ? {} : { repeatable });
  return { waits, outcome, calls: server.calls() };
}

describe("callWithRetry", () => {
  test.concurrent("waits one second for each attempt made and makes three attempts", async ({ expect }) => {
    await using server = await answering(times(3, said("Rate limit exceeded")));
    const error = await failureOf(callWithRetry(server.client, "send", {}, { dialect: qaqnuz }));
    const [first = 0, second = 0, ...more] = server.gaps();
    expect(more).toEqual([]);
    expect(first).toBeGreaterThanOrEqual(995);
    expect(first).toBeLessThan(1_990);
    expect(second).toBeGreaterThanOrEqual(1_995);
    expect(second).toBeLessThan(3_990);
    expect(error).toBeInstanceOf(FaultError);
    expect(error.message).toBe("call_tool send failed: Rate limit exceeded");
    expect(error.stack).toContain("call_tool send failed: Rate limit exceeded");
  });

  test.concurrent("makes all attempts of calls that run at the same time", async ({ expect }) => {
    await using server = await answering(times(24, said("Rate limit exceeded")));
    const call = () => failureOf(callWithRetry(server.client, "send", {}, { dialect: qaqnuz }));
    const errors = await Promise.all(Array.from({ length: 8 }, call));
    expect(server.calls()).toBe(24);
    for (const { fault } of errors) expect(fault.tried).toMatchObject({ attempts: 3, stopped: "attempts" });
  });

  test.concurrent("makes all attempts of a call after many failed ones", async ({ expect }) => {
    await using server = await answering(times(24, answer("retryable", { retry_after_ms: 1 })));
    for (let before = 0; before < 8; before++) {
      const error = await failureOf(callWithRetry(server.client, "send", {}, { dialect: qaqnuz }));
      expect(server.calls()).toBe(3 * (before + 1));
      expect(error.fault).toMatchObject({ tried: { attempts: 3, stopped: "attempts" }, recourse: [{ do: "retry" }] });
    }
  });

  test.concurrent("makes as many attempts as the caller says", async ({ expect }) => {
    await using server = await answering(times(9, answer("retryable", { retry_after_ms: 5, jitter: 0 })));
    const options = { dialect: qaqnuz, attempts: 5 };
    await failureOf(callWithRetry(server.client, "send", {}, options));
    expect(server.calls()).toBe(5);
    await failureOf(callWithRetry(server.client, "send", {}, { ...options, attempts: 1 }));
    expect(server.calls()).toBe(6);
  });

  test.concurrent.for(ERAS)("%s: returns the result of the attempt that succeeded", async (era, { expect }) => {
    await using server = await answering([answer("retryable", { retry_after_ms: 5 })], era);
    const result = await callWithRetry(server.client, "send", { to: "ada" }, { dialect: qaqnuz });
    expect(result).toMatchObject(SENT);
    expect(server.calls()).toBe(2);
  });

  test.concurrent.for(["validation", "permission", "terminal"])("never repeats %s", async (group, { expect }) => {
    await using server = await answering([answer(group, { retry_after_ms: 1, max_attempts: 5 })]);
    const call = callWithRetry(server.client, "send", {}, { dialect: qaqnuz, repeatable: true });
    const error = await failureOf(call);
    expect(error.message).toBe(`call_tool send failed: It was ${group}.`);
    expect(error.fault).toMatchObject({ class: group });
    expect(error.fault.retry).toBeUndefined();
    expect(server.calls()).toBe(1);
  });

  test.concurrent("does not repeat a sentence without a class and without the words", async ({ expect }) => {
    await using server = await answering([said("This action needs an approval")]);
    const error = await failureOf(callWithRetry(server.client, "send", {}, { dialect: qaqnuz, repeatable: true }));
    expect(error.message).toBe("call_tool send failed: This action needs an approval");
    expect(server.calls()).toBe(1);
  });

  test.concurrent("has a sentence of its own for a failure without text", async ({ expect }) => {
    await using server = await answering([{ isError: true, content: [] }]);
    const error = await failureOf(callWithRetry(server.client, "send", {}, { dialect: qaqnuz }));
    expect(error.message).toBe("call_tool send failed: The call failed for an unknown reason.");
    expect(server.calls()).toBe(1);
  });

  test.concurrent("repeats dependency where the caller says that this does no harm", async ({ expect }) => {
    const answers = times(4, answer("dependency", { retry_after_ms: 5 }));
    await using server = await answering(answers);
    const unsafe = await failureOf(callWithRetry(server.client, "send", {}, { dialect: qaqnuz }));
    expect(unsafe.fault).toMatchObject({ class: "dependency", effect: "possible", tried: { stopped: "unsafe" } });
    expect(server.calls()).toBe(1);
    const options = { dialect: qaqnuz, repeatable: true };
    const lasting = await failureOf(callWithRetry(server.client, "send", {}, options));
    expect(lasting.message).toBe("call_tool send failed: It was dependency.");
    expect(lasting.fault).toMatchObject({ class: "dependency", tried: { attempts: 3, stopped: "attempts" } });
    expect(server.calls()).toBe(4);
    expect(await callWithRetry(server.client, "send", {}, options)).toMatchObject(SENT);
  });

  test.concurrent("takes a message of the caller, and without the dialect its own", async ({ expect }) => {
    await using server = await answering(times(2, said("No such channel")));
    const describe = (tool: string) => `${tool} did not work`;
    const described = await failureOf(callWithRetry(server.client, "send", {}, { dialect: qaqnuz, describe }));
    expect(described.message).toBe("send did not work");
    const neutral = await failureOf(callWithRetry(server.client, "send"));
    expect(neutral.message).toBe("send failed: Not found. Quote from the server: “No such channel”");
  });
});

describe("waits of recourse with the dialect", () => {
  test.each([
    ["a rate limit by its words", said("You hit the rate limit"), undefined],
    ["retryable without a hint", answer("retryable"), undefined],
    ["dependency without a hint", answer("dependency"), true],
  ])("%s: one second for each attempt made, nothing random", async (_name, failure, repeatable) => {
    const { waits, calls } = await waitsOf(times(3, failure), { random: 0.9, ...(repeatable && { repeatable }) });
    expect(waits).toEqual([1_000, 2_000]);
    expect(calls).toBe(3);
  });

  test.each([
    ["fixed", { retry_after_ms: 400, backoff: "fixed", jitter: 0 }, 0.5, [400, 400]],
    ["exponential", { retry_after_ms: 400, backoff: "exponential", jitter: 0 }, 0.5, [400, 800]],
    ["no back-off named", { retry_after_ms: 400, jitter: 0 }, 0.5, [400, 400]],
    ["with its jitter", { retry_after_ms: 400, backoff: "fixed", jitter: 0.5 }, 0.5, [500, 500]],
    ["with jitter 0.2 where none is named", { retry_after_ms: 400, backoff: "fixed" }, 0.5, [440, 440]],
    ["never shorter", { retry_after_ms: 400, backoff: "fixed" }, 0, [400, 400]],
    ["jitter of an exponential wait", { retry_after_ms: 400, backoff: "exponential" }, 0.5, [440, 880]],
    ["one further attempt", { retry_after_ms: 1_000, max_attempts: 1, backoff: "fixed", jitter: 0.2 }, 0.5, [1_100]],
    ["more attempts than the client makes", { retry_after_ms: 10, max_attempts: 7, jitter: 0 }, 0.5, [10, 10]],
    ["no further attempt", { retry_after_ms: 10, max_attempts: 0 }, 0.5, []],
  ] as const)("a hint: %s", async (_name, hint, random, expected) => {
    for (const [group, repeatable] of [
      ["retryable", false],
      ["dependency", true],
    ] as const) {
      const { waits, calls } = await waitsOf(times(3, answer(group, hint)), { random, repeatable });
      expect(waits).toEqual(expected);
      expect(calls).toBe(expected.length + 1);
    }
  });

  test("a call that may have had an effect is not repeated, whatever the hint says", async () => {
    const { waits, outcome, calls } = await waitsOf([answer("dependency", { retry_after_ms: 10, max_attempts: 5 })]);
    expect(waits).toEqual([]);
    expect(calls).toBe(1);
    expect(outcome).toMatchObject({ ok: false, fault: { effect: "possible", recourse: [{ do: "refresh" }] } });
  });

  test("the policy of the caller goes before that of the document", async () => {
    await using server = await answering(times(3, said("Rate limit")));
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const policy = { stepMs: 30 };
    await recourse(server.client, {
      server: { dialect: qaqnuz },
      retry: { policy },
      testing: { random: () => 0.5, clock: { sleep } },
    }).call("send");
    expect(waits).toEqual([30, 60]);
  });
});
