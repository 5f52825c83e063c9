import { describe, expect, it } from "vitest";
import { formatId, ID, randomBytes } from "./ids.ts";

const ZEROS = new Uint8Array(16);
const counting = Uint8Array.from({ length: 16 }, (_, index) => index);

describe("formatId", () => {
  it.each([
    [0, "0000000000"],
    [1, "0000000001"],
    [31, "000000000Z"],
    [32, "0000000010"],
    [1_469_918_176_385, "01ARYZ6S41"],
    [2 ** 48 - 1, "7ZZZZZZZZZ"],
    [2 ** 48, "7ZZZZZZZZZ"],
    [Number.POSITIVE_INFINITY, "7ZZZZZZZZZ"],
    [-1, "0000000000"],
    [31.9, "000000000Z"],
    [Number.NaN, "0000000000"],
  ])("writes the time %d as %s", (time, head) => {
    expect(formatId(time, ZEROS)).toBe(`${head}0000000000000000`);
  });

  it("writes five bits of each of sixteen bytes", () => {
    expect(formatId(0, counting)).toBe("00000000000123456789ABCDEF");
    expect(
      formatId(
        0,
        Uint8Array.from(counting, (byte) => byte + 16),
      ),
    ).toBe("0000000000GHJKMNPQRSTVWXYZ");
    expect(
      formatId(
        0,
        Uint8Array.from(counting, (byte) => byte + 32),
      ),
    ).toBe("00000000000123456789ABCDEF");
    expect(formatId(0, new Uint8Array(20).fill(31))).toBe("0000000000ZZZZZZZZZZZZZZZZ");
  });

  it("counts missing bytes as zero", () => {
    expect(formatId(0, Uint8Array.of(1))).toBe("00000000001000000000000000");
  });
});

describe("ID", () => {
  it.each(["00000000000000000000000000", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", formatId(1_700_000_000_000, counting)])(
    "takes %s",
    (id) => {
      expect(ID.test(id)).toBe(true);
    },
  );
  it.each([
    "",
    "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "0000000000000000000000000",
    "000000000000000000000000000",
    "0000000000000000000000000I",
    "0000000000000000000000000L",
    "0000000000000000000000000O",
    "0000000000000000000000000U",
    "0000000000000000000000000a",
    " 00000000000000000000000000",
    "00000000000000000000000000\n",
  ])("refuses %j", (id) => {
    expect(ID.test(id)).toBe(false);
  });
});

it("returns 16 new bytes each time, beyond the end of a block", () => {
  const all = Array.from({ length: 600 }, randomBytes);
  expect(all.every((bytes) => bytes.length === 16)).toBe(true);
  expect(new Set(all.map(String)).size).toBe(600);
  const first = String(all[0]);
  all[1]?.fill(0);
  expect(String(all[0])).toBe(first);
});
