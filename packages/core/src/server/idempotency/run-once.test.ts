import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { conflict, internal, overloaded } from "../../reasons/library/core.ts";
import { timeout } from "../../reasons/library/tool.ts";
import {
  isEnded,
  type KeyedCall,
  outcomeEffect,
  readCallOutcome,
  runOnce,
  type ToolOutcome,
  writeCallOutcome,
} from "./run-once.ts";
import { type IdempotencyStore, memoryIdempotency } from "./store.ts";

const fine = (text: string): ToolOutcome => ({ result: { content: [{ type: "text", text }] } });

function call(over: Partial<KeyedCall>): KeyedCall {
  return {
    store: memoryIdempotency(),
    key: "k",
    caller: async () => ({ kind: "known", owner: "ann" }),
    tool: "pay",
    arguments: { n: 1 },
    honoured: false,
    isLate: () => false,
    run: async () => fine("paid"),
    refuse: ({ fault }) => ({ fault }),
    reportStoreFailure: () => {},
    ...over,
  };
}

/** A store that answers when the scheduler says so: before it looked at the key, or after. */
function slow(store: IdempotencyStore, scheduler: fc.Scheduler): IdempotencyStore {
  return {
    async begin(...claim) {
      await scheduler.schedule(Promise.resolve(), "before begin");
      const state = await store.begin(...claim);
      await scheduler.schedule(Promise.resolve(), "after begin");
      return state;
    },
    async settle(...end) {
      await scheduler.schedule(Promise.resolve(), "before settle");
      await store.settle(...end);
    },
    async release(...claim) {
      await scheduler.schedule(Promise.resolve(), "before release");
      await store.release(...claim);
    },
  };
}

const reasonOf = (outcome: ToolOutcome) => ("fault" in outcome ? outcome.fault.reason : "result");
const ENDS = ["paid", "paid, but failed", "refused", "asked"] as const;

describe("a call with a key", () => {
  it("has its effect at most once, however calls interleave and end", async () => {
    const calls = fc.array(fc.record({ end: fc.constantFrom(...ENDS), isLate: fc.boolean(), other: fc.boolean() }), {
      minLength: 2,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, async (scheduler, all) => {
        const store = slow(memoryIdempotency(), scheduler);
        let effects = 0;
        const run = async (end: (typeof ENDS)[number]): Promise<ToolOutcome> => {
          await scheduler.schedule(Promise.resolve(), "before the effect");
          if (end === "refused") return { fault: conflict.fault() };
          if (end === "asked") return { result: { resultType: "input_required", inputRequests: {} } };
          effects += 1;
          await scheduler.schedule(Promise.resolve(), "after the effect");
          return end === "paid" ? fine(`paid ${effects}`) : { fault: timeout.fault() };
        };
        const outcomes = all.map(({ end, isLate, other }) =>
          runOnce(call({ store, arguments: { n: other ? 2 : 1 }, isLate: () => isLate, run: () => run(end) })),
        );
        await scheduler.waitFor(Promise.all(outcomes));
        expect(effects).toBeLessThanOrEqual(1);
        // And afterwards every caller that asks learns about that one time.
        const late = await scheduler.waitFor(runOnce(call({ store, run: () => run("paid"), arguments: { n: 1 } })));
        expect(effects).toBe(1);
        expect(["result", "tool/timeout", "idempotency/key_reused"]).toContain(reasonOf(late));
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ["a fault without effect", { fault: conflict.fault() }],
    ["a question", { result: { resultType: "input_required" } }],
    [
      "a result that tells of a fault without effect",
      { result: { isError: true, _meta: { "recourse/fault": conflict.fault() } } },
    ],
  ])("may be made again after %s", async (_what, outcome) => {
    const store = memoryIdempotency();
    expect(await runOnce(call({ store, run: async () => outcome }))).toEqual(outcome);
    expect(await runOnce(call({ store }))).toEqual(fine("paid"));
  });

  it.each([
    ["another tool", { tool: "refund" }],
    ["another caller", { caller: async () => ({ kind: "known", owner: "bob" }) }],
    ["another key", { key: "k2" }],
  ] satisfies [string, Partial<KeyedCall>][])("is another call for %s", async (_what, over) => {
    const store = memoryIdempotency();
    await runOnce(call({ store }));
    expect(await runOnce(call({ store, run: async () => fine("again"), ...over }))).toEqual(fine("again"));
  });

  it("does not begin when nobody waits any more, and leaves the key free", async () => {
    const store = memoryIdempotency();
    const run = () => Promise.reject(new Error("must not run"));
    expect(reasonOf(await runOnce(call({ store, isLate: () => true, run })))).toBe("core/cancelled");
    expect(await runOnce(call({ store }))).toEqual(fine("paid"));
  });

  it("is answered as a failure when its result cannot be kept, and is not made again", async () => {
    const store = memoryIdempotency();
    const outcome = await runOnce(call({ store, run: async () => ({ result: { n: 1n } }) }));
    expect(reasonOf(outcome)).toBe("tool/result_unsendable");
    expect(await runOnce(call({ store }))).toEqual(outcome);
  });
});

describe("a call whose time is limited", () => {
  const never = () => new Promise<ToolOutcome>(() => {});
  const clocked = (over: Partial<KeyedCall> = {}) => {
    let time = 0;
    const store = memoryIdempotency({ testing: { clock: { monotonic: () => time } } });
    const once = (more: Partial<KeyedCall>) => runOnce(call({ store, ...over, ...more }));
    return {
      pass: (ms: number) => (time += ms),
      once,
      /** Begins the first call, and returns when it holds the key. */
      begin: async (ending: Promise<ToolOutcome>) => {
        const running = Promise.withResolvers<void>();
        const run = () => {
          running.resolve();
          return ending;
        };
        const first = once({ run });
        await running.promise;
        return { first };
      },
    };
  };

  it("is made again where the service behind it honours the key", async () => {
    const { pass, once, begin } = clocked({ limitMs: 1_000, honoured: true });
    const ending = Promise.withResolvers<ToolOutcome>();
    const { first } = await begin(ending.promise);
    expect(reasonOf(await once({}))).toBe("idempotency/in_progress");
    pass(6_000);
    expect(await once({ run: async () => fine("paid once") })).toEqual(fine("paid once"));
    ending.resolve(fine("paid late"));
    expect(await first).toEqual(fine("paid late"));
    expect(await once({})).toEqual(fine("paid once"));
  });

  it("runs for ever where it has no limit", async () => {
    const { pass, once, begin } = clocked();
    await begin(never());
    pass(1e12);
    expect(reasonOf(await once({}))).toBe("idempotency/in_progress");
  });
});

describe("a call whose outcome is too long to keep", () => {
  it("is answered once, and a repeated call learns that it took effect", async () => {
    const store = memoryIdempotency({ maxOutcomeLength: 100 });
    const long = fine("paid ".repeat(100));
    expect(await runOnce(call({ store, run: async () => long }))).toEqual(long);
    expect(await runOnce(call({ store }))).toMatchObject({
      fault: { reason: "idempotency/outcome_not_kept", effect: "applied", recourse: [{ do: "refresh" }] },
    });
  });
});

describe("a store that fails", () => {
  const broken = (over: Partial<IdempotencyStore>): IdempotencyStore => ({ ...memoryIdempotency(), ...over });
  const down = () => Promise.reject(new Error("down"));

  it("lets no call begin, and the operator knows why", async () => {
    const causes: unknown[] = [];
    const run = () => Promise.reject(new Error("must not run"));
    const refuse: KeyedCall["refuse"] = ({ fault, cause }) => {
      causes.push(cause);
      return { fault };
    };
    const outcome = await runOnce(call({ store: broken({ begin: down }), run, refuse }));
    expect(outcome).toMatchObject({ fault: { reason: "core/unavailable", effect: "none" } });
    expect(causes).toEqual([expect.objectContaining({ message: "down" })]);
  });

  it("may say itself why a call cannot begin, but not that it had an effect", async () => {
    const refusedWith = (error: unknown) => runOnce(call({ store: broken({ begin: () => Promise.reject(error) }) }));
    expect(reasonOf(await refusedWith(overloaded()))).toBe("core/overloaded");
    expect(await refusedWith(timeout())).toMatchObject({ fault: { reason: "core/unavailable", effect: "none" } });
  });

  it.each([
    undefined,
    null,
    "new",
    {},
    { state: "constructor" },
    ...[7, null, "{", "{}"].map((outcome) => ({ state: "settled", outcome })),
  ])("does not make a call happen by an answer that is none: %j", async (state) => {
    const run = () => Promise.reject(new Error("must not run"));
    const outcome = await runOnce(call({ store: broken({ begin: async () => state as never }), run }));
    expect(outcome).toMatchObject({ fault: { reason: "core/unavailable", effect: "possible" } });
  });

  it("does not take the answer of a call that was made", async () => {
    const told: unknown[] = [];
    const reportStoreFailure = (cause: unknown) => told.push(cause);
    expect(await runOnce(call({ store: broken({ settle: down }), reportStoreFailure }))).toEqual(fine("paid"));
    const refused = { fault: conflict.fault() };
    expect(
      await runOnce(call({ store: broken({ release: down }), run: async () => refused, reportStoreFailure })),
    ).toEqual(refused);
    expect(told).toHaveLength(2);
  });
});

const told = (fault: unknown) => ({ result: { isError: true, content: [], _meta: { "recourse/fault": fault } } });

describe("the outcome of a call", () => {
  it.each<[string, ToolOutcome, string]>([
    ["a result", { result: { content: [] } }, "applied"],
    ["a fault", { fault: conflict.fault() }, "none"],
    ["a result that tells of a fault", told(internal.fault()), "possible"],
    ["a result that tells of a fault without effect", told(conflict.fault()), "none"],
    ["a result that tells of some failure", { result: { isError: true, content: [] } }, "applied"],
    ["a success that holds a fault", { result: { _meta: { "recourse/fault": conflict.fault() } } }, "applied"],
    ["nothing", { result: undefined }, "applied"],
  ])("has an effect: %s", (_what, outcome, effect) => {
    expect(outcomeEffect(outcome)).toBe(effect);
  });

  it("is open while the caller is asked for more", () => {
    expect(isEnded({ result: { resultType: "input_required" } })).toBe(false);
    expect(isEnded({ result: { resultType: "complete" } })).toBe(true);
    expect(isEnded({ fault: conflict.fault() })).toBe(true);
  });

  it.each<[string, ToolOutcome]>([
    ["a result", { result: { content: [{ type: "text", text: "é" }], structuredContent: { n: [1, null] } } }],
    ["a fault", { fault: internal.fault({}, { effect: "applied" }) }],
    ["null", { result: null }],
  ])("can be written and read again: %s", (_what, outcome) => {
    expect(readCallOutcome(writeCallOutcome(outcome))).toEqual(outcome);
  });

  it.each(["", "{", "null", "[]", "{}", '{"fault":{"v":1}}'])("is not read from %j", (text) => {
    expect(readCallOutcome(text)).toBeUndefined();
  });
});
