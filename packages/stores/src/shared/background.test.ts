import { describe, expect, it } from "vitest";
import { Background } from "./background.ts";

const never = new Promise<void>(() => {});

/** Work with a clock of its own: the longest wait ends last. */
function backgroundWith(over: { readonly timeoutMs?: number; readonly repeatMs?: number } = {}) {
  let time = 0;
  const waiting: { readonly at: number; readonly go: () => void }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ at: time + ms, go: resolve });
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  const setTimer = (ms: number, onTime: () => void) => {
    const timer = { at: time + ms, go: onTime };
    waiting.push(timer);
    return () => {
      if (waiting.includes(timer)) waiting.splice(waiting.indexOf(timer), 1);
    };
  };
  const options = { timeoutMs: 1_000, repeatMs: 10_000, ...over };
  const background = new Background({ ...options, sleep, setTimer, now: () => time, random: () => 1 });
  const pass = async (ms: number) => {
    const end = time + ms;
    for (;;) {
      // Lets everything run that does not wait.
      await new Promise((resolve) => setImmediate(resolve));
      const next = waiting.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      waiting.splice(waiting.indexOf(next), 1);
      time = Math.max(time, next.at);
      next.go();
    }
    time = end;
  };
  return { background, pass };
}

describe("a change", () => {
  it("is made once where it works", async () => {
    let attempts = 0;
    await backgroundWith().background.change(async () => {
      attempts += 1;
    });
    expect(attempts).toBe(1);
  });

  it("is repeated, and its caller does not notice a short outage", async () => {
    const { background, pass } = backgroundWith();
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
    const { background, pass } = backgroundWith();
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
    const { background, pass } = backgroundWith();
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
    const { background, pass } = backgroundWith();
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
    const { background, pass } = backgroundWith();
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
    const { background } = backgroundWith();
    background.start(new Promise<void>((resolve) => background.closing.addEventListener("abort", () => resolve())));
    await background.close(undefined);
  });

  it("ends at once where it is told to", async () => {
    const { background, pass } = backgroundWith();
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
    const { background, pass } = backgroundWith();
    const thrown = background.inTime(never).catch((error: unknown) => String(error));
    await pass(1_000);
    expect(await thrown).toContain("no answer within 1000 ms");
  });

  it("fails with what the work throws", async () => {
    const cause = new Error("away");
    await expect(backgroundWith().background.inTime(Promise.reject(cause))).rejects.toBe(cause);
  });
});
