import { expect, test } from "vitest";
import { judgeVersion } from "./judge-answer.ts";

test.for([
  [{ result: { protocolVersion: "2025-11-25" } }, undefined],
  [{ result: { protocolVersion: "2024-11-05" } }, undefined],
  [{ result: { protocolVersion: "1.0" } }, /agrees on "1\.0"/],
  [{ result: { supportedVersions: ["2026-07-28"] } }, undefined],
  [{ result: { supportedVersions: ["2099-01-01"] } }, /supports only "2099-01-01"/],
  [
    { error: { code: -32602, message: "Unsupported version. Supported: 2024-11-05, 2025-03-26" } },
    /"2024-11-05", "2025-03-26"/,
  ],
  [{ error: { code: -32601, message: "Method not found" } }, undefined],
] as const)("%o is judged by its version", ([response, says]) => {
  const found = judgeVersion(response, "2025-11-25");
  if (says === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject({ id: "D56", saw: expect.stringMatching(says) });
});
