import { describe, expect, it } from "vitest";
import { readFault } from "../fault/read.ts";
import { fail } from "../reasons/fail.ts";
import { graver, settle } from "./settle.ts";

const busy = fail.overloaded({ afterMs: 500 })`Busy.`.fault;
const tried = { attempts: 3, elapsedMs: 700, stopped: "attempts" } as const;

describe("the fault of a whole call", () => {
  it("is the last failure with what was tried, frozen and readable", () => {
    const fault = settle(busy, { tried });
    expect(fault).toEqual({ ...busy, tried });
    expect(Object.isFrozen(fault) && Object.isFrozen(fault.recourse)).toBe(true);
    expect(readFault(JSON.parse(JSON.stringify(fault)))).toEqual(fault);
    expect(busy).not.toHaveProperty("tried");
  });

  it("tells whole milliseconds", () => {
    expect(settle(busy, { tried: { ...tried, elapsedMs: 1.2 } }).tried?.elapsedMs).toBe(2);
  });

  it("keeps what a peer tried where nothing more was", () => {
    const told = settle(busy, { tried });
    expect(settle(told, {}).tried).toEqual(tried);
  });

  it("takes the gravest effect, and the moves with it", () => {
    expect(settle(busy, { effect: "possible" })).toMatchObject({ effect: "possible", recourse: [{ do: "refresh" }] });
    expect(settle(busy, { effect: "possible", repeatable: true }).recourse).toEqual([{ do: "retry", afterMs: 500 }]);
    expect(settle(fail.timeout`Late.`.fault, { effect: "none" }).effect).toBe("possible");
  });

  it("drops a repetition that the peer forbids itself", () => {
    const odd = readFault({ ...busy, retry: { allowed: false } });
    expect(odd?.recourse).toEqual([{ do: "retry", afterMs: 500 }]);
    expect(odd && settle(odd, {}).recourse).toEqual([{ do: "stop" }]);
  });

  it("tells a wait that is longer than the one named", () => {
    expect(settle(busy, { waitMs: 900 }).recourse).toEqual([{ do: "retry", afterMs: 900 }]);
    expect(settle(busy, { waitMs: 100 }).recourse).toEqual([{ do: "retry", afterMs: 500 }]);
    expect(settle(fail.conflict`Taken.`.fault, { waitMs: 900 }).recourse).toEqual([{ do: "refresh" }]);
  });
});

describe("the graver effect", () => {
  it.each([
    ["none", "none", "none"],
    ["none", "possible", "possible"],
    ["applied", "possible", "applied"],
    ["possible", "applied", "applied"],
  ] as const)("of %s and %s is %s", (one, other, both) => {
    expect(graver(one, other)).toBe(both);
  });
});
