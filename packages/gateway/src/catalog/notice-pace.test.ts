import { expect, it } from "vitest";
import { NoticePace } from "./notice-pace.ts";

it("doubles the pause with each reading, up to the most, and begins again after a quiet time", () => {
  let nowMs = 0;
  const pace = new NoticePace({ noticeMs: 1_000, maxNoticeMs: 60_000 }, () => nowMs);
  const pauses: number[] = [];
  for (let reading = 0; reading < 9; reading++) {
    pace.noticed();
    pauses.push(pace.pauseMs);
    pace.taken();
    nowMs += pace.pauseMs;
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(pace.isFirst).toBe(false);
  pace.noticed();
  nowMs += 120_000;
  pace.noticed();
  expect(pace.pauseMs).toBe(60_000);
  nowMs += 120_001;
  pace.noticed();
  expect(pace.pauseMs).toBe(1_000);
  expect(pace.isFirst).toBe(true);
});

it("is slow for an upstream that waits for each pause to be over", () => {
  let nowMs = 0;
  const pace = new NoticePace({ noticeMs: 1_000, maxNoticeMs: 60_000 }, () => nowMs);
  let readings = 0;
  while (nowMs < 600_000) {
    pace.noticed();
    nowMs += pace.pauseMs + 1;
    pace.taken();
    readings += 1;
  }
  expect(readings).toBeLessThan(20);
});
