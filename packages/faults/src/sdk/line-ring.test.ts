import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../test/runs.ts";
import { lineRing } from "./line-ring.ts";

test("the last lines are kept, however they are cut into pieces", () => {
  const lines = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "é", "🙂"), minLength: 1, maxLength: 6 }));
  fc.assert(
    fc.property(lines, fc.infiniteStream(fc.integer({ min: 1, max: 7 })), (texts, sizes) => {
      const ring = lineRing({ max: 5, maxLength: 100 });
      const bytes = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(""));
      for (let at = 0; at < bytes.length; ) {
        const size = sizes.next().value ?? 1;
        ring.add(bytes.subarray(at, at + size));
        at += size;
      }
      expect(ring.lines()).toEqual(texts.slice(-5));
    }),
    { numRuns: runs() },
  );
});

test("a line without end costs no more than its limit, and the next one begins anew", () => {
  const ring = lineRing({ max: 2, maxLength: 4 });
  for (let piece = 0; piece < 100; piece += 1) ring.add("long");
  expect(ring.lines()).toEqual(["long"]);
  ring.add("\r\n\nnext line\nopen");
  expect(ring.lines()).toEqual(["next", "open"]);
});
