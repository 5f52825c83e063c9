import { constants, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { MAX_LINK, packText, unpackText } from "./share-link.ts";

const link = (bytes: Uint8Array) => `#z=${Buffer.from(bytes).toString("base64url")}`;

test("a text comes back from its link as it was", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 2_000 }), async (text) => {
      const packed = await packText(text);
      expect(packed).toMatch(/^#z=[\w-]+$/);
      expect(await unpackText(packed ?? "")).toEqual({ text: text.toWellFormed() });
    }),
  );
});

test("a text that begins with a byte order mark keeps it", async () => {
  expect(await unpackText((await packText("\ufeffa")) ?? "")).toEqual({ text: "\ufeffa" });
});

it("makes no link that is longer than 8 kB", async () => {
  const random = Array.from({ length: 9_000 }, (_, at) => String.fromCharCode(33 + ((at * at * 31 + at * 7) % 94)));
  for (let length = 5_000; length <= 9_000; length += 500) {
    const packed = await packText(random.slice(0, length).join(""));
    expect(packed === undefined || packed.length <= MAX_LINK).toBe(true);
  }
  const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(9_000))).toString("latin1");
  expect(await packText(noise)).toBeUndefined();
  expect(await packText("x".repeat(1_000_001))).toBeUndefined();
});

describe("a link that is not one of ours", () => {
  const damaged = expect.stringContaining("The link is damaged");

  it.each([
    ["no text", "#z="],
    ["other characters", "#z=%3Cscript%3E"],
    ["a length that base64 does not have", "#z=abcde"],
    ["bytes that are not deflated", link(Buffer.from("plain"))],
    ["a stream without its end", link(deflateRawSync("a text that was cut, a text that was cut").subarray(0, 12))],
    ["bytes behind the end", link(Buffer.concat([deflateRawSync("text"), Buffer.from("more")]))],
    ["bytes that are not UTF-8", link(deflateRawSync(Buffer.from([0xff, 0xfe, 0x41])))],
  ])("%s: it says so", async (_what, fragment) => {
    expect(await unpackText(fragment)).toEqual({ problem: damaged });
  });

  it.each(["", "#", "#what-to-do", "z=abc"])("%j is an anchor of the page", async (fragment) => {
    expect(await unpackText(fragment)).toBeUndefined();
  });

  it("stops before it has inflated a bomb", async () => {
    // Of 300 MB of zeros, 300 kB are left: far more than a link that we make, and less than what browsers open.
    const part = deflateRawSync(Buffer.alloc(3_000_000), { finishFlush: constants.Z_FULL_FLUSH });
    const bomb = link(Buffer.concat([...Array.from({ length: 100 }, () => part), deflateRawSync("")]));
    const before = process.memoryUsage.rss();
    expect(await unpackText(bomb)).toEqual({ problem: expect.stringContaining("longer than 1 MB") });
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
  });
});
