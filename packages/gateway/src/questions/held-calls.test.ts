import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callerOf, callOf } from "../../test/catalog/support/calls.ts";
import { fromFlags } from "../call/abilities.ts";
import type { CallBinding } from "../call/binding.ts";
import { Call } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import type { Upstream } from "../call/upstream.ts";
import { createRounds } from "../rounds/rounds.ts";
import { createReplicaBus } from "../stores/replica-bus.ts";
import { HeldCalls, type HeldCallsOptions } from "./held-calls.ts";
import { HeldLegs, type HeldLegsOptions } from "./held-legs.ts";

const ALL = fromFlags("fusr");
const DONE = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"n":1e400}}');
const rounds = createRounds(Buffer.from("secret"));
const observer = { unexpected: () => {}, log: () => {} };

interface CallChanges {
  readonly caller?: Caller;
  readonly method?: string;
  readonly key?: string;
  readonly params?: Record<string, unknown>;
}

/** A call as `beginBoundCall` leaves it, and what its caller got. */
function startCall({ caller = callerOf(), method = "tools/call", key, params = {} }: CallChanges = {}) {
  const answers: string[] = [];
  const notified: string[] = [];
  const left = new AbortController();
  let onNotification: ((message: Buffer) => void) | undefined;
  const plain = callOf(method, { name: "ask", ...params }, { caller });
  const call = new Call(
    {
      ...plain.origin,
      signal: left.signal,
      abort: () => left.abort(),
      notify: (message) => (onNotification ?? ((one) => void notified.push(one.toString())))(message),
      answerEarly(message, listener) {
        if (left.signal.aborted) return false;
        answers.push(message.toString());
        onNotification = listener;
        return true;
      },
    },
    0,
  );
  const { message, revision } = plain;
  Object.assign(call, { caller, message, revision, id: "7", abilities: ALL, deadlineMs: performance.now() + 5_000 });
  if (key !== undefined) call.binding = { key } as CallBinding;
  call.key = key;
  call.route = { kind: "upstream", upstream: { options: { name: "up" } } as Upstream, target: "ask", tool: undefined };
  return { call, answers, notified, left };
}

/** A register, and the way of legs to it: at once, or by the bus as from another replica. */
async function world(options: Partial<HeldCallsOptions> = {}, legOptions: Partial<HeldLegsOptions> = {}) {
  const bus = await createReplicaBus({ mode: "memory" }, { observer, replica: "r0" });
  const held = new HeldCalls({ replica: bus.replica, rounds, ...options });
  const legs = new HeldLegs({ bus, held, ...legOptions });
  return { bus, held, legs };
}

function ask({ held }: { readonly held: HeldCalls }, call: Call, text = "?") {
  const answers: string[] = [];
  const params = Buffer.from(JSON.stringify({ message: text }));
  const signal = new AbortController().signal;
  void held.ask(call, { method: "elicitation/create", params, upstream: "up", signal }).then((answer) => {
    answers.push(textOf(answer));
  });
  return answers;
}

const textOf = (answer: ServerAnswer) => ("result" in answer ? answer.result : answer.error).toString();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settle = (ms = 25) => vi.advanceTimersByTimeAsync(ms);

const resultIn = (text: string | undefined) =>
  (JSON.parse(text ?? "{}") as { result: { inputRequests: object; requestState: string; resultType: string } }).result;

/** The next call of the caller, with answers. */
async function goOn(
  { legs }: { readonly legs: HeldLegs },
  state: string,
  responses: Readonly<Record<string, string>> = {},
  { waitMs = 1_000, caller = callerOf() }: { readonly waitMs?: number; readonly caller?: Caller } = {},
) {
  const started = startCall({ caller, params: { requestState: state } });
  const place = /^h1\.\d+\.\w+\.(\w+)\.([\w-]+)\./.exec(state) ?? [];
  const answers = new Map(Object.entries(responses).map(([key, text]) => [key, Buffer.from(text)]));
  const leg = { replica: place[1] ?? "", held: place[2] ?? "", responses: answers };
  const ended = legs.continue(started.call, leg, waitMs).then((fault) => ({ fault, call: started.call }));
  return { ...started, ended };
}

describe("calls that are held", () => {
  it.each(["completion/complete", "resources/subscribe"])("is not begun for %s", async (method) => {
    const here = await world();
    const { call, answers } = startCall({ method });
    const asked = ask(here, call);
    await settle();
    expect(asked[0]).toContain("-32601");
    expect([answers, call.held, here.held.size]).toEqual([[], undefined, 0]);
  });

  it("asks nothing that the caller has no memory left for", async () => {
    const here = await world();
    const { call, answers } = startCall();
    let left = 1_000;
    const take = (bytes: number) => {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    };
    call.memory = { take, add: () => {}, end: () => {} };
    expect((await Promise.all([settle(), ask(here, call, "x".repeat(2_000))]))[1][0]).toContain("-32601");
    expect([call.held, here.held.size]).toEqual([undefined, 0]);
    ask(here, call, "x".repeat(500));
    await settle();
    expect(answers).toHaveLength(1);
    expect((await Promise.all([settle(), ask(here, call, "x".repeat(800))]))[1][0]).toContain("-32601");
  });

  it("answers in the envelope of the caller's dialect", async () => {
    const here = await world();
    const { call, answers } = startCall({ caller: callerOf({ dialect: "qaqnuz" }) });
    ask(here, call);
    await settle();
    expect(JSON.parse(answers[0] ?? "{}")).toMatchObject({ result: { resultType: "input_required" } });
    expect((JSON.parse(answers[0] ?? "{}") as { result: object }).result).toHaveProperty("_meta");
  });

  it("holds only so many, and leaves some to other callers", async () => {
    const here = await world({ maxHeld: 64 });
    const all = Array.from({ length: 200 }, () => startCall());
    const asked = all.map(({ call }) => ask(here, call));
    await settle();
    const refused = asked.filter(([answer]) => answer?.includes("-32601"));
    expect(here.held.size).toBeLessThanOrEqual(56);
    expect(refused.length + here.held.size).toBe(200);
    const other = startCall({ caller: callerOf({ id: "other one", tenant: "other" }) });
    ask(here, other.call);
    await settle();
    expect(other.answers).toHaveLength(1);
    for (const { call } of [...all, other]) call.held?.end({ answer: DONE });
    expect(here.held.size).toBe(0);
    ask(here, startCall().call);
    expect(here.held.size).toBe(1);
  });
});

describe("a replica that holds a call for another one", () => {
  /** The bus hands messages to itself as it does to others. */
  const elsewhere = async (legOptions: Partial<HeldLegsOptions> = {}) => {
    const bus = await createReplicaBus({ mode: "memory" }, { observer, replica: "r0" });
    const held = new HeldCalls({ replica: "r0", rounds });
    const remote = new HeldLegs({
      bus: new Proxy(bus, { get: (to, name) => otherName(to, name) }),
      held,
      ...legOptions,
    });
    return { bus, held, legs: remote };
  };
  /** The same bus under another name, so that legs take the way to another replica. */
  const otherName = (bus: object, name: string | symbol): unknown => {
    if (name === "replica") return "r1";
    const value: unknown = Reflect.get(bus, name, bus);
    return typeof value === "function" ? value.bind(bus) : value;
  };

  it("is not waited for longer than the call has time", async () => {
    const there = await elsewhere();
    const { call, answers, left } = startCall();
    ask(there, call);
    await settle();
    const leg = await goOn(there, resultIn(answers[0]).requestState, { q1: "{}" }, { waitMs: 60 });
    await settle(60);
    expect((await leg.ended).call.reply).toMatchObject({ fault: { kind: "timeout" } });
    await settle();
    expect(left.signal.aborted).toBe(true);
  });

  it("is waited for by so many of one caller only", async () => {
    const there = await elsewhere({ maxRemote: 4 });
    const all = Array.from({ length: 5 }, () => startCall());
    for (const { call } of all) ask(there, call);
    await settle();
    const states = all.map(({ answers }) => resultIn(answers[0]).requestState);
    const legs = await Promise.all(states.slice(0, 4).map((state) => goOn(there, state, { q1: "{}" })));
    await settle();
    const refused = await (await goOn(there, states[4] ?? "", { q1: "{}" })).ended;
    expect(refused.fault).toMatchObject({ reason: "core/rate_limited", effect: "none", retry: { allowed: true } });
    for (const { call } of all.slice(0, 4)) call.held?.end({ answer: DONE });
    for (const leg of legs) expect((await leg.ended).call.answer).toBeDefined();
    const next = await goOn(there, states[4] ?? "", { q1: "{}" });
    await settle();
    all[4]?.call.held?.end({ answer: DONE });
    expect((await next.ended).call.answer).toBeDefined();
  });

  it("hands over no answer that is too large", async () => {
    const there = await elsewhere();
    const { call, answers } = startCall();
    ask(there, call);
    await settle();
    const { requestState } = resultIn(answers[0]);
    const leg = await goOn(there, requestState, { q1: "{}" });
    await settle();
    call.held?.end({ answer: Buffer.alloc(5_000_000, 32) });
    expect((await leg.ended).fault).toMatchObject({ reason: "tool/result_too_large", effect: "possible" });
    const large = await goOn(there, requestState, { q1: `{"n":"${"x".repeat(5_000_000)}"}` });
    expect((await large.ended).fault).toMatchObject({ reason: "content/message_too_large", effect: "none" });
  });
});
