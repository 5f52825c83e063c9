import { KINDS } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { expect, it } from "vitest";

import { sayRepeat } from "./repeat.ts";

it("says whether a call may be repeated after a fault", () => {
  expect(sayRepeat(core.timeout.fault({}))).toBe("only if repeating is safe");
  expect(sayRepeat(core.timeout.fault({}, { effect: "none" }))).toBe("yes, it was not carried out");
  expect(sayRepeat(core.rate_limited.fault({}, { retry: { allowed: true, afterMs: 30_000 } }))).toBe("yes, after 30 s");
  expect(sayRepeat(core.rate_limited.fault({}, { retry: { allowed: false } }))).toBe("no, waiting does not help");
});

it("says the rule of a kind", () => {
  expect(sayRepeat(KINDS.timeout.retryWhen)).toBe("only if repeating is safe");
  expect(sayRepeat(KINDS.not_found.retryWhen)).toBe("no");
});
