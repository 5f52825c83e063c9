import { FaultError } from "@recourse/faults";
import { expect, test } from "vitest";
import { checkRateLimit, checkWriteAccess, workspaceOf } from "./permit.ts";

const keyOf = (...workspaces: string[]) => ({ id: "1", mayWrite: false, workspaces });

/** The reason of what is thrown, or what is given back. */
function outcome(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return FaultError.is(thrown) ? thrown.fault.reason : thrown;
  }
}

test.each([
  [["a"], null, "a"],
  [["a"], "", "a"],
  [["a"], "a", "a"],
  [["a", "b"], "b", "b"],
  [["a", "b"], null, "rest/workspace_missing"],
  [["a", "b"], "", "rest/workspace_missing"],
  [["a", "b"], "c", "crm/workspace_forbidden"],
  [["a"], "c", "crm/workspace_forbidden"],
  [[], null, "crm/workspace_forbidden"],
])("a key for %j that names %j", (workspaces, named, expected) => {
  expect(outcome(() => workspaceOf(keyOf(...workspaces), named))).toBe(expected);
});

test("a key that may only read does not write", () => {
  expect(outcome(() => checkWriteAccess(keyOf("a"), "write"))).toBe("crm/read_only");
  expect(outcome(() => checkWriteAccess(keyOf("a"), "read"))).toBeUndefined();
});

test("a used-up quota says when the next call may be made", () => {
  const quota = { calls: 5, windowMs: 1_000 };
  const empty = { quota, take: () => ({ ok: false, retryAfterMs: 200 }) as const };
  expect(() => checkRateLimit(keyOf("a"), empty)).toThrow(
    expect.objectContaining({
      fault: expect.objectContaining({ reason: "core/rate_limited", retry: { allowed: true, afterMs: 200 } }),
    }),
  );
});
