import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { describe, expect, it } from "vitest";
import { Background } from "./background.ts";

const never = new Promise<void>(() => {});

/** Work in virtual time. */
function backgroundInTime() {
  const clock = new VirtualClock();
  const setTimer = (ms: number, onTime: () => void) => {
    let isOver = false;
    clock.at(clock.now() + ms, () => !isOver && onTime());
    return () => {
      isOver = true;
    };
  };
  const times = { timeoutMs: 1_000, repeatMs: 10_000, sleep: clock.sleep, setTimer, now: clock.now };
  return { background: new Background({ ...times, random: () => 1 }), pass: (ms: number) => clock.pass(ms) };
}

describe("a change", () => {
  it("is made once where it works", async () => {
    let attempts = 0;
    await backgroundInTime().background.change(async () => {
      attempts += 1;
    });
    expect(attempts).toBe(1);
  });

  it("is repeated, and its caller does not notice a short outage", async () => {
    const { background, pass } = backgroundInTime();
    let attempts = 0;
    const change = background.change(async () => {
      attempts += 1;
      if (attempts < 4) throw new Error("away");
    });
    await pass(400);
    await change;
    expect(attempts).toBe(4);
  });

  it("goes on after its caller has given up waiting, and ends at its limit", async () => {
    const { background, pass } = backgroundInTime();
    let attempts = 0;
    const cause = new Error("away");
    const change = background.change(async () => {
      attempts += 1;
      throw cause;
    });
    const thrown = change.catch((error: unknown) => error);
    await pass(1_000);
    expect(await thrown).toMatchObject({ message: expect.stringContaining("10000 ms"), cause });
    const before = attempts;
    await pass(9_000);
    expect(attempts).toBeGreaterThan(before);
    const after = attempts;
    await pass(60_000);
    expect(attempts).toBe(after);
    await background.close(undefined);
  });

  it("keeps its caller waiting no longer than its time, also where the first attempt fails late", async () => {
    const { background, pass } = backgroundInTime();
    let isTold = false;
    const refusal = Promise.withResolvers<void>();
    let attempts = 0;
    background
      .change(() => {
        attempts += 1;
        return attempts === 1 ? refusal.promise : never;
      })
      .catch(() => {
        isTold = true;
      });
    await pass(900);
    refusal.reject(new Error("away"));
    await pass(100);
    expect(isTold).toBe(true);
  });

  it("is repeated where an attempt gets no answer", async () => {
    const { background, pass } = backgroundInTime();
    let attempts = 0;
    const change = background.change(() => {
      attempts += 1;
      return attempts === 1 ? never : Promise.resolve();
    });
    change.catch(() => {});
    await pass(2_000);
    expect(attempts).toBe(2);
  });
});

describe("closing", () => {
  it("waits for what is not stored yet", async () => {
    const { background, pass } = backgroundInTime();
    let isAway = true;
    let isClosed = false;
    background
      .change(async () => {
        if (isAway) throw new Error("away");
      })
      .catch(() => {});
    const closing = background.close(undefined).then(() => {
      isClosed = true;
    });
    await pass(5_000);
    expect(isClosed).toBe(false);
    isAway = false;
    await pass(5_000);
    await closing;
    expect(background.signal.aborted).toBe(true);
  });

  it("tells work that can wait that it should end", async () => {
    const { background } = backgroundInTime();
    background.start(new Promise<void>((resolve) => background.closing.addEventListener("abort", () => resolve())));
    await background.close(undefined);
  });

  it("ends at once where it is told to", async () => {
    const { background, pass } = backgroundInTime();
    let attempts = 0;
    background
      .change(async () => {
        attempts += 1;
        throw new Error("away");
      })
      .catch(() => {});
    await pass(200);
    await background.close(AbortSignal.abort());
    const before = attempts;
    await pass(60_000);
    expect(attempts).toBe(before);
  });
});

describe("work with a time limit", () => {
  it("fails where no answer comes in time", async () => {
    const { background, pass } = backgroundInTime();
    const thrown = background.inTime(never).catch((error: unknown) => String(error));
    await pass(1_000);
    expect(await thrown).toContain("no answer within 1000 ms");
  });

  it("fails with what the work throws", async () => {
    const cause = new Error("away");
    await expect(backgroundInTime().background.inTime(Promise.reject(cause))).rejects.toBe(cause);
  });
});
