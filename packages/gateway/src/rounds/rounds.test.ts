import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRounds, isHeldState, ROUND_MS, type RoundFacts } from "./rounds.ts";

const SECRET = Buffer.from("secret");
const DIGEST = "00".repeat(32);
const FACTS: RoundFacts = { caller: "c", upstream: "u", method: "tools/call", params: () => DIGEST, key: undefined };

describe("a round", () => {
  it("is found on every replica with the secret, with the state as it was", () => {
    fc.assert(
      fc.property(fc.option(fc.string({ unit: "binary" }), { nil: undefined }), (state) => {
        const sent = createRounds(SECRET).open(FACTS, state);
        expect(createRounds(SECRET).find(FACTS, sent)).toEqual({ state });
        expect(createRounds(Buffer.from("other")).find(FACTS, sent)).toBeUndefined();
      }),
      { numRuns: runs(50) },
    );
  });

  it.each(["caller", "upstream", "method", "key", "params"] as const)("is not found with another %s", (name) => {
    const rounds = createRounds(SECRET);
    const sent = rounds.open(FACTS, "s");
    const other = name === "params" ? () => "11".repeat(32) : "other";
    expect(rounds.find({ ...FACTS, [name]: other }, sent)).toBeUndefined();
  });

  it("looks at the params only where it is one of ours", () => {
    const rounds = createRounds(SECRET);
    const sent = rounds.open(FACTS, "s");
    let asked = 0;
    const params = () => {
      asked += 1;
      return DIGEST;
    };
    for (const forged of ["", sent.replace(".s", ".t"), createRounds(Buffer.from("other")).open(FACTS, "s")]) {
      expect(rounds.find({ ...FACTS, params }, forged)).toBeUndefined();
    }
    expect(rounds.find({ ...FACTS, caller: "d", params }, sent)).toBeUndefined();
    expect(asked).toBe(0);
    expect(rounds.find({ ...FACTS, params }, sent)).toEqual({ state: "s" });
    expect(asked).toBe(1);
  });

  it("is not found where a character was changed, added or left out", () => {
    const rounds = createRounds(SECRET);
    const sent = rounds.open(FACTS, "s.1");
    for (let at = 0; at < sent.length; at++) {
      const [before, after] = [sent.slice(0, at), sent.slice(at + 1)];
      for (const changed of [before + after, `${before}0${sent.slice(at)}`, `${before}~${after}`]) {
        if (changed !== sent) expect(rounds.find(FACTS, changed), changed).toBeUndefined();
      }
    }
    expect(rounds.find(FACTS, rounds.open(FACTS, undefined).replace("r1.0", "r1.1"))).toBeUndefined();
  });

  it("ends", () => {
    let nowMs = 1_000_000;
    const rounds = createRounds(SECRET, { now: () => nowMs });
    const sent = rounds.open(FACTS, "s");
    nowMs += ROUND_MS - 1;
    expect(rounds.find(FACTS, sent)).toEqual({ state: "s" });
    nowMs += 1_001;
    expect(rounds.find(FACTS, sent)).toBeUndefined();
  });
});

describe("the state of a held call", () => {
  const PLACE = { replica: "r0", held: "A_b-9" };

  it("is found on every replica with the secret", () => {
    const sent = createRounds(SECRET).openHeld(FACTS, PLACE);
    expect(isHeldState(sent)).toBe(true);
    expect(createRounds(SECRET).findHeld(FACTS, sent)).toEqual(PLACE);
    expect(createRounds(Buffer.from("other")).findHeld(FACTS, sent)).toBeUndefined();
  });

  it.each(["caller", "upstream", "method", "key", "params"] as const)("is not found with another %s", (name) => {
    const rounds = createRounds(SECRET);
    const sent = rounds.openHeld(FACTS, PLACE);
    const other = name === "params" ? () => "11".repeat(32) : "other";
    expect(rounds.findHeld({ ...FACTS, [name]: other }, sent)).toBeUndefined();
  });

  it("is not found where a character was changed, added or left out", () => {
    const rounds = createRounds(SECRET);
    const sent = rounds.openHeld(FACTS, PLACE);
    for (let at = 0; at < sent.length; at++) {
      const [before, after] = [sent.slice(0, at), sent.slice(at + 1)];
      for (const changed of [
        before + after,
        `${before}0${sent.slice(at)}`,
        `${before}~${after}`,
        `${before}1${after}`,
      ]) {
        if (changed !== sent) expect(rounds.findHeld(FACTS, changed), changed).toBeUndefined();
      }
    }
  });

  it("is never taken for one with the state of an upstream, nor the other way round", () => {
    const rounds = createRounds(SECRET);
    const held = rounds.openHeld(FACTS, PLACE);
    const wrapped = rounds.open(FACTS, held);
    expect(isHeldState(wrapped)).toBe(false);
    expect(rounds.findHeld(FACTS, wrapped)).toBeUndefined();
    expect(rounds.find(FACTS, held)).toBeUndefined();
    expect(rounds.find(FACTS, wrapped)).toEqual({ state: held });
  });

  it("ends", () => {
    let nowMs = 1_000_000;
    const rounds = createRounds(SECRET, { now: () => nowMs });
    const sent = rounds.openHeld(FACTS, PLACE);
    nowMs += ROUND_MS - 1;
    expect(rounds.findHeld(FACTS, sent)).toEqual(PLACE);
    nowMs += 1_001;
    expect(rounds.findHeld(FACTS, sent)).toBeUndefined();
  });
});
