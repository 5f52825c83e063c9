import { expect, test } from "vitest";
import type { Change, Explanation, Incident, IncidentClass, Upstream } from "../../api/types.ts";
import { type KnownAbout, whatToDo } from "./what-to-do.ts";

const INCIDENT: Incident = {
  ...{ id: "01M7K7RE4ST7GE86F8QRXY0849", at: "2026-11-16T14:30:33.000Z", fingerprint: "7b1d445dcd8e" },
  ...{ reason: "transport/connection_lost", kind: "unavailable", tool: "shop__refund", upstream: "shop" },
  ...{ caller: '["key","acme","agent-eu"]', effect: "possible" },
};
const CAUSE: IncidentClass = {
  ...{
    fingerprint: "7b1d445dcd8e",
    reason: "transport/connection_lost",
    kind: "unavailable",
    title: "Connection lost",
  },
  ...{ message: "", severity: "error", count: 212 },
  ...{ firstSeen: "2026-11-16T14:18:00.000Z", lastSeen: "2026-11-16T14:32:00.000Z" },
};
const SHOP: Upstream = {
  ...{ upstream: "shop", listed: "current", tools: 3, shadowed: [], breaker: "closed", requests: 1, failures: 0 },
  kind: "http",
};
const EXPLANATION: Explanation = {
  ...{ reason: "transport/connection_lost", kind: "unavailable", class: "temporary", title: "Connection lost" },
  ...{ meaning: "", actor: "host", severity: "error", causes: [] },
  remedies: ["Make the call again.", "The operator should look for a restart or crash at that time."],
};
const change = (members: Partial<Change>): Change => ({
  ...{
    id: "e1",
    at: "2026-11-16T14:16:00.000Z",
    kind: "config",
    what: "taken-over",
    target: "gateway.yaml",
    facts: {},
  },
  ...members,
});

const FIND_OUT = "Find out in shop whether shop__refund took effect for agent-eu at 14:30:33 UTC.";
const REMEDY = "The operator should look for a restart or crash at that time.";

test.each<[string, KnownAbout, readonly string[]]>([
  ["nothing but the incident", { incident: INCIDENT }, [FIND_OUT]],
  [
    "all three",
    { incident: INCIDENT, upstream: { ...SHOP, breaker: "open" }, cause: CAUSE, explanation: EXPLANATION },
    [FIND_OUT, "The breaker of shop is open.", REMEDY],
  ],
  [
    "a change before it began",
    { incident: INCIDENT, upstream: { ...SHOP, breaker: "open" }, cause: CAUSE, changes: [change({})] },
    [FIND_OUT, "The breaker of shop is open. It began 2 min after a change of the configuration."],
  ],
  [
    "the newest of two changes",
    {
      incident: INCIDENT,
      cause: CAUSE,
      changes: [
        change({}),
        change({ at: "2026-11-16T14:17:30.000Z", kind: "operator", what: "breaker.reset", target: "shop" }),
      ],
    },
    [FIND_OUT, "It began 30 s after a reset of the breaker of shop."],
  ],
  [
    "changes after it, long before it, and of breakers do not count",
    {
      incident: INCIDENT,
      cause: CAUSE,
      changes: [
        change({ at: "2026-11-16T14:18:01.000Z" }),
        change({ at: "2026-11-16T14:07:59.000Z" }),
        change({ kind: "breaker", what: "opened", target: "shop" }),
      ],
    },
    [FIND_OUT, "211 others with this cause since 14:18."],
  ],
  ["one alone has no others", { incident: INCIDENT, cause: { ...CAUSE, count: 1 } }, [FIND_OUT]],
  [
    "an old cause",
    { incident: INCIDENT, cause: { ...CAUSE, count: 2, firstSeen: "2026-11-07T14:18:00.000Z" } },
    [FIND_OUT, "1 other with this cause since 7 Nov 2026."],
  ],
  [
    "a breaker that tries again",
    { incident: INCIDENT, upstream: { ...SHOP, breaker: "half-open" } },
    [FIND_OUT, "The breaker of shop is open and tries single calls."],
  ],
  ["a closed breaker", { incident: INCIDENT, upstream: SHOP }, [FIND_OUT]],
  ["nothing was done", { incident: { ...INCIDENT, effect: "none" }, explanation: EXPLANATION }, [REMEDY]],
  [
    "it took effect",
    { incident: { ...INCIDENT, effect: "applied" } },
    ["Look up in shop what shop__refund did for agent-eu at 14:30:33 UTC, and tell the caller: its answer was lost."],
  ],
  [
    "no upstream, tool or caller",
    {
      incident: {
        ...{ id: INCIDENT.id, at: INCIDENT.at, fingerprint: INCIDENT.fingerprint },
        ...{ reason: "core/internal", kind: "internal", effect: "possible" },
      },
    },
    ["Find out whether the call took effect at 14:30:33 UTC."],
  ],
  [
    "the first remedy where the operator has to act",
    {
      incident: { ...INCIDENT, effect: "none" },
      explanation: { ...EXPLANATION, actor: "operator", remedies: ["Read the log."] },
    },
    ["Read the log."],
  ],
  [
    "no remedy for the operator",
    { incident: { ...INCIDENT, effect: "none" }, explanation: { ...EXPLANATION, remedies: ["Make the call again."] } },
    [],
  ],
])("%s", (_, known, points) => {
  expect(whatToDo(known)).toEqual(points);
});
