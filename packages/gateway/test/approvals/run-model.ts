// Random histories of approvals on two replicas, judged by a model and by a ledger of what went out.
import fc from "fast-check";
import { expect } from "vitest";
import type { ApprovalStore } from "../../src/approvals/approvals.ts";
import type { ApprovalRequest } from "../../src/call/binding.ts";
import { afterAll, type Model, type Observed } from "./model.ts";

/** Who calls, with which arguments, under which policy: eight bindings, and each differs from others in one part only. */
export interface Facts {
  readonly caller: 0 | 1;
  readonly args: 0 | 1;
  readonly policy: 0 | 1;
}

/** One operation. Numbers choose among what there is at that moment. */
export type Operation =
  | { readonly do: "call"; readonly replica: 0 | 1; readonly facts: Facts }
  | { readonly do: "approve" | "deny" | "expire"; readonly replica: 0 | 1; readonly pick: number }
  /** Ends of a call that was let through: sent, never sent, or its replica dies before it knows. */
  | { readonly do: "send" | "giveBack" | "die"; readonly replica: 0 | 1; readonly pick: number }
  /** A replica gives back what is not its own: an old call, on any approval. */
  | { readonly do: "replay"; readonly replica: 0 | 1; readonly pick: number; readonly call: number };

/** Steps one after the other; the operations of one step happen at the same time. */
export type History = readonly (readonly Operation[])[];

const bit = fc.constantFrom(0 as const, 1 as const);
const pick = fc.nat({ max: 1_000 });
// Most calls are the same one, or approvals would hardly ever be used.
const same = fc.constant<Facts>({ caller: 0, args: 0, policy: 0 });
const facts = fc.oneof({ weight: 3, arbitrary: same }, fc.record<Facts>({ caller: bit, args: bit, policy: bit }));

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("call" as const), replica: bit, facts }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom("approve", "approve", "approve", "approve", "approve", "deny", "expire"),
      replica: bit,
      // The newest approval most of the time.
      pick: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, pick),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("send", "giveBack", "die"),
      replica: bit,
      pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("replay" as const), replica: bit, pick: fc.nat({ max: 3 }), call: pick }),
  },
);

/** Histories of up to `maxSteps` steps. */
export function histories(maxSteps: number): fc.Arbitrary<History> {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.array(operation, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(operation, { minLength: 2, maxLength: 4 }) },
    // The same call several times at once.
    { weight: 1, arbitrary: fc.constant([sameCall(0), sameCall(1), sameCall(0)]) },
  );
  const passage = fc
    .tuple(bit, bit, facts)
    .map(
      ([one, other, made]): History => [
        [{ do: "call", replica: one, facts: made }],
        [{ do: "approve", replica: other, pick: 0 }],
        [{ do: "call", replica: other, facts: made }],
      ],
    );
  const part = fc.oneof(
    { weight: 4, arbitrary: step.map((one): History => [one]) },
    // A call that is let through, or hardly any would be.
    { weight: 1, arbitrary: passage },
  );
  const parts = fc.array(part, { minLength: 1, maxLength: maxSteps, size: "max" });
  return parts.map((all) => all.flat().slice(0, maxSteps));
}

/** The call that most histories make. */
export function sameCall(replica: 0 | 1): Operation {
  return { do: "call", replica, facts: { caller: 0, args: 0, policy: 0 } };
}

/** What a history is run on. */
export interface Bench {
  readonly stores: readonly [ApprovalStore, ApprovalStore];
  request(facts: Facts, run: number): ApprovalRequest;
  /** Lets an approval expire. */
  expire(id: string): Promise<void>;
  /** The ids of approvals of this run that are used up. */
  consumed(run: number): Promise<readonly string[]>;
}

/** What happened in all histories. */
export interface Counts {
  operations: number;
  asked: number;
  passed: number;
  sent: number;
  givenBack: number;
  deaths: number;
}

/** Runs one history and throws where an answer cannot be explained, or the ledger shows a call that nobody approved. */
export async function runHistory(history: History, bench: Bench, run: number, counts: Counts): Promise<void> {
  let models: readonly Model[] = [[]];
  const ids: string[] = [];
  /** By id: who asked for it, as the test knows it, not as the store does. */
  const askedBy = new Map<string, string>();
  const approved = new Set<string>();
  const expired = new Set<string>();
  /** Calls that were let through and have not ended. */
  const flying: { readonly id: string; readonly call: string }[] = [];
  /** Approvals that are used up for good, with their calls: the call was sent, or its replica died. */
  const spent = new Map<string, string>();
  let calls = 0;

  for (const step of history) {
    const ends: (() => void)[] = [];
    const callsBefore = calls;
    const newest = (pick: number) => ids.at(-1 - (pick % Math.max(1, ids.length)));
    // What each operation is about is chosen before any of them happens.
    const work = step.map((one): (() => Promise<Observed | undefined>) => {
      const store = bench.stores[one.replica];
      counts.operations += 1;
      switch (one.do) {
        case "call": {
          const call = `${run}-${++calls}`;
          const binding = JSON.stringify(one.facts);
          return async () => {
            const answer = await store.consume(bench.request(one.facts, run), call);
            ends.push(() => {
              if (answer.state === "full") throw new Error("nobody asked too often");
              counts.asked += 1;
              if (!askedBy.has(answer.id)) {
                ids.push(answer.id);
                askedBy.set(answer.id, binding);
              }
              // An id is never given to another caller, nor for other arguments or under another policy.
              expect(askedBy.get(answer.id)).toBe(binding);
              if (answer.state !== "consumed") return;
              counts.passed += 1;
              expect(approved.has(answer.id), "nobody approved it").toBe(true);
              const isTaken = spent.has(answer.id) || flying.some(({ id }) => id === answer.id);
              expect(isTaken, "one approval, two calls").toBe(false);
              flying.push({ id: answer.id, call });
            });
            return { do: "call", binding, call, answer };
          };
        }
        case "approve":
        case "deny": {
          const id = newest(one.pick);
          const approve = one.do === "approve";
          if (id === undefined) return async () => undefined;
          return async () => {
            const decided = await store.decide({ id, approve, by: "ann" });
            if (decided === undefined) throw new Error("an approval is gone");
            if (decided.isDecided && approve) approved.add(id);
            return { do: "decide", id, approve, isDecided: decided.isDecided };
          };
        }
        case "expire": {
          const id = newest(one.pick);
          if (id === undefined) return async () => undefined;
          return async () => {
            expired.add(id);
            await bench.expire(id);
            return { do: "expire", id };
          };
        }
        case "send":
        case "die":
        case "giveBack": {
          const [flight] = flying.splice(one.pick % Math.max(1, flying.length), 1);
          if (flight === undefined) return async () => undefined;
          if (one.do === "giveBack") {
            counts.givenBack += 1;
            return async () => {
              await store.giveBack(flight.id, flight.call);
              return { do: "giveBack", ...flight };
            };
          }
          expect(spent.has(flight.id), "one approval, two calls").toBe(false);
          spent.set(flight.id, flight.call);
          counts[one.do === "send" ? "sent" : "deaths"] += 1;
          return async () => undefined;
        }
        case "replay": {
          const id = newest(one.pick);
          const call = `${run}-${1 + (one.call % Math.max(1, callsBefore))}`;
          // The call that used it up is over, and no replica gives back what it sent.
          const isOwn = flying.some((flight) => flight.call === call) || spent.get(id ?? "") === call;
          if (id === undefined || isOwn || callsBefore === 0) return async () => undefined;
          return async () => {
            await store.giveBack(id, call);
            return { do: "giveBack", id, call };
          };
        }
        default:
          return one satisfies never;
      }
    });
    const observed = (await Promise.all(work.map((start) => start()))).filter((one) => one !== undefined);
    models = afterAll(models, observed);
    expect(models, `no order explains ${JSON.stringify(observed)}`).not.toHaveLength(0);
    for (const end of ends) end();
  }

  // Nothing is used up but by calls that were sent, whose replica died, that are under way, or whose approval expired first.
  const used = await bench.consumed(run);
  const known = new Set([...spent.keys(), ...flying.map(({ id }) => id)]);
  expect(used.filter((id) => !known.has(id) && !expired.has(id))).toEqual([]);
  expect([...known].filter((id) => !used.includes(id))).toEqual([]);
}
