import { describe, expect, it } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { NO_ABILITIES } from "../call/abilities.ts";
import { Call, type CallOrigin } from "../call/call.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import { askOnStream } from "./ask-on-stream.ts";
import { OpenQuestions } from "./open-questions.ts";

const QUESTION = { method: "roots/list", params: Buffer.from('{"n":1e400}'), upstream: "up" };
const ANN = { caller: "ann", session: "s1" };

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
