// `recourse probe` finds nothing, in both eras of the protocol.
import { probe } from "@recourse/test-kit/probe";
import { afterAll, expect, test } from "vitest";
import { createTestEnvironment } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

test("the server gets full marks", { timeout: 300_000 }, async () => {
  expect(await probe(`${environment.server.url}/postgres`)).toEqual({
    score: 100,
    findings: [],
    forced: [],
    stale: [],
    revisions: ["2025-11-25", "2026-07-28"],
  });
});
