import { expect, it } from "vitest";
import { replaceTimers, Timeline } from "./timeline.ts";

it("plays events by time, and those of one time in the order in which they were planned", async () => {
  const timeline = new Timeline();
  const played: string[] = [];
  for (const [atMs, name] of [
    [3, "late"],
    [1, "first"],
    [2, "second"],
    [1, "after first"],
    [9, "never"],
  ] as const) {
    timeline.at(atMs, () => played.push(`${name} ${timeline.nowMs}`));
  }
  await timeline.run(5);
  expect(played).toEqual(["first 1", "after first 1", "second 2", "late 3"]);
  expect(timeline.nowMs).toBe(5);
});

it("lets timers follow, and what a promise causes happen before the next event", async () => {
  const timeline = new Timeline();
  const restore = replaceTimers(timeline);
  const played: string[] = [];
  try {
    const ticks = setInterval(() => played.push(`tick ${timeline.nowMs}`), 10);
    const stopped = setTimeout(() => played.push("stopped"), 5); // a timer of the timeline
    clearTimeout(stopped);
    // The timeline fires this one too.
    void new Promise((resolve) => setTimeout(resolve, 20)).then(() => {
      played.push(`slept ${timeline.nowMs}`);
      clearInterval(ticks);
    });
    timeline.at(20, () => played.push("planned later"));
    timeline.at(20.5, () => played.push("next"));
    await timeline.run(100);
  } finally {
    restore();
  }
  expect(played).toEqual(["tick 10", "slept 20", "planned later", "next"]);
  // The timers of the platform are back.
  expect(setTimeout(() => {}, 0)).toHaveProperty("hasRef");
});
