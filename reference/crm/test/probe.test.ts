// `recourse probe` finds only what Platica's document asks for, in both eras of the protocol.
import { probe } from "@recourse/test-kit/probe";
import { afterAll, expect, test } from "vitest";
import { createTestEnvironment, KEYS } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

test("the server gets full marks", { timeout: 300_000 }, async () => {
  const report = await probe(`${environment.mcp}/mcp`, {
    headers: [`authorization: Bearer ${KEYS.north}`],
    baseline: new URL("../probe-baseline.json", import.meta.url),
  });
  expect(report).toMatchObject({ score: 100, findings: [], stale: [], revisions: ["2025-11-25", "2026-07-28"] });
  expect(report.forced.toSorted()).toEqual([
    "auth-metadata",
    "code-legacy-range",
    "parse-error-answered",
    "unknown-tool-suggests",
  ]);
});
