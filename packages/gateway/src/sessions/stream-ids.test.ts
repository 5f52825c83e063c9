import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BrokenCall } from "../call/call.ts";
import { createStreamIds, endedStreamId, isEndedStreamId, MAX_CALL_ID, STREAM_ID_MS } from "./stream-ids.ts";

const SECRET = Buffer.from("secret");
const ANN = { caller: { id: '["key","acme","ann"]' }, session: { nonce: "n1" } };
const CALL: BrokenCall = { id: "7", tool: "up__pay", hasOutputSchema: false, readsOnly: false, isRepeatable: false };
const NOW = 1_800_000_000_000;

const callArbitrary = fc.record({
  id: fc.oneof(
    fc.integer().map(String),
    fc.string({ unit: "binary", maxLength: 30 }).map((id) => JSON.stringify(id)),
  ),
  tool: fc.string({ unit: "binary", maxLength: 128 }),
  hasOutputSchema: fc.boolean(),
  readsOnly: fc.boolean(),
  isRepeatable: fc.boolean(),
});
const ownerArbitrary = fc.record({
  caller: fc.record({ id: fc.string({ unit: "binary" }) }),
  session: fc.record({ nonce: fc.string({ unit: "binary" }) }),
});

describe("the id of a stream", () => {
  it("says on every replica with the secret which call it answers, and fits into a header", () => {
    fc.assert(
      fc.property(ownerArbitrary, callArbitrary, (owner, call) => {
        const id = createStreamIds(SECRET).write(owner, call) ?? "";
        expect(id).toMatch(/^[\w.-]{1,2000}$/);
        expect(createStreamIds(SECRET).read(owner, id)).toEqual({
          ...call,
          tool: call.tool.isWellFormed() ? call.tool : expect.any(String),
        });
        expect(createStreamIds(Buffer.from("other")).read(owner, id)).toBeUndefined();
      }),
      { numRuns: runs(100) },
    );
  });

  it("is good for one session of one caller only", () => {
    const ids = createStreamIds(SECRET);
    fc.assert(
      fc.property(ownerArbitrary, ownerArbitrary, (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        const id = ids.write(one, CALL) ?? "";
        expect(ids.read(other, id)).toBeUndefined();
        expect(ids.read({ ...one, session: other.session }, id)).toEqual(
          one.session.nonce === other.session.nonce ? CALL : undefined,
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it("is refused where one character is changed, added or left out", () => {
    const ids = createStreamIds(SECRET);
    const id = ids.write(ANN, CALL) ?? "";
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.integer({ min: 0x21, max: 0x7e }), (at, code) => {
        const character = String.fromCharCode(code);
        const [before, after] = [id.slice(0, at), id.slice(at + 1)];
        for (const changed of [before + character + after, before + character + id.slice(at), before + after])
          if (changed !== id) expect(ids.read(ANN, changed), changed).toBeUndefined();
      }),
      { numRuns: runs(300) },
    );
  });

  it("lasts an hour", () => {
    let nowMs = NOW;
    const ids = createStreamIds(SECRET, { now: () => nowMs });
    const id = ids.write(ANN, CALL) ?? "";
    nowMs = NOW + STREAM_ID_MS - 1;
    expect(ids.read(ANN, id)).toEqual(CALL);
    nowMs = NOW + STREAM_ID_MS;
    expect(ids.read(ANN, id)).toBeUndefined();
  });

  it("is bounded: a long id of a call has none, and a long name of a tool is left out", () => {
    const ids = createStreamIds(SECRET);
    const longest = { ...CALL, id: "7".repeat(MAX_CALL_ID), tool: "\u{10ffff}".repeat(128) };
    expect(ids.read(ANN, ids.write(ANN, longest) ?? "")).toEqual(longest);
    expect(ids.write(ANN, { ...CALL, id: "7".repeat(MAX_CALL_ID + 1) })).toBeUndefined();
    const named = { ...CALL, tool: "t".repeat(257) };
    expect(ids.read(ANN, ids.write(ANN, named) ?? "")).toEqual({ ...CALL, tool: "" });
  });

  it("of the last event asks for nothing, and differs from stream to stream", () => {
    const ids = createStreamIds(SECRET);
    const [one, two] = [ids.write(ANN, CALL) ?? "", ids.write(ANN, { ...CALL, id: "8" }) ?? ""];
    expect(isEndedStreamId(endedStreamId(one))).toBe(true);
    expect(endedStreamId(one)).not.toBe(endedStreamId(two));
    expect(ids.read(ANN, endedStreamId(one))).toBeUndefined();
    for (const text of [one, "", "e1.", "e1.x", `e1.${"x".repeat(44)}`]) expect(isEndedStreamId(text)).toBe(false);
  });

  it.each(["", "c1", "c1..", "1", `c1.${"x".repeat(5_000)}.${"y".repeat(43)}`])("%j is none", (text) => {
    expect(createStreamIds(SECRET).read(ANN, text)).toBeUndefined();
  });
});
