import { core, type Fault } from "@recourse/faults";
import { describe, expect, it } from "vitest";
import type { BreakerAnswer, Breakers } from "../../breaker/breakers.ts";
import type { Call } from "../call.ts";
import { askBreaker } from "./ask-breaker.ts";

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
    const call = callOf({ bound: {} });
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
