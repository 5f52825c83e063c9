import { auth, core, type Fault, rest, tool, transport } from "@recourse/faults";
import { LostCalls } from "@recourse/faults/internal-do-not-use";
import { describe, expect, it } from "vitest";
import type { Call } from "../pipeline/call.ts";
import { type EndedCall, signalsOf } from "./breaker-signal.ts";

const ANSWER = { kind: "answer", status: 200, header: () => undefined, body: Buffer.from("{}") } as const;
const ENDED: EndedCall = {
  sent: undefined,
  waitedMs: 5,
  timeoutMs: 1_000,
  target: "pay",
  lost: new LostCalls(),
  isProbe: false,
};
const SENT: EndedCall = { ...ENDED, sent: core.internal.fault() };

function failed(judged: Fault, isOld = false): Pick<Call, "reply" | "judged"> {
  return { reply: { kind: "failed", fault: judged, isOld }, judged };
}
const said = (judged: Fault): Pick<Call, "reply" | "judged"> => ({ reply: ANSWER, judged });
const TRANSPORT = { origin: { layer: "transport" } } as const;
const GATEWAY = { origin: { layer: "gateway" } } as const;
const UPSTREAM = { origin: { layer: "upstream" } } as const;

describe("what a call shows about its upstream", () => {
  it.each<[name: string, upstream: string, tool: string, call: Pick<Call, "reply" | "judged">, ended: EndedCall]>([
    ["a success", "success", "success", { reply: ANSWER, judged: undefined }, ENDED],
    ["it was never sent", "ignored", "ignored", { reply: undefined, judged: undefined }, SENT],
    ["the gateway broke", "ignored", "ignored", { reply: ANSWER, judged: undefined }, SENT],
    ["not found", "success", "success", said(core.not_found.fault({}, UPSTREAM)), SENT],
    ["a sentence of the tool", "success", "success", said(tool.failed.fault({}, UPSTREAM)), SENT],
    ["a credential that is refused", "success", "success", said(auth.unauthorized.fault({}, UPSTREAM)), SENT],
    ["a failure of the upstream", "success", "failure", said(core.internal.fault({}, UPSTREAM)), SENT],
    ["a guess", "success", "success", said(core.internal.fault({}, { ...UPSTREAM, basis: "guessed" })), SENT],
    ["the same as the bridge says it", "success", "success", failed(rest.upstream_auth.fault()), SENT],
    ["nothing listens", "failure", "ignored", failed(transport.unreachable.fault({}, TRANSPORT)), SENT],
    ["a lost connection", "ignored", "failure", failed(transport.connection_lost.fault({}, TRANSPORT)), SENT],
    [
      "a probe that was lost",
      "failure",
      "failure",
      failed(transport.connection_lost.fault({}, TRANSPORT)),
      { ...SENT, isProbe: true },
    ],
    ["a failure of before", "ignored", "ignored", failed(transport.unreachable.fault({}, TRANSPORT), true), SENT],
    ["the caller left", "ignored", "ignored", failed(core.cancelled.fault({}, GATEWAY)), SENT],
    [
      "the breaker of a gateway behind it",
      "success",
      "ignored",
      said(transport.breaker_open.fault({}, UPSTREAM)),
      SENT,
    ],
    ["no room in the gateway", "ignored", "ignored", failed(core.overloaded.fault({}, GATEWAY)), SENT],
    ["no room in the upstream", "success", "failure", said(core.overloaded.fault({}, UPSTREAM)), SENT],
    ["a deadline of the caller", "ignored", "ignored", failed(core.timeout.fault({}, GATEWAY)), SENT],
    [
      "the time of the upstream",
      "ignored",
      "failure",
      failed(core.timeout.fault({}, GATEWAY)),
      { ...SENT, waitedMs: 999 },
    ],
    ["a time-out behind the upstream", "success", "failure", said(core.timeout.fault({}, UPSTREAM)), SENT],
  ])("%s: %s, of its tool %s", (_name, server, ofTool, call, ended) => {
    expect(signalsOf(call, ended)).toEqual({ server, tool: ofTool });
  });

  it("is that the upstream fails once calls of several tools were lost", () => {
    const lost = new LostCalls();
    const call = failed(transport.connection_lost.fault({}, TRANSPORT));
    const signals = ["pay", "pay", "find", "pay"].map((target) => signalsOf(call, { ...SENT, lost, target }).server);
    expect(signals).toEqual(["ignored", "ignored", "failure", "failure"]);
  });
});
