import { describe, expect, it } from "vitest";
import { callOf } from "../../test/catalog/support/calls.ts";
import type { Call } from "../call/call.ts";
import type { Upstream } from "../call/upstream.ts";
import { findSpans } from "../pipeline/message-spans.ts";
import {
  canonicalParams,
  checkRound,
  roundFacts,
  unlessHeldState,
  unlessLeg,
  withRequestState,
} from "./round-steps.ts";
import { createRounds } from "./rounds.ts";

function canonical(method: string, params: string): string {
  const bytes = Buffer.from(`{"method":"${method}","params":${params}}`);
  const found = findSpans(bytes, JSON.parse(bytes.toString()));
  if (typeof found === "string") throw new Error(found);
  return canonicalParams({ method, id: 1, params: {}, meta: undefined, bytes, spans: found });
}

it.each([
  ["tools/call", '{"name":"a"}', '{"arguments":{},"name":"a"}'],
  [
    "tools/call",
    '{ "x":1,"name" : "\\u0061","arguments":{"n":1e400,"b": 1} }',
    '{"arguments":{"b":1,"n":1e400},"name":"a"}',
  ],
  ["tools/call", '{"name":"a","_meta":{},"inputResponses":{},"requestState":""}', '{"arguments":{},"name":"a"}'],
  ["prompts/get", '{"name":"a"}', '{"name":"a"}'],
  ["resources/read", '{"uri":"a:b","arguments":{}}', '{"uri":"a:b"}'],
  ["completion/complete", '{"ref":{"type":"x"},"argument":{}}', '{"argument":{},"ref":{"type":"x"}}'],
])("%s %s", (method, params, text) => {
  expect(canonical(method, params)).toBe(text);
});

it.each([
  ['{"id":1,"result":{"resultType":"x"}}', undefined, '{"id":1,"result":{"requestState":"new","resultType":"x"}}'],
  [' { "result" : { } }', undefined, ' { "result" : { "requestState":"new"} }'],
  ['{"result":{"n":1e400,"requestState":"o\\u006cd"}}', "old", '{"result":{"n":1e400,"requestState":"new"}}'],
  ['{"result":{"requestState":7}}', undefined, '{"result":{"requestState":"new"}}'],
  [
    '{"result":{"requestState":"a","request\\u0053tate":"b"}}',
    "b",
    '{"result":{"requestState":"new","request\\u0053tate":"new"}}',
  ],
  [
    '{"result":{"inner":{"requestState":"a"}}}',
    undefined,
    '{"result":{"requestState":"new","inner":{"requestState":"a"}}}',
  ],
])("%s", (response, state, changed) => {
  const seen: unknown[] = [];
  const text = withRequestState(Buffer.from(response), (given) => {
    seen.push(given);
    return "new";
  }).toString();
  expect(text).toBe(changed);
  expect(seen).toEqual([state]);
});

it("keeps the state of an upstream, however long it is", () => {
  const long = "s".repeat(1_000_000);
  let seen: string | undefined;
  withRequestState(Buffer.from(`{"result":{"requestState":"${long}"}}`), (given) => {
    seen = given;
    return "new";
  });
  expect(seen === long).toBe(true);
});

it("leaves a response without a result as it is", () => {
  const response = Buffer.from('{"error":{}}');
  expect(withRequestState(response, () => "new")).toBe(response);
});

const rounds = createRounds(Buffer.from("secret"));

/** A call with these members in its params, as JSON, as `checkBinding` leaves it. */
function callWith(more: string, method = "prompts/get"): Call {
  const call = callOf(method);
  const bytes = Buffer.from(`{"method":"${method}","id":7,"params":{"name":"up__ask"${more}}}`);
  const parsed = JSON.parse(bytes.toString()) as { readonly params: Record<string, unknown> };
  const found = findSpans(bytes, parsed);
  if (typeof found === "string") throw new Error(found);
  call.message = { method, id: 7, params: parsed.params, meta: undefined, bytes, spans: found };
  const upstream = { options: { name: "up" } } as Upstream;
  call.route = { kind: "upstream", upstream, target: "ask", tool: undefined };
  return call;
}

function opened(state: string | undefined, method?: string): string {
  const facts = roundFacts(callWith("", method));
  if (facts === undefined) throw new Error("no upstream");
  return JSON.stringify(rounds.open(facts, state));
}

function check(call: Call) {
  const fault = checkRound({ rounds })(call);
  if (fault instanceof Promise) throw new Error("it waits");
  const { state, responses } = call.round ?? {};
  return { fault, round: call.round && { state, responses: responses?.toString() } };
}

describe("a call within a round", () => {
  it.each([
    ["answers", ',"inputResponses":{ "q" : {"n":1e400} }', '{"q" : {"n":1e400}}'],
    ["only the state", "", undefined],
    ["an answer to the gateway too", ',"inputResponses":{"a":1,"recourse_approval":{},"b":2}', '{"a":1,"b":2}'],
    ["only an answer to the gateway", ',"inputResponses":{"recourse_approval":{}}', undefined],
  ])("brings %s", (_, more, responses) => {
    const { fault, round } = check(callWith(`${more},"requestState":${opened("s")}`));
    expect(fault).toBeUndefined();
    expect(round).toEqual({ state: "s", responses });
  });

  it("belongs to its method", () => {
    const sent = callWith(`,"requestState":${opened("s", "tools/call")}`);
    expect(check(sent).fault).toMatchObject({ reason: "protocol/request_state_invalid" });
  });
});

describe("a call without one", () => {
  it.each(["", ',"inputResponses":{"recourse_approval":{"action":"accept"}}', ',"inputResponses":{}'])(
    "brings nothing: %s",
    (more) => {
      expect(check(callWith(more))).toEqual({ fault: undefined, round: undefined });
    },
  );

  it.each([
    [',"inputResponses":{"q":{}}', "/inputResponses"],
    [',"inputResponses":null', "/inputResponses"],
    [`,"inputResponses":[],"requestState":${opened("s")}`, "/inputResponses"],
    [',"requestState":"s"', "/requestState"],
    [',"requestState":null', "/requestState"],
    [',"inputResponses":{"recourse_approval":{}},"requestState":""', "/requestState"],
  ])("is refused: %s", (more, pointer) => {
    const { fault, round } = check(callWith(more));
    expect(fault).toMatchObject({ reason: "protocol/request_state_invalid", effect: "none", issues: [{ pointer }] });
    expect(round).toBeUndefined();
  });
});

describe("a call that goes on with a held one", () => {
  const PLACE = { replica: "r0", held: "h" };

  function leg(more: string, changes: Partial<Pick<Call, "revision">> = {}) {
    const facts = roundFacts(callWith(""));
    if (facts === undefined) throw new Error("no upstream");
    const call = callWith(`${more},"requestState":${JSON.stringify(rounds.openHeld(facts, PLACE))}`);
    Object.assign(call, changes);
    return { call, ...check(call) };
  }

  it("names it, and brings the answers as they were written", () => {
    const { call, fault, round } = leg(',"inputResponses":{ "q1" : {"n":1e400}, "q2":{} }');
    expect([fault, round]).toEqual([undefined, undefined]);
    expect(call.leg).toMatchObject(PLACE);
    expect([...(call.leg?.responses ?? [])].map(([key, value]) => [key, value.toString()])).toEqual([
      ["q1", '{"n":1e400}'],
      ["q2", "{}"],
    ]);
  });

  it("may bring nothing", () => {
    expect(leg("").call.leg?.responses.size).toBe(0);
  });

  it.each(['"q1":7', '"q1":null', '"q0":{},"q1":[]'])("is refused with an answer that is no object: %s", (member) => {
    const { call, fault } = leg(`,"inputResponses":{${member}}`);
    const pointer = "/inputResponses/q1";
    expect(fault).toMatchObject({ reason: "protocol/request_state_invalid", effect: "none", issues: [{ pointer }] });
    expect(call.leg).toBeUndefined();
  });

  it("is refused from a caller that got no such state", () => {
    const { call, fault } = leg("", { revision: "2025-11-25" });
    expect(fault).toMatchObject({ issues: [{ pointer: "/requestState" }] });
    expect(call.leg).toBeUndefined();
  });

  it.each(["h1.", "h1.9999999999.x", `h1.9999999999.${"0".repeat(64)}.r0.h.${"a".repeat(43)}`])(
    "is refused: %s",
    (state) => {
      const call = callWith(`,"requestState":${JSON.stringify(state)}`);
      expect(check(call).fault).toMatchObject({ reason: "protocol/request_state_invalid" });
      expect(call.leg).toBeUndefined();
    },
  );

  it("leaves out the steps that the held call has taken", async () => {
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(name);
    const { call } = leg("");
    for (const one of [call, callWith("")]) {
      await unlessHeldState(note("share"))(one);
      await unlessLeg(note("begin"))(one);
    }
    expect(ran).toEqual(["share", "begin"]);
    // A state that only looks like one leaves out what comes before the check, never what comes after it.
    const forged = callWith(',"requestState":"h1.x"');
    await unlessHeldState(note("forged share"))(forged);
    await unlessLeg(note("forged begin"))(forged);
    expect(ran).toEqual(["share", "begin", "forged begin"]);
  });
});
