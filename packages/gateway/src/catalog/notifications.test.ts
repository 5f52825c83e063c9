import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NoticePace, NoticeQueue } from "./notifications.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const setting = () => {
  const written: string[] = [];
  const reader = { isSlow: false };
  const notices = new NoticeQueue(({ method, uri }) => {
    if (!reader.isSlow) written.push(uri === undefined ? method : `${method} ${uri}`);
    return !reader.isSlow;
  });
  return { notices, written, reader };
};

describe("Notices", () => {
  it("wait until the stream is open", () => {
    const { notices, written } = setting();
    for (let index = 0; index < 1_000; index++) notices.send({ method: "changed" });
    expect(written).toEqual([]);
    notices.open();
    expect(written).toEqual(["changed"]);
  });

  it("are sent at once, and again after a pause where more came", () => {
    const { notices, written } = setting();
    notices.open();
    for (let index = 0; index < 10_000; index++) {
      notices.send({ method: "changed" });
      notices.send({ method: "updated", uri: "a:1" });
    }
    expect(written).toEqual(["changed"]);
    vi.advanceTimersByTime(250);
    expect(written).toEqual(["changed", "updated a:1", "changed"]);
    vi.advanceTimersByTime(60_000);
    expect(written.length).toBe(3);
    notices.send({ method: "changed" });
    expect(written.length).toBe(4);
  });

  it("wait for a reader that is slow, each once, and are not lost", () => {
    const { notices, written, reader } = setting();
    notices.open();
    reader.isSlow = true;
    for (let index = 0; index < 1_000; index++) {
      notices.send({ method: "changed" });
      notices.send({ method: "updated", uri: "a:1" });
    }
    vi.advanceTimersByTime(10_000);
    expect(written).toEqual([]);
    expect(notices.size).toBe(2);
    reader.isSlow = false;
    vi.advanceTimersByTime(250);
    expect(written).toEqual(["changed", "updated a:1"]);
    expect(notices.size).toBe(0);
  });

  it("end with the stream", () => {
    const { notices, written } = setting();
    notices.open();
    notices.send({ method: "changed" });
    notices.send({ method: "changed" });
    notices.close();
    notices.send({ method: "changed" });
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual(["changed"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

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
