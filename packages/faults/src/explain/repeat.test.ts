import { expect, it } from "vitest";
import { KINDS } from "../fault/kinds.ts";
import { rate_limited, timeout } from "../reasons/library/core.ts";
import { sayRepeat } from "./repeat.ts";

it("says whether a call may be repeated after a fault", () => {
  expect(sayRepeat(timeout.fault({}))).toBe("only if repeating is safe");
  expect(sayRepeat(timeout.fault({}, { effect: "none" }))).toBe("yes, it was not carried out");
  expect(sayRepeat(rate_limited.fault({}, { retry: { allowed: true, afterMs: 30_000 } }))).toBe("yes, after 30 s");
  expect(sayRepeat(rate_limited.fault({}, { retry: { allowed: false } }))).toBe("no, waiting does not help");
});

it("says the rule of a kind", () => {
  expect(sayRepeat(KINDS.timeout.retryWhen)).toBe("only if repeating is safe");
  expect(sayRepeat(KINDS.not_found.retryWhen)).toBe("no");
});
