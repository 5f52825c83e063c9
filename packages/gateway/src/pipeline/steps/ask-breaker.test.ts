import { core, type Fault } from "@recourse/faults";
import { describe, expect, it } from "vitest";
import type { BreakerAnswer, Breakers } from "../../breaker/breakers.ts";
import type { Call } from "../call.ts";
import { askBreaker } from "./ask-breaker.ts";

const PASS = { probe: undefined, epoch: 1 };

function world(answer: BreakerAnswer | Promise<BreakerAnswer>) {
  const asked: string[] = [];
  const told: unknown[] = [];
  const breakers: Breakers = {
    ask({ name }) {
      asked.push(name);
      return answer;
    },
    tell: (...given) => void told.push(given),
    views: [],
    reset: () => Promise.resolve(),
    close() {},
  };
  return { asked, told, step: askBreaker(breakers, () => 1_000) };
}

function callOf(changes: object = {}): Call {
  const upstream = { options: { name: "shop", timeoutMs: 500 } };
  return { id: "1", deadlineMs: 9_000, route: { kind: "upstream", upstream }, ...changes } as unknown as Call;
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
    expect(told).toEqual([["shop", PASS, "success"]]);
  });

  it("tells that nothing was learnt where another step ended the call", () => {
    const { step, told } = world({ go: true, pass: PASS });
    const call = callOf();
    step(call);
    finish(call, core.internal.fault());
    expect(told).toEqual([["shop", PASS, "ignored"]]);
  });

  it("gives a probe no more time than its upstream has", async () => {
    const { step } = world(Promise.resolve({ go: true, pass: { probe: "p", epoch: 1 } }));
    const call = callOf();
    expect(await step(call)).toBeUndefined();
    expect(call.deadlineMs).toBe(1_500);
  });

  it("refuses a call, and tells nothing", () => {
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
