import { describe, expect, it } from "vitest";
import { Departure, type Ending, listenTo, toSignal, unlistenTo } from "./ending.ts";

const ENDINGS: readonly [name: string, make: () => { readonly ending: Ending; abort(): void }][] = [
  [
    "a signal",
    () => {
      const controller = new AbortController();
      return { ending: controller.signal, abort: () => controller.abort() };
    },
  ],
  [
    "a departure",
    () => {
      const departure = new Departure();
      return { ending: departure, abort: () => departure.abort() };
    },
  ],
];

/** Notes that it was called. */
function listener() {
  return {
    heard: 0,
    handleEvent() {
      this.heard += 1;
    },
  };
}

describe.each(ENDINGS)("%s", (_, make) => {
  it("tells each listener once", () => {
    const { ending, abort } = make();
    const all = [listener(), listener(), listener()];
    for (const one of all) listenTo(ending, one);
    expect(ending.aborted).toBe(false);
    abort();
    abort();
    expect(ending.aborted).toBe(true);
    expect(all.map(({ heard }) => heard)).toEqual([1, 1, 1]);
  });

  it("tells no listener that has left, whichever came first", () => {
    for (const at of [0, 1, 2]) {
      const { ending, abort } = make();
      const all = [listener(), listener(), listener()];
      for (const one of all) listenTo(ending, one);
      const [left] = all.splice(at, 1);
      if (left !== undefined) unlistenTo(ending, left);
      abort();
      expect(left?.heard).toBe(0);
      expect(all.map(({ heard }) => heard)).toEqual([1, 1]);
    }
  });

  it("tells one that listens after another has left", () => {
    const { ending, abort } = make();
    const [first, second] = [listener(), listener()];
    listenTo(ending, first);
    unlistenTo(ending, first);
    listenTo(ending, second);
    abort();
    expect([first.heard, second.heard]).toEqual([0, 1]);
  });

  it("is a signal too, made before the end or after it", () => {
    const { ending, abort } = make();
    const signal = toSignal(ending);
    expect(signal.aborted).toBe(false);
    let heard = 0;
    signal.addEventListener("abort", () => {
      heard += 1;
    });
    abort();
    expect([signal.aborted, heard]).toEqual([true, 1]);
    expect(toSignal(ending)).toBe(signal);
    const other = make();
    other.abort();
    expect(toSignal(other.ending).aborted).toBe(true);
  });
});
