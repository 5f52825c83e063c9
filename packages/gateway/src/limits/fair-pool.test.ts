import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Holder } from "../call/caller.ts";
import { FairPool } from "./fair-pool.ts";

const NEVER = new AbortController().signal;
const ann: Holder = { id: "ann", tenant: "acme" };
const bob: Holder = { id: "bob", tenant: "acme" };
const eve: Holder = { id: "eve", tenant: "other" };

function poolOf(capacity: number, more: { readonly least?: number; readonly maxWaiting?: number } = {}) {
  const clock = { nowMs: 0 };
  return { clock, pool: new FairPool({ capacity, least: 2, now: () => clock.nowMs, ...more }) };
}

function takeAll(pool: FairPool, holder: Holder): number {
  let count = 0;
  while (pool.take(holder, 1)) count += 1;
  return count;
}

describe("take", () => {
  it("gives one caller alone all but the reserve", () => {
    const { pool } = poolOf(80);
    expect(takeAll(pool, ann)).toBe(70);
    expect(takeAll(pool, bob)).toBe(2);
  });

  it("never gives more than the capacity, however many callers take", () => {
    const { pool } = poolOf(8);
    const taken = Array.from({ length: 20 }, (_, at) => takeAll(pool, { id: `${at}`, tenant: "acme" }));
    expect(taken.slice(0, 3)).toEqual([7, 1, 0]);
    expect(pool.held).toBe(8);
  });

  it("lets a caller have more than its share while half of the pool is free", () => {
    const { pool } = poolOf(80);
    for (const one of [bob, eve]) pool.take(one, 1);
    expect(takeAll(pool, ann)).toBe(38);
    expect(pool.heldBy(ann)).toBe(38);
  });

  it("divides by tenants first, then by the callers of a tenant", () => {
    const { pool } = poolOf(80);
    for (const one of [ann, bob, eve]) pool.take(one, 1);
    expect([ann, bob, eve].map((one) => pool.fairShare(one))).toEqual([20, 20, 40]);
  });

  it("does not count what one caller has too much against others of its tenant", () => {
    const { pool } = poolOf(80);
    pool.take(eve, 1);
    expect(takeAll(pool, ann)).toBe(40);
    expect(takeAll(pool, bob)).toBe(20);
  });

  it("leaves the reserve to other tenants, however many callers a tenant has", () => {
    const { pool } = poolOf(80);
    pool.take(eve, 1);
    let held = 0;
    for (let n = 0; n < 100; n++) held += takeAll(pool, { id: `many ${n}`, tenant: "acme" });
    expect(held).toBeLessThanOrEqual(70);
    expect(pool.take(eve, 1)).toBe(true);
    // What ends is not taken again by a tenant over its share.
    for (let n = 0; n < 30; n++) pool.give({ id: "many 0", tenant: "acme" }, 1);
    expect(takeAll(pool, { id: "many 0", tenant: "acme" })).toBe(0);
    expect(takeAll(pool, eve)).toBeGreaterThanOrEqual(28);
  });

  it("forgets callers that were not active for a minute", () => {
    const { pool, clock } = poolOf(80);
    expect(pool.take(eve, 1)).toBe(true);
    pool.give(eve, 1);
    clock.nowMs = 60_000;
    expect(takeAll(pool, ann)).toBe(70);
  });
});

describe("wait", () => {
  it("serves callers in turn when units are given back", async () => {
    const { pool } = poolOf(8, { least: 1 });
    const order: string[] = [];
    expect(takeAll(pool, eve)).toBe(7);
    const waits = [ann, ann, bob, bob].map((one) => pool.wait(one, 1, NEVER).then(() => order.push(one.id)));
    for (let n = 0; n < 7; n++) {
      pool.give(eve, 1);
      await Promise.resolve();
    }
    await Promise.all(waits);
    expect(order).toEqual(["ann", "bob", "ann", "bob"]);
  });

  it("refuses at once when the queue of the caller is full, and not the others", async () => {
    const { pool } = poolOf(8, { maxWaiting: 1 });
    takeAll(pool, ann);
    void pool.wait(ann, 1, NEVER);
    await expect(pool.wait(ann, 1, NEVER)).resolves.toBe(false);
    const other = pool.wait(bob, 1, NEVER);
    pool.give(ann, 4);
    await expect(other).resolves.toBe(true);
  });

  it("gives up when the signal is aborted, and takes nothing", async () => {
    const { pool } = poolOf(8);
    takeAll(pool, ann);
    const leaving = new AbortController();
    const waiting = pool.wait(ann, 1, leaving.signal);
    leaving.abort();
    await expect(waiting).resolves.toBe(false);
    pool.give(ann, 7);
    expect(pool.held).toBe(0);
    expect(pool.take(ann, 1)).toBe(true);
  });

  it("lets no new call pass one that waits", async () => {
    const { pool } = poolOf(8);
    takeAll(pool, ann);
    const waiting = pool.wait(ann, 4, NEVER);
    expect(pool.take(ann, 1)).toBe(false);
    pool.give(ann, 7);
    await expect(waiting).resolves.toBe(true);
    expect(pool.take(ann, 1)).toBe(true);
  });
});

it("never holds more than there is, and never refuses a caller that holds less than the least while the reserve is free", () => {
  const holders = [ann, bob, eve, { id: "dan", tenant: "third" }];
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 400 }), (steps) => {
      const { pool } = poolOf(64, { least: 2 });
      for (const [at, isTake] of steps) {
        const holder = holders[at] ?? ann;
        const before = pool.heldBy(holder);
        if (!isTake) {
          if (before > 0) pool.give(holder, 1);
          continue;
        }
        const isTaken = pool.take(holder, 1);
        if (before < 2 && pool.held < 64) expect(isTaken).toBe(true);
        expect(pool.held).toBeLessThanOrEqual(64);
        expect(pool.held).toBe(holders.reduce((sum, one) => sum + pool.heldBy(one), 0));
      }
    }),
  );
});
