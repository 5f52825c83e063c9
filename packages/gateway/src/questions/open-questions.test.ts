import type { JsonObject } from "@recourse/core/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { NO_ABILITIES } from "../call/abilities.ts";
import { Call, type CallOrigin } from "../call/call.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import type { BusHandler } from "../stores/replica-bus.ts";
import { askOnStream, OpenQuestions, type OpenQuestionsOptions } from "./open-questions.ts";

const ANN = { caller: "ann", session: "s1" };
const RESULT: ServerAnswer = { result: Buffer.from('{"n":1e400}') };

/** Replicas whose messages arrive at once, as JSON. A replica that is not there does not answer. */
function replicas(options: Partial<OpenQuestionsOptions> = {}) {
  const handlers = new Map<string, BusHandler>();
  const create = (replica: string) =>
    new OpenQuestions({
      bus: {
        replica,
        on: (_kind, handler) => void handlers.set(replica, handler),
        ask: async (to, _kind, body) => handlers.get(to)?.(JSON.parse(JSON.stringify(body)) as JsonObject, replica),
      },
      ...options,
    });
  return { one: create("one"), two: create("two") };
}

describe("an open question", () => {
  it("is answered at its own replica and at others, once, in the bytes of the caller", async () => {
    const { one, two } = replicas();
    for (const at of [one, two]) {
      const question = one.open(ANN);
      const id = question?.id;
      expect(await at.answer(ANN, { id, answer: RESULT })).toBe("taken");
      expect(await question?.answer).toEqual(RESULT);
      expect(await at.answer(ANN, { id, answer: RESULT })).toBe("unknown");
    }
    expect(one.size).toBe(0);
  });

  it("gets an error in place of an answer that is none", async () => {
    const { one, two } = replicas();
    for (const at of [one, two]) {
      const question = one.open(ANN);
      expect(await at.answer(ANN, { id: question?.id, answer: undefined })).toBe("invalid");
      expect(await question?.answer).toHaveProperty("error");
    }
  });

  it("takes no answer of another caller or session, and none once it is closed", async () => {
    const { one, two } = replicas();
    const question = one.open(ANN);
    const id = question?.id;
    for (const at of [one, two]) {
      expect(await at.answer({ ...ANN, caller: "bob" }, { id, answer: RESULT })).toBe("unknown");
      expect(await at.answer({ ...ANN, session: "s2" }, { id, answer: undefined })).toBe("unknown");
    }
    expect(one.size).toBe(1);
    question?.close();
    question?.close();
    expect(one.size).toBe(0);
    expect(await two.answer(ANN, { id, answer: RESULT })).toBe("unknown");
  });

  it("has an id that no changed one stands for", async () => {
    const { one } = replicas();
    const id = one.open(ANN)?.id ?? "";
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.string({ minLength: 0, maxLength: 2, unit: "grapheme" }), (at, put) => {
        const changed = id.slice(0, at) + put + id.slice(at + 1);
        if (changed === id || !changed.startsWith("one.")) return;
        expect(one.answer(ANN, { id: changed, answer: RESULT })).toBe("unknown");
      }),
    );
    expect(one.size).toBe(1);
    expect(one.answer(ANN, { id: undefined, answer: RESULT })).toBe("unknown");
  });

  it("of a replica that is gone is answered by nobody", async () => {
    const { one } = replicas();
    expect(await one.answer(ANN, { id: `gone.${"a".repeat(24)}`, answer: RESULT })).toBe("away");
  });
});

describe("bounds", () => {
  it("keep one caller from taking the place of others", () => {
    const { one } = replicas({ max: 5, maxPerCaller: 3 });
    const open = (caller: string) => one.open({ caller, session: "s" });
    const first = open("ann");
    expect([open("ann"), open("ann")].every((question) => question !== undefined)).toBe(true);
    expect(open("ann")).toBeUndefined();
    expect([open("bob"), open("bob")].every((question) => question !== undefined)).toBe(true);
    expect(open("bob")).toBeUndefined();
    first?.close();
    expect(open("ann")).toBeDefined();
  });

  it("let one caller send so many answers to other replicas at one moment", async () => {
    const waiting = Promise.withResolvers<JsonObject>();
    const one = new OpenQuestions({ bus: { replica: "one", on: () => {}, ask: () => waiting.promise } });
    const answer = (caller: string) =>
      one.answer({ caller, session: "s" }, { id: `two.${"a".repeat(24)}`, answer: RESULT });
    const sent = Array.from({ length: 64 }, () => answer("ann"));
    expect(answer("ann")).toBe("away");
    expect(answer("bob")).toBeInstanceOf(Promise);
    waiting.resolve({ outcome: "taken" });
    expect(new Set(await Promise.all(sent))).toEqual(new Set(["taken"]));
    expect(await answer("ann")).toBe("taken");
  });
});

const QUESTION = { method: "roots/list", params: Buffer.from('{"n":1e400}'), upstream: "up" };

function world({ max = 10, isSent = true, canAsk = true } = {}) {
  const questions = new OpenQuestions({ bus: { replica: "one", on: () => {}, ask: async () => undefined }, max });
  const sent: string[] = [];
  const origin: CallOrigin = {
    head: headWith(),
    signal: new AbortController().signal,
    readBody: () => Promise.reject(new Error("not read")),
    notify: (message) => void sent.push(message.toString()),
    canAsk,
    ask(message) {
      if (isSent) sent.push(message.toString());
      return isSent;
    },
  };
  const call = new Call(origin, 0);
  const none = new Set<string>();
  call.caller = {
    id: ANN.caller,
    tenant: "t",
    subject: "s",
    tools: [],
    scopes: none,
    entitlements: none,
    dialect: undefined,
  };
  call.session = { nonce: ANN.session, revision: "2025-11-25", abilities: NO_ABILITIES, expiresMs: 1 };
  const ended = new AbortController();
  return {
    questions,
    sent,
    call,
    ended,
    ask: () => askOnStream(questions)(call, { ...QUESTION, signal: ended.signal }),
  };
}

const isError = (answer: ServerAnswer) => "error" in answer;

describe("a question on the stream of a call", () => {
  it("is a request with an id of the gateway, and its answer comes back", async () => {
    const { questions, sent, ask } = world();
    const asked = ask();
    const { id } = JSON.parse(sent[0] ?? "{}") as { readonly id: string };
    expect(sent).toEqual([`{"jsonrpc":"2.0","id":"${id}","method":"roots/list","params":{"n":1e400}}`]);
    const answer = { result: Buffer.from("{}") };
    expect(questions.answer(ANN, { id, answer })).toBe("taken");
    expect(await asked).toBe(answer);
  });

  it.each(["late", "withdrawn"] as const)("is withdrawn where it is %s", (reason) => {
    const { questions, sent, ended, ask } = world();
    void ask();
    ended.abort(reason);
    expect(questions.size).toBe(0);
    const { id } = JSON.parse(sent[0] ?? "{}") as { readonly id: string };
    expect(JSON.parse(sent[1] ?? "{}")).toMatchObject({ method: "notifications/cancelled", params: { requestId: id } });
  });

  it("of a caller that has left is forgotten", () => {
    const { questions, sent, ended, ask } = world();
    void ask();
    ended.abort("left");
    expect([questions.size, sent.length]).toEqual([0, 1]);
  });

  it.each([{ canAsk: false }, { isSent: false }, { max: 0 }])(
    "is an error where it cannot be sent: %o",
    async (given) => {
      const { questions, sent, ask } = world(given);
      expect(isError(await ask())).toBe(true);
      expect([questions.size, sent]).toEqual([0, []]);
    },
  );

  it("is an error for a caller without a session", async () => {
    const { call, sent, ask } = world();
    call.session = undefined;
    expect(isError(await ask())).toBe(true);
    expect(sent).toEqual([]);
  });
});
