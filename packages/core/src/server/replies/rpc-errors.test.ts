import { runs } from "@recourse/test-kit/runs";
import { findLeaks } from "@recourse/testing";
import fc from "fast-check";
import { expect, it, test } from "vitest";
import { faultOfRpcError } from "../release.ts";

const taken = { method: "tools/call" };

test.each([
  [-32700, undefined, "protocol/parse_error"],
  [-32600, undefined, "protocol/invalid_request"],
  [-32601, undefined, "protocol/method_not_found"],
  [-32602, undefined, "protocol/invalid_params"],
  [-32603, undefined, "core/internal"],
  [-32050, undefined, "core/internal"],
  [1045, undefined, "core/internal"],
  [-32022, { supported: ["2026-07-28"], requested: "1900-01-01" }, "protocol/version_unsupported"],
])("reads %d as what it says", (code, data, reason) => {
  expect(faultOfRpcError({ code, message: "", data }, taken)).toMatchObject({ reason, origin: { layer: "server" } });
});

it("keeps what a client needs to find a version in common", () => {
  const data = { supported: ["2026-07-28"], requested: "1900-01-01" };
  expect(faultOfRpcError({ code: -32022, message: "", data }, taken).params).toEqual(data);
});

it("trusts nothing but the code of what was not refused at once", () => {
  const data = { supported: ["hunter2-swordfish"], requested: "hunter2-swordfish" };
  expect(faultOfRpcError({ code: -32022, message: "", data }, undefined).reason).toBe("core/internal");
});

it("never says again what an error of anybody's said", () => {
  const secret = "hunter2-swordfish";
  const data = fc.oneof(fc.constant(secret), fc.dictionary(fc.constantFrom("uri", "sql"), fc.constant(secret)));
  fc.assert(
    fc.property(fc.integer({ min: -32800, max: 2000 }), data, (code, data) => {
      expect(findLeaks(faultOfRpcError({ code, message: secret, data }, undefined), [secret])).toEqual([]);
    }),
    { numRuns: runs() },
  );
});
