import { expect, it } from "vitest";
import { rate_limited } from "../reasons/library/core.ts";
import type { Outcome } from "./outcome.ts";
import { allPages } from "./recourse.ts";

it("follows the pages to the end", async () => {
  const asked: unknown[] = [];
  const outcome = await allPages(async (cursor) => {
    asked.push(cursor);
    const more = cursor === undefined ? { nextCursor: "2" } : {};
    return { ok: true, result: { tools: [{ name: `tool ${asked.length}` }], ...more } };
  });
  expect(outcome).toEqual({ ok: true, result: [{ name: "tool 1" }, { name: "tool 2" }] });
  expect(asked).toEqual([undefined, "2"]);
});

it("ends with the first page that fails", async () => {
  const failed: Outcome<unknown> = { ok: false, fault: rate_limited.fault() };
  const pages: Outcome<unknown>[] = [{ ok: true, result: { tools: [], nextCursor: "2" } }, failed];
  expect(await allPages(async () => pages.shift() ?? expect.fail("asked once more"))).toBe(failed);
});

it("does not follow a list that goes round in circles", async () => {
  let asked = 0;
  const outcome = await allPages(async () => {
    asked += 1;
    return { ok: true, result: { nextCursor: "again" } };
  });
  expect(outcome).toMatchObject({ ok: false, fault: { reason: "protocol/invalid_result", effect: "none" } });
  expect(asked).toBe(100);
});
