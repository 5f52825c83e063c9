import { describe, expect, it } from "vitest";
import type { CallerCount, ToolCount } from "./counts.ts";
import { WaitingCounts } from "./waiting-counts.ts";

const HOUR = Date.UTC(2026, 10, 18, 14);
const at = (minute: number) => ({ minuteMs: HOUR + minute * 60_000 });
const toolOf = (tool: string): ToolCount => ({ upstream: "shop", tool, outcome: "ok", n: 2, durations: [1, 1] });
const callerOf = (caller: string): CallerCount => ({
  what: "call",
  tenant: "acme",
  caller,
  policy: "",
  n: 3,
  lastMs: HOUR,
});

describe("counts that wait", () => {
  it("are added up", () => {
    const waiting = new WaitingCounts();
    waiting.addTool(toolOf("find"), at(0));
    waiting.addTool(toolOf("find"), at(0));
    waiting.addCaller(callerOf("ann"), at(0));
    waiting.addCaller({ ...callerOf("ann"), lastMs: HOUR + 5 }, at(0));
    expect(waiting.take()).toEqual({
      tools: [{ ...toolOf("find"), n: 4, durations: [2, 2], ...at(0) }],
      callers: [{ ...callerOf("ann"), n: 6, lastMs: HOUR + 5, ...at(0) }],
    });
  });

  it("are given again until they are written, and what comes meanwhile waits behind them", () => {
    const waiting = new WaitingCounts();
    waiting.addTool(toolOf("find"), at(0));
    const batch = waiting.take();
    waiting.addTool(toolOf("find"), at(1));
    expect(waiting.take()).toBe(batch);
    waiting.written();
    expect(waiting.take()?.tools).toMatchObject([{ minuteMs: HOUR + 60_000, n: 2 }]);
    waiting.written();
    expect(waiting.isEmpty).toBe(true);
    expect(waiting.take()).toBeUndefined();
  });

  it("are not told apart by name where they are too many, and none is lost", () => {
    const waiting = new WaitingCounts(10);
    for (let minute = 0; minute < 60; minute += 1) {
      for (const name of ["find", "refund", "list"]) {
        waiting.addTool(toolOf(`${name}${minute}`), at(minute));
        waiting.addCaller(callerOf(`${name}${minute}`), at(minute));
      }
    }
    // Ten by name, and one for each of the other minutes.
    expect(waiting.size).toBe(2 * (10 + 57));
    const batch = waiting.take();
    expect(batch?.tools.at(-1)).toMatchObject({ upstream: "other", tool: "other", ...at(59) });
    expect(batch?.tools.reduce((sum, { n }) => sum + n, 0)).toBe(360);
    expect(batch?.callers.at(-1)).toMatchObject({ tenant: "", caller: "other" });
    expect(batch?.callers.reduce((sum, { n }) => sum + n, 0)).toBe(540);
  });

  it("forget a caller, also in the batch under way", () => {
    const waiting = new WaitingCounts();
    waiting.addCaller(callerOf("ann"), at(0));
    waiting.addCaller(callerOf("bob"), at(0));
    waiting.take();
    waiting.addCaller(callerOf("ann"), at(1));
    waiting.erase(["ann"]);
    expect(waiting.take()?.callers).toMatchObject([{ caller: "bob" }]);
    waiting.written();
    expect(waiting.isEmpty).toBe(true);
  });
});
