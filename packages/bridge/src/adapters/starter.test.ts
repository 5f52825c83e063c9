import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../faults/test/retry/clock.ts";
import { Starter } from "./starter.ts";

function createStarter(initialise: (attempt: number, clock: VirtualClock, signal: AbortSignal) => Promise<string>) {
  const clock = new VirtualClock();
  const seen = { attempts: [] as number[], discarded: [] as string[], failed: [] as unknown[], started: 0 };
  const starter = new Starter<string>({
    clock,
    initialiseTimeoutMs: 1_000,
    restartDelayMs: 2_000,
    maxRestartDelayMs: 5_000,
    initialise: (signal) => {
      seen.attempts.push(clock.now());
      return initialise(seen.attempts.length, clock, signal);
    },
    discard: (backend) => seen.discarded.push(backend),
    onStarted: () => seen.started++,
    onFailed: (cause) => seen.failed.push((cause as Error).message),
  });
  return { clock, starter, seen };
}

describe("Starter", () => {
  it("starts once for all who ask at the same time and later", async () => {
    const { clock, starter, seen } = createStarter((_attempt, { sleep }) => sleep(500).then(() => "backend"));
    const asked = Array.from({ length: 20 }, () => starter.start());
    expect(starter.isStarting).toBe(true);
    await clock.run();
    const starts = await Promise.all([...asked, starter.start()]);
    expect(new Set(starts.map((start) => start.ok && start.backend))).toEqual(new Set(["backend"]));
    expect(seen).toMatchObject({ attempts: [0], started: 1 });
  });

  it("tries a failed start again, with growing delays", async () => {
    const { clock, starter, seen } = createStarter((attempt) =>
      attempt < 5 ? Promise.reject(new Error(`no ${attempt}`)) : Promise.resolve("backend"),
    );
    for (let at = 0; at <= 20_000; at += 500) {
      clock.at(at, () => {});
      await clock.run(at);
      await starter.start();
    }
    expect(seen).toMatchObject({
      attempts: [0, 2_000, 6_000, 11_000, 16_000],
      failed: ["no 1", "no 2", "no 3", "no 4"],
      started: 1,
    });
  });

  it("says when to ask again during the delay, without a start", async () => {
    const { clock, starter, seen } = createStarter(() => Promise.reject(new Error("no")));
    expect(await starter.start()).toEqual({ ok: false, afterMs: 2_000 });
    clock.at(500, () => {});
    await clock.run(500);
    expect(await starter.start()).toEqual({ ok: false, afterMs: 1_500 });
    expect(starter.hasFailed).toBe(true);
    expect(seen.attempts).toEqual([0]);
  });

  it("gives up a start that takes too long, and discards its late backend", async () => {
    const { clock, starter, seen } = createStarter((_attempt, { sleep }) => sleep(3_000).then(() => "late"));
    const start = starter.start();
    await clock.run();
    expect(await start).toEqual({ ok: false, afterMs: 2_000 });
    expect(seen).toMatchObject({ discarded: ["late"], failed: ["the start did not end in time"] });
    expect(starter.backend).toBeUndefined();
  });

  it("stops for good", async () => {
    const { clock, starter, seen } = createStarter((_attempt, { sleep }, signal) =>
      sleep(500, signal).then(() => "backend"),
    );
    const start = starter.start();
    starter.stop();
    expect(await start).toEqual({ ok: false, afterMs: 0 });
    expect(await starter.start()).toEqual({ ok: false, afterMs: 0 });
    await clock.run();
    expect(seen).toMatchObject({ attempts: [0], failed: [], started: 0 });
  });
});
