import { describe, expect, it } from "vitest";
import type { Observer } from "../call/observer.ts";
import { type Change, type ChangeStore, Changes } from "./changes.ts";
import { memoryEvents } from "./memory-events.ts";

const START = Date.parse("2026-11-18T12:00:00.000Z");

/** A store that tells what it keeps for the first time. */
function telling(store: ChangeStore, recorded: Change[]): ChangeStore {
  const add = async (waiting: Parameters<ChangeStore["add"]>[0]) => {
    const added = await store.add(waiting);
    recorded.push(...added);
    return added;
  };
  return { ...store, add };
}

function setUp(store?: ChangeStore) {
  const clock = { ms: START };
  let ids = 0;
  const recorded: Change[] = [];
  const events = memoryEvents(() => clock.ms);
  const { audit } = events;
  const changes = new Changes({ now: () => clock.ms, createId: () => `id-${++ids}`, retryMs: 5 });
  changes.attach(telling(store ?? events.changes, recorded), "edge-1");
  const list = async (filter: object = {}) => (await changes.list({ limit: 50, ...filter })).items;
  return { clock, changes, audit, recorded, list };
}

const flip = { upstream: "shop", what: "opened", epoch: "17", failures: 5 } as const;

describe("changes", () => {
  it("keep a change of a breaker once, whoever records it", async () => {
    const { changes, list, recorded } = setUp();
    changes.flipped(flip);
    changes.flipped({ ...flip, failures: undefined });
    changes.flipped({ ...flip, tool: "pay" });
    changes.flipped({ ...flip, what: "closed", epoch: "18", failures: undefined });
    await expect.poll(() => recorded.length).toBe(3);
    expect(await list()).toEqual([
      expect.objectContaining({ id: "3", kind: "breaker", what: "closed", target: "shop", facts: {} }),
      expect.objectContaining({ id: "2", what: "opened", facts: { tool: "pay", failures: 5 } }),
      {
        id: "1",
        at: "2026-11-18T12:00:00.000Z",
        kind: "breaker",
        what: "opened",
        target: "shop",
        replica: "edge-1",
        facts: { failures: 5 },
      },
    ]);
  });

  it("list what people did in between, by time, in pages that stay the same", async () => {
    const { changes, audit, clock, recorded, list } = setUp();
    for (let at = 0; at < 6; at += 1) {
      changes.record({ kind: "process", what: "started", target: "edge", facts: { at } });
      await expect.poll(() => recorded.length).toBe(at + 1);
      await audit.record({ by: "ann", action: "breaker.reset", target: "shop", facts: {} });
      if (at % 2 === 1) clock.ms += 1_000;
    }
    const all = (await list()).map(({ id }) => id);
    expect(all).toEqual(Array.from({ length: 12 }, (_, at) => String(12 - at)));
    const paged: string[] = [];
    let before: string | null | undefined;
    do {
      const page = await changes.list({ limit: 5, ...(before && { before }) });
      paged.push(...page.items.map(({ id }) => id));
      before = page.next;
      // What comes later does not move what was before.
      await audit.record({ by: "ben", action: "key.add", target: "ci", facts: {} });
    } while (before !== null);
    expect(paged).toEqual(all);
    expect(await list({ kind: "operator", limit: 1 })).toEqual([
      expect.objectContaining({ kind: "operator", what: "key.add", by: "ben", target: "ci" }),
    ]);
    expect(await list({ target: "shop", until: "2026-11-18T12:00:01.000Z" })).toHaveLength(2);
    expect(await list({ since: "2026-11-18T12:00:02.000Z", kind: "process" })).toHaveLength(2);
  });

  it("tell stores that go away and come back, not upstreams, and equal ones within 5 s once", async () => {
    const { changes, clock, list, recorded } = setUp();
    const observer = changes.watch({ switched: () => {} } as unknown as Observer);
    observer.switched("limits", "away", "open");
    observer.switched("limits", "away", "open");
    observer.switched("upstream shop", "away", "calls are refused");
    observer.switched("limits", "back", "");
    observer.switched("limits", "away", "open");
    await expect.poll(() => recorded.length).toBe(2);
    clock.ms += 6_000;
    observer.switched("limits", "back", "");
    await expect.poll(() => recorded.length).toBe(3);
    expect((await list()).map(({ kind, what, target, facts }) => [kind, what, target, facts])).toEqual([
      ["store", "back", "limits", {}],
      ["store", "back", "limits", {}],
      ["store", "away", "limits", { answer: "open" }],
    ]);
  });

  it("wait while the store is away, the newest thousand of them, and are kept afterwards", async () => {
    const kept: Change[] = [];
    let isAway = true;
    let tries = 0;
    const memory = memoryEvents().changes;
    const { changes, clock } = setUp({
      ...memory,
      add: async (waiting) => {
        tries += 1;
        if (isAway) throw new Error("away");
        const added = await memory.add(waiting);
        kept.push(...added);
        return added;
      },
    });
    for (let at = 0; at < 1_500; at += 1) {
      if (at % 100 === 0) clock.ms += 60_000;
      changes.record({ kind: "process", what: "started", target: "edge", facts: { at } });
    }
    await expect.poll(() => tries).toBeGreaterThan(2);
    expect(kept).toEqual([]);
    isAway = false;
    await expect.poll(() => kept.length).toBe(1_000);
    expect(kept[0]?.facts).toEqual({ at: 500 });
  });

  it("are bounded in a minute", async () => {
    const { changes, recorded, clock } = setUp();
    const record = () => changes.record({ kind: "store", what: "away", target: "limits", facts: {} });
    for (let at = 0; at < 10_000; at += 1) record();
    await expect.poll(() => recorded.length).toBe(120);
    clock.ms += 60_000;
    record();
    await expect.poll(() => recorded.length).toBe(121);
  });

  it("are kept before the gateway stops", async () => {
    const { changes, recorded } = setUp();
    changes.record({ kind: "process", what: "stopped", target: "edge", facts: {} });
    await changes.close();
    expect(recorded).toHaveLength(1);
  });
});
