import fc from "fast-check";
import { expect, it } from "vitest";
import type { Change } from "../../api/types.ts";
import { changeWords, isCandidate } from "./change-words.ts";

const KINDS = ["operator", "config", "breaker", "store", "process"] as const;
const change = (kind: Change["kind"], what: string, target: string, rest: Partial<Change> = {}): Change => ({
  ...{ id: "e1", at: "2026-11-16T14:16:08.000Z", kind, what, target, facts: {} },
  ...rest,
});

it.each<[Change, string, string]>([
  [
    change("breaker", "opened", "shop", { replica: "edge-3", facts: { failures: 5 } }),
    "Breaker of shop opened",
    "5 failures in a row · replica edge-3",
  ],
  [change("breaker", "opened", "shop", { facts: { tool: "shop__refund" } }), "Breaker of shop__refund opened", ""],
  [change("breaker", "closed", "shop"), "Breaker of shop closed", ""],
  [
    change("config", "taken-over", "gateway.yaml", { facts: { options: ["a.b", "c", "d", "e"] } }),
    "gateway.yaml was taken over",
    "a.b, c, d and 1 more changed",
  ],
  [
    change("config", "refused", "configuration"),
    "The configuration was refused, and the one before stays in force",
    "",
  ],
  [change("store", "away", "limits", { facts: { answer: "closed" } }), "Store of limits is down", "closed"],
  [change("store", "back", "database"), "The database is up again", ""],
  [
    change("process", "started", "edge", { replica: "r1", facts: { version: "0.1.0" } }),
    "edge 0.1.0 started",
    "replica r1",
  ],
  [change("process", "stopped", "edge"), "edge stopped", ""],
  [
    change("operator", "approval.approve", "01M7K1Q8Z0W4N7C2V9R3B5X1ZA", {
      by: "ops-2",
      facts: { tool: "shop__refund" },
    }),
    "ops-2 approved shop__refund",
    "approval 01M7…X1ZA",
  ],
  [
    change("operator", "breaker.reset", "shop", { by: "ops-1", facts: { outcome: "the store is down" } }),
    "ops-1 reset the breaker of shop",
    "not done: the store is down",
  ],
  [change("operator", "key.revoke", "rk_7f3a", { by: "ops-1" }), "ops-1 revoked the key rk_7f3a", ""],
  [
    change("operator", "console.sign-in-refused", "console", { facts: { address: "10.0.0.1" } }),
    "A sign-in was refused",
    "from 10.0.0.1",
  ],
  [change("operator", "toString", "x", { by: "ops-1" }), "ops-1: toString x", ""],
])("%j", (one, text, detail) => {
  expect(changeWords(one)).toMatchObject({ text, detail });
});

it("has words for whatever comes", () => {
  const any = fc.record({
    kind: fc.constantFrom(...KINDS),
    what: fc.string(),
    target: fc.string(),
    facts: fc.object(),
  });
  fc.assert(
    fc.property(any, ({ kind, what, target, facts }) => {
      const { text, noun, mark } = changeWords(change(kind, what, target, { facts }));
      for (const words of [text, noun, mark]) expect(words).not.toMatch(/^$|undefined|\[object/);
    }),
  );
});

it("names only what can have changed how calls end", () => {
  const named = [
    change("config", "taken-over", "f"),
    change("config", "refused", "f"),
    change("process", "started", "edge"),
    change("operator", "key.add", "k"),
    change("operator", "console.sign-in", "console"),
    change("breaker", "opened", "shop"),
    change("store", "away", "limits"),
  ].map(isCandidate);
  expect(named).toEqual([true, false, true, true, false, false, false]);
});
