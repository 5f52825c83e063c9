// What callers read of the failures of upstreams.
import { type Fault, fail, registerSecrets, render, shouldReport } from "@recourse/core";
import { core, tool, transport } from "@recourse/core/reasons";
import { describe, expect, test } from "vitest";
import { answer, error, judged, result, stated } from "./support.ts";

const text = (said: string) => result({ isError: true, content: [{ type: "text", text: said }] });
const SUGGESTED = [{ do: "choose_another", candidates: ["CK101"] }] as const;
const verbs = (fault: Fault | undefined) => fault?.recourse.map((move) => move.do);

test("words without a secret of this process are hidden text, so the failure is reported", () => {
  registerSecrets("kestrel-4471-pass");
  const { fault, call } = judged(text("There is no order 9. Sign in with kestrel-4471-pass."));
  expect(JSON.stringify(fault)).not.toContain("kestrel-4471-pass");
  expect(fault?.quote?.text).toBe("There is no order 9. Sign in with [removed].");
  expect(call.textHidden).toBe(true);
  expect(judged(text("There is no order 9.")).call.textHidden).toBe(false);
});

describe("what the called server states is believed", () => {
  test.each(["none", "possible", "applied"] as const)("the effect %s", (effect) => {
    const { fault } = judged(stated(core.unavailable.fault({}, { effect })));
    expect(fault).toMatchObject({ kind: "unavailable", effect, basis: "stated" });
  });

  test("kind, wait and limits; the id of its incident is for the operator", () => {
    const limits = [{ policy: "per key", quota: 10, windowMs: 1_000 }];
    const sent = core.rate_limited.fault(
      { limit: 10, windowMs: 1_000 },
      { retry: { allowed: true, afterMs: 1_500 }, limits },
    );
    const incident = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const { fault, call } = judged(stated({ ...sent, incident }));
    expect(fault).not.toHaveProperty("incident");
    expect(call.judged?.incident).toBe(incident);
    expect(judged(stated({ ...sent, incident }), { options: { speaksFaults: true } }).fault?.incident).toBe(incident);
    expect(fault).toMatchObject({
      kind: "rate_limited",
      message: "The rate limit of 10 per 1 second is reached.",
      retry: { allowed: true, afterMs: 1_500 },
      recourse: [{ do: "retry", afterMs: 1_500 }],
      limits,
      origin: { layer: "upstream", name: "shop" },
    });
    expect(call.textHidden).toBe(false);
  });

  test("in a JSON-RPC error, and beside a status", () => {
    const data = { "recourse/fault": core.conflict.fault() };
    const body = { jsonrpc: "2.0", id: 7, error: { code: -32603, message: "no", data } };
    for (const status of [200, 400, 409, 500]) expect(judged(answer(body, status)).fault?.kind).toBe("conflict");
  });

  test("the page of a reason is that of the operator, unless the upstream is believed as a whole", () => {
    const docs = "https://errors.shop.example/core/conflict";
    const reply = stated({ ...core.conflict.fault(), docs });
    expect(judged(reply).fault).not.toHaveProperty("docs");
    expect(judged(reply, { options: { speaksFaults: true } }).fault?.docs).toBe(docs);
  });

  test("an upstream that is believed as a whole speaks for itself, and what it passes on from others stays quoted", () => {
    const own = { ...fail.not_found({ recourse: SUGGESTED })`Sailing ${"CK102"} is sold out.`.fault };
    const shown = (fault: object, speaksFaults: boolean) => {
      const { fault: out } = judged(stated(fault as never), { options: { speaksFaults } });
      return out && render(out, { for: "model" });
    };
    expect(shown(own, false)).toBe(
      'What the call asked for was not found. Quote from the server: “Sailing "CK102" is sold out. (suggested: "CK101")” ' +
        "Call again with a different name or id.",
    );
    expect(shown(own, true)).toBe('Sailing "CK102" is sold out. Use "CK101" instead.');
    expect(shown({ ...own, origin: { layer: "upstream", name: "port" } }, true)).toBe(
      'Sailing "CK102" is sold out. Quote from the server: “(suggested: "CK101")” Call again with a different name or id.',
    );
    // The full filter is on the way out, whoever wrote it.
    const leaky = { ...own, message: "connect ECONNREFUSED 10.1.2.3:5432 as root with password hunter2" };
    expect(JSON.stringify(judged(stated(leaky as never), { options: { speaksFaults: true } }).fault)).not.toMatch(
      /10\.1\.2\.3|hunter2/,
    );
  });

  test("who failed behind the upstream is known only where it is believed as a whole", () => {
    const reply = stated({ ...core.upstream_failed.fault(), origin: { layer: "upstream", name: "bank" } });
    expect(judged(reply).fault?.origin).toEqual({ layer: "upstream", name: "shop" });
    expect(judged(reply, { options: { speaksFaults: true } }).fault?.origin).toEqual({
      layer: "upstream",
      name: "bank",
    });
  });
});

describe("codes and statuses", () => {
  test.each([
    ["wrong parameters", error(-32602, "quantity must be positive"), "protocol/invalid_params", "none", ["fix_input"]],
    ["an unknown method", error(-32601, "Method not found"), "protocol/method_not_found", "none", ["choose_another"]],
    ["a bug", error(-32603, "boom"), "core/internal", "possible", ["stop"]],
    ["a code of nobody", error(-31999, "boom"), "core/unrecognised", "possible", ["refresh"]],
    ["a failed tool", text("It broke."), "tool/failed", "possible", ["refresh", "stop"]],
    ["a phrase in a text", text("Rate limit exceeded"), "core/rate_limited", "possible", ["refresh"]],
    ["400", answer("", 400), "protocol/bad_request", "none", ["stop"]],
    ["404: the address is wrong", answer("not here", 404), "core/misconfigured", "none", ["stop"]],
    ["408", answer("", 408), "core/timeout", "possible", ["refresh"]],
    ["429 with a wait", answer("", 429, { "retry-after": "3" }), "core/rate_limited", "none", ["retry"]],
    ["500", answer("<h1>oops</h1>", 500), "transport/http_failed", "possible", ["refresh"]],
    ["502", answer("", 502), "transport/http_failed", "possible", ["refresh"]],
    ["503", answer("", 503), "core/unavailable", "possible", ["refresh"]],
    ["504", answer("", 504), "core/timeout", "possible", ["refresh"]],
  ] as const)("%s", (_, reply, reason, effect, moves) => {
    const { fault, call } = judged(reply);
    expect(fault).toMatchObject({ reason, effect, origin: { layer: "upstream", name: "shop" } });
    expect(verbs(fault)).toEqual(moves);
    // What is not reported needs no cause.
    const isReported = fault !== undefined && shouldReport(fault, { textHidden: call.textHidden });
    expect(call.cause instanceof Error && call.cause.name).toBe(isReported && "UpstreamAnswer");
  });

  test("the configured dialect is read first", () => {
    const reply = error(-32001, "Rate limited", { retryAfter: 2 });
    expect(judged(reply, { options: { dialect: "mcp" } }).fault?.reason).toBe("core/unrecognised");
    const onx = result({ isError: true, content: [{ type: "text", text: '{"error":{"code":"ORDER_NOT_FOUND"}}' }] });
    expect(judged(onx, { options: { dialect: "onx" } }).fault).toBeDefined();
  });
});

describe("the credential of the gateway is nothing that callers can act on", () => {
  const challenge = { "www-authenticate": 'Bearer resource_metadata="https://evil.example/.well-known"' };
  test.each([
    ["401", answer("", 401, challenge), "rest/upstream_auth"],
    [
      "401 with a JSON-RPC error",
      answer({ jsonrpc: "2.0", id: 7, error: { code: -32001, message: "Unauthorized" } }, 401),
      "rest/upstream_auth",
    ],
    ["403", answer({ message: "Forbidden" }, 403), "rest/upstream_forbidden"],
    [
      "a fault that says so",
      stated({
        v: 1,
        kind: "unauthenticated",
        class: "permission",
        reason: "auth/unauthorized",
        message: "Sign in.",
        effect: "none",
        recourse: [{ do: "authenticate" }],
      }),
      "rest/upstream_auth",
    ],
    [
      "the same with 401",
      answer(
        {
          jsonrpc: "2.0",
          id: 7,
          error: {
            code: -32603,
            message: "x",
            data: {
              "recourse/fault": {
                v: 1,
                kind: "unauthenticated",
                class: "permission",
                reason: "auth/unauthorized",
                message: "Sign in.",
              },
            },
          },
        },
        401,
      ),
      "rest/upstream_auth",
    ],
    [
      "the same with 403",
      answer(
        {
          jsonrpc: "2.0",
          id: 7,
          error: {
            code: -32603,
            message: "x",
            data: {
              "recourse/fault": {
                v: 1,
                kind: "forbidden",
                class: "permission",
                reason: "auth/insufficient_scope",
                message: "Scope.",
              },
            },
          },
        },
        403,
      ),
      "rest/upstream_forbidden",
    ],
  ])("%s", (_, reply, reason) => {
    const { fault, call } = judged(reply, { options: { foreignText: "quote" } });
    expect(fault).toMatchObject({ reason, kind: "unavailable", retry: { allowed: false } });
    expect(verbs(fault)).not.toContain("authenticate");
    expect(fault).not.toHaveProperty("quote");
    expect(JSON.stringify(fault)).not.toMatch(/evil|sign in/i);
    expect(call.cause).toBeDefined();
  });

  test("a sentence that asks to sign in proves nothing, and is hidden", () => {
    const { fault, call } = judged(text("Unauthorized: invalid token"), { options: { foreignText: "quote" } });
    expect(fault).toMatchObject({ reason: "tool/failed", kind: "unknown" });
    expect(fault).not.toHaveProperty("quote");
    expect(call.textHidden).toBe(true);
  });

  test("a tool that refuses a call for its own reasons is heard", () => {
    const { fault } = judged(text("Access denied: only managers may refund"));
    expect(fault).toMatchObject({ kind: "forbidden", quote: { text: "Access denied: only managers may refund" } });
  });

  test("no upstream sends the caller to sign in", () => {
    const moves = [{ do: "authenticate" }, { do: "ask_user" }];
    expect(verbs(judged(stated({ ...core.conflict.fault(), recourse: moves })).fault)).toEqual(["ask_user"]);
    expect(verbs(judged(stated({ ...core.conflict.fault(), recourse: moves.slice(0, 1) })).fault)).toEqual(["stop"]);
  });
});

describe("names", () => {
  test("what was called is named as the caller knows it", () => {
    const { fault } = judged(stated(tool.invalid_arguments.fault({ tool: "buy" })));
    expect(fault?.message).toBe('Wrong arguments for the tool "shop__buy".');
    expect(fault?.params).toEqual({ tool: "shop__buy" });
    expect(judged(text("It broke.")).fault?.message).toBe('The tool "shop__buy" reported a failure.');
  });

  test("a tool in a move is named as the caller knows it, and dropped where the caller does not see it", () => {
    const tools = { login: "shop__login", refund: "hidden" };
    const reply = (first: string) =>
      stated({ ...core.precondition_failed.fault(), recourse: [{ do: "do_first", tool: first }] });
    expect(judged(reply("login"), { tools }).fault?.recourse).toEqual([{ do: "do_first", tool: "shop__login" }]);
    expect(judged(reply("refund"), { tools }).fault?.recourse).toEqual([{ do: "do_first" }]);
    expect(judged(reply("crm__delete_all"), { tools }).fault?.recourse).toEqual([{ do: "do_first" }]);
  });

  test("candidates lose tools that the caller does not see, and keep values", () => {
    const tools = { login: "shop__login", refund: "hidden" };
    const sent = {
      ...core.not_found.fault(),
      recourse: [{ do: "choose_another", candidates: ["login", "refund", "red"] }],
    };
    const { fault } = judged(stated(sent), { tools });
    expect(fault?.recourse).toEqual([{ do: "choose_another", candidates: ["shop__login", "red"] }]);
    const cause = judged(stated({ ...core.internal.fault(), cause: sent }), { tools }).fault?.cause;
    expect(JSON.stringify(cause)).not.toContain("refund");
  });

  test.each([
    ["a fault", stated(tool.not_found.fault({ tool: "buy" }))],
    ["the official server", error(-32602, "Tool buy not found")],
  ])("a tool that is listed and gone asks for the list to be read again: %s", (_, reply) => {
    const { fault, stale } = judged(reply);
    expect(fault).toMatchObject({ kind: "not_found", effect: "none", params: { tool: "shop__buy" } });
    expect(verbs(fault)).toEqual(["refresh", "choose_another"]);
    expect(stale).toBe(true);
  });

  test("another tool that is missing says nothing about the list", () => {
    expect(judged(stated(tool.not_found.fault({ tool: "other" }))).stale).toBe(false);
  });
});

describe("text of the upstream", () => {
  const KEY = "sk-live-51H8xqLmZt0aB";
  const AUTHORIZATION = "Bearer caller-key-77aa88bb";
  const options = { credential: { kind: "bearer", token: KEY } as const };
  const headers = { authorization: AUTHORIZATION };

  test("by the option of the upstream", () => {
    const reply = error(-32603, "The blue printer is jammed");
    const shown = (foreignText: "hide" | "public" | "quote" | "raw") => judged(reply, { options: { foreignText } });
    expect(shown("hide").fault).not.toHaveProperty("quote");
    expect(shown("hide").call.textHidden).toBe(true);
    for (const mode of ["public", "quote", "raw"] as const)
      expect(shown(mode).fault?.quote).toEqual({ text: "The blue printer is jammed", from: "peer" });
  });

  test.each([
    ["the credential of the upstream", KEY],
    ["the credential of the caller", "caller-key-77aa88bb"],
    ["in base64", Buffer.from(KEY).toString("base64")],
    ["in percent", encodeURIComponent(`${KEY}/`)],
  ])("never shows %s", (_, secret) => {
    const fault = {
      ...core.conflict.fault(),
      quote: { text: `for ${secret}`, from: "peer" },
      docs: `https://x.example/${secret}`,
    };
    const replies = [
      error(-32602, `bad key ${secret}`),
      text(`bad key ${secret}`),
      stated({
        ...fault,
        message: `key ${secret}`,
        reason: "shop/x",
        params: { what: secret },
        origin: { layer: "server", name: secret },
      }),
      stated({ ...core.conflict.fault(), cause: { ...fault, message: secret } }),
      answer({ detail: secret }, 422, { "x-request-id": secret }),
      answer({ fault }, 500),
    ];
    for (const reply of replies) {
      for (const foreignText of ["hide", "public", "quote", "raw"] as const) {
        const judgement = judged(reply, {
          options: { ...options, foreignText, speaksFaults: foreignText === "quote" },
          headers,
        });
        expect(judgement.fault).toBeDefined();
        expect(JSON.stringify(judgement.fault)).not.toContain(secret);
      }
    }
  });

  test("what the caller sent may be read again", () => {
    const params = { name: "shop__buy", arguments: { mail: "ann.lee@example.org" } };
    const reply = error(-32602, "No account for ann.lee@example.org");
    expect(judged(reply, { params }).fault?.quote?.text).toBe("No account for ann.lee@example.org");
    expect(judged(reply).fault).not.toHaveProperty("quote");
    expect(judged(reply).call.textHidden).toBe(true);
  });
});

describe("a result that asks for input", () => {
  const asking = (params: object) =>
    result({
      resultType: "input_required",
      inputRequests: { a: { method: "elicitation/create", params } },
      requestState: "s",
    });

  test("passes to callers that know it", () => {
    const { fault, call } = judged(asking({ mode: "form", message: "Which size?" }));
    expect(fault).toBeUndefined();
    expect(call.answer).toBeDefined();
  });

  test("becomes the question for callers that do not", () => {
    const { fault } = judged(asking({ mode: "form", message: "Which size?" }), { revision: "2025-11-25" });
    expect(fault).toMatchObject({
      kind: "precondition_failed",
      effect: "none",
      quote: { text: "Which size?", from: "peer" },
      recourse: [{ do: "ask_user" }],
    });
  });

  test("becomes the link for callers that do not", () => {
    const params = {
      mode: "url",
      message: "Please confirm.",
      url: "https://shop.example/confirm/1",
      elicitationId: "e1",
    };
    const { fault } = judged(asking(params), { revision: "2025-11-25" });
    expect(fault).toMatchObject({
      reason: "elicitation/url_required",
      effect: "none",
      recourse: [{ do: "ask_user", link: "https://shop.example/confirm/1", approval: "e1" }],
    });
  });
});

describe("other methods", () => {
  test("a missing resource", () => {
    const setting = { method: "resources/read", params: { uri: "shop://orders/1" } };
    for (const code of [-32002, -32602]) {
      const { fault } = judged(error(code, "Resource not found", { uri: "shop://orders/1" }), setting);
      expect(fault).toMatchObject({ reason: "resource/not_found", params: { uri: "shop://orders/1" } });
    }
  });

  test("a prompt", () => {
    const setting = { method: "prompts/get", params: { name: "shop__greet" } };
    expect(judged(error(-32602, "Prompt greet not found"), setting).fault).toMatchObject({ kind: "not_found" });
    expect(
      judged(result({ messages: [], structuredContent: { ok: false, error: "x" } }), setting).fault,
    ).toBeUndefined();
  });

  test("a lost answer of a message that only reads changed nothing", () => {
    const failed = { kind: "failed", fault: transport.connection_lost.fault(), cause: new Error("reset") } as const;
    expect(judged(failed).fault).toMatchObject({ effect: "possible", origin: { layer: "upstream", name: "shop" } });
    const { fault, call } = judged(failed, { method: "resources/read", params: { uri: "a://b" } });
    expect(fault).toMatchObject({ effect: "none", recourse: [{ do: "retry" }] });
    expect(call.cause).toBe(failed.cause);
    expect(judged(failed, { readOnly: true }).fault?.effect).toBe("possible");
    expect(judged(failed, { readOnly: true, options: { trustAnnotations: true } }).fault?.effect).toBe("none");
  });

  test("what a message that only reads failed with had no effect, unless the upstream states one", () => {
    const read = { method: "resources/read", params: { uri: "a://b" } };
    expect(judged(error(0, "boom"), read).fault).toMatchObject({ reason: "core/unrecognised", effect: "none" });
    expect(judged(error(0, "boom")).fault?.effect).toBe("possible");
    const trusted = { readOnly: true, options: { trustAnnotations: true } };
    expect(judged(error(0, "boom"), { readOnly: true }).fault?.effect).toBe("possible");
    expect(judged(error(0, "boom"), trusted).fault?.effect).toBe("none");
    expect(judged(text("The request timed out."), trusted).fault?.effect).toBe("none");
    expect(judged(stated({ ...core.internal.fault(), effect: "applied" }), trusted).fault?.effect).toBe("applied");
  });

  test("a call that was refused and whose arguments do not fit the listed schema had no effect, unless the upstream states one", () => {
    const setting = {
      inputSchema: { type: "object", properties: { order: { type: "integer" } } },
      params: { name: "shop__buy", arguments: { order: "7" } },
    };
    for (const reply of [text("Something went wrong."), text("order has to be a number"), error(-32602, "Bad order")])
      expect(judged(reply, setting).fault).toMatchObject({ kind: "invalid_input", effect: "none" });
    const applied = stated(core.validation_failed.fault({}, { effect: "applied" }));
    expect(judged(applied, setting).fault?.effect).toBe("applied");
    // It may have run with the text that it was sent.
    expect(judged(text("The request timed out."), setting).fault?.effect).toBe("possible");
  });

  test("arguments that the issues describe need no incident, also where the sentence was hidden", () => {
    const inputSchema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
    const sentence =
      "1 validation error for call[buy]\ncount\n  Input should be a valid integer [type=int_type, input_value='postgres://a:hunter2@db', input_type=str]";
    const { fault, call } = judged(text(sentence), { inputSchema });
    expect(fault).toMatchObject({ kind: "invalid_input", issues: [{ pointer: "/count" }] });
    expect(call.textHidden).toBe(false);
  });

  test("what the gateway itself could not do is its own", () => {
    const fault = core.overloaded.fault({}, { origin: { layer: "gateway" } });
    expect(judged({ kind: "failed", fault }).fault?.origin).toEqual({ layer: "gateway" });
  });
});

test("an answer that cannot be read at all is a failure of the upstream", () => {
  const cause = new Error("Cannot create a string longer than 0x1fffffe8 characters");
  const body = new Proxy(Buffer.from("{}"), {
    get() {
      throw cause;
    },
  });
  const { fault, call } = judged(answer(body));
  expect(fault).toMatchObject({
    reason: "protocol/invalid_result",
    effect: "possible",
    origin: { layer: "upstream", name: "shop" },
  });
  expect(call.cause).toBe(cause);
});
