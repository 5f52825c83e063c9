import fc from "fast-check";
import { expect, it } from "vitest";
import { Gathered } from "./gathered.ts";

it("gives the bytes that came, in whatever pieces", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.nat(9_000).map((length) => new Uint8Array(length).fill(7)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const gathered = new Gathered();
      for (const one of pieces) gathered.push(Buffer.from(one));
      const all = Buffer.concat(pieces);
      expect(gathered.bytes).toBe(all.length);
      expect(gathered.take().equals(all)).toBe(true);
      expect(gathered.bytes).toBe(0);
    }),
  );
});

it("gives a single piece without a copy", () => {
  const gathered = new Gathered();
  const piece = Buffer.from("{}");
  gathered.push(piece);
  expect(gathered.take()).toBe(piece);
});

it("does not keep the reads that small pieces came in", () => {
  const gathered = new Gathered();
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < 500; at++) gathered.push(Buffer.allocUnsafeSlow(65_536).subarray(0, 2));
  globalThis.gc?.();
  expect(gathered.bytes).toBe(1_000);
  if (globalThis.gc !== undefined) expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
});
