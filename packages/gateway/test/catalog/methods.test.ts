import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { METHOD_RULES, type MethodRule } from "../../src/catalog/methods.ts";
import { callOf, outcomeOf } from "./support/calls.ts";
import { catalogOf, closeAll } from "./support/world.ts";

afterEach(closeAll);

/** How the page names the rules. */
const WORDS: Readonly<Record<MethodRule, string>> = {
  initialize: "answered by the gateway",
  discover: "answered by the gateway",
  ping: "answered by the gateway",
  list: "answered by the gateway",
  listen: "answered by the gateway",
  logLevel: "answered by the gateway",
  tool: "sent to the upstream",
  prompt: "sent to the upstream",
  resource: "sent to the upstream",
  completion: "sent to the upstream",
  task: "sent to the upstream",
  subscribe: "sent to the upstream",
  unsubscribe: "sent to the upstream",
  refuse: "refused",
};

it("the page about methods has the rows of the table", () => {
  const page = readFileSync(new URL("../../../../docs/gateway/methods.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)].map(([, method, older, newer]) => [
    method,
    older?.trim(),
    newer?.trim(),
  ]);
  expect(rows).toEqual(
    Object.entries(METHOD_RULES).map(([method, rule]) => [method, WORDS[rule.handshake], WORDS[rule.stateless]]),
  );
});

it.each([
  ["initialize", "2026-07-28"],
  ["ping", "2026-07-28"],
  ["server/discover", "2025-11-25"],
  ["subscriptions/listen", "2025-11-25"],
  ["logging/setLevel", "2026-07-28"],
  ["resources/subscribe", "2026-07-28"],
  ["tasks/result", "2026-07-28"],
  ["tasks/list", "2025-11-25"],
  ["tasks/list", "2026-07-28"],
  ["tasks/update", "2025-11-25"],
  ["notifications/initialized", "2026-07-28"],
  ["toString", "2026-07-28"],
])("%s of %s is refused", async (method, revision) => {
  const { catalog } = catalogOf([]);
  expect(await outcomeOf(catalog, callOf(method, {}, { revision }))).toMatchObject({
    reason: "protocol/method_not_found",
    origin: { layer: "gateway", name: "test-gateway" },
  });
});

it("ping of the older era is answered, also without upstreams", async () => {
  const { catalog } = catalogOf([]);
  expect(await outcomeOf(catalog, callOf("ping", {}, { revision: "2025-11-25" }))).toBe("{}");
  expect(await outcomeOf(catalog, callOf("tools/list", {}, { revision: "2025-11-25" }))).toBe('{"tools":[]}');
});

it("a log level needs a session", async () => {
  const { catalog } = catalogOf([]);
  const call = callOf("logging/setLevel", { level: "info" }, { revision: "2025-11-25" });
  expect(await outcomeOf(catalog, call)).toMatchObject({ reason: "protocol/method_not_found" });
});
