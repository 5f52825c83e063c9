import { expect, test } from "vitest";
import { findWaits } from "./check-waits.ts";

const REASON = "// The peer is slow on purpose.";

test.each([
  "await new Promise((resolve) => setTimeout(resolve, 50));",
  "await sleep(50);",
  "await page.waitForTimeout(100);",
  "expect(performance.now() - started).toBeLessThan(2_000);",
  "expect(tookMs).toBeLessThan(900);",
])("%j needs a reason", (line) => {
  expect(findWaits(line)).toEqual([1]);
  expect(findWaits(`${REASON}\n${line}`)).toEqual([]);
  expect(findWaits(`${line} ${REASON}`)).toEqual([]);
});

test("a timer under another name is found", () => {
  expect(findWaits('import { setTimeout as pause } from "node:timers/promises";\n\nawait pause(50);')).toEqual([3]);
});

test.each(["await clock.sleep(50);", "expect(hits).toBeLessThan(5);", "vi.advanceTimersByTime(50);"])(
  "%j is no wait",
  (line) => expect(findWaits(line)).toEqual([]),
);
