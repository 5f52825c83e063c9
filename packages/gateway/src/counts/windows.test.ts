import { describe, expect, it } from "vitest";
import { stepOf, toIso, windowBefore, windowUntil } from "./windows.ts";

const NOW = Date.parse("2026-11-18T14:32:10.500Z");

describe("windows", () => {
  it.each([
    ["15m", "2026-11-18T14:18:00.000Z", "minute", 15],
    ["1h", "2026-11-18T13:33:00.000Z", "minute", 60],
    ["24h", "2026-11-17T15:00:00.000Z", "hour", 24],
    ["7d", "2026-11-11T15:00:00.000Z", "hour", 168],
    ["30d", "2026-10-20T00:00:00.000Z", "day", 30],
  ] as const)("%s has whole steps up to now", (name, since, step, length) => {
    const window = windowUntil(name, NOW);
    expect([toIso(window.sinceMs), window.step, window.length]).toEqual([since, step, length]);
    expect(stepOf(window, NOW)).toBe(length - 1);
    expect(stepOf(window, window.sinceMs)).toBe(0);
    expect(stepOf(window, window.sinceMs - 1)).toBeUndefined();
    expect(stepOf(window, window.untilMs)).toBeUndefined();
    expect(windowBefore(window).untilMs).toBe(window.sinceMs);
  });
});
