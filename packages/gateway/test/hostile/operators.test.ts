// Wrong keys on the API for operators, from the address that operators come from too: that of their proxy.
import { beforeEach, expect, it } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { ask, startTestAdmin } from "../admin/support.ts";
import { holdTime } from "../support/held-time.ts";

// No allowance of guesses grows.
beforeEach(holdTime);

it("no number of wrong keys keeps the right one out", async () => {
  const { url } = await startTestAdmin();
  const wrong: number[] = [];
  const right: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const guesses = Array.from({ length: 5 }, (_, index) => ask(url, "/health", { key: `guess-${turn}-${index}` }));
    wrong.push(...(await Promise.all(guesses)).map(({ status }) => status));
    right.push((await ask(url, "/health")).status);
  }
  expect(right).toEqual(Array(40).fill(200));
  expect(wrong.filter((status) => status === 401).length).toBeLessThan(60);
  expect(new Set(wrong)).toEqual(new Set([401, 429]));
});

it("wrong keys of one prefix do not slow down those of another, such as a mistyped one", async () => {
  const { url } = await startTestAdmin();
  const { key } = createApiKey();
  const guess = () => `${key.slice(0, 12)}${createApiKey().key.slice(12)}`;
  const statuses = await Promise.all(Array.from({ length: 60 }, () => ask(url, "/health", { key: guess() })));
  expect(statuses.map(({ status }) => status)).toContain(429);
  expect((await ask(url, "/health", { key: createApiKey().key })).status).toBe(401);
});
