import type { Fault } from "@recourse/core";
import { auth, core, rest, task, tool, transport } from "@recourse/core/reasons";
import { LostCalls } from "@recourse/core/retry";
import { describe, expect, it } from "vitest";
import type { Call } from "../call/call.ts";
import { askBreaker, type EndedCall, endedCallSignals } from "./breaker-step.ts";
import type { BreakerAnswer, Breakers } from "./breakers.ts";

const PASS = { probe: undefined, epoch: 1 };

type Answer = BreakerAnswer | Promise<BreakerAnswer>;

function world(answer: Answer, ofTool: Answer = { go: true, pass: PASS }) {
  const asked: string[] = [];
  const told: unknown[] = [];
  const breakers: Breakers = {
    ask({ upstream, tool }) {
      asked.push(tool ?? upstream);
      return tool === undefined ? answer : ofTool;
    },
    tell: (...given) => void told.push(given),
    views: [],
    reset: () => Promise.resolve(),
    close() {},
  };
  const judgeLate = () => undefined;
  const observer = { unexpected: (error: unknown) => expect.fail(String(error)) };
  return { asked, told, step: askBreaker({ breakers, judgeLate, observer, now: () => 1_000 }) };
}

function callOf(changes: object = {}): Call {
  const upstream = { options: { name: "shop", timeoutMs: 500 } };
  const route = { kind: "upstream", upstream, target: "pay", tool: { name: "shop__pay" } };
  return { id: "1", deadlineMs: 9_000, route, ...changes } as unknown as Call;
}
const finish = (call: Call, sent?: Fault) => call.afterwards?.forEach((run) => void run(sent));

describe("asking the breaker", () => {
  it("lets a call through, and tells what came of it", () => {
    const { step, told } = world({ go: true, pass: PASS });
    const call = callOf();
    expect(step(call)).toBeUndefined();
    expect(call.deadlineMs).toBe(9_000);
    call.reply = { kind: "answer", status: 200, header: () => undefined, body: Buffer.from("{}") };
    finish(call);
    expect(told).toEqual([
      [{ upstream: "shop" }, PASS, "success"],
      [{ upstream: "shop", tool: "pay" }, PASS, "success"],
    ]);
  });

  it("tells that nothing was learnt where another step ended the call", () => {
    const { step, told } = world({ go: true, pass: PASS });
    const call = callOf();
    step(call);
    finish(call, core.internal.fault());
    expect(told).toEqual([
      [{ upstream: "shop" }, PASS, "ignored"],
      [{ upstream: "shop", tool: "pay" }, PASS, "ignored"],
    ]);
  });

  it("tells what came of a probe after its caller has left", async () => {
    const { step, told } = world(Promise.resolve({ go: true, pass: { probe: "p", epoch: 1 } }));
    const call = callOf();
    expect(await step(call)).toBeUndefined();
    expect(call.isProbe).toBe(true);
    call.reply = { kind: "failed", fault: core.timeout.fault() };
    call.late = Promise.resolve({ kind: "answer", status: 200, header: () => undefined, body: Buffer.from("{}") });
    finish(call, core.timeout.fault());
    expect(told).toEqual([]);
    await call.late;
    expect(told[0]).toEqual([{ upstream: "shop" }, { probe: "p", epoch: 1 }, "success"]);
  });

  it("asks the tool first, and gives its probe back where the upstream refuses", () => {
    const held = world({ go: true, pass: PASS }, { go: false, afterMs: 70 });
    expect(held.step(callOf())).toMatchObject({
      message: 'Recent calls of the tool "shop__pay" failed, so this call was not sent.',
    });
    expect(held.asked).toEqual(["pay"]);
    const probe = { probe: "p", epoch: 1 };
    const down = world({ go: false, afterMs: 70 }, { go: true, pass: probe });
    expect(down.step(callOf())).toMatchObject({ message: "Recent calls failed, so this call was not sent." });
    expect(down.told).toEqual([[{ upstream: "shop", tool: "pay" }, probe, "ignored"]]);
  });

  it("asks only the upstream about what is no call of a tool", () => {
    const { step, asked } = world({ go: true, pass: PASS });
    const upstream = { options: { name: "shop", timeoutMs: 500 } };
    step(callOf({ route: { kind: "upstream", upstream, target: "a://b" } }));
    expect(asked).toEqual(["shop"]);
  });

  it("refuses a call, and tells nothing about it", () => {
    const { step } = world({ go: false, afterMs: 700 });
    const call = callOf();
    expect(step(call)).toMatchObject({
      reason: "transport/breaker_open",
      effect: "none",
      retry: { allowed: true, afterMs: 700 },
    });
    expect(call.afterwards).toBeUndefined();
  });

  it("only remembers the refusal of a bound call, whose outcome may be stored", () => {
    const { step } = world({ go: false, afterMs: 700 });
    const call = callOf({ binding: {} });
    expect(step(call)).toBeUndefined();
    expect(call.refusal).toMatchObject({ reason: "transport/breaker_open", retry: { afterMs: 700 } });
  });

  it.each([
    ["what the gateway answers itself", { route: { kind: "local" } }],
    ["what needs nothing", { route: { kind: "ignored" } }],
    ["a notification", { id: undefined }],
  ])("is not done for %s", (_, changes) => {
    const { step, asked } = world({ go: false, afterMs: 700 });
    expect(step(callOf(changes))).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

const ANSWER = { kind: "answer", status: 200, header: () => undefined, body: Buffer.from("{}") } as const;
const ENDED: EndedCall = {
  sent: undefined,
  waitedMs: 5,
  timeoutMs: 1_000,
  target: "pay",
  lost: new LostCalls(),
  isProbe: false,
};
const SENT: EndedCall = { ...ENDED, sent: core.internal.fault() };

function failed(judged: Fault, isOld = false): Pick<Call, "reply" | "judged"> {
  return { reply: { kind: "failed", fault: judged, isOld }, judged };
}
const said = (judged: Fault): Pick<Call, "reply" | "judged"> => ({ reply: ANSWER, judged });
const TRANSPORT = { origin: { layer: "transport" } } as const;
const GATEWAY = { origin: { layer: "gateway" } } as const;
const UPSTREAM = { origin: { layer: "upstream" } } as const;

describe("what a call shows about its upstream", () => {
  it("a task that takes longer is no answer: what was lost before stays lost", () => {
    const ended = { ...SENT, waitedMs: 999, lost: new LostCalls() };
    const gone = failed(transport.connection_lost.fault({}, TRANSPORT));
    expect(endedCallSignals(gone, { ...ended, target: "one" }).server).toBe("ignored");
    endedCallSignals(failed(task.timeout.fault({}, GATEWAY)), { ...ended, target: "tasks/result" });
    expect(endedCallSignals(gone, { ...ended, target: "two" }).server).toBe("failure");
  });

  it.each<[name: string, upstream: string, tool: string, call: Pick<Call, "reply" | "judged">, ended: EndedCall]>([
    ["a success", "success", "success", { reply: ANSWER, judged: undefined }, ENDED],
    ["it was never sent", "ignored", "ignored", { reply: undefined, judged: undefined }, SENT],
    ["the gateway broke", "ignored", "ignored", { reply: ANSWER, judged: undefined }, SENT],
    ["not found", "success", "success", said(core.not_found.fault({}, UPSTREAM)), SENT],
    ["a sentence of the tool", "success", "success", said(tool.failed.fault({}, UPSTREAM)), SENT],
    ["a credential that is refused", "success", "success", said(auth.unauthorized.fault({}, UPSTREAM)), SENT],
    ["a failure of the upstream", "success", "failure", said(core.internal.fault({}, UPSTREAM)), SENT],
    ["a guess", "success", "success", said(core.internal.fault({}, { ...UPSTREAM, basis: "guessed" })), SENT],
    ["the same as the bridge says it", "success", "success", failed(rest.upstream_auth.fault()), SENT],
    ["nothing listens", "failure", "ignored", failed(transport.unreachable.fault({}, TRANSPORT)), SENT],
    ["a lost connection", "ignored", "failure", failed(transport.connection_lost.fault({}, TRANSPORT)), SENT],
    [
      "a probe that was lost",
      "failure",
      "failure",
      failed(transport.connection_lost.fault({}, TRANSPORT)),
      { ...SENT, isProbe: true },
    ],
    ["a failure of before", "ignored", "ignored", failed(transport.unreachable.fault({}, TRANSPORT), true), SENT],
    ["the caller left", "ignored", "ignored", failed(core.cancelled.fault({}, GATEWAY)), SENT],
    [
      "the breaker of a gateway behind it",
      "success",
      "ignored",
      said(transport.breaker_open.fault({}, UPSTREAM)),
      SENT,
    ],
    ["no room in the gateway", "ignored", "ignored", failed(core.overloaded.fault({}, GATEWAY)), SENT],
    ["no room in the upstream", "success", "failure", said(core.overloaded.fault({}, UPSTREAM)), SENT],
    ["a deadline of the caller", "ignored", "ignored", failed(core.timeout.fault({}, GATEWAY)), SENT],
    [
      "the time of the upstream",
      "ignored",
      "failure",
      failed(core.timeout.fault({}, GATEWAY)),
      { ...SENT, waitedMs: 999 },
    ],
    [
      "a task that takes longer",
      "ignored",
      "ignored",
      failed(task.timeout.fault({}, GATEWAY)),
      { ...SENT, waitedMs: 999 },
    ],
    ["a time-out behind the upstream", "success", "failure", said(core.timeout.fault({}, UPSTREAM)), SENT],
  ])("%s: %s, of its tool %s", (_name, server, ofTool, call, ended) => {
    expect(endedCallSignals(call, ended)).toEqual({ server, tool: ofTool });
  });

  it("is that the upstream fails once calls of several tools were lost", () => {
    const lost = new LostCalls();
    const call = failed(transport.connection_lost.fault({}, TRANSPORT));
    const signals = ["pay", "pay", "find", "pay"].map(
      (target) => endedCallSignals(call, { ...SENT, lost, target }).server,
    );
    expect(signals).toEqual(["ignored", "ignored", "failure", "failure"]);
  });
});
