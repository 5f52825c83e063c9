import { core } from "@recourse/faults";
import { tokenBuckets } from "@recourse/reference-ground";
import { expect, test } from "vitest";
import type { Caller } from "./caller.ts";
import { type Access, refusalFor } from "./permit.ts";

const SCOPED = { scope: "qr:generate" };
const address = "192.0.2.1";
const ANYBODY: Caller = { is: "anybody", address };
const REFUSED: Caller = { is: "refused", address };
const UNCHECKED: Caller = { is: "unchecked", address, why: core.unavailable() };
const known = (...scopes: readonly string[]): Caller => ({ is: "known", subject: "s", scopes, token: "t" });

test.each<[Access, Caller, string | undefined]>([
  ["open", ANYBODY, undefined],
  ["open", REFUSED, undefined],
  ["open", UNCHECKED, undefined],
  ["limited", ANYBODY, undefined],
  ["limited", known(), undefined],
  ["limited", REFUSED, "auth/unauthorized"],
  ["limited", UNCHECKED, "core/unavailable"],
  [SCOPED, ANYBODY, "auth/unauthorized"],
  [SCOPED, REFUSED, "auth/unauthorized"],
  [SCOPED, known(), "auth/insufficient_scope"],
  [SCOPED, known("other", "qr:generate"), undefined],
  [SCOPED, UNCHECKED, "core/unavailable"],
])("%j for %j: %s", (access, caller, reason) => {
  const limiter = tokenBuckets({ calls: 1, windowMs: 1_000, now: () => 0 });
  expect(refusalFor(access, caller, limiter)?.fault.reason).toBe(reason);
  // Whatever came of the first call, the second is over the limit, where there is one.
  const second = refusalFor(access, caller, limiter)?.fault;
  expect(second?.reason).toBe(access === "open" ? undefined : "core/rate_limited");
  expect(second?.retry).toEqual(access === "open" ? undefined : { allowed: true, afterMs: 1_000 });
});
