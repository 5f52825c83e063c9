import fc from "fast-check";
import { expect, it } from "vitest";
import { ByteCollector } from "./bytes.ts";

it("gives the bytes that came, in whatever pieces", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.nat(9_000).map((length) => new Uint8Array(length).fill(7)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const collector = new ByteCollector();
      for (const one of pieces) collector.push(Buffer.from(one));
      const all = Buffer.concat(pieces);
      expect(collector.bytes).toBe(all.length);
      expect(all.equals(collector.take())).toBe(true);
      expect(collector.bytes).toBe(0);
    }),
  );
});

it("gives a single piece without a copy", () => {
  const collector = new ByteCollector();
  const piece = Buffer.from("{}");
  collector.push(piece);
  expect(collector.take()).toBe(piece);
});

it("does not keep the reads that small pieces came in", () => {
  const collector = new ByteCollector();
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < 500; at++) collector.push(Buffer.allocUnsafeSlow(65_536).subarray(0, 2));
  globalThis.gc?.();
  expect(collector.bytes).toBe(1_000);
  if (globalThis.gc !== undefined) expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
});
