import { auth, core, type Fault, rest, transport } from "@recourse/faults";
import { describe, expect, it } from "vitest";
import type { Call } from "../pipeline/call.ts";
import { type EndedCall, signalOf } from "./breaker-signal.ts";

const ANSWER = { kind: "answer", status: 200, header: () => undefined, body: Buffer.from("{}") } as const;
const ENDED: EndedCall = { sent: undefined, waitedMs: 5, timeoutMs: 1_000 };
const SENT: EndedCall = { ...ENDED, sent: core.internal.fault() };

function failed(judged: Fault, isOld = false): Pick<Call, "reply" | "judged"> {
  return { reply: { kind: "failed", fault: judged, isOld }, judged };
}
const said = (judged: Fault): Pick<Call, "reply" | "judged"> => ({ reply: ANSWER, judged });
const TRANSPORT = { origin: { layer: "transport" } } as const;
const GATEWAY = { origin: { layer: "gateway" } } as const;
const UPSTREAM = { origin: { layer: "upstream" } } as const;

describe("what a call shows about its upstream", () => {
  it.each<[name: string, expected: string, call: Pick<Call, "reply" | "judged">, ended: EndedCall]>([
    ["a success", "success", { reply: ANSWER, judged: undefined }, ENDED],
    ["it was never sent", "ignored", { reply: undefined, judged: undefined }, SENT],
    ["the gateway broke", "ignored", { reply: ANSWER, judged: undefined }, SENT],
    ["not found", "success", said(core.not_found.fault({}, UPSTREAM)), SENT],
    ["a credential that is refused", "success", said(auth.unauthorized.fault({}, UPSTREAM)), SENT],
    ["a failure of the upstream", "failure", said(core.internal.fault({}, UPSTREAM)), SENT],
    ["a guess", "ignored", said(core.internal.fault({}, { ...UPSTREAM, basis: "guessed" })), SENT],
    ["the same as the bridge says it", "success", failed(rest.upstream_auth.fault()), SENT],
    ["nothing listens", "failure", failed(transport.unreachable.fault({}, TRANSPORT)), SENT],
    ["a failure of before", "ignored", failed(transport.unreachable.fault({}, TRANSPORT), true), SENT],
    ["the caller left", "ignored", failed(core.cancelled.fault({}, GATEWAY)), SENT],
    ["the breaker of a gateway behind it", "ignored", said(transport.breaker_open.fault({}, UPSTREAM)), SENT],
    ["no room in the gateway", "ignored", failed(core.overloaded.fault({}, GATEWAY)), SENT],
    ["no room in the upstream", "failure", said(core.overloaded.fault({}, UPSTREAM)), SENT],
    ["a deadline of the caller", "ignored", failed(core.timeout.fault({}, GATEWAY)), SENT],
    ["the time of the upstream", "failure", failed(core.timeout.fault({}, GATEWAY)), { ...SENT, waitedMs: 999 }],
    ["a time-out behind the upstream", "failure", said(core.timeout.fault({}, UPSTREAM)), SENT],
  ])("%s: %s", (_name, expected, call, ended) => {
    expect(signalOf(call, ended)).toBe(expected);
  });
});
