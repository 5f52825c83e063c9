import { expect, it } from "vitest";
import type { ServerAnswer } from "../call/server-request.ts";
import { CallQuestions, MAX_QUESTIONS } from "./call-questions.ts";

const REQUEST = { method: "roots/list", params: undefined };
const NO_SIGNAL = new AbortController().signal;
const RESULT = { result: Buffer.from("{}") };
const codeIn = (answer: ServerAnswer) => ("error" in answer ? JSON.parse(answer.error.toString()).code : undefined);

it("the time of the call stands still while at least one question is open", async () => {
  const first = Promise.withResolvers<ServerAnswer>();
  const second = Promise.withResolvers<ServerAnswer>();
  const answers = [first.promise, second.promise];
  const questions = new CallQuestions(() => answers.shift() ?? Promise.resolve(RESULT));
  let pauses = 0;
  questions.clock = {
    pause: () => {
      pauses += 1;
    },
    resume: () => {
      pauses -= 1;
    },
  };
  const asked = [questions.ask(REQUEST, NO_SIGNAL), questions.ask(REQUEST, NO_SIGNAL)];
  expect(pauses).toBe(2);
  second.resolve(RESULT);
  await asked[1];
  expect(pauses).toBe(1);
  first.resolve(RESULT);
  await asked[0];
  expect(pauses).toBe(0);
});

it("refuses more questions than a call may ask, and more than it may hold", async () => {
  let asked = 0;
  const questions = new CallQuestions(async () => {
    asked += 1;
    return RESULT;
  });
  for (let count = 0; count < MAX_QUESTIONS; count++) expect(await questions.ask(REQUEST, NO_SIGNAL)).toBe(RESULT);
  expect(codeIn(await questions.ask(REQUEST, NO_SIGNAL))).toBe(-32_601);
  expect(asked).toBe(MAX_QUESTIONS);

  const large = { method: "x", params: Buffer.alloc(1_000_000) };
  const holding = new CallQuestions(() => new Promise(() => {}));
  for (let count = 0; count < 4; count++) void holding.ask(large, NO_SIGNAL);
  expect(codeIn(await holding.ask(large, NO_SIGNAL))).toBe(-32_601);
  holding.end();
});

it("the end of the call withdraws what is open, and nothing is asked after it", async () => {
  const signals: AbortSignal[] = [];
  const questions = new CallQuestions((_request, signal) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  const asked = questions.ask(REQUEST, NO_SIGNAL);
  questions.end();
  expect(codeIn(await asked)).toBe(-32_603);
  expect(signals[0]?.aborted).toBe(true);
  expect(codeIn(await questions.ask(REQUEST, NO_SIGNAL))).toBe(-32_603);
  expect(signals).toHaveLength(1);
});

it("whoever asked can withdraw, and a caller that cannot be asked is no exception", async () => {
  const asking = new AbortController();
  const questions = new CallQuestions(() => new Promise(() => {}));
  const asked = questions.ask(REQUEST, asking.signal);
  asking.abort();
  expect(codeIn(await asked)).toBe(-32_603);
  const broken = new CallQuestions(() => Promise.reject(new Error("secret")));
  expect(codeIn(await broken.ask(REQUEST, NO_SIGNAL))).toBe(-32_603);
});
