import { describe, expect, it, test } from "vitest";
import type { Hit, LimitRefusal } from "../../api/types.ts";
import { callerParts, listLimits, rankCallers, rateWords } from "./rank.ts";

const SYNC = '["key","globex","nightly-sync"]';
const AGENT = '["key","acme","agent-eu"]';
const refusals: readonly LimitRefusal[] = [
  { caller: SYNC, policy: "tenant", refused: 40, calls: 9_000, last: "2026-11-16T14:00:00.000Z" },
  {
    ...{ caller: SYNC, policy: "key", rate: { perSecond: 20, burst: 40 }, refused: 1_800, calls: 9_000, incidents: 12 },
    last: "2026-11-16T14:30:00.000Z",
  },
  { policy: "address", refused: 7, last: "2026-11-16T14:30:00.000Z" },
];
const hits: readonly Hit[] = [
  { group: AGENT, count: 164, last: "2026-11-16T14:31:00.000Z" },
  { group: SYNC, count: 13, last: "2026-11-16T14:10:00.000Z" },
];

describe("callers", () => {
  it("are one row each, whatever refused them", () => {
    expect(rankCallers({ refusals, hits }, "refused")).toEqual([
      {
        ...{
          caller: SYNC,
          tenant: "globex",
          refused: 1_840,
          incidents: 13,
          calls: 9_000,
          last: "2026-11-16T14:30:00.000Z",
        },
        limits: [
          { policy: "key", rate: { perSecond: 20, burst: 40 }, refused: 1_800 },
          { policy: "tenant", refused: 40 },
        ],
      },
      {
        ...{ caller: AGENT, tenant: "acme", refused: 0, incidents: 164, calls: undefined, limits: [] },
        last: "2026-11-16T14:31:00.000Z",
      },
    ]);
  });
  it("are ranked by incidents", () => {
    expect(rankCallers({ refusals, hits }, "incidents").map(({ caller }) => caller)).toEqual([AGENT, SYNC]);
  });
  it("that were refused equally often are ranked by incidents", () => {
    const more = [...hits, { group: '["key","acme","ci"]', count: 200, last: "2026-11-16T14:31:00.000Z" }];
    const ranked = rankCallers({ refusals, hits: more }, "refused");
    expect(ranked.map(({ caller }) => caller)).toEqual([SYNC, '["key","acme","ci"]', AGENT]);
  });
  it("are ranked by calls, those that are not known last", () => {
    expect(rankCallers({ refusals, hits }, "calls").map(({ caller }) => caller)).toEqual([SYNC, AGENT]);
  });
});

test.each([
  [AGENT, { issuer: "key", tenant: "acme", subject: "agent-eu" }],
  ["sha256:5f2c", undefined],
  ['["key","acme"]', undefined],
  ['["key","acme",7]', undefined],
  ["{}", undefined],
])("the parts of %s", (caller, parts) => {
  expect(callerParts(caller)).toEqual(parts);
});

test.each([
  [{ perSecond: 20, burst: 40 }, "20 a second, 40 at once"],
  [{ perSecond: 0.5, burst: 1 }, "30 a minute, 1 at once"],
  [{ perSecond: 1 / 360, burst: 5 }, "10 an hour, 5 at once"],
])("%j is %s", (rate, words) => {
  expect(rateWords(rate)).toBe(words);
});

it("lists the limits in force", () => {
  const rate = { perSecond: 1, burst: 1 };
  expect(
    listLimits({ mode: "leased", isAway: false, away: "open", tenant: rate, tools: [{ pattern: "shop__*", rate }] }),
  ).toEqual([
    { name: "each tenant", rate },
    { name: "shop__*", rate },
  ]);
});
