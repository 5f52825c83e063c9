import { expectCost } from "@recourse/test-kit/yardstick";
import { describe, expect, it } from "vitest";
import { callerOf } from "../../test/catalog/support/calls.ts";
import { compileUriTemplate, type MergedLists, mergeLists, shadowLog } from "./merged.ts";
import { readEntry } from "./read-list.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import { View } from "./view.ts";
import { createVisibility } from "./visibility.ts";

describe("merged", () => {
  const visibility = createVisibility([]);
  const approvals = { needs: () => false, denies: () => false };

  function listsOf(name: string, prefix: string, tools: readonly string[]): UpstreamLists {
    const entries = tools.flatMap((tool) => {
      const text = JSON.stringify({ name: tool, inputSchema: { type: "object" } });
      return readEntry("tools/list", Buffer.from(text), prefix) ?? [];
    });
    const lists = { "tools/list": entries, "prompts/list": [], "resources/list": [], "resources/templates/list": [] };
    return { upstream: { options: { name, prefix } }, lists } as unknown as UpstreamLists;
  }

  it("gives a name to the upstream with the longest prefix, whether or not that one has listed it", () => {
    const main = listsOf("main", "", ["shop__refund", "shop__old", "look"]);
    const shop = listsOf("shop", "shop__", ["refund"]);
    const { entries, shadowed } = mergeLists([main, shop], { visibility, approvals });
    expect([...entries["tools/list"]].map(([name, { lists }]) => [name, lists])).toEqual([
      ["look", main],
      ["shop__refund", shop],
    ]);
    expect([...shadowed]).toEqual([[main, { count: 2, names: ["shop__refund", "shop__old"] }]]);
  });

  it("keeps the first hundred names that are left out, and counts all", () => {
    const names = Array.from({ length: 500 }, (_, index) => `tool${index}`);
    const [one, other] = [listsOf("one", "", names), listsOf("other", "", names)];
    const { shadowed } = mergeLists([one, other], { visibility, approvals });
    expect(shadowed.get(other)).toEqual({ count: 500, names: names.slice(0, 100) });
  });

  it("keeps what the last callers see, not what each has ever seen", () => {
    const merged = mergeLists([listsOf("one", "", ["a", "b"])], { visibility, approvals });
    for (let index = 0; index < 1_000; index++) {
      const view = new View(merged, callerOf({ id: `caller ${index}`, tools: ["a"] }), visibility);
      expect(view.listEntries("tools/list").map(({ entry }) => entry.key)).toEqual(["a"]);
      expect(view.listEntries("tools/list")).toBe(view.listEntries("tools/list"));
    }
    expect(merged.seen.size).toBe(256);
  });
});

it.each([
  ["test://item/{id}/data", "test://item/7/data", true],
  ["test://item/{id}/data", "test://item/7", false],
  ["file:///{+path}", "file:///a/b/c.txt", true],
  ["file:///fixed", "file:///fixed", true],
  ["file:///fixed", "file:///fixed2", false],
  ["db://{table}/{row}{?fields*}", "db://users/1?fields=a", true],
  ["db://{table}/{row}", "db://users", false],
  ["glob://*/{id}", "glob://*/1", true],
  ["glob://*/{id}", "glob://x/1", false],
])("%s on %s: %s", (template, uri, expected) => {
  expect(compileUriTemplate(template)(uri)).toBe(expected);
});

it("stays fast for templates with many expressions and long URIs", async () => {
  const test = compileUriTemplate(`x://${"{a}b".repeat(200)}!`);
  const uri = `x://${"b".repeat(200_000)}`;
  expect(test(uri)).toBe(false);
  await expectCost({ work: () => test(uri), yardstick: () => encodeURI(uri), atMost: 10 });
});

describe("shadow log", () => {
  const listsOf = (name: string) => ({ upstream: { options: { name } } }) as UpstreamLists;

  function setting() {
    const lines: unknown[] = [];
    const clock = { ms: 0 };
    const log = shadowLog({ log: (_level, _message, facts) => void lines.push(facts) }, () => clock.ms);
    const merged = (found: readonly (readonly [UpstreamLists, number, readonly string[]])[]) =>
      log({
        shadowed: new Map(found.map(([lists, count, names]) => [lists, { count, names }])),
      } as unknown as MergedLists);
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
});
