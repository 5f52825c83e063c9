// A made-up evening at a gateway named edge: shop is failing since 14:18. All scenes show it, or a part of it.
import type {
  ApiKey,
  Approval,
  CallRates,
  Change,
  Explanation,
  Health,
  Hits,
  Incident,
  IncidentClass,
  LimitRefusal,
  Limits,
  Me,
  Overview,
  Page,
  Replica,
  Series,
  Upstream,
} from "../src/api/types.ts";

/** When all scenes are looked at. */
export const NOW = "2026-11-16T14:32:08.000Z";
const NOW_MS = Date.parse(NOW);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** So long before. */
export function before(ms: number): string {
  return new Date(NOW_MS - ms).toISOString();
}

export const ME: Me = {
  id: "ops-1",
  role: "admin",
  via: "session",
  endsAt: "2026-11-16T20:00:00.000Z",
  name: "edge",
  version: "0.1.0",
};

export const HEALTH: Health = {
  status: "degraded",
  name: "edge",
  version: "0.1.0",
  startedAt: before(190 * MINUTE),
  requests: 18_204,
  failures: 564,
  store: "shared",
  parts: { database: "works", limits: "works", approvals: "works", breakers: "works", incidents: "works" },
  why: [],
  incidents: { waiting: 0, dropped: 0 },
};

export const LOST_ID = "01M7K7RE4ST7GE86F8QRXY0849";
const LOST = "7b1d445dcd8e4f02a1b2c3d4e5f60718";
const HELD_BACK = "e02cc81f09aa4f02a1b2c3d4e5f60718";
const SLOW = "41b7a0d2c3ee4f02a1b2c3d4e5f60718";
const BROKEN = "c9f01d77b2104f02a1b2c3d4e5f60718";
const ODD = "0d9be6612f434f02a1b2c3d4e5f60718";

export const CLASSES: readonly (IncidentClass & { callers?: number })[] = [
  {
    ...{ fingerprint: LOST, reason: "transport/connection_lost", kind: "unavailable", title: "Connection lost" },
    ...{ severity: "error", effect: "possible", tool: "shop__refund", upstream: "shop", count: 212, callers: 9 },
    message: "The connection to the server broke before it answered.",
    ...{ firstSeen: before(14 * MINUTE), lastSeen: before(3_000), sampleId: LOST_ID },
  },
  {
    ...{ fingerprint: HELD_BACK, reason: "transport/breaker_open", kind: "unavailable" },
    title: "Calls paused after failures",
    ...{ severity: "error", effect: "none", tool: "shop__list_orders", upstream: "shop", count: 148, callers: 11 },
    message: "Recent calls to this server failed, so this call was not sent.",
    ...{ firstSeen: before(13 * MINUTE), lastSeen: before(1_000) },
  },
  {
    ...{ fingerprint: SLOW, reason: "core/timeout", kind: "timeout", title: "Took too long" },
    ...{ severity: "error", effect: "none", tool: "crm__search", upstream: "crm", count: 37, callers: 4 },
    message: "The service did not answer in time.",
    ...{ firstSeen: before(9 * DAY), lastSeen: before(48_000) },
  },
  {
    ...{ fingerprint: BROKEN, reason: "core/internal", kind: "internal", title: "Internal error" },
    ...{ severity: "critical", effect: "possible", tool: "files__write", upstream: "files", count: 6, callers: 1 },
    message: "The call failed because of an internal error.",
    ...{ firstSeen: before(52 * MINUTE), lastSeen: before(6 * MINUTE) },
  },
  {
    ...{ fingerprint: ODD, reason: "rest/unexpected_reply", kind: "upstream_failed", title: "Reply not understood" },
    ...{ severity: "warning", effect: "none", tool: "billing__list_invoices", upstream: "billing", count: 3 },
    callers: 2,
    message: "The service answered with something that is not its documented reply.",
    ...{ firstSeen: before(26 * DAY), lastSeen: before(21 * MINUTE) },
  },
];

const MINUTES = Array.from({ length: 60 }, (_, index) => 59 - index);
/** Counts of the last minutes; there was nothing before. */
const atTheEnd = (...counts: readonly number[]) => [...MINUTES.slice(counts.length).map(() => 0), ...counts];
const COUNTS = {
  [LOST]: atTheEnd(5, 8, 11, 15, 16, 14, 17, 18, 15, 16, 14, 17, 16, 15, 15),
  [HELD_BACK]: atTheEnd(2, 5, 8, 11, 12, 13, 11, 12, 13, 12, 12, 13, 12, 12),
  [SLOW]: [..."111110101000022022011002200000100100010210002010220001101000"].map(Number),
  [BROKEN]: MINUTES.map((ago) => ({ 52: 1, 30: 1, 12: 3, 6: 1 })[ago] ?? 0),
  [ODD]: MINUTES.map((ago) => ([50, 33, 21].includes(ago) ? 1 : 0)),
};
const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
const SERIES_SINCE = new Date(Math.floor(NOW_MS / MINUTE) * MINUTE - 59 * MINUTE).toISOString();

export const SERIES: Series = {
  ...{ since: SERIES_SINCE, step: "minute", length: 60 },
  groups: Object.entries(COUNTS).map(([group, counts]) => ({ group, total: sum(counts), counts })),
  other: { groups: 1, total: 3, counts: MINUTES.map((ago) => ([44, 28, 9].includes(ago) ? 1 : 0)) },
};

export const UPSTREAMS: readonly Upstream[] = [
  {
    ...{ upstream: "shop", listed: "kept", tools: 14, shadowed: [], kind: "http", host: "shop.internal:8443" },
    ...{ era: "2026-07-28", breaker: "open", breakerSince: before(13 * MINUTE + 10_000), afterMs: 12_000 },
    ...{ requests: 948, failures: 360, recent: { calls: 214, faults: 81 }, p95Ms: 2_140 },
    lastFailure: { at: before(3_000), reason: "transport/connection_lost", incident: LOST_ID },
    ...{ downSince: before(13 * MINUTE), why: "read ECONNRESET", listedAt: before(15 * MINUTE) },
  },
  {
    ...{ upstream: "crm", listed: "current", tools: 31, shadowed: ["search"], kind: "openapi", host: "crm.internal" },
    ...{ breaker: "closed", requests: 6_120, failures: 37, recent: { calls: 512, faults: 6 }, p95Ms: 8_200 },
    listedAt: before(4 * MINUTE),
  },
  {
    ...{ upstream: "billing", listed: "current", tools: 12, shadowed: [], kind: "openapi", host: "billing.internal" },
    ...{ breaker: "closed", requests: 8_020, failures: 3, recent: { calls: 660, faults: 0 }, p95Ms: 310 },
    listedAt: before(4 * MINUTE),
  },
  {
    ...{ upstream: "files", listed: "current", tools: 6, shadowed: [], kind: "stdio", host: "files-server" },
    ...{ era: "2025-11-25", breaker: "closed", requests: 3_116, failures: 6, recent: { calls: 240, faults: 0 } },
    ...{ p95Ms: 45, listedAt: before(2 * MINUTE) },
  },
];

export const APPROVALS: readonly Approval[] = [
  {
    ...{
      id: "01M7K4YH3A5S8D2F6G9J1K4M7P",
      state: "pending",
      tenant: "globex",
      caller: '["key","globex","cleanup-bot"]',
    },
    ...{ tool: "crm__delete_contact", arguments: '{"contact":"c_88213"}', policy: "5f2c", upstream: "crm" },
    ...{ createdAt: before(11 * MINUTE), expiresAt: new Date(NOW_MS + 4 * MINUTE + 5_000).toISOString() },
    title: "Delete a contact",
  },
  {
    ...{ id: "01M7K4T0QWE7C2V9R3B5N8X1ZD", state: "pending", tenant: "acme", caller: '["key","acme","agent-eu"]' },
    ...{ tool: "shop__refund", arguments: '{"order":4711,"amount":249.00,"reason":"damaged"}', policy: "5f2c" },
    ...{ createdAt: before(220_000), expiresAt: new Date(NOW_MS + 11 * MINUTE + 20_000).toISOString() },
    ...{ upstream: "shop", title: "Refund", description: "Pays back an order, all of it or a part." },
  },
];

export const DECIDED: readonly Approval[] = (
  [
    ["01M7K1Q8Z0W4N7C2V9R3B5X1ZA", "consumed", '{"order":4660,"amount":12.50,"reason":"late"}', "ops-2", 64],
    ["01M7JYQ8Z0W4N7C2V9R3B5X1ZB", "consumed", '{"order":4598,"amount":30.00,"reason":"damaged"}', "ops-2", 180],
    ["01M7HQQ8Z0W4N7C2V9R3B5X1ZC", "denied", '{"order":4471,"amount":900.00,"reason":"other"}', "ops-1", 1_500],
  ] as const
).map(([id, state, text, by, minutes]) => ({
  ...{ id, state, tenant: "acme", caller: '["key","acme","agent-eu"]', tool: "shop__refund", arguments: text },
  ...{ policy: "5f2c", createdAt: before((minutes + 4) * MINUTE), expiresAt: before((minutes - 11) * MINUTE) },
  ...{ decidedAt: before(minutes * MINUTE), decidedBy: by, upstream: "shop", title: "Refund" },
}));

export const CHANGES: readonly Change[] = [
  {
    ...{ id: "e9", at: before(13 * MINUTE + 10_000), kind: "breaker", what: "opened", target: "shop" },
    ...{ replica: "edge-3", facts: { failures: 5 } },
  },
  {
    ...{ id: "e8", at: before(16 * MINUTE), kind: "config", what: "taken-over", target: "gateway.yaml" },
    ...{ replica: "edge-1", facts: { options: ["upstreams.shop.url"] } },
  },
  {
    ...{ id: "a7", at: before(64 * MINUTE), kind: "operator", what: "approval.approve", by: "ops-2" },
    ...{ target: "01M7K1Q8Z0W4N7C2V9R3B5X1ZA", facts: { tool: "shop__refund", tenant: "acme" } },
  },
  {
    ...{ id: "e6", at: before(190 * MINUTE), kind: "process", what: "started", target: "edge-1" },
    ...{ replica: "edge-1", facts: { version: "0.1.0" } },
  },
  {
    ...{ id: "e5", at: before(26 * 60 * MINUTE), kind: "store", what: "back", target: "limits" },
    ...{ replica: "edge-2", facts: {} },
  },
];

export const REFUSALS: readonly LimitRefusal[] = [
  {
    ...{ caller: '["key","globex","nightly-sync"]', tenant: "globex", policy: "key" },
    ...{ rate: { perSecond: 20, burst: 40 }, refused: 1_840, calls: 9_200, incidents: 12, last: before(20_000) },
  },
  {
    ...{ caller: '["key","acme","agent-eu"]', tenant: "acme", policy: "shop__refund" },
    ...{ rate: { perSecond: 1, burst: 1 }, refused: 96, calls: 1_204, incidents: 164, last: before(90_000) },
  },
  {
    ...{ caller: '["key","acme","ci"]', tenant: "acme", policy: "key" },
    ...{ rate: { perSecond: 20, burst: 40 }, refused: 12, calls: 310, incidents: 0, last: before(40 * MINUTE) },
  },
];

const hit = (group: string, count: number) => ({ group, count, last: before(count * 100) });
const CALLER_HITS = [
  hit('["key","acme","agent-eu"]', 164),
  hit('["key","globex","helpdesk"]', 98),
  hit('["key","initech","checkout-agent"]', 55),
  hit('["key","globex","sync-crm"]', 29),
];
const TENANT_HITS = [hit("acme", 231), hit("globex", 122), hit("initech", 55), hit("umbrella", 1)];

export const HITS: { readonly tenant: Hits; readonly caller: Hits } = {
  tenant: { items: TENANT_HITS, count: 4, other: 0 },
  caller: { items: CALLER_HITS, count: 14, other: 63 },
};

/** Who is hit by the first cause. */
export const CAUSE_HITS: { readonly tenant: Hits; readonly caller: Hits } = {
  tenant: { items: [hit("acme", 121), hit("globex", 62), hit("initech", 29)], count: 3, other: 0, of: 1_000 },
  caller: {
    items: [
      hit('["key","acme","agent-eu"]', 104),
      hit('["key","globex","helpdesk"]', 48),
      hit('["key","initech","checkout-agent"]', 29),
    ],
    ...{ count: 9, other: 31, of: 1_000 },
  },
};

/** Calls of shop: 948 of them since it fails, and 360 of these end in a fault. */
const SHOP_CALLS = MINUTES.map((ago) => (ago > 14 ? 14 + (ago % 5) : ago % 5 === 0 ? 64 : 63));
const SHOP_FAULTS = MINUTES.map((_, index) => (COUNTS[LOST]?.[index] ?? 0) + (COUNTS[HELD_BACK]?.[index] ?? 0));
const NO_FAULTS = MINUTES.map(() => 0);
const every = (count: number) => MINUTES.map(() => count);
const rates = (groups: readonly (readonly [string, number[], number[], number, number])[]): CallRates => ({
  ...{ since: SERIES_SINCE, step: "minute", length: 60 },
  groups: groups.map(([group, total, operator, p50Ms, p95Ms]) => ({
    ...{ group, calls: sum(total), faults: sum(operator), total, operator, p50Ms, p95Ms },
  })),
  other: { groups: 0, calls: 0, faults: 0 },
});

/** Calls and faults of upstreams, and of the tools of shop. */
export const CALL_RATES: { readonly upstream: CallRates; readonly tool: CallRates } = {
  upstream: rates([
    ["billing", every(134), COUNTS[ODD], 120, 310],
    ["crm", every(102), COUNTS[SLOW], 1_900, 8_200],
    ["files", every(52), COUNTS[BROKEN], 12, 45],
    ["shop", SHOP_CALLS, SHOP_FAULTS, 180, 2_140],
  ]),
  tool: rates([
    ["shop__list_orders", every(16), COUNTS[HELD_BACK], 90, 240],
    ["shop__refund", every(9), COUNTS[LOST], 420, 2_140],
    ["shop__find_order", every(2), NO_FAULTS, 60, 180],
  ]),
};

export const OVERVIEW: Overview = {
  ...{ asOf: NOW, since: SERIES_SINCE, step: "minute" },
  health: { asOf: NOW, value: HEALTH },
  calls: {
    asOf: NOW,
    value: {
      total: 18_204,
      byOutcome: { ok: 15_643, caller: 204, refused: 1_948, operator: 409 },
      callers: 231,
      before: { total: 17_980, operator: 36 },
      upstreams: [
        { upstream: "shop", total: SHOP_CALLS, operator: SHOP_FAULTS },
        { upstream: "crm", total: every(102), operator: COUNTS[SLOW] },
      ],
    },
  },
  series: { asOf: NOW, value: SERIES },
  classes: { asOf: NOW, value: { items: [...CLASSES], incidents: 409, classes: 6 } },
  hits: { asOf: NOW, value: { tenants: TENANT_HITS, callers: CALLER_HITS, tenantCount: 4, callerCount: 14 } },
  upstreams: { asOf: NOW, value: [...UPSTREAMS] },
  approvals: { asOf: NOW, value: { pending: 2, items: [...APPROVALS] } },
  refusals: { asOf: NOW, value: [...REFUSALS] },
  changes: { asOf: NOW, value: CHANGES.slice(0, 4) },
};

export const INCIDENT: Incident = {
  ...{ id: LOST_ID, at: before(95_000), fingerprint: LOST, reason: "transport/connection_lost", kind: "unavailable" },
  ...{ tenant: "acme", caller: '["key","acme","agent-eu"]', tool: "shop__refund", upstream: "shop" },
  ...{ effect: "possible", trace: "4bf92f3577b34da6a3ce929d0e0e4736" },
  sample: {
    fault: {
      ...{ kind: "unavailable", class: "temporary", reason: "transport/connection_lost", effect: "possible" },
      message: "The connection to the server broke before it answered.",
      recourse: [{ do: "refresh" }, { do: "stop" }],
      ...{ retry: { allowed: false }, basis: "stated", incident: LOST_ID, at: before(95_000) },
      origin: { layer: "gateway", name: "edge" },
    },
    sentText: `The connection to the server broke before it answered. The call may have taken effect, so do not repeat it. Check the current state first. If you report this, give incident ${LOST_ID}.`,
    causes: [
      {
        ...{ relation: "thrown", name: "UpstreamConnectionError", code: "UND_ERR_SOCKET", fields: {} },
        message: "other side closed after 1,318 bytes were sent",
        frames: [
          "at Attempt.send (upstreams/http/exchange.js:88:13)",
          "at HttpUpstream.call (upstreams/http/upstream.js:141:20)",
        ],
      },
      {
        ...{
          relation: "cause",
          name: "SocketError",
          code: "ECONNRESET",
          fields: { address: "10.4.2.17", port: "8443" },
        },
        message: "read ECONNRESET 10.4.2.17:8443",
        frames: ["at TLSWrap.onStreamRead (node:internal/stream_base_commons:216:20)"],
      },
    ],
    ...{ method: "tools/call", durationMs: 2_143, endedAt: "attempt", replica: "edge-3", sent: "all", keyed: false },
    steps: (
      [
        ["head", 0.1],
        ["authenticate", 0.4],
        ["message", 0.3],
        ["resolve", 0.1],
        ["limits", 0.2],
        ["check", 1.1],
        ["breaker", 0.1],
        ["begin", 3.2],
        ["attempt", 2_137],
      ] as const
    ).map(([step, ms]) => ({ step, ms })),
    client: { name: "support-agent", version: "2.4.0" },
    protocol: "2026-07-28",
  },
};

/** Others of the same cause, the newest first. Only some have a sample. */
export const SIBLINGS: readonly Incident[] = [
  INCIDENT,
  ...(
    [
      ["01M7K7QVB2N4XW0E8T6Y1R5H3K", 113_000, "acme", "agent-eu", 2_098],
      ["01M7K7Q5M8C3JZ7D0P9F2S4V6B", 142_000, "globex", "helpdesk", 2_201],
      ["01M7K7NX1T5G8H2K4M6P9R3W7Y", 171_000, "initech", "checkout-agent", 1_987],
    ] as const
  ).map(([id, ago, tenant, caller, durationMs]) => ({
    ...INCIDENT,
    ...{ id, at: before(ago), tenant, caller: `["key","${tenant}","${caller}"]` },
    ...(INCIDENT.sample && {
      sample: {
        ...{ ...INCIDENT.sample, durationMs, sentText: INCIDENT.sample.sentText?.replace(LOST_ID, id) },
        fault: { ...INCIDENT.sample.fault, incident: id },
      },
    }),
  })),
];

export const EXPLANATION: Explanation = {
  ...{ reason: "transport/connection_lost", kind: "unavailable", class: "temporary", title: "Connection lost" },
  meaning: "A service that this call needs cannot be reached.",
  ...{ actor: "operator", severity: "error" },
  causes: ["The upstream stopped or restarted while it worked.", "A proxy in between closed the connection."],
  remedies: [
    "See in the upstream's log why it closes connections.",
    "Give the tool idempotency keys, so that calls can be repeated.",
  ],
  docs: "https://github.com/recourse-mcp/recourse/blob/main/docs/reasons/transport/connection_lost.md",
};

export const KEYS: readonly ApiKey[] = [
  {
    ...{ source: "database", prefix: "rk_7f3a", id: "agent-eu", tenant: "acme", tools: ["shop__*"], scopes: [] },
    ...{
      entitlements: [],
      createdAt: before(40 * DAY),
      createdBy: "ops-1",
      lastUsedAt: before(8 * MINUTE),
      state: "good",
    },
  },
  {
    ...{ source: "database", prefix: "rk_19bc", id: "nightly-sync", tenant: "globex", tools: ["*"], scopes: ["sync"] },
    ...{ entitlements: [], createdAt: before(90 * DAY), revokedAt: before(3 * DAY), state: "revoked" },
  },
  { ...{ source: "file", id: "ci", tenant: "acme", tools: ["*"], scopes: [], entitlements: [], state: "good" } },
];

export const LIMITS: Limits = {
  ...{ mode: "leased", isAway: false, away: "closed" },
  key: { perSecond: 20, burst: 40 },
  tenant: { perSecond: 100, burst: 200 },
  tools: [{ pattern: "shop__refund", rate: { perSecond: 1, burst: 1 } }],
};

export const REPLICAS: readonly Replica[] = [1, 2, 3].map((number) => ({
  ...{ id: `edge-${number}`, version: "0.1.0", startedAt: before(190 * MINUTE), seenAt: before(2_000) },
  parts: { database: "works", limits: "works" },
}));

/** A list on one page. */
export function pageOf<T>(items: readonly T[], next: string | null = null): Page<T> {
  return { items, next };
}
