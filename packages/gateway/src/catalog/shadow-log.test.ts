import { expect, it } from "vitest";
import type { Merged } from "./merged.ts";
import { shadowLog } from "./shadow-log.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

const listsOf = (name: string) => ({ upstream: { options: { name } } }) as UpstreamLists;

function setting() {
  const lines: unknown[] = [];
  const clock = { ms: 0 };
  const log = shadowLog({ log: (_level, _message, facts) => void lines.push(facts) }, () => clock.ms);
  const merged = (found: readonly (readonly [UpstreamLists, number, readonly string[]])[]) =>
    log({ shadowed: new Map(found.map(([lists, count, names]) => [lists, { count, names }])) } as unknown as Merged);
  return { lines, clock, merged };
}

it("writes one line for each upstream and change", () => {
  const { lines, clock, merged } = setting();
  const [crm, shop] = [listsOf("crm"), listsOf("shop")];
  const names = Array.from({ length: 100 }, (_, index) => `${index} ${"x".repeat(10_000)}`);
  merged([
    [crm, 5_000, names],
    [shop, 1, ["a"]],
  ]);
  expect(lines).toMatchObject([
    { upstream: "crm", count: 5_000 },
    { upstream: "shop", count: 1, names: ["a"] },
  ]);
  expect(JSON.stringify(lines).length).toBeLessThan(1_000);
  clock.ms = 600_000;
  merged([[shop, 1, ["a"]]]);
  expect(lines.length).toBe(2);
  merged([[shop, 2, ["a", "b"]]]);
  expect(lines[2]).toEqual({ upstream: "shop", count: 2, names: ["a", "b"] });
});

it("writes one line a minute about names that change all the time, the last of them too", () => {
  const { lines, clock, merged } = setting();
  const crm = listsOf("crm");
  for (; clock.ms < 600_000; clock.ms += 100) merged([[crm, 1, [`name ${clock.ms}`]]]);
  expect(lines.length).toBe(10);
  clock.ms += 60_000;
  merged([[crm, 1, ["last"]]]);
  expect(lines[10]).toMatchObject({ names: ["last"] });
});
