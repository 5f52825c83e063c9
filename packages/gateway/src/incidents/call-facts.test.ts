import { createSecretFilter } from "@recourse/core";
import { core, transport } from "@recourse/core/reasons";
import { CLIENT_INFO_KEY } from "@recourse/core/wire";
import { describe, expect, it } from "vitest";
import { headWith } from "../../test/support/head.ts";
import { Call, type CallStepName } from "../call/call.ts";
import { cleanClient, readCallFacts } from "./call-facts.ts";

const NAMES: readonly CallStepName[] = ["head", "message", "limits", "attempt", "judge", "attempt", "judge"];

/** A call that began at 100. */
function endedCall(changes: Partial<Call>): Call {
  const origin = { head: headWith({}), signal: new AbortController().signal } as Call["origin"];
  return Object.assign(new Call(origin, 100), { stepNames: NAMES }, changes);
}

const factsOf = (changes: Partial<Call>, endedMs = 200) =>
  readCallFacts(endedCall(changes), { endedMs, replica: "edge-1" });

describe("the steps", () => {
  it("that waited have their times, and the last one has the rest", () => {
    const { endedAt, steps } = factsOf({ stepAt: 4, stepTimes: [1, 101.26, 3, 150] });
    expect(endedAt).toBe("judge");
    expect(steps).toEqual([
      { step: "head", ms: 0 },
      { step: "message", ms: 1.3 },
      { step: "limits", ms: 0 },
      { step: "attempt", ms: 48.7 },
      { step: "judge", ms: 50 },
    ]);
  });

  it("end in the attempt where no answer came", () => {
    const reply = { kind: "failed", fault: transport.connection_lost.fault() } as const;
    const { endedAt, steps } = factsOf({ stepAt: 4, stepTimes: [3, 199], reply });
    expect([endedAt, steps.at(-1)]).toEqual(["attempt", { step: "attempt", ms: 99 }]);
  });

  it("are added up where one comes again, without the time in which the caller was asked", () => {
    const { endedAt, steps } = factsOf({ stepAt: 5, stepTimes: [3, 140, 5, 190], waitedMs: 30 });
    expect([endedAt, steps.at(3)]).toEqual(["attempt", { step: "attempt", ms: 60 }]);
  });

  it("end where the first one refuses", () => {
    expect(factsOf({ stepAt: 0 })).toMatchObject({ endedAt: "head", steps: [{ step: "head", ms: 100 }] });
    expect(factsOf({ stepNames: [] })).toMatchObject({ endedAt: undefined, steps: [] });
  });
});

describe("what had left", () => {
  const failed = (fault: ReturnType<typeof core.timeout.fault>, more: object = {}) =>
    ({ kind: "failed", fault, ...more }) as const;
  it.each<[string, Partial<Call>, string | undefined]>([
    ["before the attempt", {}, "nothing"],
    ["with an answer", { reply: { kind: "answer", status: 200, header: () => "", body: Buffer.alloc(0) } }, "all"],
    ["while it is not known", { reply: undefined }, undefined],
    ["never sent", { reply: failed(transport.not_sent.fault()) }, "nothing"],
    ["a failure of before", { reply: failed(core.unavailable.fault(), { isOld: true }) }, "nothing"],
    ["a redirect", { reply: failed(core.misconfigured.fault({}, { effect: "none" }), { hasAnswered: true }) }, "all"],
    ["an unknown point", { reply: failed(transport.failed.fault()) }, "part"],
    ["lost", { reply: failed(transport.connection_lost.fault()), bodyBytes: 900 }, "all"],
    ["lost, large", { reply: failed(transport.connection_lost.fault()), bodyBytes: 900_000 }, "part"],
    ["late", { reply: failed(core.timeout.fault({ timeoutMs: 5 })) }, "all"],
  ])("%s", (name, changes, sent) => {
    expect(factsOf({ wasSent: name !== "before the attempt", ...changes }).sent).toBe(sent);
  });
});

describe("the client", () => {
  const message = (method: string, more: object) => ({ message: { method, ...more } }) as unknown as Partial<Call>;
  it("is what the request says, else what its session began with", () => {
    const stated = { name: "claude", version: "1.0.2" };
    const sessionClient = { name: "older", version: undefined };
    expect(factsOf(message("tools/call", { meta: { [CLIENT_INFO_KEY]: stated } })).client).toEqual(stated);
    expect(factsOf(message("initialize", { params: { clientInfo: stated } })).client).toEqual(stated);
    expect(factsOf({ ...message("tools/call", {}), sessionClient }).client).toEqual(sessionClient);
    expect(factsOf({}).client).toBeUndefined();
  });

  it.each<[unknown, unknown]>([
    ["claude", undefined],
    [{ name: 5, version: "1" }, undefined],
    [{ name: " ", version: "1" }, undefined],
    [
      { name: "a\u001b[31m\nb", version: { major: 1 } },
      { name: "a [31m b", version: undefined },
    ],
    [{ name: "n".repeat(900) }, { name: "n".repeat(64), version: undefined }],
    [
      { name: "uses hunter2hunter2", version: "1" },
      { name: "uses [removed]", version: "1" },
    ],
  ])("%j becomes %j", (stated, client) => {
    expect(cleanClient(stated, createSecretFilter(["hunter2hunter2"]))).toEqual(client);
  });
});
