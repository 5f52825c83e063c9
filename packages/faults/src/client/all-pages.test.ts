import { expect, it } from "vitest";
import { rate_limited } from "../reasons/library/core.ts";
import { allPages } from "./all-pages.ts";
import type { Outcome } from "./outcome.ts";

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

const toolsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `tool ${at}` }));

it.each([10_001, 150_000])("takes a list of %i tools for a broken one, in one page or several", async (count) => {
  const all = toolsOf(count);
  const broken = { ok: false, fault: { reason: "protocol/invalid_result", effect: "none" } };
  expect(await allPages(async () => ({ ok: true, result: { tools: all } }))).toMatchObject(broken);
  let asked = 0;
  const paged = await allPages(async (cursor = "0") => {
    asked += 1;
    const end = Number(cursor) + 4_000;
    return { ok: true, result: { tools: all.slice(Number(cursor), end), nextCursor: String(end) } };
  });
  expect(paged).toMatchObject(broken);
  expect(asked).toBe(3);
});

it("reads a list of 10,000 tools", async () => {
  const outcome = await allPages(async () => ({ ok: true, result: { tools: toolsOf(10_000) } }));
  expect(outcome.ok && outcome.result).toHaveLength(10_000);
});
