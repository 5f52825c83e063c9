import { expect, it } from "vitest";
import { callerOf } from "../../test/catalog/support/calls.ts";
import { readEntry } from "./entry.ts";
import { mergeLists, View } from "./merged.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import { createVisibility } from "./visibility.ts";

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
    expect(view.entriesOf("tools/list").map(({ entry }) => entry.key)).toEqual(["a"]);
    expect(view.entriesOf("tools/list")).toBe(view.entriesOf("tools/list"));
  }
  expect(merged.seen.size).toBe(256);
});
