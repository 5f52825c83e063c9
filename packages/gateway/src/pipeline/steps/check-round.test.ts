import { describe, expect, it } from "vitest";
import { callOf } from "../../../test/catalog/support/calls.ts";
import { spans } from "../../edge/spans.ts";
import { roundFactsOf } from "../../rounds/round-of.ts";
import { createRounds } from "../../rounds/rounds.ts";
import type { Upstream } from "../../upstreams/upstream.ts";
import type { Call } from "../call.ts";
import { checkRound } from "./check-round.ts";

const rounds = createRounds(Buffer.from("secret"));

/** A call with these members in its params, as JSON, as `check-bound` leaves it. */
function callWith(more: string, method = "prompts/get"): Call {
  const call = callOf(method);
  const bytes = Buffer.from(`{"method":"${method}","id":7,"params":{"name":"up__ask"${more}}}`);
  const parsed = JSON.parse(bytes.toString()) as { readonly params: Record<string, unknown> };
  const found = spans(bytes, parsed);
  if (typeof found === "string") throw new Error(found);
  call.message = { method, id: 7, params: parsed.params, meta: undefined, bytes, spans: found };
  const upstream = { options: { name: "up" } } as Upstream;
  call.route = { kind: "upstream", upstream, target: "ask", tool: undefined };
  return call;
}

function opened(state: string | undefined, method?: string): string {
  const facts = roundFactsOf(callWith("", method));
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
