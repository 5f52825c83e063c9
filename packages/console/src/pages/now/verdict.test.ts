import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Change, IncidentClass, Overview, Upstream } from "../../api/types.ts";
import { findOnset } from "./onset.ts";
import { overviewRange, rangeInAddress, rangeReaching } from "./ranges.ts";
import { type NowVerdict, verdict } from "./verdict.ts";

const AS_OF = "2026-11-16T14:32:08.000Z";
const NOW_MS = Date.parse(AS_OF);
const SINCE = "2026-11-16T13:33:00.000Z";
const minutesAgo = (minutes: number) => new Date(NOW_MS - minutes * 60_000).toISOString();

/** Sixty counts: `before` in each of the first 45 minutes, from 14:18 on `after`. */
const rising = (before: number, after: number) => Array.from({ length: 60 }, (_, at) => (at < 45 ? before : after));
const flat = (value: number) => Array.from({ length: 60 }, () => value);

const upstream = (name: string, changes: Partial<Upstream> = {}): Upstream => ({
  ...{ upstream: name, listed: "current", tools: 3, shadowed: [], requests: 0, failures: 0, kind: "http" },
  breaker: "closed",
  ...changes,
});
const open = (name: string, changes: Partial<Upstream> = {}) =>
  upstream(name, { breaker: "open", afterMs: 12_000, breakerSince: minutesAgo(13), ...changes });
const cause = (changes: Partial<IncidentClass> = {}): IncidentClass => ({
  ...{ fingerprint: "aaaaaaaa", reason: "core/timeout", kind: "timeout", title: "Took too long", severity: "error" },
  ...{ tool: "crm__search", upstream: "crm", message: "It did not answer in time.", count: 3 },
  ...{ firstSeen: minutesAgo(9_000), lastSeen: minutesAgo(1) },
  ...changes,
});
const lost = (changes: Partial<IncidentClass> = {}) =>
  cause({
    ...{ fingerprint: "bbbbbbbb", title: "Connection lost", tool: "shop__refund", upstream: "shop", count: 212 },
    firstSeen: minutesAgo(14),
    ...changes,
  });
const change = (changes: Partial<Change> = {}): Change => ({
  ...{
    id: "e1",
    at: "2026-11-16T14:16:08.000Z",
    kind: "config",
    what: "taken-over",
    target: "gateway.yaml",
    facts: {},
  },
  ...changes,
});

interface Evening {
  readonly range?: Pick<Overview, "since" | "step">;
  readonly parts?: Partial<Record<"database" | "limits" | "approvals" | "breakers" | "incidents", "away">>;
  readonly why?: readonly { part: string; since: string; text: string }[];
  readonly upstreams?: readonly Upstream[];
  readonly shop?: { readonly total: readonly number[]; readonly operator: readonly number[] };
  readonly refused?: number;
  readonly items?: readonly IncidentClass[];
  readonly incidents?: number;
  readonly classes?: number;
  readonly last?: IncidentClass;
  readonly groups?: readonly { readonly group: string; readonly counts: readonly number[] }[];
  readonly changes?: readonly Change[];
  readonly faults?: readonly (keyof Overview)[];
  /** How many of the 1,000 calls failed for reasons of the operator. @default 0 */
  readonly failed?: number;
}

function overview(evening: Evening): Overview {
  const { items = [], incidents = items.reduce((all, { count }) => all + count, 0), classes = items.length } = evening;
  const range = evening.range ?? { since: SINCE, step: "minute" as const };
  const there = <T>(value: T) => ({ asOf: AS_OF, value });
  const works = {
    database: "works",
    limits: "works",
    approvals: "works",
    breakers: "works",
    incidents: "works",
  } as const;
  const whole: Overview = {
    asOf: AS_OF,
    ...range,
    health: there({
      ...{ status: "ok", name: "edge", version: "0.1.0", startedAt: SINCE, requests: 1, failures: 0, store: "shared" },
      parts: { ...works, ...evening.parts },
      why: [...(evening.why ?? [])],
      incidents: { waiting: 0, dropped: 0 },
    } as const),
    calls: there({
      ...{ total: 1_000, callers: 3, before: { total: 900, operator: 1 } },
      byOutcome: { ok: 900, caller: evening.refused ?? 0, refused: 0, operator: evening.failed ?? 0 },
      upstreams: evening.shop
        ? [{ upstream: "shop", total: [...evening.shop.total], operator: [...evening.shop.operator] }]
        : [],
    }),
    series: there({
      ...{ since: range.since, step: range.step, length: 60 },
      groups: (evening.groups ?? []).map(({ group, counts }) => ({ group, total: 1, counts: [...counts] })),
      other: { groups: 0, total: 0, counts: flat(0) },
    }),
    classes: there({
      ...{ items: [...items], incidents, classes },
      ...(evening.last && { last: evening.last }),
    }),
    hits: there({ tenants: [], callers: [], tenantCount: 0, callerCount: 0 }),
    upstreams: there([...(evening.upstreams ?? [])]),
    approvals: there({ pending: 0, items: [] }),
    refusals: there([]),
    changes: there([...(evening.changes ?? [])]),
  };
  const fault = { asOf: AS_OF, fault: { kind: "unavailable", reason: "core/unavailable", message: "No answer" } };
  return { ...whole, ...Object.fromEntries((evening.faults ?? []).map((name) => [name, fault])) };
}

const OUTAGE = { total: flat(50), operator: rising(0, 19) };
const BAD_SHOP = { upstreams: [open("shop")], shop: OUTAGE };
const many = { recent: { calls: 100, faults: 10 } };
const HOURS = { since: "2026-11-15T14:00:00.000Z", step: "hour" } as const;

type Row = readonly [what: string, evening: Evening, expected: readonly [NowVerdict["tone"], string, string, string]];

const ROWS: readonly Row[] = [
  // Rule 1
  [
    "the database, with the gateway's own words",
    {
      parts: { database: "away" },
      why: [{ part: "database", since: minutesAgo(1), text: "incidents wait in memory" }],
    },
    ["bad", "The database is down.", "Calls go on; incidents wait in memory. Since 14:31.", ""],
  ],
  [
    "the database, noticed by what uses it",
    { parts: { database: "away" }, why: [{ part: "incidents", since: minutesAgo(1), text: "Calls go on." }] },
    ["bad", "The database is down.", "Calls go on. Since 14:31.", ""],
  ],
  [
    "the database, without a reason",
    { parts: { database: "away", incidents: "away" } },
    ["bad", "The database is down.", "Calls go on; incidents are kept in memory meanwhile.", ""],
  ],
  [
    "limits whose calls are refused: calls do not go on",
    { parts: { limits: "away" }, why: [{ part: "limits", since: minutesAgo(2), text: "calls are refused" }] },
    ["bad", "The store of limits is down.", "Calls are refused. Since 14:30.", ""],
  ],
  [
    "approvals",
    { parts: { approvals: "away" } },
    ["bad", "The store of approvals is down.", "Calls that need an approval are refused.", ""],
  ],
  [
    "breakers",
    { parts: { breakers: "away" } },
    ["bad", "The store of breakers is down.", "Calls go on; each process counts for itself.", ""],
  ],
  [
    "incidents, since another day",
    { parts: { incidents: "away" }, why: [{ part: "incidents", since: minutesAgo(1_440), text: "" }] },
    [
      "bad",
      "The store of incidents is down.",
      "Calls go on; incidents are kept in memory. Since 15 Nov 2026, 14:32.",
      "",
    ],
  ],
  [
    "a part and an upstream: the part first",
    { parts: { limits: "away" }, ...BAD_SHOP },
    [
      "bad",
      "The store of limits is down.",
      "Calls are counted by the rule of the file for it.",
      "shop is failing as well.",
    ],
  ],
  // Rule 2
  [
    "an open breaker",
    BAD_SHOP,
    [
      "bad",
      "shop is failing.",
      "Since 14:18, 38 % of its calls end in a fault. Its breaker is open and tries again in 12 s.",
      "",
    ],
  ],
  [
    "an open breaker after a change, among other causes",
    { ...BAD_SHOP, changes: [change()], items: [lost(), cause()], classes: 4 },
    [
      "bad",
      "shop is failing.",
      "Since 14:18, 38 % of its calls end in a fault. Its breaker is open and tries again in 12 s.",
      "It began 2 minutes after a change of the configuration. 3 smaller causes go on as usual.",
    ],
  ],
  [
    "one smaller cause",
    { ...BAD_SHOP, items: [lost(), cause()] },
    [
      "bad",
      "shop is failing.",
      "Since 14:18, 38 % of its calls end in a fault. Its breaker is open and tries again in 12 s.",
      "1 smaller cause goes on as usual.",
    ],
  ],
  [
    "a new cause of another upstream does not go on as usual",
    { ...BAD_SHOP, items: [lost(), cause({ firstSeen: minutesAgo(5) })] },
    [
      "bad",
      "shop is failing.",
      "Since 14:18, 38 % of its calls end in a fault. Its breaker is open and tries again in 12 s.",
      "",
    ],
  ],
  [
    "a probe that is due",
    { upstreams: [open("shop", { afterMs: 0 })], shop: OUTAGE },
    [
      "bad",
      "shop is failing.",
      "Since 14:18, 38 % of its calls end in a fault. Its breaker is open and tries again now.",
      "",
    ],
  ],
  [
    "an open breaker without a time",
    { upstreams: [upstream("shop", { breaker: "open" })], shop: OUTAGE },
    ["bad", "shop is failing.", "Since 14:18, 38 % of its calls end in a fault. Its breaker is open.", ""],
  ],
  [
    "a half-open breaker",
    { upstreams: [open("shop", { breaker: "half-open" })], shop: OUTAGE },
    [
      "bad",
      "shop is failing.",
      "Since 14:18, 38 % of its calls end in a fault. Its breaker lets single calls through.",
      "",
    ],
  ],
  [
    "no counts: the time of the breaker",
    { upstreams: [open("shop")] },
    [
      "bad",
      "shop is failing.",
      "Since 14:19, its calls are held back. Its breaker is open and tries again in 12 s.",
      "",
    ],
  ],
  [
    "no counts, but those of the last minutes",
    { upstreams: [open("shop", { recent: { calls: 200, faults: 50 } })] },
    [
      "bad",
      "shop is failing.",
      "Since 14:19, 25 % of its calls end in a fault. Its breaker is open and tries again in 12 s.",
      "",
    ],
  ],
  [
    "nothing but the breaker",
    { upstreams: [upstream("shop", { breaker: "open" })] },
    ["bad", "shop is failing.", "Its breaker is open.", ""],
  ],
  [
    "an outage that is older than the range",
    { upstreams: [open("shop")], shop: { total: flat(50), operator: flat(25) }, changes: [change()] },
    [
      "bad",
      "shop is failing.",
      "Since 13:33 or earlier, 50 % of its calls end in a fault. Its breaker is open and tries again in 12 s.",
      "",
    ],
  ],
  [
    "counts by the hour tell no minute",
    { ...BAD_SHOP, range: HOURS, upstreams: [open("shop", { recent: { calls: 10, faults: 9 } })] },
    [
      "bad",
      "shop is failing.",
      "Since 14:19, 90 % of its calls end in a fault. Its breaker is open and tries again in 12 s.",
      "",
    ],
  ],
  [
    "two upstreams",
    { upstreams: [open("shop"), open("crm")], shop: OUTAGE },
    [
      "bad",
      "shop and crm are failing.",
      "Since 14:18, 38 % of their calls end in a fault. Their breakers hold calls back.",
      "",
    ],
  ],
  [
    "one with a breaker, one without: the breaker first",
    { upstreams: [upstream("crm", many), open("shop")], shop: OUTAGE },
    [
      "bad",
      "shop and crm are failing.",
      "Since 14:18, 35 % of their calls end in a fault. The breaker of shop is open and tries again in 12 s.",
      "",
    ],
  ],
  [
    "four upstreams",
    { upstreams: [open("a"), open("b"), open("c"), upstream("d", many)] },
    [
      "bad",
      "4 upstreams are failing.",
      "Since 14:19, 10 % of their calls end in a fault. 3 of their breakers hold calls back.",
      "",
    ],
  ],
  // Rule 2b
  [
    "a tool",
    { upstreams: [upstream("shop", { heldTools: [{ tool: "shop__refund", state: "open", afterMs: 5_000 }] })] },
    ["bad", "shop__refund is failing.", "Other tools of shop work. It is tried again in 5 s.", ""],
  ],
  [
    "a tool by the name that callers use",
    { upstreams: [upstream("shop", { heldTools: [{ tool: "refund", name: "shop__refund", state: "open" }] })] },
    ["bad", "shop__refund is failing.", "Other tools of shop work.", ""],
  ],
  [
    "a tool without a time",
    { upstreams: [upstream("shop", { heldTools: [{ tool: "shop__refund", state: "half-open" }] })] },
    ["bad", "shop__refund is failing.", "Other tools of shop work.", ""],
  ],
  [
    "two tools of two upstreams",
    {
      upstreams: [
        upstream("shop", { heldTools: [{ tool: "shop__refund", state: "open", afterMs: 5_000 }] }),
        upstream("crm", { heldTools: [{ tool: "crm__search", state: "open" }] }),
      ],
    },
    [
      "bad",
      "shop__refund and crm__search are failing.",
      "Other tools of their upstreams work. The first is tried again in 5 s.",
      "",
    ],
  ],
  [
    "three tools",
    { upstreams: [upstream("shop", { heldTools: ["a", "b", "c"].map((tool) => ({ tool, state: "open" })) })] },
    ["bad", "3 tools are failing.", "Other tools of shop work.", ""],
  ],
  [
    "a tool whose breaker has closed says nothing",
    { upstreams: [upstream("shop", { heldTools: [{ tool: "shop__refund", state: "closed" }] })] },
    ["good", "Nothing is failing.", "No incident has been kept yet.", ""],
  ],
  [
    "a tool after a change",
    {
      upstreams: [upstream("shop", { heldTools: [{ tool: "shop__refund", state: "open" }] })],
      ...{ items: [lost()], groups: [{ group: "bbbbbbbb", counts: rising(0, 9) }], changes: [change()] },
    },
    [
      "bad",
      "shop__refund is failing.",
      "Other tools of shop work.",
      "It began 2 minutes after a change of the configuration.",
    ],
  ],
  // Rule 3
  [
    "one in ten of twenty calls",
    { upstreams: [upstream("shop", { recent: { calls: 20, faults: 2 } })] },
    ["bad", "shop is failing.", "10 % of its calls end in a fault.", ""],
  ],
  [
    "nineteen calls are too few",
    { upstreams: [upstream("shop", { recent: { calls: 19, faults: 19 } })] },
    ["good", "Nothing is failing.", "No incident has been kept yet.", ""],
  ],
  [
    "less than one in ten",
    { upstreams: [upstream("shop", { recent: { calls: 1_000, faults: 99 } })] },
    ["good", "Nothing is failing.", "No incident has been kept yet.", ""],
  ],
  [
    "many faults, with a beginning",
    { upstreams: [upstream("shop", many)], shop: OUTAGE },
    ["bad", "shop is failing.", "Since 14:18, 38 % of its calls end in a fault.", ""],
  ],
  // Rule 4
  [
    "a new critical cause",
    { items: [cause(), lost({ severity: "critical", count: 6 })] },
    [
      "bad",
      "Something new is broken.",
      "Connection lost in shop__refund, 6 times since 14:18.",
      "1 smaller cause goes on as usual.",
    ],
  ],
  [
    "once, without a tool",
    {
      items: [
        cause({ severity: "critical", count: 1, firstSeen: minutesAgo(2), tool: undefined } as Partial<IncidentClass>),
      ],
    },
    ["bad", "Something new is broken.", "Took too long, once since 14:30.", ""],
  ],
  [
    "a critical cause that is known is as usual",
    { items: [cause({ severity: "critical", count: 2 })] },
    ["text", "A few calls fail, as usual.", "2 incidents of 1 cause.", ""],
  ],
  [
    "every fifth call is not a few",
    { items: [cause({ count: 200 })], failed: 200 },
    ["warn", "200 of 1,000 calls failed.", "200 incidents of 1 cause.", ""],
  ],
  [
    "fewer than every fifth are a few",
    { items: [cause({ count: 199 })], failed: 199 },
    ["text", "A few calls fail, as usual.", "199 incidents of 1 cause.", ""],
  ],
  // Rule 5
  [
    "one incident",
    { items: [cause({ count: 1 })] },
    ["text", "A few calls fail, as usual.", "1 incident of 1 cause.", ""],
  ],
  // Rule 6
  [
    "none, with the last one",
    { last: cause({ lastSeen: minutesAgo(181), count: 1 }) },
    ["good", "Nothing is failing.", "The last incident was 3 h ago: Took too long in crm__search, once.", ""],
  ],
  [
    "none, with the last ones and refused calls",
    { last: cause({ lastSeen: minutesAgo(181), count: 2 }), refused: 212 },
    [
      "good",
      "Nothing is failing.",
      "The last incident was 3 h ago: Took too long in crm__search, twice.",
      "Mistakes of callers are not incidents: 212 calls were refused in the last hour, each with an answer that says what to do.",
    ],
  ],
  [
    "none in a day, one refused call",
    { range: HOURS, refused: 1 },
    [
      "good",
      "Nothing is failing.",
      "No incident has been kept yet.",
      "Mistakes of callers are not incidents: 1 call was refused in the last 24 hours, each with an answer that says what to do.",
    ],
  ],
  // Parts that are missing
  [
    "no incidents, but upstreams are not known",
    { faults: ["upstreams"] },
    [
      "text",
      "No incidents in the last hour.",
      "The state of the upstreams cannot be read now.",
      "No incident has been kept yet.",
    ],
  ],
  [
    "incidents are not known",
    { faults: ["classes"] },
    ["warn", "Incidents cannot be read now.", "No answer. Asked just now.", ""],
  ],
  [
    "incidents are not known, but an upstream is failing",
    { ...BAD_SHOP, faults: ["classes", "series", "changes"] },
    [
      "bad",
      "shop is failing.",
      "Since 14:18, 38 % of its calls end in a fault. Its breaker is open and tries again in 12 s.",
      "",
    ],
  ],
];

describe("the verdict", () => {
  it.each(ROWS)("%s", (_, evening, [tone, first, rest, second]) => {
    expect(verdict(overview(evening), NOW_MS)).toMatchObject({ tone, first, rest, second });
  });

  it("has at least 40 rows", () => expect(ROWS.length).toBeGreaterThanOrEqual(40));

  it.each([
    [
      "ten minutes before",
      change({ at: "2026-11-16T14:08:00.000Z" }),
      "It began 10 minutes after a change of the configuration.",
    ],
    ["earlier", change({ at: "2026-11-16T14:07:59.000Z" }), ""],
    [
      "in the same minute",
      change({ at: "2026-11-16T14:18:40.000Z" }),
      "It began in the same minute as a change of the configuration.",
    ],
    ["after it", change({ at: "2026-11-16T14:19:00.000Z" }), ""],
    [
      "one minute before",
      change({ at: "2026-11-16T14:17:00.000Z" }),
      "It began 1 minute after a change of the configuration.",
    ],
    ["a breaker", change({ kind: "breaker", what: "opened", target: "shop" }), ""],
    ["a store", change({ kind: "store", what: "away", target: "limits" }), ""],
    ["a refused file", change({ what: "refused" }), ""],
    ["a sign-in", change({ kind: "operator", what: "console.sign-in", by: "ops-2" }), ""],
    [
      "a process",
      change({ kind: "process", what: "started", target: "edge-1", facts: { version: "0.2.0" } }),
      "It began 2 minutes after the start of version 0.2.0.",
    ],
    [
      "a person",
      change({ kind: "operator", what: "breaker.reset", target: "crm", by: "ops-2" }),
      "It began 2 minutes after a reset of the breaker of crm.",
    ],
  ])("names a change shortly before: %s", (_, one, second) => {
    expect(verdict(overview({ ...BAD_SHOP, changes: [one] }), NOW_MS).second).toBe(second);
  });

  it("names the newest of two changes", () => {
    const older = change({ id: "e0", at: "2026-11-16T14:10:00.000Z" });
    expect(verdict(overview({ ...BAD_SHOP, changes: [older, change()] }), NOW_MS).change?.id).toBe("e1");
  });

  it("counts down with the clock", () => {
    expect(verdict(overview(BAD_SHOP), NOW_MS + 5_000).rest).toContain("tries again in 7 s.");
    expect(verdict(overview(BAD_SHOP), NOW_MS + 60_000).rest).toContain("tries again now.");
  });

  const PARTS = ["health", "calls", "series", "classes", "upstreams", "changes"] as const;
  it("is always a sentence, whichever parts are missing", () => {
    const evening = fc.record({
      faults: fc.subarray([...PARTS]),
      parts: fc.constantFrom({}, { database: "away" as const }, { limits: "away" as const }),
      upstreams: fc.array(
        fc.record({
          breaker: fc.constantFrom("closed" as const, "open" as const, "half-open" as const),
          afterMs: fc.double(),
          recent: fc.record({ calls: fc.nat(), faults: fc.nat() }),
        }),
      ),
      operator: fc.array(fc.nat({ max: 100 }), { maxLength: 70 }),
      items: fc.array(fc.record({ count: fc.nat(), title: fc.string(), tool: fc.string() }), { maxLength: 6 }),
      target: fc.string(),
    });
    fc.assert(
      fc.property(evening, ({ faults, parts, upstreams, operator, items, target }) => {
        const whole = overview({
          ...{ faults, parts },
          upstreams: upstreams.map((one, at) => upstream(at === 0 ? "shop" : `u${at}`, one)),
          shop: { total: operator, operator },
          items: items.map((one) => cause(one)),
          changes: [change({ target })],
        });
        const { first, rest, second, tone } = verdict(whole, NOW_MS);
        expect(first).toMatch(/^\S.*\.$/s);
        expect(rest).toMatch(/^$|\.$/);
        expect(`${rest} ${second}`).not.toMatch(/NaN|undefined|Infinity|because/);
        expect(["bad", "warn", "text", "good"]).toContain(tone);
      }),
    );
  });
});

describe("the beginning", () => {
  it.each([
    ["no counts", [], undefined],
    ["quiet", flat(1), undefined],
    ["four are too few", rising(0, 4), undefined],
    ["five are enough", rising(0, 5), 45],
    ["four times the median", rising(3, 12), 45],
    ["less than four times", rising(3, 11), undefined],
    ["one minute is enough", [0, 0, 9, 0], 2],
    ["the first minute", [6, 0, 0], 0],
  ])("%s", (_, counts, index) => {
    expect(findOnset(counts, SINCE)?.index).toBe(index);
  });
});

describe("ranges", () => {
  it("are read from the address", () => {
    expect([rangeInAddress("24h"), rangeInAddress("9h"), rangeInAddress(null)]).toEqual(["24h", "1h", "1h"]);
  });
  it("are told by the times of an answer", () => {
    expect(
      [SINCE, HOURS.since, "2026-11-16T14:18:00Z", "x"].map((since) => overviewRange({ asOf: AS_OF, since })),
    ).toEqual(["1h", "24h", "15m", "1h"]);
  });
  it("reach back to a time", () => {
    const reach = (minutes: number) => rangeReaching(minutesAgo(minutes), { nowMs: NOW_MS, from: "1h" });
    expect([reach(30), reach(180), reach(3_000), reach(90_000)]).toEqual(["24h", "24h", "7d", undefined]);
  });
});
