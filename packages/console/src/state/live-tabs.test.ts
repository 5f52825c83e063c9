import { describe, expect, test } from "vitest";
import {
  HIDDEN_MS,
  joinTabs,
  STREAM_SILENT_MS,
  type StreamHandlers,
  type TabMessage,
  type TabWorld,
} from "./live-tabs.ts";

/** A browser with tabs, a lock, a channel, and a clock that is moved by hand. */
function makeBrowser() {
  let time = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  let holder: object | undefined;
  const queue: { readonly tab: object; readonly start: () => void }[] = [];
  const tabs: { readonly hears: Set<(message: TabMessage) => void> }[] = [];
  const streams: StreamHandlers[] = [];
  const grant = () => {
    if (holder === undefined) queue.shift()?.start();
  };
  const addTab = () => {
    const hears = new Set<(message: TabMessage) => void>();
    const tab = { hears };
    tabs.push(tab);
    const seen: string[] = [];
    const watchers = new Set<() => void>();
    let isHidden = false;
    const world: TabWorld = {
      lock: (hold, signal) =>
        new Promise((resolve, reject) => {
          const entry = {
            tab,
            start: () => {
              holder = tab;
              void hold().then(() => {
                holder = undefined;
                resolve();
                grant();
              });
            },
          };
          queue.push(entry);
          signal.addEventListener("abort", () => {
            const at = queue.indexOf(entry);
            if (at >= 0) queue.splice(at, 1);
            reject(signal.reason);
          });
          grant();
        }),
      post: (message) => {
        for (const other of tabs) if (other !== tab) for (const hear of other.hears) hear(message);
      },
      onMessage: (handler) => {
        hears.add(handler);
        return () => hears.delete(handler);
      },
      open: (handlers) => {
        streams.push(handlers);
        return () => {
          const at = streams.indexOf(handlers);
          if (at >= 0) streams.splice(at, 1);
        };
      },
      isHidden: () => isHidden,
      onVisibility: (handler) => {
        watchers.add(handler);
        return () => watchers.delete(handler);
      },
      now: () => time,
      after: (ms, run) => {
        const timer = { at: time + ms, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    };
    const close = joinTabs(world, {
      onEvent: (name, data) => seen.push(`${name} ${data}`),
      onReset: () => seen.push("reset"),
      onState: (state) => {
        if (seen.findLast((line) => line.startsWith("=")) !== `=${state}`) seen.push(`=${state}`);
      },
      onEnd: () => seen.push("end"),
    });
    const show = (isShown: boolean) => {
      isHidden = !isShown;
      for (const watcher of watchers) watcher();
    };
    return { seen, close, show };
  };
  const pass = async (ms: number) => {
    const until = time + ms;
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      timers = timers.filter((one) => one !== next);
      time = Math.max(time, next.at);
      next.run();
    }
    time = until;
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { addTab, pass, streams };
}

describe("tabs of one browser", () => {
  test("one reads the stream, and all hear it", async () => {
    const { addTab, pass, streams } = makeBrowser();
    const [one, two, three] = [addTab(), addTab(), addTab()];
    await pass(0);
    expect(streams).toHaveLength(1);
    streams[0]?.onEvent("incident", "1");
    for (const tab of [one, two, three]) expect(tab?.seen).toEqual(["incident 1", "=live"]);
  });

  test("when the reader closes, the next one reads", async () => {
    const { addTab, pass, streams } = makeBrowser();
    const [one, two] = [addTab(), addTab()];
    await pass(0);
    one?.close();
    await pass(0);
    expect(streams).toHaveLength(1);
    streams[0]?.onEvent("incident", "2");
    expect(two?.seen).toEqual(["incident 2", "=live"]);
    expect(one?.seen).toEqual([]);
  });

  test("a hidden reader keeps the stream for five minutes, then gives it up", async () => {
    const { addTab, pass, streams } = makeBrowser();
    const one = addTab();
    await pass(0);
    one.show(false);
    await pass(HIDDEN_MS - 1);
    expect(streams).toHaveLength(1);
    await pass(1);
    expect(streams).toHaveLength(0);
    expect(one.seen.at(-1)).toBe("=paused");
    one.show(true);
    await pass(0);
    expect(streams).toHaveLength(1);
    expect(one.seen.at(-1)).toBe("reset");
  });

  test("a visible tab takes over from a hidden one", async () => {
    const { addTab, pass, streams } = makeBrowser();
    const [one, two] = [addTab(), addTab()];
    await pass(0);
    one?.show(false);
    await pass(HIDDEN_MS);
    expect(streams).toHaveLength(1);
    streams[0]?.onEvent("tick", "3");
    expect(two?.seen.slice(-2)).toEqual(["tick 3", "=live"]);
  });

  test("without a word for ten seconds it is not live", async () => {
    const { addTab, pass, streams } = makeBrowser();
    const one = addTab();
    await pass(STREAM_SILENT_MS);
    expect(one.seen).toEqual(["=polling"]);
    streams[0]?.onEvent("tick", "4");
    expect(one.seen.at(-1)).toBe("=live");
  });

  test("a stream that ends is opened again, and what was missed is asked for", async () => {
    const { addTab, pass, streams } = makeBrowser();
    const one = addTab();
    await pass(0);
    streams[0]?.onEvent("tick", "5");
    streams[0]?.onEnd();
    expect(streams).toHaveLength(0);
    expect(one.seen.slice(-2)).toEqual(["=polling", "end"]);
    await pass(2_000);
    streams[0]?.onEvent("tick", "6");
    expect(one.seen.slice(-3)).toEqual(["reset", "=live", "tick 6"]);
  });

  test("a stream that says nothing for long is opened anew", async () => {
    const { addTab, pass, streams } = makeBrowser();
    addTab();
    await pass(0);
    const [first] = streams;
    await pass(60_000);
    expect(streams).toHaveLength(1);
    expect(streams[0]).not.toBe(first);
  });

  test("a reset of the server reaches every tab", async () => {
    const { addTab, pass, streams } = makeBrowser();
    const [one, two] = [addTab(), addTab()];
    await pass(0);
    streams[0]?.onEvent("reset", "{}");
    expect(one?.seen).toEqual(["reset", "=live"]);
    expect(two?.seen).toEqual(["reset", "=live"]);
  });
});
