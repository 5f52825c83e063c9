import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256Hex } from "../call/binding.ts";
import { createApiKey, readKeyPrefix } from "./api-keys.ts";

test("a key is its prefix and 32 random bytes, and only its digest is to be stored", () => {
  const minted = createApiKey();
  expect(minted.key).toMatch(/^rk_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/);
  expect(minted.key.split("_")[1]).toBe(minted.prefix);
  expect(Buffer.from(minted.key.slice(12), "base64url")).toHaveLength(32);
  expect(minted.sha256).toBe(createHash("sha256").update(minted.key).digest("hex"));
  expect(createApiKey().key).not.toBe(minted.key);
});

test("the bytes come from the given source", () => {
  expect(createApiKey((size) => Buffer.alloc(size, 0xab))).toMatchObject({
    key: "rk_abababab_q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s",
    prefix: "abababab",
  });
});

test.each([
  ["rk_abababab_q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s", "abababab"],
  ["rk_ABABABAB_q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s", undefined],
  ["rk_abababab_short", undefined],
  ["sk-live-something", undefined],
  ["", undefined],
])("prefix of %s", (text, prefix) => {
  expect(readKeyPrefix(text)).toBe(prefix);
});

test("the digest is SHA-256 in hex", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
