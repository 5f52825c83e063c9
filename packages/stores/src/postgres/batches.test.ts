import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createBatches } from "./batches.ts";

/** Statements that end when the test says so, and a turn of the event loop that ends when the test says so. */
function watched(options: { readonly maxItems?: number; readonly maxUnderWay?: number } = {}) {
  const sent: { readonly items: readonly string[]; end(cause?: unknown): void }[] = [];
  const turns: (() => void)[] = [];
  const add = createBatches<string, string>({
    maxItems: 16,
    ...options,
    lengthOf: (item) => item.length,
    later: (work) => void turns.push(work),
    send: (items) =>
      new Promise((resolve, reject) => {
        const end = (cause?: unknown) =>
          cause === undefined ? resolve(items.map((item) => `did ${item}`)) : reject(cause);
        sent.push({ items, end });
      }),
  });
  const turn = async () => {
    await new Promise(setImmediate);
    for (const work of turns.splice(0)) work();
    await new Promise(setImmediate);
  };
  return { add, sent, turn, batches: () => sent.map(({ items }) => items) };
}

const refusal = (code: string) => Object.assign(new Error(code), { code });

it("sends what comes in one turn together, and one alone without waiting for others", async () => {
  const { add, sent, turn, batches } = watched();
  const all = Promise.all([add("a"), add("b")]);
  expect(sent).toEqual([]);
  await turn();
  expect(batches()).toEqual([["a", "b"]]);
  sent[0]?.end();
  expect(await all).toEqual(["did a", "did b"]);
  const alone = add("c");
  await turn();
  sent[1]?.end();
  expect(await alone).toBe("did c");
});

it("lets others wait while as many as may be are under way, and sends them together in their order", async () => {
  const { add, sent, turn, batches } = watched({ maxUnderWay: 1, maxItems: 2 });
  const first = add("a");
  await turn();
  const rest = Promise.all(["b", "c", "d"].map(add));
  await turn();
  expect(batches()).toEqual([["a"]]);
  sent[0]?.end();
  await first;
  await turn();
  expect(batches()).toEqual([["a"], ["b", "c"]]);
  sent[1]?.end();
  await turn();
  sent[2]?.end();
  expect(await rest).toEqual(["did b", "did c", "did d"]);
});

it("sends long items in statements of a limited length, and the longest alone", async () => {
  const { add, turn, batches } = watched({ maxUnderWay: 9 });
  const [long, tooLong] = ["x".repeat(60_000), "y".repeat(1_000_000)];
  for (const item of [long, long, long, tooLong, "a", "b"]) void add(item);
  await turn();
  expect(batches()).toEqual([[long, long], [long], [tooLong], ["a", "b"]]);
});

it.each(["22P02", "23514", "40001", "40P01"])("sends again one by one what was refused with %s", async (code) => {
  const { add, sent, turn, batches } = watched();
  const all = Promise.allSettled([add("a"), add("bad"), add("c")]);
  await turn();
  sent[0]?.end(refusal(code));
  await turn();
  expect(batches().slice(1)).toEqual([["a"], ["bad"], ["c"]]);
  sent[1]?.end();
  sent[2]?.end(refusal(code));
  sent[3]?.end();
  expect((await all).map((one) => (one.status === "fulfilled" ? one.value : (one.reason as Error).message))).toEqual([
    "did a",
    code,
    "did c",
  ]);
});

it.each([refusal("57P01"), new Error("Query read timeout"), undefined])(
  "fails all of a statement that was lost: %s",
  async (cause) => {
    const { add, sent, turn } = watched();
    const all = Promise.allSettled([add("a"), add("b")]);
    await turn();
    sent[0]?.end(cause ?? null);
    expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(sent).toHaveLength(1);
    const next = add("c");
    await turn();
    sent[1]?.end();
    expect(await next).toBe("did c");
  },
);

it("gives each item its own result, whatever comes when and fails, and never exceeds its limits", async () => {
  const event = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), isBad: fc.boolean() }),
    fc.record({ kind: fc.constant("turn" as const) }),
    fc.record({ kind: fc.constant("end" as const), at: fc.nat(9), isLost: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 60 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      async (events, maxUnderWay, maxItems) => {
        const { add, sent, turn } = watched({ maxUnderWay, maxItems });
        const ended = new Set<number>();
        const lost = new Set<string>();
        const open = () => sent.flatMap((_, at) => (ended.has(at) ? [] : [at]));
        const end = (at: number, isLost: boolean) => {
          ended.add(at);
          const { items = [] } = sent[at] ?? {};
          if (isLost) for (const item of items) lost.add(item);
          const isRefused = items.some((item) => item.startsWith("bad"));
          sent[at]?.end(isLost ? refusal("57P01") : isRefused ? refusal("22P02") : undefined);
        };
        const results: Promise<readonly [string, string]>[] = [];
        for (const [at, one] of events.entries()) {
          if (one.kind === "add") {
            const item = `${one.isBad ? "bad" : "good"}${at}`;
            results.push(
              add(item).then(
                (result) => [item, result] as const,
                (cause: Error) => [item, cause.message] as const,
              ),
            );
          } else if (one.kind === "turn") await turn();
          else {
            const under = open();
            const chosen = under[one.at % Math.max(1, under.length)];
            if (chosen !== undefined) end(chosen, one.isLost);
          }
          expect(sent.every(({ items }) => items.length <= maxItems)).toBe(true);
          // A statement that was refused goes on as one for each of its items.
          expect(open().length).toBeLessThanOrEqual(maxUnderWay * maxItems);
        }
        for (let rounds = 0; rounds < 400; rounds++) {
          await turn();
          const under = open();
          if (under.length === 0) break;
          for (const at of under) end(at, false);
        }
        for (const [item, result] of await Promise.all(results)) {
          const expected = lost.has(item) ? "57P01" : item.startsWith("bad") ? "22P02" : `did ${item}`;
          expect(result).toBe(expected);
        }
      },
    ),
    { numRuns: runs(200) },
  );
});
