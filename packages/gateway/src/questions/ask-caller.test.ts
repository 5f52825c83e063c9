import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { httpUpstream } from "../../test/support/config.ts";
import { headWith } from "../../test/support/head.ts";
import { fromFlags } from "../call/abilities.ts";
import { Call, type CallOrigin } from "../call/call.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import { type AskCallerParts, CallerQuestions } from "./ask-caller.ts";
import type { CallerQuestion } from "./prepare-question.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FORM = { method: "elicitation/create", params: Buffer.from('{"message":"Hi"}') };
const RESULT: ServerAnswer = { result: Buffer.from("{}") };
const NEVER = new AbortController().signal;

/** A call whose caller is asked, and answers when the test says so. */
function world({ waitMs = 1_000, ...parts }: Partial<AskCallerParts> = {}) {
  const now = () => performance.now();
  const left = new AbortController();
  const origin: CallOrigin = {
    head: headWith(),
    signal: left.signal,
    readBody: () => Promise.reject(new Error("not read")),
    notify: () => {},
  };
  const call = new Call(origin, now());
  call.revision = "2025-11-25";
  call.abilities = fromFlags("fr");
  call.deadlineMs = now() + 100;
  const asked: { readonly question: CallerQuestion; readonly answer: (answer: ServerAnswer) => void }[] = [];
  const askOnStream: AskCallerParts["askOnStream"] = (_call, question) => {
    const { promise, resolve } = Promise.withResolvers<ServerAnswer>();
    asked.push({ question, answer: resolve });
    return promise;
  };
  const clock: string[] = [];
  const questions = new CallerQuestions(
    call,
    httpUpstream("http://127.0.0.1:1/"),
    { askOnStream, cutter: { cutNotification: (message) => message }, waitMs, now, ...parts },
    { pause: () => void clock.push("pause"), resume: () => void clock.push("resume") },
  );
  const codeOf = async (answer: Promise<ServerAnswer>) => {
    const found = await answer;
    return "error" in found ? (JSON.parse(found.error.toString()) as { code: number; message: string }) : found;
  };
  return { call, left, asked, clock, questions, codeOf, now };
}

/** Lets what is due happen. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("while a caller is asked", () => {
  it("the time of the call stands still, however many questions are open at once", async () => {
    const { call, asked, clock, questions } = world();
    const { deadlineMs } = call;
    const first = questions.ask(FORM, NEVER);
    await vi.advanceTimersByTimeAsync(200);
    const second = questions.ask(FORM, NEVER);
    await vi.advanceTimersByTimeAsync(200);
    asked[0]?.answer(RESULT);
    expect(await first).toEqual(RESULT);
    await vi.advanceTimersByTimeAsync(200);
    expect(clock).toEqual(["pause"]);
    asked[1]?.answer(RESULT);
    expect(await second).toEqual(RESULT);
    expect([call.waitedMs, call.deadlineMs, clock]).toEqual([600, deadlineMs + 600, ["pause", "resume"]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("all its questions have one time together", async () => {
    const { call, asked, questions, codeOf } = world({ waitMs: 1_000 });
    const first = questions.ask(FORM, NEVER);
    await vi.advanceTimersByTimeAsync(600);
    asked[0]?.answer(RESULT);
    await first;
    await vi.advanceTimersByTimeAsync(10_000);
    const late = [codeOf(questions.ask(FORM, NEVER)), codeOf(questions.ask(FORM, NEVER))];
    await vi.advanceTimersByTimeAsync(399);
    expect(asked[1]?.question.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const error = { code: -32_603, message: "The client did not answer in time." };
    expect(await Promise.all(late)).toEqual([error, error]);
    expect(asked.slice(1).map(({ question }) => question.signal.reason)).toEqual(["late", "late"]);
    expect(await codeOf(questions.ask(FORM, NEVER))).toEqual(error);
    expect([asked.length, call.waitedMs]).toEqual([3, 1_000]);
  });

  it.each([
    ["left", (of: ReturnType<typeof world>) => of.left.abort(), "The client has left."],
    ["left", (of: ReturnType<typeof world>) => of.questions.leave(), "The client has left."],
    ["withdrawn", (_: unknown, withdrawn: AbortController) => withdrawn.abort(), "The request was withdrawn."],
  ] as const)("and is %s, the clocks go on in the same moment", async (reason, end, message) => {
    const made = world();
    const withdrawn = new AbortController();
    const answer = made.codeOf(made.questions.ask(FORM, withdrawn.signal));
    await vi.advanceTimersByTimeAsync(50);
    end(made, withdrawn);
    expect([made.call.waitedMs, made.clock]).toEqual([50, ["pause", "resume"]]);
    expect(made.asked[0]?.question.signal.reason).toBe(reason);
    expect(await answer).toEqual({ code: -32_603, message });
    // What comes now is too late.
    made.asked[0]?.answer(RESULT);
    await settle();
    expect([made.call.waitedMs, vi.getTimerCount()]).toEqual([50, 0]);
  });

  it("a question that was withdrawn before is not asked", async () => {
    const { asked, questions, codeOf } = world();
    expect(await codeOf(questions.ask(FORM, AbortSignal.abort()))).toMatchObject({ code: -32_603 });
    await settle();
    expect(asked).toEqual([]);
  });
});

describe("a caller is not asked", () => {
  it("what it has not declared, nor more than 32 times", async () => {
    const { asked, questions, codeOf, clock } = world();
    expect(await codeOf(questions.ask({ method: "sampling/createMessage", params: undefined }, NEVER))).toMatchObject({
      code: -32_601,
    });
    expect(clock).toEqual([]);
    for (let at = 0; at < 32; at++) {
      const answer = questions.ask(FORM, NEVER);
      await settle();
      asked[at]?.answer(RESULT);
      await answer;
    }
    expect(await codeOf(questions.ask(FORM, NEVER))).toMatchObject({ code: -32_602 });
    expect(asked).toHaveLength(32);
  });

  it("once it has left", async () => {
    const { left, asked, questions, codeOf } = world();
    left.abort();
    expect(await codeOf(questions.ask(FORM, NEVER))).toEqual({ code: -32_603, message: "The client has left." });
    expect(asked).toEqual([]);
  });

  it("by another way than its era knows", async () => {
    const held: string[] = [];
    const { call, asked, questions } = world({
      holdCall: async (_call, { upstream }) => {
        held.push(upstream);
        return RESULT;
      },
    });
    call.revision = "2026-07-28";
    expect(await questions.ask(FORM, NEVER)).toEqual(RESULT);
    expect([asked, held]).toEqual([[], ["up"]]);
  });
});

it("answers count against the memory of the call", async () => {
  const { call, asked, questions, codeOf } = world();
  const taken: number[] = [];
  let hasRoom = true;
  call.memory = {
    take(bytes) {
      taken.push(bytes);
      return hasRoom;
    },
    add: () => {},
    end: () => {},
  };
  for (const expected of [RESULT, { code: -32_603, message: "The answer is too large." }]) {
    const answer = codeOf(questions.ask(FORM, NEVER));
    await settle();
    asked.at(-1)?.answer(RESULT);
    expect(await answer).toEqual(expected);
    hasRoom = false;
  }
  expect(taken).toEqual([2, 2]);
});

describe("the key of a call", () => {
  it("is safe before its caller is asked, and until the call has ended", async () => {
    const { call, asked, questions } = world({ waitMs: 1_000 });
    const extended: number[] = [];
    const stored = Promise.withResolvers<boolean>();
    call.extendClaim = (leftMs) => {
      extended.push(leftMs);
      return stored.promise;
    };
    const answers = [questions.ask(FORM, NEVER), questions.ask(FORM, NEVER)];
    await vi.advanceTimersByTimeAsync(40);
    expect([asked.length, extended]).toEqual([0, [1_100]]);
    stored.resolve(true);
    await settle();
    expect(asked).toHaveLength(2);
    for (const { answer } of asked) answer(RESULT);
    await Promise.all(answers);
    await settle();
    // The call has its hundred milliseconds, as before.
    expect(extended).toEqual([1_100, 100]);
  });

  it("that is not safe keeps its caller from being asked, from then on", async () => {
    const { call, asked, questions, codeOf } = world();
    let isThere = false;
    call.extendClaim = async () => isThere;
    expect(await codeOf(questions.ask(FORM, NEVER))).toMatchObject({ code: -32_603 });
    isThere = true;
    expect(await codeOf(questions.ask(FORM, NEVER))).toMatchObject({ code: -32_603 });
    expect(asked).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
