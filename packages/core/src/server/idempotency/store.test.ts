import { describe, expect, it } from "vitest";
import { FaultError } from "../../fault/error.ts";
import { type IdempotencyClaim, type MemoryIdempotencyOptions, memoryIdempotency } from "./store.ts";

const CLAIM: IdempotencyClaim = { owner: "ann", deadlineMs: undefined, honoured: false };

/** A store with a clock that the test moves. */
function keysWith(options: MemoryIdempotencyOptions = {}) {
  let time = 1_000;
  const keys = memoryIdempotency({
    testing: { clock: { monotonic: () => time } },
    maxKeysPerCaller: Number.POSITIVE_INFINITY,
    ...options,
  });
  const begin = (key: string, { digest = "d", ...over }: Partial<IdempotencyClaim> & { digest?: string } = {}) =>
    keys.begin(key, digest, { ...CLAIM, ...over });
  const claim = async (key: string, over: Partial<IdempotencyClaim> = {}) => {
    const state = await begin(key, over);
    if (state.state !== "new") throw new Error(`the key ${key} is ${state.state}`);
    return state.fence;
  };
  const settle = async (key: string, outcome: string, over: Partial<IdempotencyClaim> = {}) =>
    keys.settle(key, await claim(key, over), outcome);
  const refusal = async (key: string, over: Partial<IdempotencyClaim> = {}) => {
    const error = await begin(key, over).catch((cause: unknown) => cause);
    return FaultError.is(error) ? error.fault : undefined;
  };
  return { keys, begin, claim, settle, refusal, pass: (ms: number) => (time += ms) };
}

const end = (outcome: string | undefined) => ({ state: "settled", outcome });

describe("keys in memory", () => {
  it("are kept from the end of the call for as long as was said, and while it runs for ever", async () => {
    const { keys, begin, claim, pass } = keysWith({ keepMs: 100 });
    const fence = await claim("k");
    pass(1e12);
    expect(await begin("k")).toEqual({ state: "running" });
    await keys.settle("k", fence, "end");
    pass(99);
    expect(await begin("k")).toEqual(end("end"));
    pass(1);
    expect(await begin("k")).toMatchObject({ state: "new" });
  });
});

describe("a full store", () => {
  it("refuses new keys, rather than forgetting what has happened", async () => {
    const { begin, claim, settle, refusal, pass } = keysWith({ maxKeys: 2, keepMs: 100 });
    await settle("a", "end");
    await claim("b");
    expect(await refusal("c")).toMatchObject({ reason: "core/overloaded", effect: "none" });
    expect(await begin("a")).toEqual(end("end"));
    pass(100);
    expect(await begin("c")).toMatchObject({ state: "new" });
  });

  it("has room again when a key is given back", async () => {
    const { keys, begin, claim, refusal } = keysWith({ maxKeys: 1 });
    const fence = await claim("a");
    expect(await refusal("b")).toMatchObject({ reason: "core/overloaded" });
    await keys.release("a", fence);
    expect(await begin("b")).toMatchObject({ state: "new" });
  });

  it("does not keep an outcome that is longer than one may be", async () => {
    const { begin, settle } = keysWith({ maxOutcomeLength: 10 });
    await settle("a", "0123456789");
    await settle("b", "0123456789a");
    expect(await begin("a")).toEqual(end("0123456789"));
    expect(await begin("b")).toEqual(end(undefined));
  });

  it("does not keep an outcome that is longer than what is left for all of them", async () => {
    const { begin, settle, pass } = keysWith({ maxLength: 10, keepMs: 100 });
    await settle("a", "012345");
    await settle("b", "012345");
    await settle("c", "0123");
    expect([await begin("b"), await begin("c")]).toEqual([end(undefined), end("0123")]);
    pass(100);
    await settle("d", "0123456789");
    expect(await begin("d")).toEqual(end("0123456789"));
  });
});

describe("one caller", () => {
  it("cannot use up the keys of the others, and learns how long to wait", async () => {
    const { claim, settle, refusal, pass } = keysWith({ maxKeys: 20, maxKeysPerCaller: 2, keepMs: 100 });
    await settle("a", "end");
    pass(40);
    await claim("b");
    const limits = [{ policy: "keys", quota: 2, remaining: 0 }];
    const full = { reason: "core/rate_limited", effect: "none", limits };
    expect(await refusal("c")).toMatchObject({ ...full, retry: { allowed: true, afterMs: 60 } });
    await claim("c", { owner: "bob" });
    pass(60);
    await claim("d");
    expect(await refusal("e")).toMatchObject(full);
  });

  it("cannot use up the room for the outcomes of the others", async () => {
    const { begin, settle } = keysWith({ maxLength: 100, maxKeysPerCaller: 1_000 });
    await settle("a", "01234567");
    await settle("b", "01234567");
    await settle("c", "01234567", { owner: "bob" });
    expect([await begin("a"), await begin("b"), await begin("c")]).toEqual([
      end("01234567"),
      end(undefined),
      end("01234567"),
    ]);
  });

  it("has a tenth of the keys unless the author says otherwise, and at least one", async () => {
    const store = memoryIdempotency({ maxKeys: 3 });
    expect(await store.begin("a", "d", CLAIM)).toMatchObject({ state: "new" });
    await expect(store.begin("b", "d", CLAIM)).rejects.toThrow(FaultError);
  });
});

it.each([{ maxKeys: 0 }, { maxLength: -1 }, { maxOutcomeLength: -1 }, { maxKeysPerCaller: 0 }, { keepMs: Number.NaN }])(
  "refuses %o",
  (options) => {
    expect(() => memoryIdempotency(options)).toThrow(`${Object.keys(options)[0]} must be a number of`);
  },
);
