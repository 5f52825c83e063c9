import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { tokensWith } from "./tokens.ts";

const SECRET = "a secret that only this test knows, long enough";
const NOW = Date.parse("2026-01-02T03:04:05Z");
const claims = { subject: "demo", id: "t-1", scopes: ["a:b", "c"] };

test("what was signed is read until it expires", async () => {
  const token = await tokensWith(SECRET, () => NOW).sign(claims, 60_000);
  expect(await tokensWith(SECRET, () => NOW + 59_000).read(token)).toEqual(claims);
  expect(await tokensWith(SECRET, () => NOW + 61_000).read(token)).toBeUndefined();
});

test.each(["iss", "aud", "sub", "jti", "exp"])("a token without %s is none of ours", async (missing) => {
  const payload: Record<string, unknown> = {
    iss: "recourse-reference-gtin",
    aud: "recourse-reference-gtin",
    sub: "demo",
    jti: "t-1",
    exp: NOW / 1_000 + 60,
    scope: "a",
  };
  const sign = (of: object) => new SignJWT({ ...of }).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(SECRET));
  const tokens = tokensWith(SECRET, () => NOW);
  expect(await tokens.read(await sign(payload))).toMatchObject({ subject: "demo" });
  const { [missing]: _left, ...rest } = payload;
  expect(await tokens.read(await sign(rest))).toBeUndefined();
});
