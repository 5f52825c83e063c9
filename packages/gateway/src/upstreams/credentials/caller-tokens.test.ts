import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CallerTokens } from "./caller-tokens.ts";
import type { TokenAnswer } from "./token-request.ts";
import type { TokenRequest } from "./token-service.ts";

const WAIT = { timeoutMs: 1_000 };

function jwt(subject: string, exp = 4_000_000_000): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "ES256" })}.${part({ sub: subject, exp })}.c2ln`;
}

function open(maxTokens: number, lifeMs = 600_000) {
  const state = { nowMs: 0, clockMs: 1_000_000_000 };
  let asked = 0;
  const keys = new Set<string>();
  const service = {
    async ask({ grant, key }: TokenRequest): Promise<TokenAnswer> {
      asked += 1;
      keys.add(key);
      const subject = grant.kind === "exchange" ? grant.subjectToken : "";
      return { outcome: "given", value: `for ${subject}`, lifeMs };
    },
  };
  const tokens = new CallerTokens({ service, maxTokens, now: () => state.nowMs, clock: () => state.clockMs });
  const fetchFor = async (tenant: string, name: string, token = jwt(name)) => {
    const caller = { id: JSON.stringify([tenant, name]), tenant };
    const got = await tokens.find({ caller, token }).get({ kind: "exchange", subjectToken: token }, WAIT);
    return typeof got === "symbol" || "outcome" in got ? undefined : got.value;
  };
  return { tokens, state, fetchFor, keys, asked: () => asked };
}

test("a token belongs to a caller and to the token that it was made from", async () => {
  const { fetchFor, asked } = open(100);
  expect(await fetchFor("a", "ada")).toBe(`for ${jwt("ada")}`);
  await fetchFor("a", "ada");
  expect(asked()).toBe(1);
  // The same token of another caller, and another token of the same caller.
  await fetchFor("b", "ada");
  expect(await fetchFor("a", "ada", jwt("ada", 4_000_000_001))).toBe(`for ${jwt("ada", 4_000_000_001)}`);
  expect(asked()).toBe(3);
});

test("all tokens of one caller are one request to the service, so that a caller alone cannot make it look away", async () => {
  const { fetchFor, keys } = open(100);
  for (const exp of [4_000_000_000, 4_000_000_001, 4_000_000_002]) await fetchFor("a", "ada", jwt("ada", exp));
  expect(keys.size).toBe(1);
  await fetchFor("a", "bob");
  await fetchFor("b", "ada");
  expect(keys.size).toBe(3);
});

test("whatever callers do, no more are kept than the bound, and nobody gets a token of another", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(3), fc.nat(9), fc.nat(2)), { maxLength: 120 }),
      fc.integer({ min: 1, max: 12 }),
      async (calls, bound) => {
        const { tokens, fetchFor } = open(bound);
        for (const [tenant, name, device] of calls) {
          const token = jwt(`${tenant}-${name}`, 4_000_000_000 + device);
          expect(await fetchFor(`t${tenant}`, `n${name}`, token)).toBe(`for ${token}`);
          expect(tokens.size).toBeLessThanOrEqual(bound);
        }
      },
    ),
    { numRuns: runs(100) },
  );
});

test("a tenant with many callers pushes out its own tokens, not those of a small one", async () => {
  const { fetchFor, asked, tokens } = open(50);
  await fetchFor("small", "ada");
  for (let at = 0; at < 500; at++) await fetchFor("large", `n${at}`);
  expect(tokens.size).toBe(50);
  const before = asked();
  await fetchFor("small", "ada");
  expect(asked()).toBe(before);
});

test("one caller with ever new tokens keeps a few", async () => {
  const { fetchFor, tokens } = open(1_000);
  for (let at = 0; at < 200; at++) await fetchFor("a", "ada", jwt("ada", 4_000_000_000 + at));
  expect(tokens.size).toBe(4);
});

test("a token ends with the one that it was made from", async () => {
  const { fetchFor, state, asked } = open(100);
  const token = jwt("ada", 1_000_000 + 30);
  await fetchFor("a", "ada", token);
  state.nowMs = 20_000;
  state.clockMs += 20_000;
  await fetchFor("a", "ada", token);
  expect(asked()).toBe(1);
  state.nowMs = 29_500;
  state.clockMs += 9_500;
  await fetchFor("a", "ada", token);
  expect(asked()).toBe(2);
});

test("what is over is swept", async () => {
  const { fetchFor, tokens, state } = open(100, 10_000);
  for (let at = 0; at < 20; at++) await fetchFor("a", `n${at}`);
  tokens.sweep();
  expect(tokens.size).toBe(20);
  state.nowMs = 10_001;
  tokens.sweep();
  expect(tokens.size).toBe(0);
});
