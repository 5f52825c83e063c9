import { expect, it } from "vitest";
import { faultInside } from "../reasons/build-safely.ts";
import { defineReasons } from "../reasons/define.ts";
import { fail } from "../reasons/fail.ts";
import { timeout, unavailable } from "../reasons/library/core.ts";
import { toFault } from "../reasons/thrown/to-fault.ts";
import { createSecretFilter } from "../safety/secrets.ts";
import { amendFault, redactSecrets, stampFault } from "./amend.ts";
import { isEffectAssumed } from "./provenance.ts";
import { readFault } from "./read.ts";

const shop = defineReasons("shop", {
  charged: { kind: "upstream_failed", text: "The receipt is lost.", details: { effect: "possible" } },
});

it.each([
  ["a reason", timeout.fault()],
  ["a template", fail.unavailable`The shop is closed.`.fault],
  ["a template with other options", fail.unavailable({ afterMs: 5 })`The shop is closed.`.fault],
  ["options without a value", timeout.fault({}, { effect: undefined } as never)],
  ["a copy with other members", stampFault(timeout.fault(), { incident: "01ARZ3NDEKTSV4RRFFQ69G5FAV" })],
  [
    "a copy without secrets",
    redactSecrets(fail.timeout`No answer for ${"hunter2hunter2"}.`.fault, createSecretFilter(["hunter2hunter2"])),
  ],
  ["a thrown system error", toFault(Object.assign(new Error("x"), { code: "ECONNRESET" }))],
  ["any other throw", toFault(new Error("x"))],
  ["an error around a fault without effect", toFault(new Error("x", { cause: unavailable({}, { effect: "none" }) }))],
])("the effect of %s is assumed", (_what, fault) => {
  expect(fault.effect).toBe("possible");
  expect(isEffectAssumed(fault)).toBe(true);
});

it.each([
  ["in a template", fail.unavailable({ effect: "possible" })`The shop is closed.`.fault],
  ["in a call of a reason", timeout.fault({}, { effect: "possible" })],
  ["in the definition of a reason", shop.charged.fault()],
  ["in a change of a fault", amendFault(timeout.fault(), { effect: "applied" })],
  ["by a peer", readFault(JSON.parse(JSON.stringify(timeout.fault())))],
])("an effect is stated %s", (_where, fault) => {
  expect(isEffectAssumed(fault as object)).toBe(false);
});

it("the fault of another copy of the package keeps what its author left open", () => {
  const brand = Symbol.for("recourse/FaultError");
  const of = (fault: object) => faultInside({ [brand]: true, fault }, {}) as object;
  expect(isEffectAssumed(of(timeout.fault()))).toBe(true);
  expect(isEffectAssumed(of(timeout.fault({}, { effect: "possible" })))).toBe(false);
});
