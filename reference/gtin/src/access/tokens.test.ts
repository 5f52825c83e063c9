import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { createTokens } from "./tokens.ts";

const SECRET = "a secret that only this test knows, long enough";
const NOW = Date.parse("2026-01-02T03:04:05Z");
const claims = { subject: "demo", id: "t-1", scopes: ["a:b", "c"] };

test("a signed token is read until it expires", async () => {
  const token = await createTokens(SECRET, () => NOW).sign(claims, 60_000);
  expect(await createTokens(SECRET, () => NOW + 59_000).read(token)).toEqual(claims);
  expect(await createTokens(SECRET, () => NOW + 61_000).read(token)).toBeUndefined();
});

test.each(["iss", "aud", "sub", "jti", "exp"])("a token without %s is refused", async (missing) => {
  const payload: Record<string, unknown> = {
    iss: "recourse-reference-gtin",
    aud: "recourse-reference-gtin",
    sub: "demo",
    jti: "t-1",
    exp: NOW / 1_000 + 60,
    scope: "a",
  };
  const sign = (of: object) => new SignJWT({ ...of }).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(SECRET));
  const tokens = createTokens(SECRET, () => NOW);
  expect(await tokens.read(await sign(payload))).toMatchObject({ subject: "demo" });
  const { [missing]: _left, ...rest } = payload;
  expect(await tokens.read(await sign(rest))).toBeUndefined();
});
