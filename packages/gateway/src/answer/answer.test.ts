import { type Fault, registerSecrets } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { expect, test } from "vitest";
import { judged, result } from "../../test/judge/support.ts";
import { headWith } from "../../test/support/head.ts";
import type { Call } from "../call/call.ts";
import { callerSecrets, type RequestHead } from "../call/head.ts";
import type { Admission, GatewayIncident } from "../incidents/incidents.ts";
import { type AnswerOptions, stampAndReport } from "./answer.ts";

const SAID = "There is no order 4711 for tok-sparrow-5521.";
const failed = (text: string) => result({ isError: true, content: [{ type: "text", text }] });

interface Answered {
  readonly sent: Fault;
  readonly incidents: readonly GatewayIncident[];
}

/** Answers a call with a fault, as the request with this head is answered. */
function answered(call: Call, fault: Fault, head: RequestHead, admission: Partial<Admission> = {}): Answered {
  const incidents: GatewayIncident[] = [];
  const options = {
    observer: { traceparent: () => undefined, unexpected: (error: unknown) => expect.fail(String(error)) },
    sink: (incident: GatewayIncident) => incidents.push(incident),
    admit: () => ({ id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", fingerprint: "f", isOther: false, isKept: true, ...admission }),
    reports: new Set(),
    replica: "one",
    now: () => 0,
    monotonic: () => 0,
  } as unknown as AnswerOptions;
  const answerer = { config: { name: "gateway" }, challenge: () => undefined };
  return { sent: stampAndReport({ head, isBodyTooSlow: false }, call, fault, answerer, options).sent, incidents };
}

test("a secret that was registered after a fault was judged is removed", () => {
  const { call, fault = core.internal.fault() } = judged(failed(SAID));
  expect(answered(call, fault, call.origin.head).sent.quote?.text).toBe(SAID);
  const forget = registerSecrets("tok-sparrow-5521");
  try {
    expect(JSON.stringify(answered(call, fault, call.origin.head).sent)).not.toContain("sparrow");
  } finally {
    forget();
  }
});

test("if it answers another request, the secrets of that one are removed too", () => {
  const { call, fault = core.internal.fault() } = judged(failed(SAID));
  const other = headWith({ authorization: "Bearer tok-sparrow-5521" });
  expect(JSON.stringify(answered(call, fault, other).sent)).not.toContain("sparrow");
});

test("a fault that was changed after it was judged is searched again", () => {
  const headers = { authorization: "Bearer tok-sparrow-5521" };
  const { call } = judged(failed("There is no order 4711."), { headers });
  const changed = core.not_found.fault(
    {},
    {
      quote: { text: SAID, from: "peer" },
      textPolicy: "checked",
    },
  );
  expect(changed.quote?.text).toBe(SAID);
  expect(JSON.stringify(answered(call, changed, call.origin.head).sent)).not.toContain("sparrow");
});

test("only an incident that is kept says how its call went", () => {
  const { call, fault = core.not_found.fault() } = judged({
    kind: "answer",
    status: 503,
    header: () => undefined,
    body: Buffer.from("no"),
  });
  const [kept] = answered(call, fault, call.origin.head).incidents;
  expect(kept?.callFacts).toMatchObject({ replica: "one" });
  const [counted] = answered(call, fault, call.origin.head, { isKept: false }).incidents;
  expect(counted).toMatchObject({ fault: { incident: "01ARZ3NDEKTSV4RRFFQ69G5FAV" } });
  expect(counted?.callFacts).toBeUndefined();
});

test("the credentials of a request are read once", () => {
  let reads = 0;
  const head = {
    ...headWith({ authorization: "Bearer tok-sparrow-5521" }),
    header: () => `Bearer tok-sparrow-${++reads}`,
  };
  expect(callerSecrets(head)).toBe(callerSecrets(head));
  expect(reads).toBe(1);
});
