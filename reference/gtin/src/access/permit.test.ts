import { core } from "@recourse/faults/reasons";
import { tokenBuckets } from "@recourse/reference-shared";
import { expect, test } from "vitest";
import { type Access, accessError, type Caller } from "./permit.ts";

const SCOPED = { scope: "qr:generate" };
const address = "192.0.2.1";
const ANYBODY: Caller = { kind: "anonymous", address };
const REFUSED: Caller = { kind: "refused", address };
const UNCHECKED: Caller = { kind: "unchecked", address, error: core.unavailable() };
const known = (...scopes: readonly string[]): Caller => ({ kind: "authenticated", subject: "s", scopes, token: "t" });

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
  expect(accessError(access, caller, limiter)?.fault.reason).toBe(reason);
  // After the first call, the second is over the limit.
  const second = accessError(access, caller, limiter)?.fault;
  expect(second?.reason).toBe(access === "open" ? undefined : "core/rate_limited");
  expect(second?.retry).toEqual(access === "open" ? undefined : { allowed: true, afterMs: 1_000 });
});
