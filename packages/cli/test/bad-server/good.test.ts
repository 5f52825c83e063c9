// Nothing is found on the good server: both transports, both eras, with and without credentials. The nightly
// check probes it a second time.

import { isNightly } from "@recourse/test-kit/runs";
import { describe, expect, it } from "vitest";
import { findingsOf, probeShop, type ShopProbe } from "./probe-shop.ts";

const WAYS: readonly (ShopProbe & { readonly name: string })[] = [
  { name: "over HTTP", transport: "http" },
  { name: "over HTTP with credentials", transport: "http", auth: true },
  { name: "over stdio", transport: "stdio", ownProcess: true },
];

describe.each(WAYS)("the good server $name", ({ name: _, ...way }) => {
  it("has no finding, in both eras and each time alike", async () => {
    const first = await probeShop(way);
    expect(first.report.checks.filter(({ state }) => state !== "pass" && state !== "skipped")).toStrictEqual([]);
    expect(first.report).toMatchObject({ score: 100, target: { revisions: ["2025-11-25", "2026-07-28"] } });
    if (!isNightly) return;
    const second = await probeShop(way);
    const verdicts = (report: typeof first.report) => report.checks.map(({ id, state }) => `${id} ${state}`);
    expect(verdicts(second.report)).toStrictEqual(verdicts(first.report));
    expect(findingsOf(second.report)).toStrictEqual([]);
  });
});
