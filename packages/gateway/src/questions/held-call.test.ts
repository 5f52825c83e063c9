import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fromFlags, NO_ABILITIES } from "../call/abilities.ts";
import type { HeldOutcome } from "../call/call.ts";
import type { RequestMessage } from "../call/message.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import {
  encodeAsks,
  forLeg,
  HeldCall,
  type HeldCallOptions,
  type HeldLeg,
  type HeldStep,
  withResponseId,
} from "./held-call.ts";

const ALL = fromFlags("fusr");
const DONE: HeldOutcome = { answer: Buffer.from("{}") };

/** A waiting caller, and what it got. */
function legWith(changes: Partial<HeldLeg> = {}) {
  const given: (HeldStep | string)[] = [];
  const leg: HeldLeg = {
    abilities: ALL,
    give(step) {
      given.push(step);
      return true;
    },
    notify: (message) => void given.push(message.toString()),
    ...changes,
  };
  return { leg, given };
}

function world(changes: Partial<HeldCallOptions> = {}) {
  const first = legWith();
  const ended: true[] = [];
  const abort = vi.fn();
  const held = new HeldCall({
    id: "h",
    caller: "c",
    isKept: false,
    first: first.leg,
    abort,
    onEnd: () => void ended.push(true),
    gatherMs: 5,
    ...changes,
  });
  const ask = (text: string, method = "elicitation/create", signal = new AbortController().signal) => {
    const answers: string[] = [];
    const params = Buffer.from(JSON.stringify({ message: text }));
    void held.ask({ method, params, upstream: "up", signal }).then((answer) => answers.push(textOf(answer)));
    return answers;
  };
  return { held, first, ended, abort, ask };
}

const textOf = (answer: ServerAnswer) => ("result" in answer ? answer.result : answer.error).toString();
const responses = (of: Record<string, string>) =>
  new Map(Object.entries(of).map(([key, text]) => [key, Buffer.from(text)]));
const keysIn = (step: HeldStep | string | undefined) =>
  typeof step === "object" && "asks" in step ? step.asks.map(({ key }) => key) : step;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(20);

describe("a held call", () => {
  it("asks what comes at once in one answer, and gives each answer to its question", async () => {
    const { held, first, ask } = world();
    const [one, two] = [ask("1"), ask("2")];
    await settle();
    expect(first.given.map(keysIn)).toEqual([["q1", "q2"]]);
    expect(held.isAnswered).toBe(true);
    const next = legWith();
    expect(held.join(next.leg, responses({ q2: '{"b":1}', q1: '{"a":1}', other: "{}" }))).toBe(true);
    await settle();
    expect([one, two]).toEqual([['{"a":1}'], ['{"b":1}']]);
    held.end(DONE);
    expect(next.given).toEqual([DONE]);
  });

  it("refuses what the caller cannot be asked, also in a long question", async () => {
    const { held, first } = world();
    const params = Buffer.from(JSON.stringify({ data: "a".repeat(300_000), tools: [{}] }));
    const { signal } = new AbortController();
    const answer = held.ask({ method: "sampling/createMessage", params, upstream: "up", signal });
    await settle();
    expect(first.given).toEqual([]);
    expect(textOf(await answer)).toContain("-32601");
  });

  it("asks again for what was left out", async () => {
    const { held, ask } = world();
    const [one, two] = [ask("1"), ask("2")];
    await settle();
    const next = legWith();
    held.join(next.leg, responses({ q1: "{}" }));
    await settle();
    expect(next.given.map(keysIn)).toEqual([["q2"]]);
    expect([one, two]).toEqual([["{}"], []]);
  });

  it("asks one question after the other", async () => {
    const { held, first, ask } = world();
    const legs = [first, ...Array.from({ length: 5 }, () => legWith())];
    for (const [at, next] of legs.slice(1).entries()) {
      const answers = ask(String(at));
      await settle();
      expect(legs[at]?.given.map(keysIn)).toEqual([[`q${at + 1}`]]);
      held.join(next.leg, responses({ [`q${at + 1}`]: `{"n":${at}}` }));
      await settle();
      expect(answers).toEqual([`{"n":${at}}`]);
    }
    held.end(DONE);
    expect(legs.at(-1)?.given).toEqual([DONE]);
  });

  it("asks whoever comes next, where nobody waits", async () => {
    const { held, first, ask } = world();
    ask("1");
    await settle();
    ask("2");
    await settle();
    expect(first.given).toHaveLength(1);
    const next = legWith();
    held.join(next.leg, responses({ q1: "{}" }));
    await settle();
    expect(next.given.map(keysIn)).toEqual([["q2"]]);
  });

  it("has one that waits: a second one brings nothing", async () => {
    const { held, first, ask } = world();
    const one = ask("1");
    await settle();
    const [next, second] = [legWith(), legWith()];
    expect(held.join(next.leg, responses({ q1: '{"a":1}' }))).toBe(true);
    expect(held.join(second.leg, responses({ q1: '{"a":2}' }))).toBe(false);
    await settle();
    expect(one).toEqual(['{"a":1}']);
    held.end(DONE);
    expect([first.given.length, next.given, second.given]).toEqual([1, [DONE], []]);
  });

  it("gives its outcome to the place where it was held, where nobody waits", async () => {
    const { held, ended, ask } = world();
    const one = ask("1");
    await settle();
    held.end(DONE);
    held.end(DONE);
    expect(ended).toEqual([true]);
    await settle();
    expect(one[0]).toContain("The call is over.");
    expect(
      await held.ask({
        method: "roots/list",
        params: Buffer.from("{}"),
        upstream: "u",
        signal: new AbortController().signal,
      }),
    ).toHaveProperty("error");
  });

  it("writes its own answer where it ended before anybody was asked", async () => {
    const { held, first, ended, ask } = world();
    ask("1");
    expect(held.isAnswered).toBe(false);
    held.end(undefined);
    await settle();
    expect([first.given, ended]).toEqual([[], [true]]);
  });

  it.each([
    [false, 1],
    [true, 0],
  ])("ends with the one that waits unless it is kept: %s", async (isKept, aborted) => {
    const { held, abort, ask } = world({ isKept });
    ask("1");
    await settle();
    const next = legWith();
    held.join(next.leg, responses({ q1: "{}" }));
    held.leave(next.leg);
    held.leave(next.leg);
    expect(abort).toHaveBeenCalledTimes(aborted);
    const again = legWith();
    expect(held.join(again.leg, new Map())).toBe(true);
  });

  it("takes questions back", async () => {
    const { held, first, ask } = world();
    const withdrawn = new AbortController();
    const one = ask("1", "roots/list", withdrawn.signal);
    withdrawn.abort();
    await settle();
    expect(first.given).toEqual([]);
    expect(one[0]).toContain("-32603");
    ask("2");
    await settle();
    expect(first.given.map(keysIn)).toEqual([["q2"]]);
    const next = legWith();
    held.join(next.leg, responses({ q1: '{"late":1}', q2: "{}" }));
    expect(one).toHaveLength(1);
  });

  it("asks only what the one that waits has declared", async () => {
    const { held, ask } = world();
    ask("1");
    await settle();
    const next = legWith({ abilities: NO_ABILITIES });
    held.join(next.leg, responses({ q1: "{}" }));
    const two = ask("2");
    await settle();
    expect(next.given).toEqual([]);
    expect(two[0]).toContain("-32601");
    held.end(DONE);
    expect(next.given).toEqual([DONE]);
  });

  it("has no answer from a caller that was never reached", async () => {
    const { held, ask } = world({ first: { ...legWith().leg, give: () => false } });
    const one = ask("1");
    await settle();
    expect(one[0]).toContain("-32603");
    expect(held.isAnswered).toBe(false);
    const two = ask("2");
    await settle();
    expect(two[0]).toContain("-32603");
  });

  it("asks large questions in several answers", async () => {
    const { held, first } = world();
    const params = Buffer.from(JSON.stringify({ message: "x".repeat(3_000_000) }));
    const signal = new AbortController().signal;
    for (let at = 0; at < 3; at++) void held.ask({ method: "elicitation/create", params, upstream: "up", signal });
    await settle();
    expect(first.given.map(keysIn)).toEqual([["q1"]]);
    const next = legWith();
    held.join(next.leg, responses({ q1: "{}" }));
    await settle();
    expect(next.given.map(keysIn)).toEqual([["q2"]]);
  });

  it("passes notifications to whoever waits", async () => {
    const { held, first, ask } = world();
    ask("1");
    await settle();
    held.notify(Buffer.from("dropped"));
    const next = legWith();
    held.join(next.leg, responses({ q1: "{}" }));
    held.notify(Buffer.from("passed"));
    expect([first.given.length, next.given]).toEqual([1, ["passed"]]);
  });
});

it("asks with the params as they came", () => {
  const asks = [
    { key: "q1", method: "elicitation/create", params: Buffer.from('{"n":1e400,"message":"é"}') },
    { key: 'q"2', method: "roots/list", params: Buffer.from("{}") },
  ];
  const text = encodeAsks('"a\\u0062"', asks, 'h1."x').toString();
  expect(text).toBe(
    '{"jsonrpc":"2.0","id":"a\\u0062","result":{"resultType":"input_required","inputRequests":{' +
      '"q1":{"method":"elicitation/create","params":{"n":1e400,"message":"é"}},' +
      '"q\\"2":{"method":"roots/list","params":{}}},"requestState":"h1.\\"x"}}',
  );
});

it.each([
  ['{"jsonrpc":"2.0","id":1,"result":{"id":1,"n":1e400}}', '{"jsonrpc":"2.0","id":"z","result":{"id":1,"n":1e400}}'],
  [' { "id" : "a" ,"result":{}}', ' { "id" : "z" ,"result":{}}'],
])("gives a response another id: %s", (response, changed) => {
  expect(withResponseId(Buffer.from(response), '"z"').toString()).toBe(changed);
});

const asking = (meta: RequestMessage["meta"]) => ({ meta }) as RequestMessage;
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1e2,"progressToken":"old"}}';

it("gives progress the token of the call that waits", () => {
  expect(forLeg(Buffer.from(PROGRESS), asking({ progressToken: 7 }))?.toString()).toBe(PROGRESS.replace('"old"', "7"));
});

it.each([undefined, {}, { progressToken: {} }])("drops progress where that call has no token: %j", (meta) => {
  expect(forLeg(Buffer.from(PROGRESS), asking(meta))).toBeUndefined();
});

it("leaves other notifications as they are", () => {
  const message = Buffer.from('{"jsonrpc":"2.0","method":"notifications/message","params":{"progressToken":1}}');
  expect(forLeg(message, asking({ progressToken: 7 }))).toBe(message);
});
