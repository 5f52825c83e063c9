import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/runs.ts";
import { readText } from "../../safety/read-text.ts";
import { boundedText } from "./bounded-text.ts";

test("the text is the beginning of all that came, up to the limit", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.nat(64), (texts, limit) => {
      const kept = boundedText(limit);
      const bytes = texts.map((text) => new TextEncoder().encode(text));
      for (const one of bytes) kept.add(one);
      const all = bytes.flatMap((one) => [...one]);
      expect(kept.text()).toBe(readText(new Uint8Array(all.slice(0, limit)), { cut: true }));
      expect(kept.isFull()).toBe(all.length >= limit);
    }),
    { numRuns: runs(300) },
  );
});

test("bytes that are given away later are still known", () => {
  const kept = boundedText(8);
  const bytes = new TextEncoder().encode("kept");
  kept.add(bytes);
  bytes.fill(0);
  expect(kept.text()).toBe("kept");
});

test("bytes that are not text give no text", () => {
  const kept = boundedText(64);
  kept.add(new Uint8Array(Buffer.from("hunter2", "utf16le")));
  expect(kept.text()).toBeUndefined();
});
